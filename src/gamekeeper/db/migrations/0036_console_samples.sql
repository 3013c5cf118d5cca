-- How many were online on each game server, sampled with `online_counts` and added up like those.
-- Only servers with somebody on them have a row: how often one was looked at says online_counts.
CREATE TABLE server_online_counts (
    span        text NOT NULL,
    at          timestamptz NOT NULL,           -- when the span began
    -- No foreign key: a curve outlives its server.
    server_id   uuid NOT NULL,
    samples     int NOT NULL,
    total       bigint NOT NULL,
    lowest      int NOT NULL,
    highest     int NOT NULL,
    CONSTRAINT server_online_counts_pkey PRIMARY KEY (span, at, server_id),
    CONSTRAINT server_online_counts_span_known CHECK (span IN ('minute', 'hour', 'day'))
);

-- The largest movements of each item by day, kept when postings are added up: without this, whoever
-- hunts a duplicated item would read all postings of a month.
CREATE TABLE item_movements (
    item_id     uuid NOT NULL,
    day         date NOT NULL,                  -- in UTC
    player_id   uuid NOT NULL,
    action_id   uuid NOT NULL,
    against     text NOT NULL,
    at          timestamptz NOT NULL,
    quantity    bigint NOT NULL,                -- of all slots together; negative if they went
    CONSTRAINT item_movements_pkey PRIMARY KEY (item_id, day, player_id, action_id, against)
);
CREATE INDEX item_movements_day_idx ON item_movements (day);
