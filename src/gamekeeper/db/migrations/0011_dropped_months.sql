-- What postings came to that are no longer kept: the ledger begins here when its first
-- months are dropped, and is as provable as from its first posting on.

-- From when on all postings are there. No row: from the beginning.
CREATE TABLE ledger_beginning (
    one         boolean NOT NULL DEFAULT true,
    at          timestamptz NOT NULL,
    CONSTRAINT ledger_beginning_pkey PRIMARY KEY (one),
    CONSTRAINT ledger_beginning_one_row CHECK (one)
);

-- The last posting of each player that is no longer there.
CREATE TABLE opening_heads (
    player_id   uuid NOT NULL,
    seq         bigint NOT NULL,
    at          timestamptz NOT NULL,
    CONSTRAINT opening_heads_pkey PRIMARY KEY (player_id)
);

-- What lay in each slot then; no row for an empty one.
CREATE TABLE openings (
    player_id   uuid NOT NULL,
    place       text NOT NULL,
    inside      uuid,
    slot        int NOT NULL,
    item_id     uuid NOT NULL,
    quantity    int NOT NULL,
    stat_buffs  int[] NOT NULL,
    bag_id      uuid,
    CONSTRAINT openings_slot_key UNIQUE NULLS NOT DISTINCT (player_id, place, inside, slot),
    CONSTRAINT openings_quantity_positive CHECK (quantity > 0)
);

-- What had come out of each named account, less what had gone there.
CREATE TABLE opening_accounts (
    item_id     uuid NOT NULL,
    against     text NOT NULL,
    quantity    bigint NOT NULL,
    CONSTRAINT opening_accounts_pkey PRIMARY KEY (item_id, against)
);
