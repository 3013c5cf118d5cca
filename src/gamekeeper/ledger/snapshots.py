"""Snapshots: read-only connections for verification that share one exported snapshot."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import asyncpg

from gamekeeper.core.settings import Settings
from gamekeeper.db import primary
from gamekeeper.db.database import translate_errors


@asynccontextmanager
async def lane(
    settings: Settings, snapshot: str | None = None, *, is_gentle: bool = False
) -> AsyncIterator[asyncpg.Connection]:
    """
    A read-only, repeatable-read connection without a statement timeout.

    A gentle one takes less memory and one core of PostgreSQL, beside a game that is live.
    """
    with translate_errors():
        connection = await primary.connect(settings.database_url, timeout=settings.connect_seconds)
        try:
            async with connection.transaction(isolation="repeatable_read", readonly=True):
                if snapshot:
                    await connection.execute(f"SET TRANSACTION SNAPSHOT '{snapshot}'")
                # Most of the work is sorting in memory; JIT would be most of the rest.
                await connection.execute("SET LOCAL work_mem = '256MB'; SET LOCAL jit = off")
                await connection.execute(
                    "SET LOCAL statement_timeout = 0; "
                    "SET LOCAL idle_in_transaction_session_timeout = 0"
                )
                if is_gentle:
                    await connection.execute(
                        "SET LOCAL work_mem = '32MB'; SET LOCAL max_parallel_workers_per_gather = 0"
                    )
                yield connection
        finally:
            await connection.close(timeout=5)


async def instant(connection: asyncpg.Connection) -> str:
    """Export a lane's snapshot, to open other lanes with."""
    return str(await connection.fetchval("SELECT pg_export_snapshot()"))
