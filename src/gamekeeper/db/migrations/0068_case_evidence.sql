-- Chat lines that staff add to a case, and the mail that tells a reporter the outcome.

-- As `report_excerpts`, but of the case: the moderator who adds a line chooses it for no report.
CREATE TABLE case_excerpts (
    case_id     uuid NOT NULL,
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
    added_at    timestamptz NOT NULL DEFAULT now(),
    closed_at   timestamptz,                    -- as of the case, for retention
    CONSTRAINT case_excerpts_pkey PRIMARY KEY (case_id, position),
    CONSTRAINT case_excerpts_case_fkey FOREIGN KEY (case_id) REFERENCES cases,
    CONSTRAINT case_excerpts_line_once UNIQUE (case_id, message_id),
    CONSTRAINT case_excerpts_position_counted CHECK (position BETWEEN 1 AND 1000),
    CONSTRAINT case_excerpts_digest_length CHECK (octet_length(digest) = 32),
    CONSTRAINT case_excerpts_erased_whole CHECK ((salt IS NULL) = (message IS NULL))
);
CREATE INDEX case_excerpts_user_idx ON case_excerpts (user_id);
CREATE INDEX case_excerpts_target_idx ON case_excerpts (target_id) WHERE target_id IS NOT NULL;
CREATE INDEX case_excerpts_expiry_idx ON case_excerpts (closed_at) WHERE salt IS NOT NULL;

-- What the last mail to the reporter says, and its id: a case that is closed again with another
-- outcome is mailed again, and only the newest mail is sent.
ALTER TABLE reports
    ADD COLUMN mailed_outcome text,
    ADD COLUMN outcome_mail_id uuid,
    ADD CONSTRAINT reports_mailed_outcome_known
        CHECK (mailed_outcome IN ('action_taken', 'no_action')),
    ADD CONSTRAINT reports_mailed_whole
        CHECK (num_nulls(mailed_outcome, outcome_mail_id) IN (0, 2));
