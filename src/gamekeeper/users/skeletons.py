"""Skeletons of usernames (Unicode confusables): each is claimed by at most one account."""

from collections.abc import Sequence
from typing import Any, LiteralString
from uuid import UUID

from gamekeeper.core.names import look
from gamekeeper.db import unique_names
from gamekeeper.db.database import Database, Writer

CLAIM: LiteralString = """
    INSERT INTO user_skeletons (skeleton, user_id)
    SELECT * FROM unnest($1::text[], $2::uuid[]) AS wanted (skeleton, user_id)
     ORDER BY skeleton
    ON CONFLICT DO NOTHING
    RETURNING user_id AS owner
"""

WINDOW = 2_000
"""Accounts per step of the backfill."""


async def claim(writer: Writer, names: Sequence[str], users: Sequence[UUID]) -> set[UUID]:
    """Claim the skeletons of these names; return the users whose skeleton was free."""
    return await unique_names.claim(writer, CLAIM, [look(name) for name in names], users)


async def release(writer: Writer, names: Sequence[str], users: Sequence[UUID]) -> None:
    await writer.run(
        "DELETE FROM user_skeletons WHERE skeleton = ANY($1) AND user_id = ANY($2)",
        [look(name) for name in names],
        list(users),
    )


async def backfill(database: Database) -> int:
    """
    Add the skeletons of accounts made by a version without them; return how many were new.

    Each step is one transaction, so it may run while the service does.
    """
    last, entered = UUID(int=0), 0
    while rows := await _window(database, last):
        last = rows[-1]["id"]
        missing = await _missing(database, rows)
        if missing:
            names = [row["name"] for row in missing]
            users = [row["id"] for row in missing]
            done = await database.write(lambda writer, n=names, u=users: claim(writer, n, u))
            entered += len(done)
    return entered


async def _window(database: Database, last: UUID) -> Sequence[Any]:
    return await database.reader.rows(
        "SELECT id, name FROM users WHERE id > $1 ORDER BY id LIMIT $2", last, WINDOW
    )


async def _missing(database: Database, rows: Sequence[Any]) -> list[Any]:
    known = await database.reader.rows(
        "SELECT user_id FROM user_skeletons WHERE user_id = ANY($1)", [row["id"] for row in rows]
    )
    entered = {row["user_id"] for row in known}
    return [row for row in rows if row["id"] not in entered]
