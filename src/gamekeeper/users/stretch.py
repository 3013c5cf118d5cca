"""
Key stretching of imported passwords (Argon2), in the background and a few at a time.

An import only encrypts them, because to stretch a hundred thousand takes an hour. Until the
worker has, a leak of the tables together with the keys would leave them with the weak hash that
they came with.
"""

import asyncio
from collections.abc import Sequence
from time import monotonic
from typing import Any, LiteralString
from uuid import UUID

import structlog
from msgspec import Struct

from gamekeeper.auth.secrets import Vault
from gamekeeper.core import tasks
from gamekeeper.core.errors import Unavailable
from gamekeeper.db.database import Database, Queryable

log = structlog.get_logger()

SECONDS = 50
"""Of each minute; sign-ins have the rest, and half of these."""
WINDOW = 20

IMPORTED: LiteralString = """
    SELECT user_id, sealed FROM passwords
     WHERE sealed LIKE 'sha256$%' AND user_id > $1
     ORDER BY user_id LIMIT $2
"""


class StretchProgress(Struct, frozen=True):
    """How far imported passwords are."""

    encrypted: int
    """Not re-hashed yet."""
    stretched: int
    """Re-hashed, and waiting for the first sign-in."""
    ordinary: int
    """Made here, or renewed by a sign-in."""


async def find_progress(reader: Queryable) -> StretchProgress:
    [row] = await reader.rows(
        """
        SELECT count(*) FILTER (WHERE sealed LIKE 'sha256$%') AS encrypted,
               count(*) FILTER (WHERE sealed LIKE 'i1$%') AS stretched,
               count(*) FILTER (WHERE sealed LIKE 'v1$%') AS ordinary
          FROM passwords
        """
    )
    return StretchProgress(**row)


async def stretch_imported(
    database: Database, vault: Vault, stop: asyncio.Event, *, seconds: float = SECONDS
) -> int:
    """Stretch imported passwords for so long or until none is left; returns how many."""
    last, done, deadline = UUID(int=0), 0, monotonic() + seconds
    while monotonic() < deadline and not stop.is_set():
        rows: Sequence[Any] = await database.reader.rows(IMPORTED, last, WINDOW)
        if not rows:
            break
        for row in rows:
            last = row["user_id"]
            begun = monotonic()
            try:
                done += await _stretch(database, vault, last, row["sealed"])
            except Unavailable:
                return done  # Sign-ins come first.
            # As long a pause as the work took: half a core at most.
            await tasks.pause(stop, monotonic() - begun)
            if stop.is_set() or monotonic() >= deadline:
                break
    if done:
        log.info("imported_passwords_stretched", count=done)
    return done


async def _stretch(database: Database, vault: Vault, user: UUID, sealed: str) -> int:
    record = await vault.stretch_imported(user, sealed)
    if record is None:
        return 0  # Its key is missing; a sign-in says so.
    # Not if the password was changed or renewed meanwhile.
    return await database.write(
        lambda writer: writer.run(
            "UPDATE passwords SET sealed = $2 WHERE user_id = $1 AND sealed = $3",
            user,
            record,
            sealed,
        )
    )
