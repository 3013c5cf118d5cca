-- concurrently by partition
-- The actions of a transaction by its id, which is in their states (ledger/transactions.py).
--
-- Not a column: the version before this one would not fill it while it still serves, and a value
-- beside the states would be outside of the hash chain. See decision 0058.

CREATE INDEX actions_transaction_idx
    ON actions (coalesce(after ->> 'transaction', before ->> 'transaction'))
    WHERE coalesce(after ->> 'transaction', before ->> 'transaction') IS NOT NULL;
