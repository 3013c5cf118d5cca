-- concurrently
-- The indexes of names on players and users: since 0025_search_indexes the directories have them.
-- Every new row, and every update that is not heap-only, paid for them.
DROP INDEX CONCURRENTLY IF EXISTS players_name_search_idx;
DROP INDEX CONCURRENTLY IF EXISTS users_name_search_idx;
