-- Characters that are created, renamed and deleted by the service.

-- `#AARRGGBB`, or empty for the game's own choice.
ALTER TABLE players ADD COLUMN name_color text NOT NULL DEFAULT '';
ALTER TABLE players ADD CONSTRAINT players_name_color_form
    CHECK (name_color ~ '^(#[0-9A-F]{8})?$') NOT VALID;

-- What the names of characters look like, as user_skeletons is for accounts. Names from
-- before, and those that the demo makes, are entered later (players/names.py).
CREATE TABLE player_skeletons (
    skeleton    text COLLATE "C" PRIMARY KEY,
    player_id   uuid NOT NULL,
    CONSTRAINT player_skeletons_player_fkey FOREIGN KEY (player_id)
        REFERENCES players ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED
);
CREATE INDEX player_skeletons_player_idx ON player_skeletons (player_id);

-- Deleted characters, whole, so that an undo brings back exactly what was there. A deleted
-- character is in no other table but those of history: no list, lookup or count has to know
-- that there is such a thing.
CREATE TABLE deleted_players (
    player_id   uuid PRIMARY KEY,
    user_id     uuid NOT NULL,
    name        text NOT NULL,
    deleted_at  timestamptz NOT NULL DEFAULT now(),
    -- The action that deleted it. What comes back comes out of this loss (0017).
    action_id   uuid NOT NULL,
    -- The character, its items, bags, spells and variables: players/archive.py.
    kept        jsonb NOT NULL
);
CREATE INDEX deleted_players_user_idx ON deleted_players (user_id, deleted_at);

-- History outlives the character: postings are numbered on when it comes back.
ALTER TABLE ledger_heads DROP CONSTRAINT ledger_heads_player_fkey;
ALTER TABLE sessions DROP CONSTRAINT sessions_player_fkey;

-- The only way in which the role that serves removes a row of players (privileges.py): it
-- must be archived and own nothing any more, so nothing can go with it.
CREATE FUNCTION remove_archived_players(ids uuid[]) RETURNS SETOF uuid
LANGUAGE sql SECURITY DEFINER SET search_path = public, pg_temp AS $$
    DELETE FROM players
     WHERE id = ANY(ids)
       AND EXISTS (SELECT FROM deleted_players AS kept WHERE kept.player_id = players.id)
       AND NOT EXISTS (SELECT FROM slots WHERE slots.player_id = players.id)
       AND NOT EXISTS (SELECT FROM bags WHERE bags.player_id = players.id)
       AND NOT EXISTS (SELECT FROM player_spells AS known WHERE known.player_id = players.id)
       AND NOT EXISTS (SELECT FROM player_variables AS set WHERE set.player_id = players.id)
       AND NOT EXISTS (SELECT FROM presences WHERE presences.player_id = players.id)
    RETURNING id
$$;
