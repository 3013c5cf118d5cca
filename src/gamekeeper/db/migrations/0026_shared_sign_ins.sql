-- concurrently
-- Sign-ins beyond an account's first few share a family: some clients sign in before every
-- call. The key says which ones share (auth/shared_sign_ins.py); it is an HMAC, and NULL for
-- a family that is not shared. Nothing is rewritten, and the version before goes on.

-- Fail rather than queue behind a long query and block all statements after us.
SET lock_timeout = '4s';
ALTER TABLE token_families ADD COLUMN IF NOT EXISTS shared_key bytea;
RESET lock_timeout;

-- A revoked family gives its key free.
DROP INDEX CONCURRENTLY IF EXISTS token_families_shared_key;
CREATE UNIQUE INDEX CONCURRENTLY token_families_shared_key
    ON token_families (user_id, shared_key) WHERE revoked_at IS NULL AND shared_key IS NOT NULL;

-- How many live families an account has, however many were revoked.
DROP INDEX CONCURRENTLY IF EXISTS token_families_live_idx;
CREATE INDEX CONCURRENTLY token_families_live_idx ON token_families (user_id)
    WHERE revoked_at IS NULL;
