-- When the hash chain was verified, how far, and what was found: `gamekeeper actions verify` adds a
-- row, so that a console can say how old the last proof is. A note for people, not itself a proof:
-- whoever may add rows could add one that lies.
CREATE TABLE chain_verifications (
    number      bigint GENERATED ALWAYS AS IDENTITY,
    at          timestamptz NOT NULL DEFAULT clock_timestamp(),
    links       bigint NOT NULL,                -- how many there were, all of them verified
    action_id   uuid,                           -- of the last link; none if there were no links
    action_at   timestamptz,
    breaches    bigint NOT NULL,
    CONSTRAINT chain_verifications_pkey PRIMARY KEY (number),
    CONSTRAINT chain_verifications_not_negative CHECK (links >= 0 AND breaches >= 0)
);
