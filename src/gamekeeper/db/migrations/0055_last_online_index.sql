-- concurrently
-- The list of characters by when they were last online: a page is a walk along this index, from the
-- nearer end of the list. Who never played counts from its creation, as `LastOnline` says.

DROP INDEX CONCURRENTLY IF EXISTS players_last_online_idx;
CREATE INDEX CONCURRENTLY players_last_online_idx
    ON players ((coalesce(last_online, created_at)), id);
