-- Game servers with leases: who holds one is known by its fencing number, and who plays
-- where, since when and until when, by rows that a dying server need not touch.

-- One number for each registration, larger than all before it: whoever comes with an
-- older one has been replaced and may change nothing any more.
CREATE SEQUENCE fences AS int;

ALTER TABLE servers
    ADD COLUMN name_key      text COLLATE "C",  -- the name as it is compared: lookup.fold
    ADD COLUMN fence         int NOT NULL DEFAULT 0,
    ADD COLUMN registered_at timestamptz NOT NULL DEFAULT now();
UPDATE servers
   SET name_key = CASE WHEN (SELECT count(*) FROM servers AS twin
                              WHERE lower(twin.name) = lower(servers.name)) = 1
                       THEN lower(name) ELSE id::text END;
ALTER TABLE servers ALTER COLUMN name_key SET NOT NULL;
CREATE UNIQUE INDEX servers_name_key ON servers (name_key);

-- How many are on each server, so that nobody counts them. Apart from the server: a
-- heartbeat must never wait for those who join, nor they for it.
CREATE TABLE crowds (
    server_id   uuid PRIMARY KEY,
    online      int NOT NULL DEFAULT 0,
    CONSTRAINT crowds_server_fkey FOREIGN KEY (server_id) REFERENCES servers ON DELETE CASCADE,
    CONSTRAINT crowds_online_not_negative CHECK (online >= 0)
);
INSERT INTO crowds (server_id, online)
SELECT id, (SELECT count(*) FROM presences WHERE server_id = servers.id) FROM servers;

-- With the server in it, a page of who is online is found in the index alone.
DROP INDEX presences_name_idx;
CREATE INDEX presences_name_idx ON presences (name_key, player_id) INCLUDE (server_id);

-- Who played where, from when to when. The sessions that go on are the presences.
CREATE TABLE sessions (
    player_id   uuid NOT NULL,
    joined_at   timestamptz NOT NULL,
    left_at     timestamptz NOT NULL,
    server_id   uuid NOT NULL,
    CONSTRAINT sessions_pkey PRIMARY KEY (player_id, joined_at),
    CONSTRAINT sessions_player_fkey FOREIGN KEY (player_id) REFERENCES players ON DELETE CASCADE,
    CONSTRAINT sessions_not_backwards CHECK (left_at >= joined_at)
);

-- How many were online, looked at once a minute and added up by the hour and the day.
CREATE TABLE online_counts (
    span        text NOT NULL,
    at          timestamptz NOT NULL,           -- when the span began
    samples     int NOT NULL,
    total       bigint NOT NULL,
    lowest      int NOT NULL,
    highest     int NOT NULL,
    CONSTRAINT online_counts_pkey PRIMARY KEY (span, at),
    CONSTRAINT online_counts_span_known CHECK (span IN ('minute', 'hour', 'day'))
);
