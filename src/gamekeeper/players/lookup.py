"""From a character's name or id to the character."""

from collections.abc import Sequence
from uuid import UUID

from gamekeeper import directories, lookup
from gamekeeper.database import Reader, Writer
from gamekeeper.errors import NotFound
from gamekeeper.players.records import COLUMNS, JOINS, Player


class PlayerNotFound(NotFound):
    """No player has that name or id."""


def unknown(key: str) -> PlayerNotFound:
    return PlayerNotFound(lookup.missing("player", key))


async def one(reader: Reader, key: str) -> Player:
    player = await reader.one(
        Player,
        f"SELECT {COLUMNS} FROM players {JOINS} WHERE players.id = $1",
        await find(reader, key),
    )
    if player is None:
        raise unknown(key)
    return player


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
    # Always in id order: two lists that share players must not wait for each other in a ring.
    locked = await writer.rows(
        "SELECT id FROM players WHERE id = ANY($1) ORDER BY id FOR NO KEY UPDATE",
        [player for player in found if player],
    )
    there = {row["id"] for row in locked}
    return [player if player in there else None for player in found]
