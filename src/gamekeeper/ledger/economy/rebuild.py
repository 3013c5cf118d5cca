"""
Rebuild of the aggregates from all postings.

Needed once after a dump was restored on another server, where the stored transaction
id (xid) means nothing; the worker detects that by itself. Meanwhile readers get the
former sums, or the error `OtherServer` (503).
"""

from typing import LiteralString

from gamekeeper.core.settings import Settings
from gamekeeper.db import primary
from gamekeeper.db.database import Writer, translate_errors
from gamekeeper.ledger.economy.aggregates import ADDED, COLUMNS


async def run(settings: Settings) -> int:
    """Rebuild the sums, without a time limit; returns the number of postings."""
    with translate_errors():
        # A separate connection, because those of the pool have a statement timeout.
        connection = await primary.connect(settings.database_url, timeout=settings.connect_seconds)
        try:
            async with connection.transaction():
                await connection.execute("SELECT FROM economy_horizon FOR UPDATE")
                return await recount(Writer(connection, settings))
        finally:
            await connection.close(timeout=5)


async def recount(writer: Writer) -> int:
    """
    Delete the sums and add up everything. The horizon must be locked.

    One statement, so one snapshot: postings that it sees are added; those that it does
    not see are of open transactions, and stay pending. Where transaction ids cannot
    separate the two, the sequence numbers of the postings do (`economy_counted`).
    """
    for sums in ("item_supply", "item_holdings", "economy_counted"):
        await writer.run(f"DELETE FROM {sums}")
    # Keep the days whose postings were dropped: they could not be added up again.
    await writer.run(
        """
        DELETE FROM item_hours
         WHERE hour >= coalesce((SELECT at FROM ledger_beginning), '-infinity')
        """
    )
    for by_day in ("item_flows", "item_movements"):
        await writer.run(
            f"""
            DELETE FROM {by_day}
             WHERE day >= coalesce((SELECT (at AT TIME ZONE 'UTC')::date FROM ledger_beginning),
                                   '-infinity')
            """
        )
    return await writer.value(RECOUNT)


RECOUNT: LiteralString = f"""
    WITH new AS MATERIALIZED (
        SELECT {COLUMNS}, seq, xid FROM postings
        UNION ALL
        SELECT item_id, player_id, place, NULL, NULL, quantity, NULL, NULL, 0, '0' FROM openings
    ), {ADDED}, moved AS (
        UPDATE economy_horizon
           SET xid = pg_snapshot_xmin(pg_current_snapshot()),
               server = (SELECT system_identifier FROM pg_control_system())
    ), counted AS (
        INSERT INTO economy_counted (player_id, seq)
        SELECT player_id, max(seq)
          FROM new
         WHERE xid >= pg_snapshot_xmin(pg_current_snapshot())
         GROUP BY player_id
    )
    SELECT count(*) FROM new WHERE day IS NOT NULL
"""
