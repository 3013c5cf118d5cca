-- Variables of accounts and of the game itself, and what stays of an account that is erased.

CREATE TABLE user_variables (
    user_id     uuid NOT NULL,
    variable_id uuid NOT NULL,
    value       jsonb NOT NULL,
    CONSTRAINT user_variables_pkey PRIMARY KEY (user_id, variable_id),
    CONSTRAINT user_variables_user_fkey FOREIGN KEY (user_id) REFERENCES users ON DELETE CASCADE,
    CONSTRAINT user_variables_variable_fkey FOREIGN KEY (variable_id) REFERENCES variables,
    CONSTRAINT user_variables_scalar
        CHECK (jsonb_typeof(value) IN ('string', 'number', 'boolean'))
);

-- One value for all who play.
CREATE TABLE game_variables (
    variable_id uuid NOT NULL,
    value       jsonb NOT NULL,
    CONSTRAINT game_variables_pkey PRIMARY KEY (variable_id),
    CONSTRAINT game_variables_variable_fkey FOREIGN KEY (variable_id) REFERENCES variables,
    CONSTRAINT game_variables_scalar
        CHECK (jsonb_typeof(value) IN ('string', 'number', 'boolean'))
);

-- Accounts that were erased: nothing that names a person. While a sanction on one is in force,
-- also a keyed hash (HMAC) of its email address, so that the same address cannot come back
-- without it; the key is not in the database.
CREATE TABLE erased_users (
    user_id     uuid PRIMARY KEY,
    erased_at   timestamptz NOT NULL DEFAULT now(),
    action_id   uuid NOT NULL,
    email_tag   bytea,
    CONSTRAINT erased_users_tag_length CHECK (octet_length(email_tag) = 32)
);
CREATE INDEX erased_users_tag_idx ON erased_users (email_tag) WHERE email_tag IS NOT NULL;
CREATE INDEX erased_users_tagged_idx ON erased_users (erased_at) WHERE email_tag IS NOT NULL;

-- A sanction is never deleted, not even with its account.
ALTER TABLE sanctions DROP CONSTRAINT sanctions_user_fkey;

-- The only way in which the role that serves removes a row of users (db/grants.py): it must be
-- recorded as erased, and own no character any more.
CREATE FUNCTION remove_erased_users(ids uuid[]) RETURNS SETOF uuid
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
    -- A statement of its own: characters and accounts may be on different machines.
    IF EXISTS (SELECT FROM players WHERE user_id = ANY(ids)) THEN
        RAISE EXCEPTION 'an account that has characters is not removed';
    END IF;
    -- What the player wrote is personal; the sanction itself stays.
    DELETE FROM appeals USING sanctions
     WHERE sanctions.id = appeals.sanction_id AND sanctions.user_id = ANY(ids)
       AND EXISTS (SELECT FROM erased_users AS erased WHERE erased.user_id = sanctions.user_id);
    RETURN QUERY
        DELETE FROM users
         WHERE users.id = ANY(ids)
           AND EXISTS (SELECT FROM erased_users AS erased WHERE erased.user_id = users.id)
        RETURNING users.id;
END $$;
