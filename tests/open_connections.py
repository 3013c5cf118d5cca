"""
Verification and the sequencer over connections that are open already.

`ledger verify`, `actions verify`, `lists verify` and the sequencer connect anew each time, and a
new connection first reads the catalog and plans every statement: nine tenths of the time of a proof
in a test. What they do, and the snapshot that they read, is the same on any connection.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

import asyncpg

from gamekeeper.db.connection_pool import Pool
from gamekeeper.db.database import Database

_connect = asyncpg.connect
_lender: ContextVar[Database | None] = ContextVar("lender", default=None)


class Borrowed:
    """A connection of a pool, which goes back there when it is closed."""

    def __init__(self, pool: Pool, connection: Any) -> None:
        self._pool = pool
        self._connection = connection

    def __getattr__(self, name: str) -> Any:
        return getattr(self._connection, name)

    async def close(self, *, timeout: float | None = None) -> None:
        # What outlives a transaction: the lock of who leads, and the settings of the session.
        await self._connection.execute("SELECT pg_advisory_unlock_all(); RESET ALL")
        self._pool.take_back(self._connection)


async def _borrow(url: str, **options: Any) -> Any:
    lender = _lender.get()
    # A pool names the class of its connections: it must not borrow from itself.
    if lender is None or url != lender.settings.database_url or "connection_class" in options:
        return await _connect(url, **options)
    *_, pool = lender.pools
    connection = pool.lend_idle() or await pool.lend_next()
    for name, value in options.get("server_settings", {}).items():
        await connection.execute(f"SET {name} = '{value}'")
    return Borrowed(pool, connection)


asyncpg.connect = _borrow


@contextmanager
def open_connections(database: Database) -> Iterator[None]:
    """Let what this task connects to `database` use connections of its pool for writing."""
    token = _lender.set(database)
    try:
        yield
    finally:
        _lender.reset(token)
