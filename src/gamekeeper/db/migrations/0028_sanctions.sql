-- Sanctions: bans, mutes, trade locks, warnings and notes, on an account or on one of its
-- characters. A row is never deleted: a sanction is lifted, by somebody, for a reason.

CREATE TABLE sanctions (
    id              uuid PRIMARY KEY DEFAULT gen_random_uuid(),
    code            text COLLATE "C" NOT NULL,  -- XXXX-XXXX: what the player quotes
    kind            text NOT NULL,
    user_id         uuid NOT NULL,              -- the account, also if it is on a character
    player_id       uuid,                       -- NULL: the whole account
    starts_at       timestamptz NOT NULL DEFAULT now(),
    ends_at         timestamptz NOT NULL DEFAULT 'infinity',
    reason          text NOT NULL DEFAULT '',   -- for staff
    message         text NOT NULL DEFAULT '',   -- for the player
    template        text,                       -- the name of the template it was made from
    step            int,                        -- the step of its ladder, from 1
    evidence        text[] NOT NULL DEFAULT '{}',
    imposed_at      timestamptz NOT NULL DEFAULT now(),
    imposed_by      text NOT NULL,              -- the actor, as in `actions`
    imposed_by_name text NOT NULL,
    lifted_at       timestamptz,
    lifted_by       text,
    lifted_by_name  text,
    lift_reason     text,
    CONSTRAINT sanctions_code_key UNIQUE (code),
    CONSTRAINT sanctions_user_fkey FOREIGN KEY (user_id) REFERENCES users ON DELETE CASCADE,
    CONSTRAINT sanctions_kind_known
        CHECK (kind IN ('ban', 'mute', 'trade_lock', 'warning', 'note')),
    CONSTRAINT sanctions_code_form CHECK (code ~ '^[0-9A-Z]{4}-[0-9A-Z]{4}$'),
    CONSTRAINT sanctions_not_backwards CHECK (ends_at >= starts_at),
    CONSTRAINT sanctions_reason_length CHECK (char_length(reason) <= 2000),
    CONSTRAINT sanctions_message_length CHECK (char_length(message) <= 2000),
    CONSTRAINT sanctions_lift_reason_length CHECK (char_length(lift_reason) <= 2000),
    CONSTRAINT sanctions_evidence_length CHECK (cardinality(evidence) <= 20),
    CONSTRAINT sanctions_lifted_by_somebody CHECK ((lifted_at IS NULL) = (lifted_by IS NULL))
);
-- Those of an account or of a character, and all of them, newest first.
CREATE INDEX sanctions_user_idx ON sanctions (user_id, imposed_at, id);
CREATE INDEX sanctions_player_idx ON sanctions (player_id, imposed_at, id)
    WHERE player_id IS NOT NULL;
CREATE INDEX sanctions_imposed_idx ON sanctions (imposed_at, id);
-- What may be in force: looked at by every sign-in and every join.
CREATE INDEX sanctions_unlifted_idx ON sanctions (user_id, kind, ends_at) WHERE lifted_at IS NULL;
