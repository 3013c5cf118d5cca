"""
A connection pool: PostgreSQL connections, each lent to one caller at a time.

A caller waits for a connection for a moment, then gets 503; the wait is measured.
"""

import asyncio
from asyncio import Future, Task
from collections import deque
from collections.abc import Awaitable, Callable
from time import monotonic
from typing import Any

import asyncpg
from msgspec import Struct

from gamekeeper.core.errors import OutcomeUnknown, Unavailable
from gamekeeper.core.observability import meters

MAX_IDLE_SECONDS = 300
MAX_AGE_SECONDS = 3600
CLOSE_SECONDS = 1

# After these the socket may hold half a response; no other call must read the rest.
UNCERTAIN = (asyncio.CancelledError, TimeoutError, OutcomeUnknown, asyncpg.InternalClientError)

# The server shuts down, or is no longer the primary: a new connection may find another one.
LOST = (
    OSError,
    TimeoutError,
    OutcomeUnknown,
    asyncpg.PostgresConnectionError,
    asyncpg.AdminShutdownError,
    asyncpg.CrashShutdownError,
    asyncpg.CannotConnectNowError,
    asyncpg.ReadOnlySQLTransactionError,
    asyncpg.InternalClientError,
)


class DatabaseUnavailable(Unavailable):
    """The service is temporarily unavailable. Try again shortly."""

    code = Unavailable.code


class PoolConnection(asyncpg.Connection):
    __slots__ = ("opened_at", "used_at")

    opened_at: float
    used_at: float


class Pool:
    """
    Connections of one kind: opened on first use, the one used last is lent first.

    Not the pool of the driver: two thirds of what a lookup called in the driver were that pool
    (ADR 0056).
    """

    def __init__(
        self,
        name: str,
        connect: Callable[[], Awaitable[PoolConnection]],
        most: int,
        longest_wait: float,
        on_lost: Callable[[], None] = lambda: None,
    ) -> None:
        self.name = name
        """What metrics call it."""
        self.most = most
        self._connect = connect
        self._longest_wait = longest_wait
        """Seconds until a caller gives up, also if a connection is being opened."""
        self.on_lost = on_lost
        """Called if the server of a connection is away, or no longer the primary."""
        self._open = 0
        """Connections that are open or being opened."""
        self._idle: list[PoolConnection] = []
        self._lent: set[PoolConnection] = set()
        self._waiting: deque[Future[PoolConnection | None]] = deque()
        self._closing: set[Task[None]] = set()
        self._is_closed = False
        self._all_returned = asyncio.Event()

    @property
    def in_use(self) -> int:
        return len(self._lent)

    @property
    def connections(self) -> list[PoolConnection]:
        return [*self._idle, *self._lent]

    def acquire(self) -> "Loan":
        """A connection, for an `async with` block."""
        return Loan(self)

    def lend_idle(self) -> PoolConnection | None:
        """A connection that is free, without waiting."""
        while self._idle:
            connection = self._idle.pop()
            if not connection.is_closed():
                self._lent.add(connection)
                return connection
            self._open -= 1
        return None

    async def lend_next(self) -> PoolConnection:
        """The next connection that is free, or a new one."""
        async with asyncio.timeout(self._longest_wait):
            while not self._is_closed:
                if connection := self.lend_idle():
                    return connection
                if self._open < self.most:
                    return await self._opened()
                connection = await self._handed_over()
                if connection is not None and not connection.is_closed():
                    return connection
                if connection is not None:
                    self.take_back(connection)
        raise DatabaseUnavailable

    async def _opened(self) -> PoolConnection:
        self._open += 1
        try:
            connection = await self._connect()
        except BaseException as fault:
            self._forget()
            if isinstance(fault, asyncpg.InterfaceError):
                # The connection was lost before we got it.
                raise DatabaseUnavailable from fault
            raise
        connection.opened_at = monotonic()
        self._lent.add(connection)
        if self._is_closed:
            self.take_back(connection)
            raise DatabaseUnavailable
        return connection

    async def _handed_over(self) -> PoolConnection | None:
        """A connection that another caller gives back; None if one may be opened instead."""
        waiter: Future[PoolConnection | None] = asyncio.get_running_loop().create_future()
        self._waiting.append(waiter)
        try:
            return await waiter
        except asyncio.CancelledError:
            if waiter.done() and not waiter.cancelled():
                # It came in the moment in which we gave up.
                if connection := waiter.result():
                    self.take_back(connection)
                else:
                    self._wake()
            raise

    def take_back(self, connection: PoolConnection) -> None:
        if connection.is_closed() or self._is_closed:
            self._drop(connection)
            return
        connection.used_at = monotonic()
        while self._waiting:
            waiter = self._waiting.popleft()
            if not waiter.done():
                waiter.set_result(connection)
                return
        self._lent.discard(connection)
        self._idle.append(connection)

    def _drop(self, connection: PoolConnection) -> None:
        self._lent.discard(connection)
        self._forget()
        if not connection.is_closed():
            self._close(connection)
        if self._is_closed and not self._lent:
            self._all_returned.set()

    def _forget(self) -> None:
        self._open -= 1
        self._wake()

    def _wake(self) -> None:
        """Have the caller that waits longest look again."""
        while self._waiting:
            waiter = self._waiting.popleft()
            if not waiter.done():
                waiter.set_result(None)
                return

    def _close(self, connection: PoolConnection) -> None:
        task = asyncio.create_task(_closed(connection))
        self._closing.add(task)
        task.add_done_callback(self._closing.discard)

    async def retire(self) -> None:
        """
        Close connections that were idle for long, or are old.

        The backend of a connection remembers every table that it has touched, and each month
        brings new ones.
        """
        now = monotonic()
        kept: list[PoolConnection] = []
        retired: list[PoolConnection] = []
        for connection in self._idle:
            idle, age = now - connection.used_at, now - connection.opened_at
            is_kept = idle <= MAX_IDLE_SECONDS and age <= MAX_AGE_SECONDS
            (kept if is_kept and not connection.is_closed() else retired).append(connection)
        self._idle = kept
        self._open -= len(retired)
        for connection in retired:
            await _closed(connection)

    async def close(self) -> None:
        """Close all connections; those that are lent, when they come back."""
        self._is_closed = True
        for waiter in self._waiting:
            if not waiter.done():
                waiter.set_result(None)
        self._waiting.clear()
        for connection in self._idle:
            self._close(connection)
        self._idle.clear()
        try:
            if self._lent:
                await self._all_returned.wait()
            await asyncio.gather(*self._closing)
        except asyncio.CancelledError:
            self.terminate()
            raise

    def terminate(self) -> None:
        """Close all connections at once, without telling the server."""
        self._is_closed = True
        for connection in self.connections:
            connection.terminate()


