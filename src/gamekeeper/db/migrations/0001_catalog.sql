-- What exists in the game. Small, read by everybody, changed only by an import:
-- on many machines each of these would stand in full on every one.

CREATE TABLE items (
    id              uuid PRIMARY KEY,
    name            text NOT NULL,
    type            text NOT NULL,
    stackable       boolean NOT NULL DEFAULT false,
    inventory_stack int NOT NULL DEFAULT 1,
    bank_stack      int NOT NULL DEFAULT 1,
    bag_slots       int NOT NULL DEFAULT 0,
    bankable        boolean NOT NULL DEFAULT true,
    CONSTRAINT items_name_length CHECK (char_length(name) BETWEEN 1 AND 64),
    CONSTRAINT items_type_known CHECK (
        type IN ('none', 'equipment', 'consumable', 'currency', 'spell', 'event', 'bag')
    ),
    CONSTRAINT items_stacks_positive CHECK (inventory_stack > 0 AND bank_stack > 0),
    -- One slot holds one thing unless the thing stacks.
    CONSTRAINT items_single_unless_stackable CHECK (
        stackable OR (inventory_stack = 1 AND bank_stack = 1)
    ),
    -- A bag has room, is never piled up (each has contents of its own), and nothing else has room.
    CONSTRAINT items_bags_have_slots CHECK (
        CASE WHEN type = 'bag' THEN bag_slots BETWEEN 1 AND 500 AND NOT stackable
             ELSE bag_slots = 0 END
    ),
    CONSTRAINT items_equipment_single CHECK (type <> 'equipment' OR NOT stackable)
);

CREATE TABLE spells (
    id      uuid PRIMARY KEY,
    name    text NOT NULL,
    -- A bound spell belongs to the character and cannot be forgotten.
    bound   boolean NOT NULL DEFAULT false,
    CONSTRAINT spells_name_length CHECK (char_length(name) BETWEEN 1 AND 64)
);

CREATE TABLE variables (
    id      uuid PRIMARY KEY,
    name    text NOT NULL,
    type    text NOT NULL,
    CONSTRAINT variables_name_length CHECK (char_length(name) BETWEEN 1 AND 64),
    CONSTRAINT variables_type_known CHECK (type IN ('boolean', 'integer', 'string', 'number'))
);

CREATE TABLE classes (
    id              uuid PRIMARY KEY,
    name            text NOT NULL,
    base_vitals     int[] NOT NULL DEFAULT '{100,100}',     -- health, mana
    vital_increases int[] NOT NULL DEFAULT '{10,10}',       -- added with each level
    base_stats      int[] NOT NULL DEFAULT '{10,10,10,10,10}',
    base_exp        bigint NOT NULL DEFAULT 100,            -- from level 1 to 2
    exp_increase    int NOT NULL DEFAULT 10,                -- per cent more with each level
    max_level       int NOT NULL DEFAULT 100,
    CONSTRAINT classes_name_length CHECK (char_length(name) BETWEEN 1 AND 64),
    CONSTRAINT classes_vitals_two CHECK (
        cardinality(base_vitals) = 2 AND cardinality(vital_increases) = 2
    ),
    CONSTRAINT classes_stats_five CHECK (cardinality(base_stats) = 5),
    CONSTRAINT classes_exp_sane CHECK (base_exp > 0 AND exp_increase BETWEEN 0 AND 1000),
    CONSTRAINT classes_max_level_sane CHECK (max_level BETWEEN 1 AND 10000)
);
