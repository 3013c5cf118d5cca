"""
The one way to PostgreSQL.

A ``Reader`` cannot change anything: it has no method for it, and PostgreSQL is
told so too. Each of its calls sees one instant; what must be seen together is
asked for in one statement. A ``Writer`` is a reader inside a transaction that
may change things. Nobody commits by hand: an operation does, before its answer
exists.
"""

import asyncio
import random
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from typing import Any, LiteralString, TypeVar

import asyncpg
import msgspec
from msgspec import Struct

from gamekeeper.errors import Unavailable
from gamekeeper.settings import Settings

S = TypeVar("S", bound=Struct)
T = TypeVar("T")

ATTEMPTS = 5
LEND_SECONDS = 1.0
CONNECT_SECONDS = 2
STATEMENT_SECONDS = 2.5
COMMIT_SECONDS = 2.5

# Whatever a program does wrong, these are not it: the server is away, full or busy.
NOT_NOW = (
    OSError,
    TimeoutError,
    asyncpg.PostgresConnectionError,
    asyncpg.OperatorInterventionError,
    asyncpg.InsufficientResourcesError,
    asyncpg.LockNotAvailableError,
    asyncpg.InvalidAuthorizationSpecificationError,
    asyncpg.InvalidCatalogNameError,
    # The driver's own confusion when the server's farewell meets our next statement.
    asyncpg.InternalClientError,
)


class Reader:
    """The database, to look at."""

    def __init__(self, pool: Any, settings: Settings) -> None:
        self._pool = pool
        self.settings = settings

    async def all(self, shape: type[S], sql: LiteralString, *args: object) -> list[S]:
        return [shape(**row) for row in await self.rows(sql, *args)]

    async def one(self, shape: type[S], sql: LiteralString, *args: object) -> S | None:
        rows = await self.rows(sql, *args)
        return shape(**rows[0]) if rows else None

    async def value(self, sql: LiteralString, *args: object) -> Any:
        rows = await self.rows(sql, *args)
        return rows[0][0] if rows else None

    async def rows(self, sql: LiteralString, *args: object) -> list[Any]:
        with not_now():
            async with _lent(self._pool) as connection:
                return await connection.fetch(sql, *args)


class Writer(Reader):
    """The same, inside a transaction that may change it."""

    def __init__(self, connection: Any, settings: Settings) -> None:
        self.connection = connection
        self.settings = settings

    async def rows(self, sql: LiteralString, *args: object) -> list[Any]:
        return await self.connection.fetch(sql, *args)

    async def run(self, sql: LiteralString, *args: object) -> int:
        """Execute `sql` and return how many rows it touched."""
        status: str = await self.connection.execute(sql, *args)
        count = status.rpartition(" ")[2]
        return int(count) if count.isdigit() else 0


class Database:
    """Two pools of connections: one that can only read, one that can write."""

    def __init__(self, readers: Any, writers: Any, settings: Settings) -> None:
        self._writers = writers
        self.settings = settings
        self.reader = Reader(readers, settings)

    @classmethod
    @asynccontextmanager
    async def open(cls, settings: Settings) -> AsyncIterator["Database"]:
        # No connection is made before it is needed: we start while PostgreSQL is
        # still starting, and say 503 until it is there.
        async with _pool(settings, "on") as readers, _pool(settings, "off") as writers:
            yield cls(readers, writers, settings)

    async def write(self, work: Callable[[Writer], Awaitable[T]]) -> T:
        """
        Run `work` in a transaction; run it again if PostgreSQL asks for that.

        It asks, by an SQLSTATE of class 40, when another transaction was in the
        way: a deadlock, or two changes that cannot be put in an order.
        """
        for attempt in range(ATTEMPTS):
            try:
                with not_now():
                    async with _lent(self._writers) as connection:
                        return await self._transact(connection, work)
            except asyncpg.TransactionRollbackError:
                await asyncio.sleep(random.uniform(0.01, 0.1) * (attempt + 1))  # noqa: S311
        raise Unavailable("Others kept changing the same things; try again.")

    async def _transact(self, connection: Any, work: Callable[[Writer], Awaitable[T]]) -> T:
        await connection.execute("BEGIN")
        try:
            result = await work(Writer(connection, self.settings))
        except (asyncio.CancelledError, TimeoutError, asyncpg.InternalClientError):
            raise  # The connection is thrown away, and with it the transaction.
        except BaseException:
            if not connection.is_closed():
                await connection.execute("ROLLBACK")
            raise
        await _commit(connection)
        return result


@contextmanager
def not_now() -> Iterator[None]:
    """Turn the ways in which PostgreSQL can be away into the one answer for it."""
    try:
        yield
    except NOT_NOW as fault:
        raise Unavailable from fault
    except asyncpg.UndefinedTableError as fault:
        raise Unavailable("The tables are not there yet; run: gamekeeper migrate") from fault
    except asyncpg.InterfaceError as fault:
        if isinstance(fault, asyncpg.DataError) or "clos" not in str(fault):
            raise
        raise Unavailable from fault


def _pool(settings: Settings, read_only: str) -> Any:
    return asyncpg.create_pool(
        settings.database_url,
        min_size=0,
        max_size=settings.connections,
        timeout=CONNECT_SECONDS,
        command_timeout=STATEMENT_SECONDS,
        init=_prepare,
        reset=_leave_as_is,
        server_settings={
            "application_name": "gamekeeper",
            "default_transaction_read_only": read_only,
            "statement_timeout": "2400",
            "lock_timeout": "2000",
            "idle_in_transaction_session_timeout": "10000",
            # Compiling a statement over many partitions takes longer than running it.
            "jit": "off",
        },
    )


async def _prepare(connection: Any) -> None:
    await connection.set_type_codec(
        "jsonb",
        schema="pg_catalog",
        # Written as text that is JSON already, by us and by the job queue.
        encoder=str,
        decoder=msgspec.json.decode,
    )


async def _leave_as_is(connection: Any) -> None:
    """We change nothing about a session that would have to be put back."""


@asynccontextmanager
async def _lent(pool: Any) -> AsyncIterator[Any]:
    connection = await pool.acquire(timeout=LEND_SECONDS + CONNECT_SECONDS)
    try:
        yield connection
    except (asyncio.CancelledError, TimeoutError, asyncpg.InternalClientError):
        # The wire may hold half an answer; nobody else must ever read the rest.
        connection.terminate()
        raise
    finally:
        await pool.release(connection, timeout=1)


async def _commit(connection: Any) -> None:
    """
    Commit, and never cancel it: PostgreSQL may answer a cancelled COMMIT with success.

    If no answer comes, what happened is unknown; the connection is dropped and
    the caller hears 503.
    """
    commit = asyncio.ensure_future(connection.execute("COMMIT", timeout=3600))
    try:
        await asyncio.wait_for(asyncio.shield(commit), COMMIT_SECONDS)
    except (asyncio.CancelledError, TimeoutError):
        # Nobody waits for its result any more, so nobody need hear of its failure.
        commit.add_done_callback(lambda done: done.cancelled() or done.exception())
        raise