class Loan(Struct, eq=False):
    """A connection that is lent for an `async with` block."""

    pool: Pool
    connection: Any = None

    async def __aenter__(self) -> Any:
        pool = self.pool
        self.connection = pool.lend_idle()
        if self.connection is not None:
            meters.meter.connection_acquired(pool.name, 0)
            return self.connection
        begun = monotonic()
        try:
            self.connection = await pool.lend_next()
        finally:
            meters.meter.connection_acquired(pool.name, monotonic() - begun)
        return self.connection

    async def __aexit__(self, kind: object, fault: BaseException | None, traceback: object) -> None:
        connection = self.connection
        is_ended = fault is not None and _ends(connection, fault)
        if fault is not None and (is_ended or isinstance(fault, LOST)):
            self.pool.on_lost()
        self.pool.take_back(connection)
        if is_ended:
            raise DatabaseUnavailable from fault


def _ends(connection: PoolConnection, fault: BaseException) -> bool:
    """Terminate a connection that no other caller can use; return whether the server ended it."""
    is_refused = type(fault) is asyncpg.InterfaceError
    is_ended = is_refused and connection.is_closed()
    # A refused call may have met another that is still running.
    if is_refused or isinstance(fault, (*UNCERTAIN, *LOST)) or connection.is_in_transaction():
        connection.terminate()
    return is_ended


async def _closed(connection: PoolConnection) -> None:
    try:
        await connection.close(timeout=CLOSE_SECONDS)
    except Exception:
        # The server is away and cannot be told.
        connection.terminate()
