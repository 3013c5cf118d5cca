-- Reports of players about players, and the cases that moderators handle.
--
-- All reports about an account join its one open case. What a moderator needs to order the queue
-- is stored in the case and changed by each report, so that the queue is one walk of an index.
-- Without foreign keys to users and players: a case stays, without texts, when they are erased.

CREATE TABLE cases (
    id               uuid PRIMARY KEY,
    user_id          uuid NOT NULL,             -- the reported account
    player_id        uuid NOT NULL,             -- the character that was reported last
    category         text NOT NULL,             -- the most severe one
    categories       text[] NOT NULL,
    severity         int NOT NULL,
    reports          int NOT NULL DEFAULT 0,    -- with repeated ones
    reporters        int NOT NULL DEFAULT 0,    -- accounts
    priority         int NOT NULL DEFAULT 0,    -- severity × reporters
    opened_at        timestamptz NOT NULL DEFAULT now(),
    last_report_at   timestamptz NOT NULL DEFAULT now(),
    claimed_at       timestamptz,
    claimed_by       text,                      -- the actor, as in `actions`
    claimed_by_name  text,
    first_claimed_at timestamptz,               -- for the statistics; stays after a release
    closed_at        timestamptz,
    closed_by        text,
    closed_by_name   text,
    outcome          text,
    sanction_id      uuid,
    closing_note     text,                      -- for staff
    CONSTRAINT cases_category_known CHECK (category IN
        ('cheating', 'harassment', 'spam', 'offensive_name', 'real_money_trading', 'exploit',
         'other')),
    CONSTRAINT cases_severity_range CHECK (severity BETWEEN 1 AND 3),
    CONSTRAINT cases_counted CHECK (reports >= reporters AND reporters >= 0),
    CONSTRAINT cases_priority_product CHECK (priority = severity * reporters),
    CONSTRAINT cases_outcome_known CHECK (outcome IN
        ('none', 'note', 'warning', 'mute', 'trade_lock', 'kick', 'ban')),
    CONSTRAINT cases_closing_note_length CHECK (char_length(closing_note) <= 2000),
    CONSTRAINT cases_claimed_whole
        CHECK (num_nulls(claimed_at, claimed_by, claimed_by_name) IN (0, 3)),
    CONSTRAINT cases_closed_whole
        CHECK (num_nulls(closed_at, closed_by, closed_by_name, outcome) IN (0, 4)),
    CONSTRAINT cases_sanction_closed CHECK (sanction_id IS NULL OR closed_at IS NOT NULL)
);
CREATE UNIQUE INDEX cases_one_open_idx ON cases (user_id) WHERE closed_at IS NULL;
-- The queue: the highest priority first, then the oldest; all of it, and by each filter.
CREATE INDEX cases_queue_idx ON cases ((-priority), opened_at, id) WHERE closed_at IS NULL;
CREATE INDEX cases_queue_unclaimed_idx ON cases ((-priority), opened_at, id)
    WHERE closed_at IS NULL AND claimed_by IS NULL;
CREATE INDEX cases_queue_claimed_idx ON cases (claimed_by, (-priority), opened_at, id)
    WHERE closed_at IS NULL;
CREATE INDEX cases_queue_category_idx ON cases (category, (-priority), opened_at, id)
    WHERE closed_at IS NULL;
CREATE INDEX cases_queue_severity_idx ON cases (severity, (-priority), opened_at, id)
    WHERE closed_at IS NULL;
-- Closed ones, newest first, and the statistics.
CREATE INDEX cases_closed_idx ON cases (closed_at, id) WHERE closed_at IS NOT NULL;
CREATE INDEX cases_closed_by_idx ON cases (closed_by, closed_at, id) WHERE closed_at IS NOT NULL;
CREATE INDEX cases_closed_category_idx ON cases (category, closed_at, id)
    WHERE closed_at IS NOT NULL;
CREATE INDEX cases_closed_severity_idx ON cases (severity, closed_at, id)
    WHERE closed_at IS NOT NULL;
CREATE INDEX cases_opened_idx ON cases (opened_at, id);
-- Those of an account, and that of a sanction.
CREATE INDEX cases_user_idx ON cases (user_id, opened_at, id);
CREATE INDEX cases_sanction_idx ON cases (sanction_id) WHERE sanction_id IS NOT NULL;

