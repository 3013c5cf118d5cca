-- concurrently
-- The list of characters by when they were last online. With its columns the index alone answers a
-- page in the middle; without them each row that is skipped was read from the table.

DROP INDEX CONCURRENTLY IF EXISTS players_last_seen_idx;
CREATE INDEX CONCURRENTLY players_last_seen_idx
    ON players ((coalesce(last_online, created_at)), id) INCLUDE (last_online, created_at);

-- A version before this one uses either index.
DROP INDEX CONCURRENTLY IF EXISTS players_last_online_idx;
