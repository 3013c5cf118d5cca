"""
Connection pools and transactions: all access to PostgreSQL.

A ``Reader`` cannot change anything: it has no method for it, and its transactions are
read-only. Each of its calls sees its own snapshot; data that must be consistent is read
in one statement. A ``Writer`` reads and changes things inside a transaction. No caller
commits: ``Database.write`` does, before the response exists.

A writer is not a reader. A reader has pools, batches concurrent calls and may be a replica;
a writer has one connection, locks, and its own uncommitted changes. A function that takes a
``Reader`` must not be called inside a transaction; one that may be called on both sides
takes a ``Queryable``, and one that must be in a transaction a ``Writer``.
"""

import asyncio
import random
from collections.abc import (
    AsyncIterator,
    Awaitable,
    Callable,
    Iterable,
    Iterator,
    Sequence,
)
from contextlib import asynccontextmanager, contextmanager
from time import monotonic, perf_counter
from typing import Any, LiteralString, TypeVar

import asyncpg
from msgspec import Struct

from gamekeeper.core import failpoints
from gamekeeper.core.errors import OutcomeUnknown, Unavailable
from gamekeeper.core.observability import meters
from gamekeeper.core.settings import Settings
from gamekeeper.db import outages, primary
from gamekeeper.db.batching import BatcherRegistry
from gamekeeper.db.connection_pool import DatabaseUnavailable, Pool
from gamekeeper.db.pools import LOOKUPS, READS, WRITES, pool
from gamekeeper.db.pools import prepare as prepare

S = TypeVar("S", bound=Struct)
T = TypeVar("T")

ATTEMPTS = 5
BACKOFF = (0.01, 0.1)
"""Seconds between attempts, at least and at most; times the number of attempts so far."""

# The statements of batches find everything by key, as lookups do.
BEGIN_BATCH = "BEGIN; SET LOCAL plan_cache_mode = force_generic_plan"

SCAN_MEMORY = "64MB"
"""Of a statement over all players: a hash of a million ids fits, and few run at once."""

# Not programming errors: the server is down, full or busy.
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
    # The driver raises this for a connection whose server was just killed.
    asyncpg.InternalClientError,
)

# After a COMMIT: it was sent, and there is no answer. PostgreSQL reports a shutdown also to a
# transaction that has committed and waits for a synchronous standby.
UNCONFIRMED = (
    OSError,
    TimeoutError,
    asyncpg.PostgresConnectionError,
    asyncpg.OperatorInterventionError,
    asyncpg.InterfaceError,
    asyncpg.InternalClientError,
)

# The server is up but rejects writes: its disk is full, or it is a standby.
REFUSES_CHANGES = (asyncpg.DiskFullError, asyncpg.ReadOnlySQLTransactionError)


class DatabaseReadOnly(DatabaseUnavailable):
    """The database accepts no changes at the moment."""

    code = Unavailable.code


class TablesMissing(Unavailable):
    """The tables do not exist yet. Run: gamekeeper migrate"""

    code = Unavailable.code


class StatementTooSlow(Exception):
    """The statement did not end within the time that its caller set."""


class RetryTransaction(Exception):
    """The data that this transaction read has changed; it must be retried from the start."""


class LockedByOther(Exception):
    """
    Other transactions lock what some commands need, and this one does not wait for locks.

    `groups` has the positions of the commands in the list, grouped by what they need.
    """

    def __init__(self, groups: Iterable[list[int]]) -> None:
        super().__init__()
        self.groups = list(groups)

    def among(self, positions: Sequence[int]) -> "LockedByOther":
        """The same for a longer list, in which the commands are at `positions`."""
        return LockedByOther([positions[number] for number in group] for group in self.groups)


class Queryable:
    """What can be read from: a ``Reader``, or a ``Writer`` with what its transaction changed."""

    settings: Settings

    async def rows(self, sql: LiteralString, *args: object) -> list[Any]:
        raise NotImplementedError

    async def all(self, shape: type[S], sql: LiteralString, *args: object) -> list[S]:
        return [shape(**row) for row in await self.rows(sql, *args)]

    async def one(self, shape: type[S], sql: LiteralString, *args: object) -> S | None:
        rows = await self.rows(sql, *args)
        return shape(**rows[0]) if rows else None

    async def value(self, sql: LiteralString, *args: object) -> Any:
        rows = await self.rows(sql, *args)
        return rows[0][0] if rows else None


