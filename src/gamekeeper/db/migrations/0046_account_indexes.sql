-- concurrently
-- Which other accounts signed in from an address (users/addresses.py).
DROP INDEX CONCURRENTLY IF EXISTS known_sources_source_idx;
CREATE INDEX CONCURRENTLY known_sources_source_idx ON known_sources (source, user_id);

-- The foreign keys of an account that is erased (erasure/accounts.py): without these, PostgreSQL
-- reads all names and all addresses.
DROP INDEX CONCURRENTLY IF EXISTS user_names_user_idx;
CREATE INDEX CONCURRENTLY user_names_user_idx ON user_names (user_id);
DROP INDEX CONCURRENTLY IF EXISTS user_emails_user_idx;
CREATE INDEX CONCURRENTLY user_emails_user_idx ON user_emails (user_id);
