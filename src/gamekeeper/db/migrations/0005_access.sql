-- Credentials and what guards them. A credential is random; what is stored is
-- its SHA-256, so a copy of these tables opens nothing.

CREATE TABLE api_keys (
    hash        bytea PRIMARY KEY,
    id          uuid NOT NULL DEFAULT gen_random_uuid(),
    name        text NOT NULL,
    scopes      text[],                         -- NULL: everything
    created_at  timestamptz NOT NULL DEFAULT now(),
    expires_at  timestamptz NOT NULL DEFAULT 'infinity',
    used_at     timestamptz,
    revoked_at  timestamptz,
    CONSTRAINT api_keys_hash_length CHECK (octet_length(hash) = 32),
    CONSTRAINT api_keys_name_length CHECK (char_length(name) BETWEEN 1 AND 64)
);

-- One sign-in and all the tokens that descend from it.
CREATE TABLE token_families (
    user_id     uuid NOT NULL,
    id          uuid NOT NULL DEFAULT gen_random_uuid(),
    created_at  timestamptz NOT NULL DEFAULT now(),
    expires_at  timestamptz NOT NULL,
    revoked_at  timestamptz,
    CONSTRAINT token_families_pkey PRIMARY KEY (user_id, id),
    CONSTRAINT token_families_user_fkey FOREIGN KEY (user_id) REFERENCES users ON DELETE CASCADE
);

CREATE TABLE access_tokens (
    hash        bytea PRIMARY KEY,
    user_id     uuid NOT NULL,
    family_id   uuid NOT NULL,
    expires_at  timestamptz NOT NULL,
    CONSTRAINT access_tokens_hash_length CHECK (octet_length(hash) = 32),
    CONSTRAINT access_tokens_family_fkey FOREIGN KEY (user_id, family_id)
        REFERENCES token_families ON DELETE CASCADE
);
CREATE INDEX access_tokens_family_idx ON access_tokens (user_id, family_id);

CREATE TABLE refresh_tokens (
    hash        bytea PRIMARY KEY,
    user_id     uuid NOT NULL,
    family_id   uuid NOT NULL,
    expires_at  timestamptz NOT NULL,
    used_at     timestamptz,                    -- a second use ends the family
    CONSTRAINT refresh_tokens_hash_length CHECK (octet_length(hash) = 32),
    CONSTRAINT refresh_tokens_family_fkey FOREIGN KEY (user_id, family_id)
        REFERENCES token_families ON DELETE CASCADE
);
CREATE INDEX refresh_tokens_family_idx ON refresh_tokens (user_id, family_id);

-- How many wrong passwords somebody may still try. Logged like any other table:
-- a crash must not hand out new attempts.
CREATE TABLE guess_budgets (
    subject     text COLLATE "C" PRIMARY KEY,   -- account:…, address:…, client:…, pair:…
    failures    double precision NOT NULL DEFAULT 0,
    streak      int NOT NULL DEFAULT 0,         -- wrong ones since the last right one
    counted_at  timestamptz NOT NULL DEFAULT now(),
    blocked_until timestamptz NOT NULL DEFAULT 'epoch',
    CONSTRAINT guess_budgets_subject_length CHECK (char_length(subject) <= 200)
);

-- Where an account was signed in to before: there its owner has attempts of their
-- own, which a stranger cannot use up.
CREATE TABLE known_sources (
    user_id     uuid NOT NULL,
    source      text COLLATE "C" NOT NULL,
    seen_at     timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT known_sources_pkey PRIMARY KEY (user_id, source),
    CONSTRAINT known_sources_user_fkey FOREIGN KEY (user_id) REFERENCES users ON DELETE CASCADE
);
