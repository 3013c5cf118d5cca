-- concurrently
-- What an import from another engine keeps.

-- What the game before this one knew of a character and nothing here reads: its hotbar, quests,
-- friends, labels and the like. Kept as it came, exported with the character.
CREATE TABLE IF NOT EXISTS player_extras (
    player_id   uuid NOT NULL,
    data        jsonb NOT NULL,
    CONSTRAINT player_extras_pkey PRIMARY KEY (player_id),
    CONSTRAINT player_extras_player_fkey FOREIGN KEY (player_id)
        REFERENCES players ON DELETE CASCADE,
    CONSTRAINT player_extras_object CHECK (jsonb_typeof(data) = 'object')
);

-- The last import of an account, a character, a guild or variables: a digest of what the source said, and one of
-- what was stored then. If the second differs from what is stored now, it was changed here,
-- and a later import leaves it alone (docs/decisions/0052-newer-here.md).
CREATE TABLE IF NOT EXISTS import_marks (
    id          uuid NOT NULL,
    kind        text NOT NULL,
    source      bytea NOT NULL,
    stored      bytea NOT NULL,
    CONSTRAINT import_marks_pkey PRIMARY KEY (id, kind),
    CONSTRAINT import_marks_kind_known CHECK (
        kind IN ('user', 'player', 'user_variables', 'game_variables', 'guild')
    )
);

-- Imported passwords that are only encrypted: the worker stretches them, and an operator asks
-- how many are left.
DROP INDEX CONCURRENTLY IF EXISTS passwords_imported_idx;
CREATE INDEX CONCURRENTLY passwords_imported_idx
    ON passwords (user_id) WHERE sealed LIKE 'sha256$%';
