-- concurrently
-- Retention finds what has expired by its age, oldest first, a few thousand rows at a
-- time. Without these each batch would read its whole table. They are made while the
-- version before goes on writing, however large the tables are.

DROP INDEX CONCURRENTLY IF EXISTS access_tokens_expiry_idx;
CREATE INDEX CONCURRENTLY access_tokens_expiry_idx ON access_tokens (expires_at);

DROP INDEX CONCURRENTLY IF EXISTS refresh_tokens_expiry_idx;
CREATE INDEX CONCURRENTLY refresh_tokens_expiry_idx ON refresh_tokens (expires_at);

DROP INDEX CONCURRENTLY IF EXISTS token_families_expiry_idx;
CREATE INDEX CONCURRENTLY token_families_expiry_idx ON token_families (expires_at);

DROP INDEX CONCURRENTLY IF EXISTS password_resets_expiry_idx;
CREATE INDEX CONCURRENTLY password_resets_expiry_idx ON password_resets (expires_at);

DROP INDEX CONCURRENTLY IF EXISTS known_sources_seen_idx;
CREATE INDEX CONCURRENTLY known_sources_seen_idx ON known_sources (seen_at);

-- Long streaks are kept longer, and must not be walked over by each batch of the others.
DROP INDEX CONCURRENTLY IF EXISTS guess_budgets_counted_idx;
CREATE INDEX CONCURRENTLY guess_budgets_counted_idx ON guess_budgets (counted_at)
    WHERE streak < 20;

DROP INDEX CONCURRENTLY IF EXISTS guess_budgets_streak_idx;
CREATE INDEX CONCURRENTLY guess_budgets_streak_idx ON guess_budgets (counted_at)
    WHERE streak >= 20;

DROP INDEX CONCURRENTLY IF EXISTS webhook_deliveries_tried_idx;
CREATE INDEX CONCURRENTLY webhook_deliveries_tried_idx ON webhook_deliveries (tried_at)
    WHERE state <> 'waiting';
