-- Guilds: who belongs to one, what its bank holds, and its variables.
-- The bank is in the ledger of the characters: docs/decisions/0050-guild-banks.md.

CREATE TABLE guilds (
    id          uuid PRIMARY KEY DEFAULT gen_random_uuid(),
    name        text NOT NULL,
    name_key    text COLLATE "C" NOT NULL,
    founded_at  timestamptz NOT NULL DEFAULT now(),
    bank_slots  int NOT NULL,
    instance_id uuid NOT NULL DEFAULT gen_random_uuid(),
    CONSTRAINT guilds_name_key UNIQUE (name_key),
    CONSTRAINT guilds_name_length CHECK (char_length(name) BETWEEN 1 AND 64),
    CONSTRAINT guilds_bank_slots_sane CHECK (bank_slots BETWEEN 0 AND 10000)
);
CREATE INDEX guilds_name_search_idx ON guilds USING gin (name_key gin_trgm_ops);

-- A character is in one guild at most. Rank 0 is the owner.
CREATE TABLE guild_members (
    player_id   uuid PRIMARY KEY,
    guild_id    uuid NOT NULL,
    rank        int NOT NULL,
    joined_at   timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT guild_members_player_fkey FOREIGN KEY (player_id)
        REFERENCES players ON DELETE CASCADE,
    CONSTRAINT guild_members_guild_fkey FOREIGN KEY (guild_id) REFERENCES guilds,
    CONSTRAINT guild_members_rank_not_negative CHECK (rank >= 0)
);
CREATE INDEX guild_members_guild_idx ON guild_members (guild_id, player_id);
CREATE UNIQUE INDEX guild_members_owner_key ON guild_members (guild_id) WHERE rank = 0;

-- Only slots that hold something have a row. Without a cascade: a guild whose bank is not
-- empty cannot be deleted.
CREATE TABLE guild_slots (
    guild_id    uuid NOT NULL,
    slot        int NOT NULL,
    item_id     uuid NOT NULL,
    quantity    int NOT NULL,
    stat_buffs  int[] NOT NULL DEFAULT '{0,0,0,0,0}',
    CONSTRAINT guild_slots_pkey PRIMARY KEY (guild_id, slot),
    CONSTRAINT guild_slots_guild_fkey FOREIGN KEY (guild_id) REFERENCES guilds,
    CONSTRAINT guild_slots_item_fkey FOREIGN KEY (item_id) REFERENCES items,
    CONSTRAINT guild_slots_slot_not_negative CHECK (slot >= 0),
    CONSTRAINT guild_slots_quantity_positive CHECK (quantity > 0),
    CONSTRAINT guild_slots_stat_buffs_five CHECK (cardinality(stat_buffs) = 5)
);

CREATE TABLE guild_variables (
    guild_id    uuid NOT NULL,
    variable_id uuid NOT NULL,
    value       jsonb NOT NULL,
    CONSTRAINT guild_variables_pkey PRIMARY KEY (guild_id, variable_id),
    CONSTRAINT guild_variables_guild_fkey FOREIGN KEY (guild_id)
        REFERENCES guilds ON DELETE CASCADE,
    CONSTRAINT guild_variables_variable_fkey FOREIGN KEY (variable_id) REFERENCES variables,
    CONSTRAINT guild_variables_scalar CHECK (
        jsonb_typeof(value) IN ('boolean', 'number', 'string')
    )
);

-- Which actions are about which guild, also after it is gone. A table of its own: an index on
-- what is in `actions` would have to read all of them. The ids are in the order of time.
CREATE TABLE guild_actions (
    guild_id    uuid NOT NULL,
    action_id   uuid NOT NULL,
    CONSTRAINT guild_actions_pkey PRIMARY KEY (guild_id, action_id)
);

-- A posting of a guild's bank has the id of the guild as `player_id` and the place `guild`.
-- What passes between a character and its guild is against the account `guild` on both sides.
-- Validated by 0047: here the table is locked, and reading all of it may take minutes.
ALTER TABLE postings
    DROP CONSTRAINT postings_place_known,
    DROP CONSTRAINT postings_against_known,
    ADD CONSTRAINT postings_place_known CHECK (place IN ('inventory', 'bank', 'bag', 'guild'))
        NOT VALID,
    ADD CONSTRAINT postings_against_known CHECK (
        against IN ('grant', 'removal', 'import', 'demo', 'undo', 'restore', 'move', 'guild')
    ) NOT VALID;
