"""From a character's name or id to the character."""

from collections.abc import Sequence
from typing import LiteralString
from uuid import UUID

from gamekeeper import directories, failing, lookup
from gamekeeper.database import Elsewhere, Reader, Writer
from gamekeeper.errors import NotFound
from gamekeeper.players.records import COLUMNS, JOINS, Player
from gamekeeper.queries import query


class PlayerNotFound(NotFound):
    """No player has that name or id."""


def unknown(key: str) -> PlayerNotFound:
    return PlayerNotFound(lookup.missing("player", key))


async def one(reader: Reader, key: str) -> Player:
    player = await shown.one(reader, key)
    if player is None:
        raise unknown(key)
    return player


NAMES: LiteralString = """
    SELECT name_key, player_id AS id FROM player_names WHERE name_key = ANY($1)
"""


@query
async def shown(reader: Reader, keys: Sequence[str]) -> dict[str, Player]:
    """The characters with these names or ids."""
    sql: LiteralString = f"""
        SELECT players.id AS player_id, {COLUMNS} FROM players {JOINS} WHERE players.id = ANY($1)
    """
    found = await directories.read(reader, NAMES, sql, keys)
    return {key: Player(*row[1:]) for key, [row] in found.items()}


async def find(reader: Reader, key: str) -> UUID:
    """The id of the player with this name or id."""
    [found] = await find_all(reader, [key])
    if found is None:
        raise unknown(key)
    return found


async def find_all(reader: Reader, keys: Sequence[str]) -> list[UUID | None]:
    """The id for each name or id; None where no player has it."""
    return await directories.find(
        reader,
        """
        SELECT id, NULL AS name_key FROM players WHERE id = ANY($1)
        UNION ALL
        SELECT player_id, name_key FROM player_names WHERE name_key = ANY($2)
        """,
        keys,
    )


async def lock_all(writer: Writer, keys: Sequence[str]) -> list[UUID | None]:
    """Find players and let nobody else change them until the transaction ends."""
    found = await find_all(writer, keys)
    locked = await writer.rows(
        LOCK if writer.patient else LOCK_THE_FREE, [player for player in found if player]
    )
    failing.reach("after_lock")
    there = {row["id"] for row in locked}
    if not writer.patient:
        _leave_to_others(found, there)
    return [player if player in there else None for player in found]


# Always in id order: two lists that share players must not wait for each other in a ring.
LOCK: LiteralString = "SELECT id FROM players WHERE id = ANY($1) ORDER BY id FOR NO KEY UPDATE"
LOCK_THE_FREE: LiteralString = LOCK + " SKIP LOCKED"


def _leave_to_others(found: Sequence[UUID | None], free: set[UUID]) -> None:
    """Say which players somebody else holds; one that was removed just now is among them."""
    held: dict[UUID, list[int]] = {}
    for position, player in enumerate(found):
        if player and player not in free:
            held.setdefault(player, []).append(position)
    if held:
        raise Elsewhere(held.values())
