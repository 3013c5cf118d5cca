"""Queries for character sheets: load, save, point in time. The rules are in `sheet.py`."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import LiteralString
from uuid import UUID

import msgspec
from msgspec import structs

from gamekeeper.db.database import Queryable, Reader, Writer
from gamekeeper.players import sheet
from gamekeeper.players.lookup import find_player_id, unknown
from gamekeeper.players.sheet import FIELDS, Fields, Sheet

COLUMNS: LiteralString = """
    class_id, gender, stat_points, vitals, max_vitals, base_stats, stat_point_allocations,
    equipment, map_id, map_name, x, y, z, dir, sprite, face, name_color
"""


async def load(reader: Queryable, players: Sequence[UUID]) -> dict[UUID, Sheet]:
    """The sheets of players; to change them, lock the players first."""
    rows = await reader.rows(f"SELECT id, {COLUMNS} FROM players WHERE id = ANY($1)", list(players))
    return {row["id"]: Sheet(**{name: row[name] for name in FIELDS}) for row in rows}


async def save(writer: Writer, changed: Mapping[UUID, Fields]) -> None:
    """Write only the changed fields of sheets. The players must be locked."""
    rows = [{"id": player} | fields for player, fields in changed.items()]
    await writer.run(SAVE, list(changed), msgspec.json.encode(rows).decode())


# Only changed fields: the move of an item writes the equipment that comes off with it.
SAVE: LiteralString = """
    UPDATE players
       SET class_id = coalesce(new.class_id, players.class_id),
           gender = coalesce(new.gender, players.gender),
           stat_points = coalesce(new.stat_points, players.stat_points),
           vitals = coalesce(new.vitals, players.vitals),
           max_vitals = coalesce(new.max_vitals, players.max_vitals),
           base_stats = coalesce(new.base_stats, players.base_stats),
           stat_point_allocations
               = coalesce(new.stat_point_allocations, players.stat_point_allocations),
           equipment = coalesce(new.equipment, players.equipment),
           map_id = coalesce(new.map_id, players.map_id),
           map_name = coalesce(new.map_name, players.map_name),
           x = coalesce(new.x, players.x),
           y = coalesce(new.y, players.y),
           z = coalesce(new.z, players.z),
           dir = coalesce(new.dir, players.dir),
           sprite = coalesce(new.sprite, players.sprite),
           face = coalesce(new.face, players.face),
           name_color = coalesce(new.name_color, players.name_color)
      FROM json_to_recordset($2::text::json) AS new (
               id uuid, class_id uuid, gender smallint, stat_points int, vitals int[],
               max_vitals int[], base_stats int[], stat_point_allocations int[],
               equipment int[], map_id uuid, map_name text, x int, y int, z int, dir int,
               sprite text, face text, name_color text)
     WHERE players.id = ANY($1) AND players.id = new.id
"""


async def current(reader: Reader, key: str) -> Sheet:
    """A character's present sheet."""
    player = await find_player_id(reader, key)
    found = (await load(reader, [player])).get(player)
    if found is None:
        raise unknown(key)
    return found


async def as_of(reader: Reader, key: str, at: datetime) -> Sheet:
    """
    A character's sheet at an instant: each field as the first later action found it.

    Equipment that comes off with its item makes no action of its own. So between the last
    save of the sheet and that moment, it is shown as off already.
    """
    player = await find_player_id(reader, key)
    rows = await reader.rows(
        """
        SELECT DISTINCT ON (name) name, value
          FROM actions CROSS JOIN LATERAL jsonb_each(before -> 'sheet') AS each (name, value)
         WHERE player_id = $1 AND item_id IS NULL AND at > $2 AND before ? 'sheet'
         ORDER BY name, at, id
        """,
        player,
        at,
    )
    then = {row["name"]: row["value"] for row in rows if row["name"] in FIELDS}
    return structs.replace(await current(reader, str(player)), **sheet.typed(then))
