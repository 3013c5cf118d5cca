-- Webhooks: addresses that are told of events as they happen.

CREATE TABLE webhooks (
    id            uuid NOT NULL,
    url           text NOT NULL,
    kinds         text[],                       -- null: all
    emails        boolean NOT NULL,             -- whether who made it may see addresses
    secret        text NOT NULL,                -- sealed by a key that is not in the database
    old_secret    text,                         -- signs too, until then
    old_until     timestamptz,
    enabled       boolean NOT NULL DEFAULT true,
    off_reason    text,
    -- Up to which event it was told, or has a delivery that waits.
    position      bigint NOT NULL,
    -- After a failure nothing is sent before `retry_at`: the oldest is tried again first.
    attempts      int NOT NULL DEFAULT 0,
    retry_at      timestamptz,
    failing_since timestamptz,
    created_at    timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT webhooks_pkey PRIMARY KEY (id)
);

-- What was sent, or is to be sent again; the payload is the event's, which the log has.
CREATE TABLE webhook_deliveries (
    webhook_id    uuid NOT NULL,
    id            uuid NOT NULL,                -- in the order of time
    message       text NOT NULL,                -- the same however often it is sent
    seq           bigint,                       -- null: a test
    kind          text NOT NULL,
    state         text NOT NULL,
    attempts      int NOT NULL DEFAULT 0,
    tried_at      timestamptz,
    status        int,
    answer        text,
    fault         text,
    CONSTRAINT webhook_deliveries_pkey PRIMARY KEY (webhook_id, id),
    CONSTRAINT webhook_deliveries_webhook_fkey
        FOREIGN KEY (webhook_id) REFERENCES webhooks ON DELETE CASCADE,
    CONSTRAINT webhook_deliveries_state_known CHECK (state IN ('waiting', 'delivered', 'failed'))
);
CREATE INDEX webhook_deliveries_waiting_idx ON webhook_deliveries (webhook_id, id)
    WHERE state = 'waiting';
