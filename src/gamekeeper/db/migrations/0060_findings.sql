-- Unusual increases: sums by the hour, the rules of operators, and the findings of both.

-- Per item and hour. Added up by the fold that adds up the supply, so each posting is read once.
-- Hours are those of UTC, which knows no daylight saving time.
CREATE TABLE item_hours (
    item_id     uuid NOT NULL,
    hour        timestamptz NOT NULL,           -- when the hour began
    created     bigint NOT NULL,
    destroyed   bigint NOT NULL,
    traded      bigint NOT NULL,                -- received from other characters
    CONSTRAINT item_hours_pkey PRIMARY KEY (item_id, hour)
);
CREATE INDEX item_hours_hour_idx ON item_hours (hour);

-- Given by staff and API keys (items.give), by the hour. Counted with the actions.
CREATE TABLE item_gifts (
    item_id     uuid NOT NULL,
    hour        timestamptz NOT NULL,
    actor       text COLLATE "C" NOT NULL,      -- as in `actions`
    quantity    bigint NOT NULL,
    CONSTRAINT item_gifts_pkey PRIMARY KEY (hour, item_id, actor)
);
CREATE INDEX item_gifts_item_idx ON item_gifts (item_id, hour);

-- Until when the hours have been compared with the weeks before. One row.
CREATE TABLE look_progress (
    one         boolean NOT NULL DEFAULT true,
    until       timestamptz,                    -- NULL: no hour yet
    CONSTRAINT look_progress_pkey PRIMARY KEY (one),
    CONSTRAINT look_progress_one_row CHECK (one)
);
INSERT INTO look_progress DEFAULT VALUES;

CREATE TABLE economy_rules (
    name            text COLLATE "C" PRIMARY KEY,
    shape           text NOT NULL,
    item_id         uuid,                       -- NULL: the value of all items
    more_than       bigint NOT NULL,
    days            int,                        -- the age up to which an account is new
    effect          text NOT NULL,
    changed_at      timestamptz NOT NULL DEFAULT now(),
    changed_by_name text NOT NULL,
    CONSTRAINT economy_rules_name_form CHECK (name ~ '^[a-z0-9][a-z0-9_-]{0,39}$'),
    CONSTRAINT economy_rules_shape
        CHECK (shape IN ('created_per_hour', 'given_per_day', 'received_by_new_account')),
    CONSTRAINT economy_rules_effect CHECK (effect IN ('flag', 'hold')),
    CONSTRAINT economy_rules_more_than CHECK (more_than BETWEEN 0 AND 9007199254740992),
    CONSTRAINT economy_rules_days
        CHECK ((shape = 'received_by_new_account') = (days IS NOT NULL)
               AND days BETWEEN 1 AND 365)
);
-- Read with the item of every gift: almost always empty.
CREATE INDEX economy_rules_hold_idx ON economy_rules (item_id) WHERE effect = 'hold';

-- What accounts received while they were new, for the rules about them only. A rule counts from
-- its last change.
CREATE TABLE new_account_receipts (
    rule        text COLLATE "C" NOT NULL,
    user_id     uuid NOT NULL,
    quantity    bigint NOT NULL,
    changed_at  timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT new_account_receipts_pkey PRIMARY KEY (rule, user_id),
    CONSTRAINT new_account_receipts_rule_fkey
        FOREIGN KEY (rule) REFERENCES economy_rules ON DELETE CASCADE,
    CONSTRAINT new_account_receipts_user_fkey
        FOREIGN KEY (user_id) REFERENCES users ON DELETE CASCADE
);
CREATE INDEX new_account_receipts_user_idx ON new_account_receipts (user_id);
CREATE INDEX new_account_receipts_changed_idx ON new_account_receipts (changed_at);

-- Counted by gifts themselves, under a lock, for rules that hold: the sums above are seconds late,
-- and many gifts at once must not overshoot together.
CREATE TABLE hold_usage (
    rule        text COLLATE "C" NOT NULL,
    subject     text COLLATE "C" NOT NULL,      -- an actor, an account, or '' for the world
    period      timestamptz NOT NULL,           -- when the hour or day began
    used        bigint NOT NULL,
    CONSTRAINT hold_usage_pkey PRIMARY KEY (rule, subject, period),
    CONSTRAINT hold_usage_rule_fkey
        FOREIGN KEY (rule) REFERENCES economy_rules ON DELETE CASCADE
);
CREATE INDEX hold_usage_period_idx ON hold_usage (period);

CREATE TABLE findings (
    id              uuid PRIMARY KEY,
    -- What it is about and when: the same is found once, by however many workers.
    about           text COLLATE "C" NOT NULL,
    measure         text NOT NULL,
    rule            text COLLATE "C",           -- NULL: an hour unlike those of the weeks before
    item_id         uuid,
    actor           text COLLATE "C",
    user_id         uuid,
    began_at        timestamptz NOT NULL,
    ended_at        timestamptz NOT NULL,
    quantity        bigint NOT NULL,
    usual           bigint,
    threshold       bigint NOT NULL,
    found_at        timestamptz NOT NULL DEFAULT now(),
    acknowledged_at         timestamptz,
    acknowledged_by         text COLLATE "C",
    acknowledged_by_name    text,
    note                    text,
    CONSTRAINT findings_about_key UNIQUE (about),
    CONSTRAINT findings_measure
        CHECK (measure IN ('created', 'destroyed', 'given', 'traded', 'accounts', 'received')),
    CONSTRAINT findings_user_fkey FOREIGN KEY (user_id) REFERENCES users ON DELETE SET NULL,
    CONSTRAINT findings_acknowledged
        CHECK (num_nulls(acknowledged_at, acknowledged_by, acknowledged_by_name, note) IN (0, 4)),
    CONSTRAINT findings_note_length CHECK (char_length(note) <= 500)
);
CREATE INDEX findings_open_idx ON findings (id) WHERE acknowledged_at IS NULL;
CREATE INDEX findings_item_idx ON findings (item_id, id);
CREATE INDEX findings_user_idx ON findings (user_id) WHERE user_id IS NOT NULL;
CREATE INDEX findings_found_idx ON findings (found_at);
