-- Limits: how much some actors may hand out in a day. Beyond that, a change needs approval.

-- What one piece is worth, in the game's own unit; NULL: nobody has said.
ALTER TABLE items ADD COLUMN value bigint;
ALTER TABLE items ADD CONSTRAINT items_value_not_negative CHECK (value >= 0) NOT VALID;

-- What each limited actor handed out and undid on a day of UTC. Written in the transaction of
-- the change, under a lock on the actor. Who has no limits has no rows.
CREATE TABLE quota_usage (
    actor   text COLLATE "C" NOT NULL,          -- as in `actions`
    day     date NOT NULL,
    subject text COLLATE "C" NOT NULL,          -- 'value', 'undos', or the id of an item
    used    bigint NOT NULL,
    CONSTRAINT quota_usage_pkey PRIMARY KEY (actor, day, subject),
    CONSTRAINT quota_usage_not_negative CHECK (used >= 0)
);
CREATE INDEX quota_usage_day_idx ON quota_usage (day);

-- Who approved a change that another requested. NULL columns change no hash of an old action.
ALTER TABLE actions ADD COLUMN approved_by text;
ALTER TABLE actions ADD COLUMN approved_by_name text;

-- Who made a key: nobody approves with it what they requested themselves.
ALTER TABLE api_keys ADD COLUMN created_by text;

-- Changes that exceed the limits of who wants them. `expired` is not stored: a request is that
-- from the instant on which it says so.
CREATE TABLE approval_requests (
    id                  uuid PRIMARY KEY,
    kind                text NOT NULL,          -- approvals/changes.py
    change              jsonb NOT NULL,         -- the command, without its actor
    exceeded            jsonb NOT NULL,         -- the limit, what it allows, what was used, wanted
    requested_by        text COLLATE "C" NOT NULL,  -- the actor, as in `actions`
    requested_by_name   text NOT NULL,
    reason              text,
    requested_at        timestamptz NOT NULL DEFAULT now(),
    expires_at          timestamptz NOT NULL DEFAULT now() + interval '72 hours',
    state               text NOT NULL DEFAULT 'pending',
    decided_by          text,
    decided_by_name     text,
    decided_at          timestamptz,
    decision_reason     text,
    result              jsonb,                  -- what the change answered
    CONSTRAINT approval_requests_state_known CHECK (state IN ('pending', 'approved', 'rejected')),
    CONSTRAINT approval_requests_decided_by_somebody CHECK (
        (state = 'pending') = (decided_by IS NULL) AND (state = 'pending') = (decided_at IS NULL)
    ),
    CONSTRAINT approval_requests_not_by_oneself CHECK (decided_by <> requested_by),
    CONSTRAINT approval_requests_reason_length CHECK (char_length(reason) <= 500),
    CONSTRAINT approval_requests_decision_reason_length CHECK (char_length(decision_reason) <= 500)
);
-- The list of all, and that of one's own, newest first.
CREATE INDEX approval_requests_requested_idx ON approval_requests (requested_at DESC, id);
CREATE INDEX approval_requests_own_idx ON approval_requests (requested_by, requested_at DESC, id);
CREATE INDEX approval_requests_expires_idx ON approval_requests (expires_at);
