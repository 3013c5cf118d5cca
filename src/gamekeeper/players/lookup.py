"""Lookup of characters by name or id."""

from collections.abc import Sequence
from typing import LiteralString
from uuid import UUID

from gamekeeper.core import names
from gamekeeper.core.errors import NotFound
from gamekeeper.db import unique_names
from gamekeeper.db.database import Queryable, Reader
from gamekeeper.db.queries import batched_query
from gamekeeper.players.records import COLUMNS, JOINS, Player


class PlayerNotFound(NotFound):
    """No player has that name or id."""


def unknown(key: str) -> PlayerNotFound:
    return PlayerNotFound(names.missing("player", key))


async def find_player(reader: Reader, key: str) -> Player:
    player = await players_by_key.one(reader, key)
    if player is None:
        raise unknown(key)
    return player


NAMES: LiteralString = """
    SELECT name_key, player_id AS id FROM player_names WHERE name_key = ANY($1)
"""


@batched_query
async def players_by_key(reader: Reader, keys: Sequence[str]) -> dict[str, Player]:
    """The characters with these names or ids."""
    sql: LiteralString = f"""
        SELECT players.id AS player_id, {COLUMNS} FROM players {JOINS} WHERE players.id = ANY($1)
    """
    found = await unique_names.read(reader, NAMES, sql, keys)
    return {key: Player(*row[1:]) for key, [row] in found.items()}


async def find_player_id(reader: Reader, key: str) -> UUID:
    """The id of the player with this name or id."""
    [found] = await find_player_ids(reader, [key])
    if found is None:
        raise unknown(key)
    return found


async def find_player_ids(reader: Queryable, keys: Sequence[str]) -> list[UUID | None]:
    """The id for each name or id; None where no player has it."""
    return await unique_names.find(reader, IDS, keys)


IDS: LiteralString = """
    SELECT id, NULL AS name_key FROM players WHERE id = ANY($1)
    UNION ALL
    SELECT player_id, name_key FROM player_names WHERE name_key = ANY($2)
"""
