"""Lookup of characters by name or id."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import LiteralString
from uuid import UUID

from gamekeeper.core import names
from gamekeeper.core.errors import NotFound
from gamekeeper.core.schemas import Record
from gamekeeper.db import unique_names
from gamekeeper.db.database import Queryable, Reader
from gamekeeper.db.queries import batched_query
from gamekeeper.db.unique_names import ByKey
from gamekeeper.players.records import COLUMNS, JOINS, Player


class PlayerNotFound(NotFound):
    """No player has that name or id."""


class Party(Record, frozen=True):
    """A character that had a part in something."""

    player_id: UUID
    name: str | None
    """The current name, or the last one if deleted."""


class ItemOwner(Record, frozen=True):
    """A character, or a guild with its bank."""

    player_id: UUID | None
    """Null for a guild."""
    guild_id: UUID | None
    """Null for a character."""
    name: str | None
    """The present name, or the last one of a deleted character."""


def unknown(key: str) -> PlayerNotFound:
    return PlayerNotFound(names.missing("player", key))


async def find_player(reader: Reader, key: str) -> Player:
    player = await players_by_key.one(reader, key)
    if player is None:
        raise unknown(key)
    return player


@batched_query
async def players_by_key(reader: Reader, keys: Sequence[str]) -> dict[str, Player]:
    """The characters with these names or ids."""
    found = await unique_names.read(reader, PLAYERS, keys)
    return {key: Player(*row[1:]) for key, [row] in found.items()}


PLAYERS = ByKey.of("players", f"SELECT key, {COLUMNS} FROM {{owners}} {JOINS}")


async def find_player_id(reader: Reader, key: str) -> UUID:
    """The id of the player with this name or id."""
    [found] = await find_player_ids(reader, [key])
    if found is None:
        raise unknown(key)
    return found


async def find_player_ids(reader: Queryable, keys: Sequence[str]) -> list[UUID | None]:
    """The id for each name or id; None where no player has it."""
    return await unique_names.find(reader, IDS, keys)


CHARACTER_NAMES: LiteralString = """
    SELECT player_id AS id, name FROM deleted_players WHERE player_id = ANY($1)
    UNION ALL
    SELECT id, name FROM players WHERE id = ANY($1)
"""


async def names_of(reader: Queryable, ids: Iterable[UUID]) -> dict[UUID, str]:
    """The names of characters, deleted ones included."""
    if not (wanted := sorted(set(ids))):
        return {}
    rows = await reader.rows(CHARACTER_NAMES, wanted)
    return {row["id"]: row["name"] for row in rows}


def parties(names: Mapping[UUID, str], ids: Iterable[UUID]) -> list[Party]:
    return [Party(player_id=player, name=names.get(player)) for player in ids]


async def owners_of(
    reader: Queryable, players: Iterable[UUID], guilds: Collection[UUID]
) -> dict[UUID, ItemOwner]:
    """Characters and guilds with their names."""
    wanted = set(players).difference(guilds)
    names = await names_of(reader, wanted)
    found = {
        player: ItemOwner(player_id=player, guild_id=None, name=names.get(player))
        for player in wanted
    }
    if not guilds:
        return found
    rows = await reader.rows("SELECT id, name FROM guilds WHERE id = ANY($1)", list(guilds))
    names = {row["id"]: row["name"] for row in rows}
    return found | {
        guild: ItemOwner(player_id=None, guild_id=guild, name=names.get(guild)) for guild in guilds
    }


# LATERAL with LIMIT finds each id in the primary key. With ANY alone, a statement planned while
# there were few characters reads the whole of another index that has the id.
IDS: LiteralString = """
    SELECT found.id, NULL AS name_key
      FROM unnest($1::uuid[]) AS asked (id)
     CROSS JOIN LATERAL (
           SELECT id FROM players WHERE players.id = asked.id LIMIT 1
           ) AS found
    UNION ALL
    SELECT player_id, name_key FROM player_names WHERE name_key = ANY($2)
"""
