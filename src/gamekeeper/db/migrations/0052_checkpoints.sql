-- What a character held after every 1,000th of its postings. A past instant is read backwards from
-- the next checkpoint instead of the present, so its cost does not grow with what came since.
-- Derived from the postings by the worker: `ledger verify` compares them, and a deleted row is
-- written again.
CREATE TABLE ledger_checkpoints (
    player_id   uuid NOT NULL,
    seq         bigint NOT NULL,                -- the posting after which it was taken
    at          timestamptz NOT NULL,           -- the time of that posting
    -- One object for each filled slot. A row of its own for each would be six times as large, and a
    -- character without items would need another table.
    contents    jsonb NOT NULL,
    CONSTRAINT ledger_checkpoints_pkey PRIMARY KEY (player_id, seq),
    CONSTRAINT ledger_checkpoints_list CHECK (jsonb_typeof(contents) = 'array')
);
-- The checkpoints around an instant.
CREATE INDEX ledger_checkpoints_at_idx ON ledger_checkpoints (player_id, at, seq);