class Reader(Queryable, BatcherRegistry):
    """Read-only access to the database, each call on a connection of a pool."""

    def __init__(self, pool: Pool, settings: Settings, lookups: "Reader | None" = None) -> None:
        super().__init__()
        self.pool = pool
        self.settings = settings
        self.lookups = lookups or self
        """The same, on connections with generic plans: one plan for lists of keys of any length."""

    async def rows(self, sql: LiteralString, *args: object) -> list[Any]:
        try:
            async with self.pool.acquire() as connection:
                return await connection.fetch(sql, *args)
        except Exception as fault:
            raise_translated(fault)
            raise

    async def rows_within(self, seconds: float, sql: LiteralString, *args: object) -> list[Any]:
        """
        The rows of a statement over all of a large table; raises `StatementTooSlow`.

        It may hash a table as large as that of the players, so it has more memory.
        """
        try:
            async with self.pool.acquire() as connection:
                await connection.execute(
                    f"BEGIN; SET LOCAL work_mem = '{SCAN_MEMORY}'; "
                    f"SET LOCAL statement_timeout = {max(1, round(1000 * seconds))}"
                )
                try:
                    return await connection.fetch(sql, *args, timeout=seconds + 1)
                except asyncpg.QueryCanceledError as slow:
                    raise StatementTooSlow from slow
                finally:
                    if not connection.is_closed() and connection.is_in_transaction():
                        await connection.execute("ROLLBACK")
        except Exception as fault:
            raise_translated(fault)
            raise


class Writer(Queryable):
    """Access inside a transaction that may write."""

    def __init__(self, connection: Any, settings: Settings, *, wait_for_locks: bool = True) -> None:
        self.connection = connection
        self.settings = settings
        self.wait_for_locks = wait_for_locks
        """Whether to wait for locks of other transactions, or to raise ``LockedByOther``."""

    async def rows(self, sql: LiteralString, *args: object) -> list[Any]:
        return await self.connection.fetch(sql, *args)

    async def run(self, sql: LiteralString, *args: object) -> int:
        """Execute `sql` and return how many rows it affected."""
        status: str = await self.connection.execute(sql, *args)
        count = status.rpartition(" ")[2]
        return int(count) if count.isdigit() else 0


