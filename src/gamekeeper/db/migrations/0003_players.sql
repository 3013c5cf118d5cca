-- Characters and what they own. Every key of what a character owns begins with
-- the player's id: one character is one place, on one machine or on many.

CREATE TABLE players (
    id                     uuid PRIMARY KEY DEFAULT gen_random_uuid(),
    user_id                uuid NOT NULL,
    name                   text NOT NULL,
    name_key               text COLLATE "C" NOT NULL,
    class_id               uuid NOT NULL,
    gender                 smallint NOT NULL DEFAULT 0,
    level                  int NOT NULL DEFAULT 1,
    exp                    bigint NOT NULL DEFAULT 0,
    stat_points            int NOT NULL DEFAULT 0,
    vitals                 int[] NOT NULL DEFAULT '{100,100}',
    max_vitals             int[] NOT NULL DEFAULT '{100,100}',
    base_stats             int[] NOT NULL DEFAULT '{10,10,10,10,10}',
    stat_point_allocations int[] NOT NULL DEFAULT '{0,0,0,0,0}',
    -- The inventory slot worn in each place, -1 for none.
    equipment              int[] NOT NULL DEFAULT '{-1,-1,-1,-1,-1}',
    map_id                 uuid NOT NULL DEFAULT '00000000-0000-0000-0000-000000000000',
    map_name               text NOT NULL DEFAULT '',
    x                      int NOT NULL DEFAULT 0,
    y                      int NOT NULL DEFAULT 0,
    z                      int NOT NULL DEFAULT 0,
    dir                    int NOT NULL DEFAULT 0,
    sprite                 text NOT NULL DEFAULT '',
    face                   text NOT NULL DEFAULT '',
    last_online            timestamptz,
    created_at             timestamptz NOT NULL DEFAULT now(),
    play_time_seconds      bigint NOT NULL DEFAULT 0,
    CONSTRAINT players_user_fkey FOREIGN KEY (user_id) REFERENCES users ON DELETE CASCADE,
    CONSTRAINT players_class_fkey FOREIGN KEY (class_id) REFERENCES classes,
    CONSTRAINT players_name_length CHECK (char_length(name) BETWEEN 1 AND 64),
    CONSTRAINT players_level_positive CHECK (level > 0),
    CONSTRAINT players_exp_not_negative CHECK (exp >= 0),
    CONSTRAINT players_play_time_not_negative CHECK (play_time_seconds >= 0),
    CONSTRAINT players_vitals_two CHECK (cardinality(vitals) = 2 AND cardinality(max_vitals) = 2),
    CONSTRAINT players_stats_five CHECK (
        cardinality(base_stats) = 5 AND cardinality(stat_point_allocations) = 5
    )
);
-- The orders of GET /players/rank and GET /players, so that a page is a walk along an index.
CREATE INDEX players_rank_idx ON players (level, exp, id);
CREATE INDEX players_name_idx ON players (name_key, id);
CREATE INDEX players_name_search_idx ON players USING gin (name_key gin_trgm_ops);
-- A user's characters, in the order of creation.
CREATE INDEX players_user_idx ON players (user_id, created_at, id);

CREATE TABLE player_names (
    name_key    text COLLATE "C" PRIMARY KEY,
    player_id   uuid NOT NULL,
    CONSTRAINT player_names_player_fkey FOREIGN KEY (player_id)
        REFERENCES players ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED
);

CREATE TABLE bags (
    player_id   uuid NOT NULL,
    id          uuid NOT NULL,
    slot_count  int NOT NULL,
    CONSTRAINT bags_pkey PRIMARY KEY (player_id, id),
    CONSTRAINT bags_player_fkey FOREIGN KEY (player_id) REFERENCES players ON DELETE CASCADE,
    CONSTRAINT bags_slot_count_positive CHECK (slot_count > 0)
);

