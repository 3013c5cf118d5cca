"""The kinds of connections to PostgreSQL, and a pool for each."""

import asyncio
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from typing import Any

import asyncpg
import msgspec

from gamekeeper.core import tasks
from gamekeeper.core.observability import traces
from gamekeeper.core.settings import Settings
from gamekeeper.db import primary
from gamekeeper.db.connection_pool import Pool, PoolConnection

ACQUIRE_SECONDS = 1.0
"""The longest wait for a free connection of a pool."""

RETIRE_INTERVAL = 60
"""Seconds between two searches for connections that are idle or old."""

# A plan made while a table is empty stays in its prepared statement until the table is
# analysed. On an empty table a sequential scan costs least, and later it reads everything. Lookups
# and changes find rows by key, so they never need one.
BY_KEY = {"enable_seqscan": "off"}
READS = {"default_transaction_read_only": "on"}
WRITES = {"default_transaction_read_only": "off"} | BY_KEY
# PostgreSQL would replan for each list shorter than ten, which takes longer than the
# read. A lookup by key needs only the generic plan.
GENERIC_PLAN = {"plan_cache_mode": "force_generic_plan"}
# The other joins read all of a table that was tiny when the plan was made.
NESTED_LOOPS = {"enable_hashjoin": "off", "enable_mergejoin": "off", "enable_material": "off"}
LOOKUPS = READS | BY_KEY | GENERIC_PLAN | NESTED_LOOPS


@asynccontextmanager
async def pool(
    name: str,
    settings: Settings,
    size: int,
    manner: Mapping[str, str],
    *,
    url: str | None = None,
    init: Any = None,
    connect: Any = None,
) -> AsyncIterator[Pool]:
    """A pool that opens connections on first use, `size` at most."""
    server = url or settings.database_url
    options = _options(settings, manner)

    async def opened() -> PoolConnection:
        connection = await (connect or asyncpg.connect)(server, **options)
        try:
            await (init or prepare)(connection)
        except BaseException:
            connection.terminate()
            raise
        return connection

    def on_lost() -> None:
        primary.suspect(server)

    made = Pool(name, opened, size, ACQUIRE_SECONDS + settings.connect_seconds, on_lost)
    retiring = asyncio.create_task(_retire_repeatedly(made))
    try:
        yield made
    finally:
        await tasks.end([retiring])
        await made.close()


def _options(settings: Settings, manner: Mapping[str, str]) -> dict[str, Any]:
    seconds = settings.statement_seconds
    return {
        "timeout": settings.connect_seconds,
        "command_timeout": seconds,
        "connection_class": _connection_class(),
        "server_settings": {
            "application_name": "gamekeeper",
            # Milliseconds. PostgreSQL gives up before the driver does, and says why.
            "statement_timeout": f"{960 * seconds:.0f}",
            "lock_timeout": f"{800 * seconds:.0f}",
            "idle_in_transaction_session_timeout": "10000",
            # Compiling a statement over many partitions takes longer than running it.
            "jit": "off",
            **manner,
        },
    }


async def _retire_repeatedly(pool: Pool) -> None:
    while True:
        await asyncio.sleep(RETIRE_INTERVAL)
        await pool.retire()


def _connection_class() -> type[PoolConnection]:
    if traces.recorder is None:
        return PoolConnection
    from gamekeeper.db.traced_connection import TracedConnection

    return TracedConnection


async def prepare(connection: Any) -> None:
    await connection.set_type_codec(
        "jsonb",
        schema="pg_catalog",
        # We and the job queue pass text that is JSON already.
        encoder=str,
        decoder=msgspec.json.decode,
    )
