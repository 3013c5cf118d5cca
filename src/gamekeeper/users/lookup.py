"""Lookup of user ids by username or id, and row locks on users."""

from collections.abc import Iterable, Sequence
from typing import LiteralString
from uuid import UUID

from gamekeeper.core import names
from gamekeeper.core.errors import NotFound
from gamekeeper.db import unique_names
from gamekeeper.db.database import LockedByOther, Queryable, Reader, Writer


class UserNotFound(NotFound):
    """No user has that name or id."""


async def find_user_id(reader: Reader, key: str) -> UUID:
    """The id of the user with this name or id."""
    [found] = await find_user_ids(reader, [key])
    if found is None:
        raise UserNotFound(names.missing("user", key))
    return found


async def find_user_ids(reader: Queryable, keys: Sequence[str]) -> list[UUID | None]:
    """The id for each name or id; None where no user has it."""
    return await unique_names.find(
        reader,
        """
        SELECT id, NULL AS name_key FROM users WHERE id = ANY($1)
        UNION ALL
        SELECT user_id, name_key FROM user_names WHERE name_key = ANY($2)
        """,
        keys,
    )


async def names_of_users(reader: Queryable, ids: Iterable[UUID]) -> dict[UUID, str]:
    rows = await reader.rows("SELECT id, name FROM users WHERE id = ANY($1)", list(set(ids)))
    return {row["id"]: row["name"] for row in rows}


async def lock(writer: Writer, ids: Sequence[UUID]) -> set[UUID]:
    """Lock the rows of these users until the transaction ends; returns those that exist."""
    return {row["id"] for row in await writer.rows(LOCK, list(ids))}


async def lock_keys(writer: Writer, keys: Sequence[str]) -> list[UUID | None]:
    """Find users by name or id and lock their rows; None where there is none."""
    found = await find_user_ids(writer, keys)
    ids = [user for user in found if user]
    if writer.wait_for_locks:
        there = await lock(writer, ids)
    else:
        there = {row["id"] for row in await writer.rows(LOCK_THE_FREE, ids)}
        held: dict[UUID, list[int]] = {}
        for position, user in enumerate(found):
            if user and user not in there:
                held.setdefault(user, []).append(position)
        if held:
            raise LockedByOther(held.values())
    return [user if user in there else None for user in found]


# In id order, against deadlocks.
LOCK: LiteralString = "SELECT id FROM users WHERE id = ANY($1) ORDER BY id FOR NO KEY UPDATE"
LOCK_THE_FREE: LiteralString = LOCK + " SKIP LOCKED"
