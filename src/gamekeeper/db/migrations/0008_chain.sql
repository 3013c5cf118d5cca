-- A chain over the actions: each link holds the hash of its action and of the link
-- before it, so that nobody can change, remove or slip in an action unnoticed.

CREATE TABLE chain (
    seq         bigint NOT NULL,                -- from 1, without gaps
    action_id   uuid NOT NULL,
    -- With the id it leads straight to the month in which the action is kept.
    action_at   timestamptz NOT NULL,
    hash        bytea NOT NULL,
    CONSTRAINT chain_pkey PRIMARY KEY (seq),
    CONSTRAINT chain_action_key UNIQUE (action_id),
    CONSTRAINT chain_hash_length CHECK (length(hash) = 32)
);

-- How far the actions have been linked, in the order of (xid, id). One row.
CREATE TABLE chain_progress (
    one         boolean NOT NULL DEFAULT true,
    xid         xid8 NOT NULL,
    id          uuid NOT NULL,
    -- Transactions are counted by the server. On another server, after a dump was
    -- loaded there, they say nothing about how far this came: see ledger/chain.py.
    server      bigint NOT NULL,
    CONSTRAINT chain_progress_pkey PRIMARY KEY (one),
    CONSTRAINT chain_progress_one_row CHECK (one)
);
INSERT INTO chain_progress (xid, id, server)
SELECT '0', '00000000-0000-0000-0000-000000000000', system_identifier FROM pg_control_system();

-- The log is read newest first by any one of its properties; this one was missing.
CREATE INDEX actions_kind_idx ON actions (kind, id);

-- The past of spells and variables is read from the actions about them. Nearly all
-- actions are about items, and none of those is in here.
CREATE INDEX actions_traits_idx ON actions (player_id, at, id)
    WHERE item_id IS NULL AND player_id IS NOT NULL;

-- A bag that is no more is known by the postings that moved it.
CREATE INDEX postings_bag_idx ON postings (bag_id) WHERE bag_id IS NOT NULL;
