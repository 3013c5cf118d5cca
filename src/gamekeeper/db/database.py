"""
Connections and transactions: the only way to PostgreSQL.

A ``Reader`` cannot change anything: it has no method for it, and PostgreSQL is
told so too. Each of its calls sees one instant; what must be seen together is
asked for in one statement. A ``Writer`` is a reader inside a transaction that
may change things. Nobody commits by hand: an operation does, before its answer
exists.
"""

import asyncio
import random
from collections.abc import (
    AsyncIterator,
    Awaitable,
    Callable,
    Hashable,
    Iterable,
    Iterator,
    Mapping,
    Sequence,
)
from contextlib import asynccontextmanager, contextmanager
from time import monotonic
from typing import Any, LiteralString, TypeVar

import asyncpg
import msgspec
from msgspec import Struct

from gamekeeper.core import failpoints
from gamekeeper.core.errors import Unavailable
from gamekeeper.core.settings import Settings
from gamekeeper.db.batching import Batcher

S = TypeVar("S", bound=Struct)
T = TypeVar("T")

ATTEMPTS = 5
ACQUIRE_SECONDS = 1.0
CONNECT_SECONDS = 2
STATEMENT_SECONDS = 2.5
COMMIT_SECONDS = 2.5

# The statements of merged lists find everything by its key, as lookups do.
BEGIN_BATCH = "BEGIN; SET LOCAL plan_cache_mode = force_generic_plan"

# Whatever a program does wrong, these are not it: the server is away, full or busy.
UNAVAILABLE = (
    OSError,
    TimeoutError,
    asyncpg.PostgresConnectionError,
    asyncpg.OperatorInterventionError,
    asyncpg.InsufficientResourcesError,
    asyncpg.PostgresSystemError,
    asyncpg.LockNotAvailableError,
    asyncpg.InvalidAuthorizationSpecificationError,
    asyncpg.InvalidCatalogNameError,
    # What the driver says about a connection whose server was killed just now.
    asyncpg.InternalClientError,
)

# It answers, but takes no changes: its disk is full, or it is a standby server.
REFUSES_CHANGES = (asyncpg.DiskFullError, asyncpg.ReadOnlySQLTransactionError)


class DatabaseUnavailable(Unavailable):
    """The service cannot do this right now; try again shortly."""

    code = Unavailable.code


class DatabaseReadOnly(DatabaseUnavailable):
    """The database accepts no changes at the moment."""

    code = Unavailable.code


class TablesMissing(Unavailable):
    """The tables are not there yet; run: gamekeeper migrate"""

    code = Unavailable.code


class RetryTransaction(Exception):
    """What this transaction has seen is no longer so; it must be done from the beginning."""


class LockedByOther(Exception):
    """
    What some orders need is in other hands, and this transaction does not wait for it.

    They are named by their positions in the list, those that need the same together.
    """

    def __init__(self, groups: Iterable[list[int]]) -> None:
        super().__init__()
        self.groups = list(groups)

    def among(self, positions: Sequence[int]) -> "LockedByOther":
        """The same, said of a longer list in which the orders stand at `positions`."""
        return LockedByOther([positions[number] for number in group] for group in self.groups)


class BatcherRegistry:
    """One merger for each kind of work, so that a slow kind never delays a fast one."""

    def __init__(self) -> None:
        self._batchers: dict[Hashable, Batcher[Any, Any]] = {}

    def batcher(self, kind: Hashable, make: Callable[[], Batcher[Any, Any]]) -> Batcher[Any, Any]:
        found = self._batchers.get(kind)
        if found is None:
            found = self._batchers[kind] = make()
        return found

    def forget(self, kind: Hashable) -> None:
        """Drop a merger that nobody uses at the moment."""
        if kind in self._batchers and self._batchers[kind].at_rest:
            del self._batchers[kind]


class Reader(BatcherRegistry):
    """The database, to look at."""

    def __init__(self, pool: Any, settings: Settings, lookups: "Reader | None" = None) -> None:
        super().__init__()
        self._pool = pool
        self.settings = settings
        self.lookups = lookups or self
        """The same, on connections that plan a statement once, for lists of keys of any length."""

    async def all(self, shape: type[S], sql: LiteralString, *args: object) -> list[S]:
        return [shape(**row) for row in await self.rows(sql, *args)]

    async def one(self, shape: type[S], sql: LiteralString, *args: object) -> S | None:
        rows = await self.rows(sql, *args)
        return shape(**rows[0]) if rows else None

    async def value(self, sql: LiteralString, *args: object) -> Any:
        rows = await self.rows(sql, *args)
        return rows[0][0] if rows else None

    async def rows(self, sql: LiteralString, *args: object) -> list[Any]:
        with translate_errors():
            async with _acquire(self._pool) as connection:
                return await connection.fetch(sql, *args)


class Writer(Reader):
    """The same, inside a transaction that may change it."""

    def __init__(self, connection: Any, settings: Settings, *, wait_for_locks: bool = True) -> None:
        self.connection = connection
        self.settings = settings
        self.lookups = self
        self.wait_for_locks = wait_for_locks
        """Whether to wait for what is in other hands, or to say that it is ``LockedByOther``."""

    async def rows(self, sql: LiteralString, *args: object) -> list[Any]:
        return await self.connection.fetch(sql, *args)

    async def run(self, sql: LiteralString, *args: object) -> int:
        """Execute `sql` and return how many rows it touched."""
        status: str = await self.connection.execute(sql, *args)
        count = status.rpartition(" ")[2]
        return int(count) if count.isdigit() else 0


