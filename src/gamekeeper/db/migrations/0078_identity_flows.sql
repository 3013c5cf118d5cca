-- Sign-ins and links by another service that are under way, for ten minutes. Secrets are stored as
-- digests. A one-time value of a proof is unique, so that no proof is accepted twice.

CREATE TABLE identity_flows (
    id            uuid NOT NULL,
    source        text NOT NULL,
    user_id       uuid,
    return_to     text NOT NULL,
    secret_hash   bytea NOT NULL,
    ticket_hash   bytea,
    state_hash    bytea,
    browser_hash  bytea,
    result_hash   bytea,
    issuer        text,
    subject       text,
    display_name  text,
    -- Of the identity, as in erased_identities, under each key.
    tags          bytea[],
    replay_key    text,
    opened_at     timestamptz,
    expires_at    timestamptz NOT NULL,
    CONSTRAINT identity_flows_pkey PRIMARY KEY (id),
    CONSTRAINT identity_flows_ticket_key UNIQUE (ticket_hash),
    CONSTRAINT identity_flows_state_key UNIQUE (state_hash),
    CONSTRAINT identity_flows_replay_key UNIQUE (replay_key),
    CONSTRAINT identity_flows_user_fkey FOREIGN KEY (user_id) REFERENCES users ON DELETE CASCADE
);

CREATE INDEX identity_flows_user_id_idx ON identity_flows (user_id);
CREATE INDEX identity_flows_expires_at_idx ON identity_flows (expires_at);
