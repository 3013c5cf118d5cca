"""
Session expiry: sessions of servers whose lease ran out are ended.

For tidiness and speed only: whoever is asked who is online, or since when somebody is
not, works the same out from the leases. But who is on a dead server must be taken off
the list on each look at it, and that takes the longer the more they are.
"""

import asyncio
from time import perf_counter
from uuid import UUID

import asyncpg

from gamekeeper.core.tasks import pause
from gamekeeper.db import leader
from gamekeeper.db.database import Database, Writer
from gamekeeper.db.leader import Duty
from gamekeeper.servers import presence

PAUSE_SECONDS = 1
AT_A_TIME = 500
"""So many sessions end in one transaction, which holds their characters."""

DUTY = Duty(name="sweeper", lock=0x73776570)  # "swep"


async def follow(database: Database, stop: asyncio.Event) -> None:
    """Sweep every second until `stop`; any number may offer to."""
    await leader.lead(
        database.settings, DUTY, lambda connection: _sweep_until(database, connection, stop), stop
    )


async def _sweep_until(
    database: Database, connection: asyncpg.Connection, stop: asyncio.Event
) -> None:
    while not stop.is_set():
        await sweep(database, stop)
        # The sweeping goes over other connections; this one must say that it is still there.
        await connection.execute("SELECT")
        await pause(stop, PAUSE_SECONDS)


async def sweep(database: Database, stop: asyncio.Event) -> None:
    """End the sessions on all servers whose leases ran out, unless told to `stop` meanwhile."""
    rows = await database.reader.rows(
        """
        SELECT id FROM servers JOIN crowds ON server_id = id
         WHERE lease_until <= now() AND online > 0
         ORDER BY lease_until
        """
    )
    for row in rows:
        left = 1
        while left and not stop.is_set():
            begun = perf_counter()
            left = await database.write(
                lambda writer, server=row["id"]: _end_dead_sessions(writer, server)
            )
            # There is no hurry, and the players of those that live are worth more: where
            # many died at once, as much time is left to others as was taken.
            await pause(stop, perf_counter() - begun)


async def _end_dead_sessions(writer: Writer, server: UUID) -> int:
    """End some sessions on a server, unless it came back or somebody else is at it."""
    dead = await writer.value(
        "SELECT lease_until <= now() FROM servers WHERE id = $1 FOR UPDATE SKIP LOCKED", server
    )
    return await presence.clear(writer, server, most=AT_A_TIME) if dead else 0