class Database(BatcherRegistry):
    """Connection pools: two read-only ones, for pages and for lookups, and one that can write."""

    def __init__(self, readers: Pool, lookups: Pool, writers: Pool, settings: Settings) -> None:
        super().__init__()
        self.pools = (readers, lookups, writers)
        self._writers = writers
        self.settings = settings
        self.refused_at: float | None = None
        """When PostgreSQL last rejected a write through no fault of the caller; None if a
        write has succeeded since."""
        self.reader = Reader(readers, settings, Reader(lookups, settings))

    @classmethod
    @asynccontextmanager
    async def open(cls, settings: Settings) -> AsyncIterator["Database"]:
        # Connections are opened on first use: the service may start before PostgreSQL, and
        # answers 503 until it is up.
        most, half, connect = (
            settings.connections,
            max(1, settings.connections // 2),
            outages.connect,
        )
        async with (
            primary.watched(settings.database_url),
            pool("read", settings, most, READS, connect=connect) as readers,
            pool("lookup", settings, half, LOOKUPS, connect=connect) as lookups,
            pool("write", settings, most, WRITES, connect=connect) as writers,
        ):
            yield cls(readers, lookups, writers, settings)

    async def write(
        self, work: Callable[[Writer], Awaitable[T]], *, wait_for_locks: bool = True
    ) -> T:
        """
        Run `work` in a transaction; retry with backoff after a conflict.

        PostgreSQL reports a conflict with another transaction, a deadlock or a
        serialization failure, by an SQLSTATE of class 40; `work` itself asks for a retry
        by ``RetryTransaction``.
        """
        for attempt in range(ATTEMPTS):
            try:
                async with self._writers.acquire() as connection:
                    writer = Writer(connection, self.settings, wait_for_locks=wait_for_locks)
                    result = await self._transact(writer, work)
            except (asyncpg.TransactionRollbackError, RetryTransaction) as conflict:
                meters.meter.transaction_retried(type(conflict).__name__)
                # Random: after a deadlock both sides retry, and must not meet again.
                await asyncio.sleep(random.uniform(*BACKOFF) * (attempt + 1))  # noqa: S311
            except Exception as fault:
                self._note_refusal(fault)
                raise_translated(fault)
                raise
            else:
                self.refused_at = None
                return result
        raise Unavailable("Other requests keep changing the same data. Try again.")

    def _note_refusal(self, fault: Exception) -> None:
        """Note that PostgreSQL accepts no changes; raise DatabaseReadOnly if it says so."""
        cause = fault.__cause__ if isinstance(fault, DatabaseUnavailable) else fault
        if isinstance(cause, REFUSES_CHANGES):
            self.refused_at = monotonic()
        if isinstance(fault, asyncpg.ReadOnlySQLTransactionError):
            raise DatabaseReadOnly from fault

    async def _transact(self, writer: Writer, work: Callable[[Writer], Awaitable[T]]) -> T:
        connection = writer.connection
        await connection.execute("BEGIN" if writer.wait_for_locks else BEGIN_BATCH)
        try:
            result = await work(writer)
        except (asyncio.CancelledError, TimeoutError, asyncpg.InternalClientError):
            raise  # The connection is terminated, and the transaction with it.
        except BaseException:
            if not connection.is_closed():
                await connection.execute("ROLLBACK")
            raise
        failpoints.reach("before_commit")
        await _commit(connection, self.settings.statement_seconds)
        failpoints.reach("after_commit")
        return result


@contextmanager
def translate_errors() -> Iterator[None]:
    """Convert driver errors of an unavailable PostgreSQL to ``DatabaseUnavailable``."""
    try:
        yield
    except Exception as fault:
        raise_translated(fault)
        raise


def raise_translated(fault: Exception) -> None:
    """Raise ``DatabaseUnavailable`` for a driver error of an unavailable PostgreSQL."""
    if isinstance(fault, UNAVAILABLE) or _is_fatal(fault):
        meters.meter.database_failed(type(fault).__name__)
        raise DatabaseUnavailable from fault
    if isinstance(fault, asyncpg.UndefinedTableError):
        raise TablesMissing from fault
    # From connections outside of a pool. The driver has no type for it;
    # tests/db/test_database.py compares the words with those of the driver.
    if type(fault) is asyncpg.InterfaceError and "connection is closed" in str(fault):
        raise DatabaseUnavailable from fault


def _is_fatal(fault: Exception) -> bool:
    """Whether PostgreSQL ended the session: with a full disk it does so with an internal error."""
    return (
        isinstance(fault, asyncpg.InternalServerError)
        and getattr(fault, "severity_en", None) == "FATAL"
    )


async def _commit(connection: Any, seconds: float) -> None:
    """
    Commit, and never cancel it: PostgreSQL may answer a cancelled COMMIT with success.

    Without an answer the outcome is unknown; the connection is dropped, and a caller without an
    idempotency key must not repeat the change.
    """
    begun = perf_counter()
    # The timeout of the driver would cancel it, so that one is far beyond ours.
    commit = asyncio.ensure_future(connection.execute("COMMIT", timeout=3600))
    try:
        await asyncio.wait_for(asyncio.shield(commit), seconds)
    except (asyncio.CancelledError, *UNCONFIRMED) as fault:
        # Nothing awaits its result any more: retrieve the exception, or asyncio logs it.
        commit.add_done_callback(lambda done: done.cancelled() or done.exception())
        if isinstance(fault, asyncio.CancelledError):
            raise
        meters.meter.database_failed(type(fault).__name__)
        raise OutcomeUnknown from fault
    finally:
        meters.meter.transaction_committed(perf_counter() - begun)
