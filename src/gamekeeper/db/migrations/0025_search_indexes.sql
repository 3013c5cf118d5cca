-- concurrently
-- Indexes for any part of a name or an email: db/name_search.py.
--
-- On the directories and not on players and users: their rows are narrow and change only
-- when somebody is created or renamed, never with a level. players_name_search_idx and
-- users_name_search_idx are for the version before this one; a later one removes them.
--
-- Without fastupdate: every search would read the list of entries that wait to be sorted in.
-- The extension pg_trgm is there since 0002. Where it is not allowed (a managed service may
-- list the extensions that are), nothing was installed at all.

DROP INDEX CONCURRENTLY IF EXISTS player_names_trigram_idx;
CREATE INDEX CONCURRENTLY player_names_trigram_idx
    ON player_names USING gin (name_key gin_trgm_ops) WITH (fastupdate = off);

DROP INDEX CONCURRENTLY IF EXISTS player_names_bigram_idx;
CREATE INDEX CONCURRENTLY player_names_bigram_idx
    ON player_names USING gin (bigrams(name_key)) WITH (fastupdate = off);

DROP INDEX CONCURRENTLY IF EXISTS user_names_trigram_idx;
CREATE INDEX CONCURRENTLY user_names_trigram_idx
    ON user_names USING gin (name_key gin_trgm_ops) WITH (fastupdate = off);

DROP INDEX CONCURRENTLY IF EXISTS user_names_bigram_idx;
CREATE INDEX CONCURRENTLY user_names_bigram_idx
    ON user_names USING gin (bigrams(name_key)) WITH (fastupdate = off);

DROP INDEX CONCURRENTLY IF EXISTS user_emails_trigram_idx;
CREATE INDEX CONCURRENTLY user_emails_trigram_idx
    ON user_emails USING gin (email_key gin_trgm_ops) WITH (fastupdate = off);

DROP INDEX CONCURRENTLY IF EXISTS user_emails_bigram_idx;
CREATE INDEX CONCURRENTLY user_emails_bigram_idx
    ON user_emails USING gin (bigrams(email_key)) WITH (fastupdate = off);
