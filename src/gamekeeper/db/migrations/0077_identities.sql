-- Identities of accounts at other services: an account has at most one of each issuer, and an
-- identity at most one account. Those that were unlinked are kept, so that a ban cannot be evaded
-- by another account, and support can tell who had what. Link codes live for ten minutes.

CREATE TABLE identities (
    id            uuid NOT NULL,
    user_id       uuid NOT NULL,
    issuer        text NOT NULL,
    subject       text NOT NULL,
    display_name  text,
    linked_at     timestamptz NOT NULL DEFAULT now(),
    last_used_at  timestamptz,
    CONSTRAINT identities_pkey PRIMARY KEY (id),
    CONSTRAINT identities_issuer_subject_key UNIQUE (issuer, subject),
    CONSTRAINT identities_user_issuer_key UNIQUE (user_id, issuer),
    CONSTRAINT identities_user_fkey FOREIGN KEY (user_id) REFERENCES users ON DELETE CASCADE,
    CONSTRAINT identities_lengths CHECK (length(issuer) <= 255 AND length(subject) <= 255
                                         AND length(display_name) <= 100)
);

CREATE TABLE former_identities (
    id            uuid NOT NULL,
    user_id       uuid NOT NULL,
    issuer        text NOT NULL,
    subject       text NOT NULL,
    display_name  text,
    linked_at     timestamptz NOT NULL,
    unlinked_at   timestamptz NOT NULL,
    CONSTRAINT former_identities_pkey PRIMARY KEY (id),
    CONSTRAINT former_identities_key UNIQUE (user_id, issuer, subject),
    CONSTRAINT former_identities_user_fkey FOREIGN KEY (user_id) REFERENCES users ON DELETE CASCADE
);

CREATE INDEX former_identities_user_id_idx ON former_identities (user_id, unlinked_at);
CREATE INDEX former_identities_subject_idx ON former_identities (issuer, subject);

-- Identities of erased accounts with a sanction that is not over, as keyed hashes: an erasure must
-- not be a way around a ban.
CREATE TABLE erased_identities (
    user_id    uuid NOT NULL,
    tag        bytea NOT NULL,
    erased_at  timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT erased_identities_pkey PRIMARY KEY (tag, user_id)
);

CREATE INDEX erased_identities_erased_at_idx ON erased_identities (erased_at);

-- A code stands for an account or for an identity.
CREATE TABLE link_codes (
    hash          bytea NOT NULL,
    user_id       uuid,
    issuer        text,
    subject       text,
    display_name  text,
    -- Of the identity, as in erased_identities, under each key.
    tags          bytea[],
    expires_at    timestamptz NOT NULL,
    CONSTRAINT link_codes_pkey PRIMARY KEY (hash),
    CONSTRAINT link_codes_user_key UNIQUE (user_id),
    CONSTRAINT link_codes_identity_key UNIQUE (issuer, subject),
    CONSTRAINT link_codes_user_fkey FOREIGN KEY (user_id) REFERENCES users ON DELETE CASCADE,
    CONSTRAINT link_codes_owner CHECK (num_nonnulls(user_id, issuer) = 1
                                       AND num_nonnulls(issuer, subject) <> 1)
);

CREATE INDEX link_codes_expires_at_idx ON link_codes (expires_at);

-- The sign-ins that an identity began end with its link.
ALTER TABLE token_families ADD COLUMN identity_id uuid;
