-- The log of actions is the log of events: its chain numbers them, and whoever
-- follows it is told of new numbers. For that the chain must keep each player's
-- order, and must not wait for transactions that have nothing to do with it.

-- Where the write-ahead log stood when the action was written. Actions on one player
-- are written under the player's lock, each after the commit of the one before it;
-- the log only grows, whatever clocks do. Old actions, all linked, have none.
ALTER TABLE actions ADD COLUMN position pg_lsn;
ALTER TABLE actions ALTER COLUMN position SET DEFAULT pg_current_wal_insert_lsn();

-- What the sequencer has seen: of the transactions that are over, which were over then.
-- Whatever is over now and was not then is new.
ALTER TABLE chain_progress ADD COLUMN seen pg_snapshot;
UPDATE chain_progress
   SET seen = (greatest(xid, '1')::text || ':' || greatest(xid, '1')::text || ':')::pg_snapshot;
ALTER TABLE chain_progress ALTER COLUMN seen SET NOT NULL;
ALTER TABLE chain_progress DROP COLUMN xid, DROP COLUMN id;
