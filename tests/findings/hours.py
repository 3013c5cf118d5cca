"""Sums by the hour, written as the fold writes them, for histories of weeks."""

import asyncio
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from typing import Any, LiteralString
from uuid import UUID

from gamekeeper.db.database import Database
from gamekeeper.ledger import action_counts, chain
from gamekeeper.ledger.economy import maintenance
from gamekeeper.ledger.findings import look
from tests.deadlines import PATIENCE

HOUR = timedelta(hours=1)
NOW = (datetime.now(UTC) - look.GRACE * 2).replace(minute=0, second=0, microsecond=0)
"""The end of the last hour that is looked at."""


async def store_hours(
    database: Database,
    item: UUID,
    created: Mapping[datetime, int],
    column: LiteralString = "created",
) -> None:
    """Set one measure of these hours; the others are 0."""
    await database.write(
        lambda writer: writer.run(
            """
            INSERT INTO item_hours (item_id, hour, created, destroyed, traded)
            SELECT $1, hour, 0, 0, 0 FROM unnest($2::timestamptz[]) AS hour
            ON CONFLICT DO NOTHING
            """,
            item,
            list(created),
        )
    )
    await database.write(
        lambda writer: writer.run(
            f"""
            UPDATE item_hours SET {column} = new.quantity
              FROM unnest($2::timestamptz[], $3::bigint[]) AS new (hour, quantity)
             WHERE item_id = $1 AND item_hours.hour = new.hour
            """,
            item,
            list(created),
            list(created.values()),
        )
    )


async def add_up(database: Database) -> None:
    """What the worker does every second: fold the postings, link and count the actions."""
    async with asyncio.timeout(PATIENCE):
        # Whoever writes on the same server, in any database, holds both up.
        while await database.reader.value(IS_BEHIND):
            while await database.write(lambda writer: maintenance.fold(writer, 3000)):
                pass
            await chain.catch_up(database)
            while await database.write(action_counts.count_next):
                pass
            await asyncio.sleep(0.02)


IS_BEHIND = """
    SELECT EXISTS (SELECT FROM postings WHERE xid >= (SELECT xid FROM economy_horizon)
                      AND xid < pg_snapshot_xmax(pg_current_snapshot()))
        OR (SELECT count(*) FROM actions) > (SELECT count(*) FROM chain)
        OR (SELECT max(seq) FROM chain) > (SELECT seq FROM action_counts_progress)
"""


async def look_at_all(database: Database) -> int:
    """Look at every hour that is over; returns how many."""
    total = 0
    while hours := await database.write(look.look):
        total += hours
    return total


async def hours_over(database: Database, since: datetime) -> int:
    """How many full hours there are to look at since then, by the clock of the database."""
    now: datetime = await database.reader.value("SELECT now()")
    return (now - look.GRACE - since) // HOUR


async def this_hour(database: Database) -> datetime:
    """The beginning of this hour, by the clock of the database."""
    return await database.reader.value("SELECT date_trunc('hour', now(), 'UTC')")


async def found(database: Database) -> list[dict[str, Any]]:
    rows = await database.reader.rows(
        """
        SELECT measure, items.name AS item, rule, actor, user_id, began_at, ended_at, quantity,
               usual, threshold, findings.id
          FROM findings LEFT JOIN items ON items.id = item_id
         ORDER BY began_at, measure, items.name
        """
    )
    return [dict(row) for row in rows]


async def look_from(database: Database, until: datetime) -> None:
    """Look only at the hours from `until` on."""
    await database.write(lambda writer: writer.run("UPDATE look_progress SET until = $1", until))
