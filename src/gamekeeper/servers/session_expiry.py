"""
Session expiry: a background job that ends the sessions of expired leases (leader election).

Only for speed: queries for who is online, or was last online, derive the same from the
leases. But each query of the online list must filter out the players of dead servers, which
takes longer the more there are.
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
"""Sessions ended per transaction, which locks their characters."""

DUTY = Duty(name="sweeper", lock=0x73776570)  # "swep"


async def follow(database: Database, stop: asyncio.Event) -> None:
    """Sweep every second until `stop`; of several processes the elected leader does."""
    await leader.lead(
        database.settings, DUTY, lambda connection: _sweep_until(database, connection, stop), stop
    )


async def _sweep_until(
    database: Database, connection: asyncpg.Connection, stop: asyncio.Event
) -> None:
    while not stop.is_set():
        await sweep(database, stop)
        # The sweep uses other connections; this checks that the leader's is still alive.
        await connection.execute("SELECT")
        await pause(stop, PAUSE_SECONDS)


async def sweep(database: Database, stop: asyncio.Event) -> None:
    """End the sessions on all servers with expired leases, until done or `stop` is set."""
    rows = await database.reader.rows(
        """
        SELECT id FROM servers JOIN crowds ON server_id = id
         WHERE lease_until <= statement_timestamp() AND online > 0
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
            # Not urgent, and players on live servers matter more: after many expired at
            # once, pause as long as the batch took.
            await pause(stop, perf_counter() - begun)


async def _end_dead_sessions(writer: Writer, server: UUID) -> int:
    """End some sessions on a server, unless it is alive again or locked by another process."""
    dead = await writer.value(
        """
        SELECT lease_until <= statement_timestamp() FROM servers
         WHERE id = $1
           FOR UPDATE SKIP LOCKED
        """,
        server,
    )
    return await presence.clear(writer, server, most=AT_A_TIME) if dead else 0
