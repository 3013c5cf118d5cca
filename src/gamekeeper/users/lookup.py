"""From a username or id to the account."""

from collections.abc import Sequence
from uuid import UUID

from gamekeeper import lookup
from gamekeeper.database import Reader, Writer
from gamekeeper.errors import NotFound


class UserNotFound(NotFound):
    """No user has that name or id."""


async def find(reader: Reader, key: str) -> UUID:
    """The id of the user with this name or id."""
    [found] = await find_all(reader, [key])
    if found is None:
        raise UserNotFound(lookup.missing("user", key))
    return found


async def find_all(reader: Reader, keys: Sequence[str]) -> list[UUID | None]:
    """The id for each key; an id that is well formed is only believed if somebody has it."""
    asked = [lookup.parse(key) for key in keys]
    rows = await reader.rows(
        """
        SELECT id, NULL AS name_key FROM users WHERE id = ANY($1)
        UNION ALL
        SELECT user_id, name_key FROM user_names WHERE name_key = ANY($2)
        """,
        [key for key in asked if isinstance(key, UUID)],
        [key for key in asked if isinstance(key, str)],
    )
    found = {row["name_key"] or row["id"]: row["id"] for row in rows}
    return [found.get(key) for key in asked]


async def lock(writer: Writer, ids: Sequence[UUID]) -> None:
    """Let nobody else change these users until the transaction ends; always in id order."""
    await writer.run(
        "SELECT FROM users WHERE id = ANY($1) ORDER BY id FOR NO KEY UPDATE", list(ids)
    )
