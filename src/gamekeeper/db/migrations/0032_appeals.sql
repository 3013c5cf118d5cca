-- Appeals: what players say against a sanction, and what they were answered.
--
-- Whether an appeal is open is not stored: it is, if nobody decided it and its sanction is not
-- over. So a sanction that ends by itself, or is lifted by other means, closes its appeal
-- without a job and without a second write that could be forgotten.

CREATE TABLE appeals (
    id              uuid PRIMARY KEY,
    sanction_id     uuid NOT NULL,
    text            text NOT NULL,              -- by the player; personal, so not in `actions`
    opened_at       timestamptz NOT NULL DEFAULT now(),
    decided_at      timestamptz,
    decided_by      text,                       -- the actor, as in `actions`
    decided_by_name text,
    lifted          boolean,                    -- whether the decision lifted the sanction
    answer          text,                       -- for the player
    reason          text,                       -- for staff
    CONSTRAINT appeals_sanction_fkey FOREIGN KEY (sanction_id) REFERENCES sanctions
        ON DELETE CASCADE,
    CONSTRAINT appeals_text_length CHECK (char_length(text) BETWEEN 1 AND 4000),
    CONSTRAINT appeals_answer_length CHECK (char_length(answer) BETWEEN 1 AND 2000),
    CONSTRAINT appeals_reason_length CHECK (char_length(reason) <= 2000),
    CONSTRAINT appeals_decided_whole CHECK (
        num_nulls(decided_at, decided_by, decided_by_name, lifted, answer, reason) IN (0, 6)
    )
);
-- Those of a sanction, oldest first.
CREATE INDEX appeals_sanction_idx ON appeals (sanction_id, opened_at, id);
-- At most one that waits; and the queue, oldest first.
CREATE UNIQUE INDEX appeals_one_undecided_idx ON appeals (sanction_id) WHERE decided_at IS NULL;
CREATE INDEX appeals_undecided_idx ON appeals (opened_at, id) WHERE decided_at IS NULL;
-- The list of all, newest first.
CREATE INDEX appeals_opened_idx ON appeals (opened_at DESC, id);
