-- concurrently
-- Reading the chat log: by channel, by server and by text, and lines kept as evidence.
--
-- Without fastupdate, as in 0025_search_indexes: every search would read the list of entries
-- that wait to be sorted in.
DROP INDEX CONCURRENTLY IF EXISTS chat_messages_trigram_idx;
CREATE INDEX CONCURRENTLY chat_messages_trigram_idx
    ON chat_messages USING gin (lower(message) gin_trgm_ops) WITH (fastupdate = off);

DROP INDEX CONCURRENTLY IF EXISTS chat_messages_channel_idx;
CREATE INDEX CONCURRENTLY chat_messages_channel_idx ON chat_messages (channel, said_at, id);

DROP INDEX CONCURRENTLY IF EXISTS chat_messages_server_idx;
CREATE INDEX CONCURRENTLY chat_messages_server_idx ON chat_messages (server_id, said_at, id);

-- Chat lines that are the evidence of a sanction, as they were when it was imposed. They stay
-- when the chat log expires. `digest` is the SHA-256 of the salt and the line, and the action
-- that imposed the sanction has the SHA-256 of all digests. Erasing an account empties its
-- lines and their salts: the digest stays, so that the other lines can still be proven, and
-- without the salt nobody can guess the text from it.
CREATE TABLE IF NOT EXISTS sanction_excerpts (
    sanction_id uuid NOT NULL,
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
    CONSTRAINT sanction_excerpts_pkey PRIMARY KEY (sanction_id, position),
    CONSTRAINT sanction_excerpts_position_counted CHECK (position > 0),
    CONSTRAINT sanction_excerpts_digest_length CHECK (octet_length(digest) = 32),
    -- Both, or neither after an erasure.
    CONSTRAINT sanction_excerpts_erased_whole CHECK ((salt IS NULL) = (message IS NULL))
);
-- Erasure: the lines that an account said, and those said to its characters.
CREATE INDEX IF NOT EXISTS sanction_excerpts_user_idx ON sanction_excerpts (user_id);
CREATE INDEX IF NOT EXISTS sanction_excerpts_target_idx ON sanction_excerpts (target_id)
    WHERE target_id IS NOT NULL;
