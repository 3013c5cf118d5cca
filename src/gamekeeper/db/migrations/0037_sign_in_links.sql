-- Links that sign a staff member in once. They are made on the command line, with the database;
-- the role that serves may only use them up (db/grants.py). The code is random; what is stored
-- is its SHA-256, so a copy of this table opens nothing.

CREATE TABLE sign_in_links (
    hash        bytea PRIMARY KEY,
    user_id     uuid NOT NULL,
    made_at     timestamptz NOT NULL DEFAULT now(),
    expires_at  timestamptz NOT NULL,
    used_at     timestamptz,
    CONSTRAINT sign_in_links_user_fkey FOREIGN KEY (user_id) REFERENCES users ON DELETE CASCADE,
    CONSTRAINT sign_in_links_hash_length CHECK (octet_length(hash) = 32),
    -- However it was made: a link that lies about for longer is a password in a chat.
    CONSTRAINT sign_in_links_short CHECK (expires_at <= made_at + interval '1 hour')
);
CREATE INDEX sign_in_links_expiry_idx ON sign_in_links (expires_at);

ALTER TABLE browser_sessions
    DROP CONSTRAINT browser_sessions_method_known,
    ADD CONSTRAINT browser_sessions_method_known
        CHECK (method IN ('password', 'totp', 'passkey', 'recovery', 'link'));
