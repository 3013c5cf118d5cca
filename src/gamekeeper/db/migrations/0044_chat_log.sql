-- What was said in the game, as game servers report it. Kept for a month (db/retention.py).
CREATE TABLE chat_messages (
    -- The game server's own, so that a report sent twice is stored once.
    id          uuid PRIMARY KEY,
    said_at     timestamptz NOT NULL,
    server_id   uuid NOT NULL,
    -- Without foreign keys: what was said stays known when the character is gone.
    player_id   uuid NOT NULL,
    user_id     uuid NOT NULL,
    channel     text NOT NULL,
    message     text NOT NULL,
    target_id   uuid,                           -- a character, or a guild
    address     text NOT NULL DEFAULT '',
    CONSTRAINT chat_messages_channel_known
        CHECK (channel IN ('local', 'party', 'global', 'pm', 'admin', 'guild')),
    CONSTRAINT chat_messages_message_length CHECK (char_length(message) BETWEEN 1 AND 1000),
    CONSTRAINT chat_messages_address_length CHECK (char_length(address) <= 64)
);
-- The log, newest first: all of it, of a character, of an account, to a character or guild.
-- The first one serves retention too.
CREATE INDEX chat_messages_said_idx ON chat_messages (said_at, id);
CREATE INDEX chat_messages_player_idx ON chat_messages (player_id, said_at, id);
CREATE INDEX chat_messages_user_idx ON chat_messages (user_id, said_at, id);
CREATE INDEX chat_messages_target_idx ON chat_messages (target_id, said_at, id)
    WHERE target_id IS NOT NULL;
