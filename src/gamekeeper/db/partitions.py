"""
Partitions of the history tables: one per month, created a year ahead.

Rows without a partition go to the default partition. They cannot be dropped by the
month, and a partition that is created too late has to move its rows out of there.
"""

from datetime import datetime
from typing import LiteralString

import asyncpg
from msgspec import Struct

from gamekeeper.core.observability import loggers
from gamekeeper.core.settings import Settings
from gamekeeper.db import primary

TABLES = ("actions", "postings")
AHEAD = 12
"""Partitions are created this many months ahead."""
FEW = 2
"""A warning is logged if fewer than these are left."""
LOCK_TIMEOUT = "4s"
"""The longest wait for a lock on a history table, in PostgreSQL's units."""
LOCK = 0x6D6F6E74  # "mont": any number that no other lock uses

log = loggers.get_logger()


class Month(Struct, frozen=True):
    """A partition: from the beginning of a month in UTC to that of the next."""

    relation: str
    name: str
    since: datetime
    until: datetime


async def keep_ahead(settings: Settings) -> list[str]:
    """
    Create the missing partitions, or warn if we lack the privilege and few are left.

    With two roles, the role that serves may not create tables.
    """
    connection = await primary.connect(settings.database_url, timeout=settings.connect_seconds)
    try:
        return await extend(connection)
    except (asyncpg.InsufficientPrivilegeError, asyncpg.LockNotAvailableError) as fault:
        left = AHEAD - await connection.fetchval(MISSING_MONTHS, list(TABLES), AHEAD)
        if left < FEW:
            log.warning(
                "partitions_running_out",
                left=left,
                reason="run as the owner of the tables: gamekeeper migrate",
                fault=type(fault).__name__,
            )
        return []
    finally:
        await connection.close(timeout=5)


async def extend(connection: asyncpg.Connection) -> list[str]:
    """Create the missing partitions, up to a year ahead, and return their names."""
    if not await connection.fetch(MISSING, list(TABLES), AHEAD):
        return []
    async with connection.transaction():
        # Fail rather than queue behind a long query and block all statements after us.
        await connection.execute(f"SET LOCAL lock_timeout = '{LOCK_TIMEOUT}'")
        await connection.execute("SELECT pg_advisory_xact_lock($1)", LOCK)
        # A lock on a table shows what others created meanwhile; an advisory lock does not.
        await connection.execute(f"LOCK TABLE {TABLES[0]}_default IN ACCESS SHARE MODE")
        missing = [Month(**row) for row in await connection.fetch(MISSING, list(TABLES), AHEAD)]
        for month in missing:
            await _make(connection, month)
    return [month.name for month in missing]


MISSING: LiteralString = """
    SELECT relation, relation || to_char(month, '_YYYY_MM') AS name,
           month AT TIME ZONE 'UTC' AS since,
           (month + interval '1 month') AT TIME ZONE 'UTC' AS until
      FROM unnest($1::text[]) AS relation,
           generate_series(0, $2::int) AS number,
           date_trunc('month', now() AT TIME ZONE 'UTC') AS present,
           LATERAL (SELECT present + make_interval(months => number)) AS ahead (month)
     WHERE to_regclass(relation) IS NOT NULL
       AND to_regclass(relation || to_char(month, '_YYYY_MM')) IS NULL
     ORDER BY relation, month
"""

MISSING_MONTHS: LiteralString = f"SELECT count(DISTINCT since) FROM ({MISSING}) AS missing"


async def _make(connection: asyncpg.Connection, month: Month) -> None:
    """Create one partition, and move its rows there from the default partition."""
    other = f"{month.relation}_default"
    await connection.execute(f"LOCK TABLE {other} IN ACCESS EXCLUSIVE MODE")
    await connection.execute(f"CREATE TABLE {month.name} (LIKE {month.relation} INCLUDING ALL)")
    await connection.execute(
        f"""
        WITH early AS (DELETE FROM {other} WHERE at >= $1 AND at < $2 RETURNING *)
        INSERT INTO {month.name} SELECT * FROM early
        """,
        month.since,
        month.until,
    )
    await connection.execute(
        f"ALTER TABLE {month.relation} ATTACH PARTITION {month.name} "
        f"FOR VALUES FROM ('{month.since.isoformat()}') TO ('{month.until.isoformat()}')"
    )
