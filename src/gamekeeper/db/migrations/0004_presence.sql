-- Who is online: a character that joined a game server whose lease is alive by
-- this database's clock. A server that dies takes its players offline by doing nothing.

CREATE TABLE servers (
    id          uuid PRIMARY KEY,
    name        text NOT NULL,
    lease_until timestamptz NOT NULL,
    CONSTRAINT servers_name_length CHECK (char_length(name) BETWEEN 1 AND 64)
);

CREATE TABLE presences (
    player_id   uuid PRIMARY KEY,               -- a character is in one place only
    server_id   uuid NOT NULL,
    -- The character's name key again, so that a page of who is online is a walk along an index.
    name_key    text COLLATE "C" NOT NULL,
    in_bank     boolean NOT NULL DEFAULT false, -- the bank window is open
    joined_at   timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT presences_player_fkey FOREIGN KEY (player_id) REFERENCES players ON DELETE CASCADE,
    CONSTRAINT presences_server_fkey FOREIGN KEY (server_id) REFERENCES servers ON DELETE CASCADE
);
CREATE INDEX presences_name_idx ON presences (name_key, player_id);
CREATE INDEX presences_server_idx ON presences (server_id);
