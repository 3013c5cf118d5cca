-- Accounts. What a user owns is keyed by the user; what must be unique across
-- users stands in a directory keyed by exactly that, so that the tables can be
-- spread over many machines by those keys.

-- Searching for a part of a name.
CREATE EXTENSION IF NOT EXISTS pg_trgm;

CREATE TABLE users (
    id                   uuid PRIMARY KEY DEFAULT gen_random_uuid(),
    name                 text NOT NULL,
    name_key             text COLLATE "C" NOT NULL,     -- the name as it is compared: lookup.fold
    email                text NOT NULL,
    editor               boolean NOT NULL DEFAULT false,
    ban                  boolean NOT NULL DEFAULT false,
    kick                 boolean NOT NULL DEFAULT false,
    mute                 boolean NOT NULL DEFAULT false,
    api                  boolean NOT NULL DEFAULT false, -- may get tokens
    personal_information boolean NOT NULL DEFAULT false, -- may read emails
    user_query           boolean NOT NULL DEFAULT false, -- role users.query
    user_management      boolean NOT NULL DEFAULT false, -- role users.manage
    is_muted             boolean NOT NULL DEFAULT false,
    mute_reason          text,
    created_at           timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT users_name_length CHECK (char_length(name) BETWEEN 1 AND 64),
    CONSTRAINT users_email_length CHECK (char_length(email) BETWEEN 3 AND 254),
    CONSTRAINT users_mute_reason_length CHECK (char_length(mute_reason) <= 500)
);
-- The order of GET /users.
CREATE INDEX users_name_idx ON users (name_key, id);
CREATE INDEX users_name_search_idx ON users USING gin (name_key gin_trgm_ops);

-- Deferred, so that a name can be claimed before the account behind it is written.
CREATE TABLE user_names (
    name_key    text COLLATE "C" PRIMARY KEY,
    user_id     uuid NOT NULL,
    CONSTRAINT user_names_user_fkey FOREIGN KEY (user_id)
        REFERENCES users ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED
);

CREATE TABLE user_emails (
    email_key   text COLLATE "C" PRIMARY KEY,
    user_id     uuid NOT NULL,
    CONSTRAINT user_emails_user_fkey FOREIGN KEY (user_id)
        REFERENCES users ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED
);

-- Apart from the account, so that no query that shows a user can show this by mistake.
CREATE TABLE passwords (
    user_id     uuid PRIMARY KEY,
    sealed      text NOT NULL,                  -- see users/vault.py
    changed_at  timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT passwords_user_fkey FOREIGN KEY (user_id) REFERENCES users ON DELETE CASCADE
);

-- How long the lists are, without counting them. Sixteen rows for each list, of
-- which a writer changes one at random: one row would make all writers wait in line.
CREATE TABLE totals (
    list        text NOT NULL,
    shard       smallint NOT NULL,
    count       bigint NOT NULL DEFAULT 0,
    CONSTRAINT totals_pkey PRIMARY KEY (list, shard)
);
INSERT INTO totals (list, shard)
SELECT list, shard FROM unnest(ARRAY['users', 'players']) AS list, generate_series(0, 15) AS shard;