class Database(BatcherRegistry):
    """Pools of connections: two that can only read, pages and lookups, and one that can write."""

    def __init__(self, readers: Any, lookups: Any, writers: Any, settings: Settings) -> None:
        super().__init__()
        self._writers = writers
        self.settings = settings
        self.refused_at: float | None = None
        """When PostgreSQL last refused a change that was none of the caller's fault; None
        if it has made one since."""
        self.reader = Reader(readers, settings, Reader(lookups, settings))

    @classmethod
    @asynccontextmanager
    async def open(cls, settings: Settings) -> AsyncIterator["Database"]:
        # No connection is made before it is needed: we start while PostgreSQL is
        # still starting, and say 503 until it is there.
        half = max(1, settings.connections // 2)
        async with (
            pool(settings.database_url, settings.connections, READS) as readers,
            pool(settings.database_url, half, READS | GENERIC_PLAN) as lookups,
            pool(settings.database_url, settings.connections, WRITES) as writers,
        ):
            yield cls(readers, lookups, writers, settings)

    async def write(
        self, work: Callable[[Writer], Awaitable[T]], *, wait_for_locks: bool = True
    ) -> T:
        """
        Run `work` in a transaction; run it again if PostgreSQL asks for that.

        It asks, by an SQLSTATE of class 40, when another transaction was in the
        way: a deadlock, or two changes that cannot be put in an order. `work` itself
        asks by ``RetryTransaction``.
        """
        for attempt in range(ATTEMPTS):
            try:
                with self._noting_refusals():
                    async with _acquire(self._writers) as connection:
                        writer = Writer(connection, self.settings, wait_for_locks=wait_for_locks)
                        return await self._transact(writer, work)
            except (asyncpg.TransactionRollbackError, RetryTransaction):
                await asyncio.sleep(random.uniform(0.01, 0.1) * (attempt + 1))  # noqa: S311
        raise Unavailable("Others kept changing the same things; try again.")

    @contextmanager
    def _noting_refusals(self) -> Iterator[None]:
        try:
            with translate_errors():
                yield
        except asyncpg.ReadOnlySQLTransactionError as fault:
            self.refused_at = monotonic()
            raise DatabaseReadOnly from fault
        except DatabaseUnavailable as away:
            if isinstance(away.__cause__, REFUSES_CHANGES):
                self.refused_at = monotonic()
            raise
        self.refused_at = None

    async def _transact(self, writer: Writer, work: Callable[[Writer], Awaitable[T]]) -> T:
        connection = writer.connection
        await connection.execute("BEGIN" if writer.wait_for_locks else BEGIN_BATCH)
        try:
            result = await work(writer)
        except (asyncio.CancelledError, TimeoutError, asyncpg.InternalClientError):
            raise  # The connection is thrown away, and with it the transaction.
        except BaseException:
            if not connection.is_closed():
                await connection.execute("ROLLBACK")
            raise
        failpoints.reach("before_commit")
        await _commit(connection)
        failpoints.reach("after_commit")
        return result


@contextmanager
def translate_errors() -> Iterator[None]:
    """Turn the ways in which PostgreSQL can be away into the one answer for it."""
    try:
        yield
    except UNAVAILABLE as fault:
        raise DatabaseUnavailable from fault
    except asyncpg.UndefinedTableError as fault:
        raise TablesMissing from fault
    except asyncpg.InterfaceError as fault:
        # Of connections that are not lent by a pool. The driver has no type for it;
        # tests/db/test_database.py holds the words to those of the driver.
        if type(fault) is not asyncpg.InterfaceError or "connection is closed" not in str(fault):
            raise
        raise DatabaseUnavailable from fault


READS = {"default_transaction_read_only": "on"}
WRITES = {"default_transaction_read_only": "off"}
# PostgreSQL would plan anew for each list that is shorter than ten, which takes longer
# than the reading. What is found by its key needs no second thought.
GENERIC_PLAN = {"plan_cache_mode": "force_generic_plan"}


def pool(url: str, size: int, manner: Mapping[str, str], init: Any = None) -> Any:
    return asyncpg.create_pool(
        url,
        min_size=0,
        max_size=size,
        timeout=CONNECT_SECONDS,
        command_timeout=STATEMENT_SECONDS,
        init=init or prepare,
        reset=_leave_as_is,
        server_settings={
            "application_name": "gamekeeper",
            "statement_timeout": "2400",
            "lock_timeout": "2000",
            "idle_in_transaction_session_timeout": "10000",
            # Compiling a statement over many partitions takes longer than running it.
            "jit": "off",
            **manner,
        },
    )


async def prepare(connection: Any) -> None:
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
async def _acquire(pool: Any) -> AsyncIterator[Any]:
    try:
        connection = await pool.acquire(timeout=ACQUIRE_SECONDS + CONNECT_SECONDS)
    except asyncpg.InterfaceError as fault:
        # The pool is closing, or a new connection ended before it was ours.
        raise DatabaseUnavailable from fault
    try:
        yield connection
    except (asyncio.CancelledError, TimeoutError, asyncpg.InternalClientError):
        # The wire may hold half an answer; nobody else must ever read the rest.
        connection.terminate()
        raise
    except asyncpg.InterfaceError as fault:
        if type(fault) is not asyncpg.InterfaceError or not _is_ended(connection):
            raise
        raise DatabaseUnavailable from fault
    finally:
        await pool.release(connection, timeout=1)


def _is_ended(connection: Any) -> bool:
    """Whether the server has ended a connection, which the pool may have taken back by now."""
    try:
        return connection.is_closed()
    except asyncpg.InterfaceError:
        return True


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