-- One of each reporter in a case: a repeated one is counted on the first.
CREATE TABLE reports (
    id                 uuid PRIMARY KEY,
    case_id            uuid NOT NULL,
    reporter_id        uuid NOT NULL,           -- the account
    reporter_player_id uuid,
    user_id            uuid NOT NULL,           -- the reported account, as of the case
    player_id          uuid NOT NULL,
    category           text NOT NULL,
    text               text,                    -- NULL: erased, or expired
    map_id             uuid,
    x                  int,
    y                  int,
    server_id          uuid,
    message_ids        uuid[] NOT NULL DEFAULT '{}', -- the chat lines that are meant
    happened_at        timestamptz NOT NULL,
    filed_at           timestamptz NOT NULL DEFAULT now(),
    times              int NOT NULL DEFAULT 1,
    last_at            timestamptz NOT NULL DEFAULT now(),
    closed_at          timestamptz,             -- as of the case, for retention
    CONSTRAINT reports_case_fkey FOREIGN KEY (case_id) REFERENCES cases,
    CONSTRAINT reports_one_each UNIQUE (case_id, reporter_id),
    CONSTRAINT reports_text_length CHECK (char_length(text) <= 4000),
    CONSTRAINT reports_messages_counted CHECK (cardinality(message_ids) <= 50),
    CONSTRAINT reports_times_counted CHECK (times > 0),
    CONSTRAINT reports_not_of_oneself CHECK (reporter_id <> user_id)
);
-- What an account reported, newest first; and erasure.
CREATE INDEX reports_reporter_idx ON reports (reporter_id, filed_at, id);
CREATE INDEX reports_user_idx ON reports (user_id);
CREATE INDEX reports_filed_idx ON reports (filed_at, id);
CREATE INDEX reports_expiry_idx ON reports (closed_at) WHERE text IS NOT NULL;

-- The chat around a report, as it was when the report arrived; as `sanction_excerpts`.
CREATE TABLE report_excerpts (
    report_id   uuid NOT NULL,
    position    int NOT NULL,
    digest      bytea NOT NULL,
    salt        bytea,
    message_id  uuid NOT NULL,
    said_at     timestamptz NOT NULL,
    server_id   uuid NOT NULL,
    player_id   uuid NOT NULL,
    user_id     uuid NOT NULL,
    player_name text,
    channel     text NOT NULL,
    message     text,
    target_id   uuid,
    target_name text,
    closed_at   timestamptz,
    CONSTRAINT report_excerpts_pkey PRIMARY KEY (report_id, position),
    CONSTRAINT report_excerpts_position_counted CHECK (position > 0),
    CONSTRAINT report_excerpts_digest_length CHECK (octet_length(digest) = 32),
    CONSTRAINT report_excerpts_erased_whole CHECK ((salt IS NULL) = (message IS NULL))
);
CREATE INDEX report_excerpts_user_idx ON report_excerpts (user_id);
CREATE INDEX report_excerpts_target_idx ON report_excerpts (target_id)
    WHERE target_id IS NOT NULL;
CREATE INDEX report_excerpts_expiry_idx ON report_excerpts (closed_at) WHERE salt IS NOT NULL;

CREATE TABLE case_notes (
    id        uuid PRIMARY KEY,
    case_id   uuid NOT NULL,
    at        timestamptz NOT NULL DEFAULT now(),
    by        text NOT NULL,                    -- the actor, as in `actions`
    by_name   text NOT NULL,
    text      text,                             -- NULL: erased, or expired
    closed_at timestamptz,
    CONSTRAINT case_notes_case_fkey FOREIGN KEY (case_id) REFERENCES cases,
    CONSTRAINT case_notes_text_length CHECK (char_length(text) BETWEEN 1 AND 2000)
);
CREATE INDEX case_notes_case_idx ON case_notes (case_id, at, id);
CREATE INDEX case_notes_expiry_idx ON case_notes (closed_at) WHERE text IS NOT NULL;

-- Who looks at a case. Unlogged: it is worth a minute, and written every few seconds.
CREATE UNLOGGED TABLE case_viewers (
    case_id uuid NOT NULL,
    actor   text NOT NULL,
    name    text NOT NULL,
    seen_at timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT case_viewers_pkey PRIMARY KEY (case_id, actor)
);
CREATE INDEX case_viewers_seen_idx ON case_viewers (seen_at);
