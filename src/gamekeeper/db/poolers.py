"""
Session settings behind a pooler, such as PgBouncer.

The connections of a pool are read-only, or find rows by key, and all have timeouts: settings that
are sent when a connection opens. PgBouncer passes none of them on. It rejects the connection, or
drops those that `ignore_startup_parameters` names; without them a reader could write, and nothing
would limit the wait for a lock. So the settings that did not arrive are set by a statement.

That needs a session of our own. In transaction mode a setting would stay with a connection that
serves other callers, and session locks and LISTEN would be lost, so that mode is an error.
"""

from collections.abc import Mapping
from typing import Any, LiteralString

import asyncpg

from gamekeeper.db import primary

PROBES = 3
"""Transactions on each of two connections, to see whether they have the same server process."""

# Both values are normalised by PostgreSQL ("4s"). The end of the transaction undoes set_config.
ARRIVED: LiteralString = """
    SELECT coalesce(bool_and(found IS NOT DISTINCT FROM set_config(name, value, true)), true)
      FROM (SELECT name, value, current_setting(name, true) AS found
              FROM unnest($1::text[], $2::text[]) AS wanted (name, value)
            OFFSET 0) AS wanted
"""
SET: LiteralString = """
    SELECT count(set_config(name, value, false))
      FROM unnest($1::text[], $2::text[]) AS wanted (name, value)
"""

# What asyncpg gets if the server process has changed since it prepared a statement.
STATEMENT_LOST = (asyncpg.InvalidSQLStatementNameError, asyncpg.DuplicatePreparedStatementError)


class TransactionPooling(asyncpg.ClientConfigurationError):
    """A pooler in transaction mode is between here and PostgreSQL."""

    def __init__(self) -> None:
        super().__init__(
            "a pooler in transaction mode is in front of PostgreSQL; use pool_mode = session, or "
            "connect to PostgreSQL directly"
        )


_with_sessions: set[str] = set()
"""URLs of poolers that are known to keep sessions."""


async def apply_settings(
    connection: asyncpg.Connection, url: str, settings: Mapping[str, str]
) -> None:
    """Set what a pooler dropped; raise if it does not keep sessions."""
    columns = list(settings), list(settings.values())
    try:
        if await connection.fetchval(ARRIVED, *columns):
            return
        if url not in _with_sessions:
            await _require_sessions(connection, url)
            _with_sessions.add(url)
        await connection.fetchval(SET, *columns)
    except STATEMENT_LOST as fault:
        raise TransactionPooling from fault


async def _require_sessions(connection: asyncpg.Connection, url: str) -> None:
    """
    Raise if two connections share a server process, or one of them changes it.

    In transaction mode an idle pooler gives the process of the last transaction to the next one.
    """
    other = await primary.connect(url, timeout=5, command_timeout=5, statement_cache_size=0)
    try:
        pairs = [(await _process(connection), await _process(other)) for _ in range(PROBES)]
    finally:
        other.terminate()
    here, there = ({*column} for column in zip(*pairs, strict=True))
    if len(here) > 1 or len(there) > 1 or here & there:
        raise TransactionPooling


async def _process(connection: asyncpg.Connection) -> Any:
    async with connection.transaction():
        return await connection.fetchval("SELECT pg_backend_pid()")
