-- Sign-in for browsers: the sessions of staff, and their second factors. The value of a cookie
-- is random; what is stored is its SHA-256, so a copy of these tables opens nothing.

CREATE TABLE browser_sessions (
    id              uuid PRIMARY KEY,
    user_id         uuid NOT NULL,
    hash            bytea NOT NULL,
    previous_hash   bytea,                      -- good for seconds after a rotation: other tabs
    rotated_at      timestamptz NOT NULL DEFAULT now(),
    created_at      timestamptz NOT NULL DEFAULT now(),
    seen_at         timestamptz NOT NULL DEFAULT now(),     -- to the minute
    expires_at      timestamptz NOT NULL,       -- whatever its owner does
    ended_at        timestamptz,
    verified_at     timestamptz,                -- the second factor, last; NULL: not signed in yet
    method          text,                       -- by which it was verified
    roles           text[] NOT NULL,            -- at the sign-in; another set ends the session
    address         text NOT NULL,
    user_agent      text NOT NULL,
    challenge       bytea,                      -- of WebAuthn: used once, and soon
    challenge_for   text,
    challenge_until timestamptz,
    CONSTRAINT browser_sessions_hash_key UNIQUE (hash),
    CONSTRAINT browser_sessions_user_fkey FOREIGN KEY (user_id) REFERENCES users ON DELETE CASCADE,
    CONSTRAINT browser_sessions_hash_length CHECK (octet_length(hash) = 32),
    CONSTRAINT browser_sessions_method_known
        CHECK (method IN ('password', 'totp', 'passkey', 'recovery')),
    CONSTRAINT browser_sessions_verified_by_something
        CHECK ((verified_at IS NULL) = (method IS NULL)),
    CONSTRAINT browser_sessions_challenge_known
        CHECK (challenge_for IN ('registration', 'authentication')),
    CONSTRAINT browser_sessions_user_agent_length CHECK (char_length(user_agent) <= 200)
);
CREATE INDEX browser_sessions_previous_idx ON browser_sessions (previous_hash)
    WHERE previous_hash IS NOT NULL;
CREATE INDEX browser_sessions_live_idx ON browser_sessions (user_id) WHERE ended_at IS NULL;
CREATE INDEX browser_sessions_expiry_idx ON browser_sessions (expires_at);

CREATE TABLE second_factors (
    user_id         uuid NOT NULL,
    id              uuid NOT NULL,
    kind            text NOT NULL,
    name            text NOT NULL,              -- as its owner calls it
    created_at      timestamptz NOT NULL DEFAULT now(),
    confirmed_at    timestamptz,                -- NULL: enrolment has begun
    used_at         timestamptz,
    -- Of TOTP the last time step, of a passkey its sign count: it only grows, against replay.
    counter         bigint NOT NULL DEFAULT 0,
    secret          text,                       -- of TOTP, encrypted (AES-GCM)
    credential_id   bytea,                      -- of a passkey
    public_key      bytea,
    transports      text[] NOT NULL DEFAULT '{}',
    CONSTRAINT second_factors_pkey PRIMARY KEY (user_id, id),
    CONSTRAINT second_factors_credential_key UNIQUE (user_id, credential_id),
    CONSTRAINT second_factors_user_fkey FOREIGN KEY (user_id) REFERENCES users ON DELETE CASCADE,
    CONSTRAINT second_factors_whole CHECK (
        kind = 'totp' AND secret IS NOT NULL
        OR kind = 'passkey' AND credential_id IS NOT NULL AND public_key IS NOT NULL
    ),
    CONSTRAINT second_factors_name_length CHECK (char_length(name) BETWEEN 1 AND 64),
    CONSTRAINT second_factors_credential_length CHECK (octet_length(credential_id) <= 1023)
);

-- Ten for each account, each good once. Keyed hashes (HMAC): the key is not in the database.
CREATE TABLE recovery_codes (
    user_id         uuid NOT NULL,
    hash            bytea NOT NULL,
    used_at         timestamptz,
    CONSTRAINT recovery_codes_pkey PRIMARY KEY (user_id, hash),
    CONSTRAINT recovery_codes_user_fkey FOREIGN KEY (user_id) REFERENCES users ON DELETE CASCADE
);
