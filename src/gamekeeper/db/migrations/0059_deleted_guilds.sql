-- Disbanded guilds, whole, so that an undo brings back exactly what was there: as deleted_players
-- (0022). A disbanded guild is in no other table but those of history. Guilds that were disbanded
-- before this migration are not here, and cannot come back.
CREATE TABLE deleted_guilds (
    guild_id    uuid PRIMARY KEY,
    name        text NOT NULL,
    deleted_at  timestamptz NOT NULL DEFAULT now(),
    -- The action that disbanded it. What comes back comes out of this loss.
    action_id   uuid NOT NULL,
    -- The guild, its members, its bank and its variables: guilds/archive.py.
    kept        jsonb NOT NULL
);
-- Retention finds those that have expired by their age, oldest first.
CREATE INDEX deleted_guilds_deleted_idx ON deleted_guilds (deleted_at);
