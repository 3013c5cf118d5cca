-- Gamekeeper as an OpenID provider: its signing keys, its clients, and the sign-ins of accounts.

CREATE TABLE openid_keys (
    id          text NOT NULL,
    -- The private key, encrypted with a key that is not in the database.
    sealed      text NOT NULL,
    public_key  text NOT NULL,
    created_at  timestamptz NOT NULL DEFAULT now(),
    -- Later than its creation: clients cache the published keys, so a new key is published first.
    signs_from  timestamptz NOT NULL,
    CONSTRAINT openid_keys_pkey PRIMARY KEY (id)
);

CREATE TABLE openid_clients (
    id                text NOT NULL,
    name              text NOT NULL,
    -- Null: a public client, such as a launcher, which can keep no secret.
    secret_hash       bytea,
    -- A forum with DiscourseConnect: the secret itself, which signs, encrypted with a key that is not
    -- in the database.
    discourse_sealed  text,
    redirect_uris     text[] NOT NULL,
    logout_uris       text[] NOT NULL,
    backchannel_uri   text,
    scopes            text[] NOT NULL,
    requires_pkce     boolean NOT NULL,
    asks_consent      boolean NOT NULL,
    admits_banned     boolean NOT NULL,
    created_at        timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT openid_clients_pkey PRIMARY KEY (id),
    CONSTRAINT openid_clients_public_pkce CHECK (secret_hash IS NOT NULL OR requires_pkce),
    CONSTRAINT openid_clients_discourse CHECK (secret_hash IS NOT NULL OR discourse_sealed IS NULL),
    -- Anybody can run a program that says it is this launcher.
    CONSTRAINT openid_clients_public_consent CHECK (secret_hash IS NOT NULL OR asks_consent)
);

-- A browser in which a player is signed in.
CREATE TABLE openid_sessions (
    id          uuid NOT NULL,
    user_id     uuid NOT NULL,
    hash        bytea NOT NULL,
    -- As access bans compare it: IPv6 by the /64.
    address     inet,
    created_at  timestamptz NOT NULL DEFAULT now(),
    -- When the password was last checked in it.
    authenticated_at  timestamptz NOT NULL DEFAULT now(),
    expires_at  timestamptz NOT NULL,
    ended_at    timestamptz,
    CONSTRAINT openid_sessions_pkey PRIMARY KEY (id),
    CONSTRAINT openid_sessions_hash_key UNIQUE (hash),
    CONSTRAINT openid_sessions_user_fkey FOREIGN KEY (user_id) REFERENCES users ON DELETE CASCADE
);
CREATE INDEX openid_sessions_user_idx ON openid_sessions (user_id);
CREATE INDEX openid_sessions_expiry_idx ON openid_sessions (expires_at);

-- What a player agreed to share with a client.
CREATE TABLE openid_consents (
    user_id     uuid NOT NULL,
    client_id   text NOT NULL,
    scopes      text[] NOT NULL,
    granted_at  timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT openid_consents_pkey PRIMARY KEY (user_id, client_id),
    CONSTRAINT openid_consents_user_fkey FOREIGN KEY (user_id) REFERENCES users ON DELETE CASCADE,
    CONSTRAINT openid_consents_client_fkey FOREIGN KEY (client_id) REFERENCES openid_clients
        ON DELETE CASCADE
);
CREATE INDEX openid_consents_client_idx ON openid_consents (client_id);

-- A sign-in at a client: it begins with an authorization code, and its tokens end with it.
CREATE TABLE openid_sign_ins (
    id                uuid NOT NULL,
    client_id         text NOT NULL,
    user_id           uuid NOT NULL,
    session_id        uuid NOT NULL,
    -- That of the session.
    address           inet,
    scopes            text[] NOT NULL,
    nonce             text,
    authenticated_at  timestamptz NOT NULL,
    code_hash         bytea NOT NULL,
    redirect_uri      text NOT NULL,
    challenge         text,
    code_expires_at   timestamptz NOT NULL,
    code_used_at      timestamptz,
    created_at        timestamptz NOT NULL DEFAULT now(),
    -- That of the code, until it is exchanged.
    expires_at        timestamptz NOT NULL,
    ended_at          timestamptz,
    CONSTRAINT openid_sign_ins_pkey PRIMARY KEY (id),
    CONSTRAINT openid_sign_ins_code_key UNIQUE (code_hash),
    CONSTRAINT openid_sign_ins_user_fkey FOREIGN KEY (user_id) REFERENCES users ON DELETE CASCADE,
    CONSTRAINT openid_sign_ins_client_fkey FOREIGN KEY (client_id) REFERENCES openid_clients
        ON DELETE CASCADE
);
CREATE INDEX openid_sign_ins_user_idx ON openid_sign_ins (user_id, client_id);
CREATE INDEX openid_sign_ins_client_idx ON openid_sign_ins (client_id, created_at);
CREATE INDEX openid_sign_ins_expiry_idx ON openid_sign_ins (expires_at);

CREATE TABLE openid_tokens (
    hash        bytea NOT NULL,
    sign_in_id  uuid NOT NULL,
    kind        text NOT NULL,
    created_at  timestamptz NOT NULL DEFAULT now(),
    expires_at  timestamptz NOT NULL,
    -- When a refresh token was first exchanged.
    used_at     timestamptz,
    CONSTRAINT openid_tokens_pkey PRIMARY KEY (hash),
    CONSTRAINT openid_tokens_sign_in_fkey FOREIGN KEY (sign_in_id) REFERENCES openid_sign_ins
        ON DELETE CASCADE,
    CONSTRAINT openid_tokens_kind_known CHECK (kind IN ('access', 'refresh'))
);
CREATE INDEX openid_tokens_sign_in_idx ON openid_tokens (sign_in_id, kind, created_at);
CREATE INDEX openid_tokens_expiry_idx ON openid_tokens (expires_at);
