-- Segments: saved conditions over characters and accounts, and uploaded lists of names.

CREATE TABLE segments (
    name            text COLLATE "C" PRIMARY KEY,
    description     text NOT NULL DEFAULT '',
    -- Groups of conditions, as segments/records.py writes them. Values only: the SQL of each
    -- condition is in segments/statements.py.
    definition      jsonb NOT NULL,
    changed_at      timestamptz NOT NULL DEFAULT now(),
    changed_by_name text NOT NULL,
    CONSTRAINT segments_name_form CHECK (name ~ '^[a-z0-9][a-z0-9_-]{0,39}$'),
    CONSTRAINT segments_description_length CHECK (char_length(description) <= 500)
);

CREATE TABLE segment_lists (
    name            text COLLATE "C" PRIMARY KEY,
    received        int NOT NULL DEFAULT 0,     -- names sent, repeated ones included
    matched         int NOT NULL DEFAULT 0,     -- rows of segment_list_players
    unmatched       int NOT NULL DEFAULT 0,     -- rows of segment_list_unmatched
    changed_at      timestamptz NOT NULL DEFAULT now(),
    changed_by_name text NOT NULL,
    CONSTRAINT segment_lists_name_form CHECK (name ~ '^[a-z0-9][a-z0-9_-]{0,39}$'),
    CONSTRAINT segment_lists_size CHECK (received BETWEEN 0 AND 1000000)
);

-- The characters, not their names: a name can be given up, and then taken by another player.
-- No foreign key to players: deleting a character must not wait for this table.
CREATE TABLE segment_list_players (
    list        text COLLATE "C" NOT NULL,
    player_id   uuid NOT NULL,
    CONSTRAINT segment_list_players_pkey PRIMARY KEY (list, player_id),
    CONSTRAINT segment_list_players_list_fkey
        FOREIGN KEY (list) REFERENCES segment_lists ON DELETE CASCADE
);
-- Erasures delete by character.
CREATE INDEX segment_list_players_player_idx ON segment_list_players (player_id);

CREATE TABLE segment_list_unmatched (
    list        text COLLATE "C" NOT NULL,
    name        text COLLATE "C" NOT NULL,      -- as it was sent
    CONSTRAINT segment_list_unmatched_pkey PRIMARY KEY (list, name),
    CONSTRAINT segment_list_unmatched_list_fkey
        FOREIGN KEY (list) REFERENCES segment_lists ON DELETE CASCADE,
    CONSTRAINT segment_list_unmatched_name_length CHECK (char_length(name) BETWEEN 1 AND 64)
);
