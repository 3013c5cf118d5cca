"""
Connection pools: PostgreSQL connections of one kind, each lent to one caller at a time.

A caller waits for a connection for a moment, then gets 503; the wait is measured.
"""

import asyncio
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from time import perf_counter
from typing import Any

import asyncpg
import msgspec
from msgspec import Struct

from gamekeeper.core.errors import Unavailable
from gamekeeper.core.observability import meters, traces
from gamekeeper.core.settings import Settings

ACQUIRE_SECONDS = 1.0
"""The longest wait for a free connection of a pool."""

# A plan made while a table is empty stays in its prepared statement until the table is
# analysed. On an empty table a sequential scan costs least, and later it reads everything. Lookups
# and changes find rows by key, so they never need one.
BY_KEY = {"enable_seqscan": "off"}
READS = {"default_transaction_read_only": "on"}
WRITES = {"default_transaction_read_only": "off"} | BY_KEY
# PostgreSQL would replan for each list shorter than ten, which takes longer than the
# read. A lookup by key needs only the generic plan.
GENERIC_PLAN = {"plan_cache_mode": "force_generic_plan"}
LOOKUPS = READS | BY_KEY | GENERIC_PLAN


class DatabaseUnavailable(Unavailable):
    """The service cannot do this right now; try again shortly."""

    code = Unavailable.code


class Pool(Struct, frozen=True, eq=False):
    """A pool, and the name that metrics have for it."""

    name: str
    connections: Any
    longest_wait: float
    """Seconds until a caller gives up, also if a connection is being opened."""

    @property
    def in_use(self) -> int:
        return self.connections.get_size() - self.connections.get_idle_size()

    @property
    def most(self) -> int:
        return self.connections.get_max_size()

    @asynccontextmanager
    async def acquire(self) -> AsyncIterator[Any]:
        """A connection, for the `with` block."""
        connections, begun = self.connections, perf_counter()
        try:
            connection = await connections.acquire(timeout=self.longest_wait)
        except asyncpg.InterfaceError as fault:
            # The pool is closing, or a new connection was lost before we got it.
            raise DatabaseUnavailable from fault
        finally:
            meters.meter.connection_acquired(self.name, perf_counter() - begun)
        try:
            yield connection
        except (asyncio.CancelledError, TimeoutError, asyncpg.InternalClientError):
            # The socket may hold half a response; no other call must read the rest.
            connection.terminate()
            raise
        except asyncpg.InterfaceError as fault:
            if type(fault) is not asyncpg.InterfaceError or not _is_ended(connection):
                raise
            raise DatabaseUnavailable from fault
        finally:
            await connections.release(connection, timeout=1)

    def terminate(self) -> None:
        """Close all connections at once, without a farewell."""
        self.connections.terminate()


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
    seconds = settings.statement_seconds
    async with asyncpg.create_pool(
        url or settings.database_url,
        connect=connect,
        min_size=0,
        max_size=size,
        timeout=settings.connect_seconds,
        command_timeout=seconds,
        init=init or prepare,
        reset=_leave_as_is,
        connection_class=_connection_class(),
        server_settings={
            "application_name": "gamekeeper",
            # Milliseconds. PostgreSQL gives up before the driver does, and says why.
            "statement_timeout": f"{960 * seconds:.0f}",
            "lock_timeout": f"{800 * seconds:.0f}",
            "idle_in_transaction_session_timeout": "10000",
            # Compiling a statement over many partitions takes longer than running it.
            "jit": "off",
            **manner,
        },
    ) as connections:
        yield Pool(name, connections, ACQUIRE_SECONDS + settings.connect_seconds)


def _connection_class() -> type[asyncpg.Connection]:
    if traces.recorder is None:
        return asyncpg.Connection
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


async def _leave_as_is(connection: Any) -> None:
    """No reset: we change no session state."""


def _is_ended(connection: Any) -> bool:
    """Whether the server closed a connection, which the pool may have taken back by now."""
    try:
        return connection.is_closed()
    except asyncpg.InterfaceError:
        return True
