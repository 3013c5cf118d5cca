-- concurrently
-- Retention finds the deleted characters that have expired by their age, oldest first. The
-- index of 0022 begins with the account, so each batch would read the whole archive.

DROP INDEX CONCURRENTLY IF EXISTS deleted_players_deleted_idx;
CREATE INDEX CONCURRENTLY deleted_players_deleted_idx ON deleted_players (deleted_at);
