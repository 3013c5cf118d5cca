-- How many of each item exist, where they are, who has most, and how they came and went:
-- added up from the postings by the worker, so that nobody ever counts what all hold.

CREATE TABLE item_supply (
    item_id     uuid NOT NULL,
    place       text NOT NULL,
    quantity    bigint NOT NULL,
    CONSTRAINT item_supply_pkey PRIMARY KEY (item_id, place)
);

-- By day in UTC, and by the account on the other side.
CREATE TABLE item_flows (
    item_id     uuid NOT NULL,
    day         date NOT NULL,
    against     text NOT NULL,
    came        bigint NOT NULL,
    went        bigint NOT NULL,
    CONSTRAINT item_flows_pkey PRIMARY KEY (item_id, day, against)
);

-- What each player has of each item, wherever it lies; no row for nothing. It may be
-- below nothing for a moment: postings are added up in the order of transactions,
-- which need not be the order in which they waited for the player.
CREATE TABLE item_holdings (
    player_id   uuid NOT NULL,
    item_id     uuid NOT NULL,
    quantity    bigint NOT NULL,
    CONSTRAINT item_holdings_pkey PRIMARY KEY (player_id, item_id)
);
-- The ten who have most are the first ten entries.
CREATE INDEX item_holdings_most_idx ON item_holdings (item_id, quantity DESC, player_id);

-- Postings of transactions before this one have been added up, those from it on have
-- not; those of transaction 0, which there is none of, were added up by who entered
-- them. One row. Transactions are counted by the server: on another server, after a
-- dump was loaded there, the number means nothing, and everything is added up anew.
CREATE TABLE economy_horizon (
    one         boolean NOT NULL DEFAULT true,
    xid         xid8 NOT NULL,
    server      bigint NOT NULL,
    CONSTRAINT economy_horizon_pkey PRIMARY KEY (one),
    CONSTRAINT economy_horizon_one_row CHECK (one)
);
INSERT INTO economy_horizon (xid, server)
SELECT '1', system_identifier FROM pg_control_system();

-- When everything was added up anew, some postings had transactions from the horizon on:
-- those of another server, whose numbers had come further. They are known by their own.
CREATE TABLE economy_counted (
    player_id   uuid NOT NULL,
    seq         bigint NOT NULL,                -- up to this one they were added up
    CONSTRAINT economy_counted_pkey PRIMARY KEY (player_id)
);