-- A bag is asked for by its id alone; this says whose it is.
CREATE TABLE bag_owners (
    bag_id      uuid PRIMARY KEY,
    player_id   uuid NOT NULL,
    CONSTRAINT bag_owners_bag_fkey FOREIGN KEY (player_id, bag_id)
        REFERENCES bags ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED
);

CREATE TYPE place AS ENUM ('inventory', 'bank');

-- Only slots that hold something have a row; the empty ones are known by their absence.
CREATE TABLE slots (
    player_id   uuid NOT NULL,
    place       place NOT NULL,
    slot        int NOT NULL,
    item_id     uuid NOT NULL,
    quantity    int NOT NULL,
    stat_buffs  int[] NOT NULL DEFAULT '{0,0,0,0,0}',
    bag_id      uuid,
    CONSTRAINT slots_pkey PRIMARY KEY (player_id, place, slot),
    CONSTRAINT slots_player_fkey FOREIGN KEY (player_id) REFERENCES players ON DELETE CASCADE,
    CONSTRAINT slots_item_fkey FOREIGN KEY (item_id) REFERENCES items,
    CONSTRAINT slots_bag_fkey FOREIGN KEY (player_id, bag_id) REFERENCES bags,
    CONSTRAINT slots_slot_not_negative CHECK (slot >= 0),
    CONSTRAINT slots_quantity_positive CHECK (quantity > 0),
    CONSTRAINT slots_stat_buffs_five CHECK (cardinality(stat_buffs) = 5),
    CONSTRAINT slots_bag_single CHECK (bag_id IS NULL OR quantity = 1)
);
-- A bag lies in one slot at most.
CREATE UNIQUE INDEX slots_bag_key ON slots (player_id, bag_id) WHERE bag_id IS NOT NULL;

CREATE TABLE bag_slots (
    player_id   uuid NOT NULL,
    bag_id      uuid NOT NULL,
    slot        int NOT NULL,
    item_id     uuid NOT NULL,
    quantity    int NOT NULL,
    stat_buffs  int[] NOT NULL DEFAULT '{0,0,0,0,0}',
    CONSTRAINT bag_slots_pkey PRIMARY KEY (player_id, bag_id, slot),
    CONSTRAINT bag_slots_bag_fkey FOREIGN KEY (player_id, bag_id) REFERENCES bags ON DELETE CASCADE,
    CONSTRAINT bag_slots_item_fkey FOREIGN KEY (item_id) REFERENCES items,
    CONSTRAINT bag_slots_slot_not_negative CHECK (slot >= 0),
    CONSTRAINT bag_slots_quantity_positive CHECK (quantity > 0),
    CONSTRAINT bag_slots_stat_buffs_five CHECK (cardinality(stat_buffs) = 5)
);

CREATE TABLE player_spells (
    player_id   uuid NOT NULL,
    slot        int NOT NULL,
    spell_id    uuid NOT NULL,
    CONSTRAINT player_spells_pkey PRIMARY KEY (player_id, slot),
    -- A spell is known once, whatever the slot.
    CONSTRAINT player_spells_spell_key UNIQUE (player_id, spell_id),
    CONSTRAINT player_spells_player_fkey FOREIGN KEY (player_id) REFERENCES players ON DELETE CASCADE,
    CONSTRAINT player_spells_spell_fkey FOREIGN KEY (spell_id) REFERENCES spells,
    CONSTRAINT player_spells_slot_not_negative CHECK (slot >= 0)
);

CREATE TABLE player_variables (
    player_id   uuid NOT NULL,
    variable_id uuid NOT NULL,
    value       jsonb NOT NULL,
    CONSTRAINT player_variables_pkey PRIMARY KEY (player_id, variable_id),
    CONSTRAINT player_variables_player_fkey FOREIGN KEY (player_id)
        REFERENCES players ON DELETE CASCADE,
    CONSTRAINT player_variables_variable_fkey FOREIGN KEY (variable_id) REFERENCES variables,
    CONSTRAINT player_variables_scalar CHECK (
        jsonb_typeof(value) IN ('boolean', 'number', 'string')
    )
);
