-- Redeem codes: docs/decisions/0073-redeem-codes.md.

-- Codes of one batch give the same letter, and belong to a campaign: an account redeems one code
-- of a campaign, once.
CREATE TABLE code_batches (
    id              uuid PRIMARY KEY,           -- in the order of time
    campaign        text COLLATE "C" NOT NULL,
    name            text NOT NULL,
    prefix          text COLLATE "C",           -- in front of each code; for people only
    codes           int NOT NULL,               -- how many the batch has
    uses            int NOT NULL,               -- of each code
    starts_at       timestamptz,
    expires_at      timestamptz,
    subject         text NOT NULL,
    text            text NOT NULL,
    items           jsonb NOT NULL,             -- [{"item_id": …, "quantity": …}]
    letter_days     int NOT NULL,
    state           text NOT NULL DEFAULT 'draft',
    -- Of the download that runs or was the last: an older one that still runs must stop.
    download        int NOT NULL DEFAULT 0,
    made            int NOT NULL DEFAULT 0,     -- codes of this download so far
    created_at      timestamptz NOT NULL DEFAULT now(),
    created_by_name text NOT NULL,
    activated_at    timestamptz,
    revoked_at      timestamptz,
    revoked_by_name text,
    CONSTRAINT code_batches_campaign_form CHECK (campaign ~ '^[a-z0-9][a-z0-9._-]{0,63}$'),
    CONSTRAINT code_batches_name_length CHECK (char_length(name) BETWEEN 1 AND 80),
    CONSTRAINT code_batches_prefix_form CHECK (prefix ~ '^[A-Z0-9]{1,12}$'),
    CONSTRAINT code_batches_codes_range CHECK (codes BETWEEN 1 AND 1000000),
    CONSTRAINT code_batches_uses_range CHECK (uses BETWEEN 1 AND 1000000),
    CONSTRAINT code_batches_made_range CHECK (made BETWEEN 0 AND codes),
    CONSTRAINT code_batches_times_order CHECK (starts_at < expires_at),
    CONSTRAINT code_batches_items_list CHECK (jsonb_typeof(items) = 'array'),
    CONSTRAINT code_batches_state_known CHECK (state IN ('draft', 'ready', 'active', 'revoked')),
    -- Nobody can redeem a code that its owner did not get.
    CONSTRAINT code_batches_ready_whole CHECK (state IN ('draft', 'revoked') OR made = codes)
);

CREATE INDEX code_batches_campaign_idx ON code_batches (campaign, id);

-- Half of a keyed hash of each code (128 bits), never the code.
CREATE TABLE codes (
    hash            uuid PRIMARY KEY,
    batch_id        uuid NOT NULL,
    used            int NOT NULL DEFAULT 0,
    revoked_at      timestamptz,
    CONSTRAINT codes_batch_fkey FOREIGN KEY (batch_id) REFERENCES code_batches,
    CONSTRAINT codes_used_not_negative CHECK (used >= 0)
)
-- Room on each page, so that the first use of a code writes no new entries into the indexes.
WITH (fillfactor = 90);
CREATE INDEX codes_batch_idx ON codes (batch_id);

-- Never deleted: a row is what lets an account redeem once. An erasure empties the two ids.
CREATE TABLE code_redemptions (
    id              uuid PRIMARY KEY,           -- in the order of time
    hash            uuid NOT NULL,
    batch_id        uuid NOT NULL,
    campaign        text COLLATE "C" NOT NULL,
    user_id         uuid,
    player_id       uuid,
    letter_id       uuid NOT NULL,
    redeemed_at     timestamptz NOT NULL DEFAULT now(),
    -- What the service would do twice, PostgreSQL refuses.
    CONSTRAINT code_redemptions_once_key UNIQUE (user_id, campaign),
    CONSTRAINT code_redemptions_letter_key UNIQUE (letter_id)
);
CREATE INDEX code_redemptions_batch_idx ON code_redemptions (batch_id, id);
CREATE INDEX code_redemptions_hash_idx ON code_redemptions (hash, id);

-- Sixteen counts for each batch, by the hash of the code: one would make all codes wait for each
-- other, and counting redemptions would take longer the more there are.
CREATE TABLE code_counts (
    batch_id        uuid NOT NULL,
    part            int NOT NULL,
    redeemed        int NOT NULL,
    CONSTRAINT code_counts_pkey PRIMARY KEY (batch_id, part),
    CONSTRAINT code_counts_part_range CHECK (part BETWEEN 0 AND 15)
);
