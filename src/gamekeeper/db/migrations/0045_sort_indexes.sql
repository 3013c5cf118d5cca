-- concurrently
-- The orders that `sortBy` of the ancestor has and that no other list has: a page is a walk along
-- an index, from the nearer end of the list.

DROP INDEX CONCURRENTLY IF EXISTS players_created_idx;
CREATE INDEX CONCURRENTLY players_created_idx ON players (created_at, id);

DROP INDEX CONCURRENTLY IF EXISTS players_play_time_idx;
CREATE INDEX CONCURRENTLY players_play_time_idx ON players (play_time_seconds, id);

DROP INDEX CONCURRENTLY IF EXISTS users_created_idx;
CREATE INDEX CONCURRENTLY users_created_idx ON users (created_at, id);
