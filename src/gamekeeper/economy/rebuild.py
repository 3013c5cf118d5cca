"""
Rebuild of the aggregates from all postings there are.

Needed once after a dump was loaded on another server, where the number of the
transaction that was reached before means nothing; the worker sees that by itself.
Whoever reads meanwhile sees the former sums, or hears that they are about to come.
"""

from typing import LiteralString

import asyncpg

from gamekeeper.core.settings import Settings
from gamekeeper.db.database import CONNECT_SECONDS, Writer, translate_errors
from gamekeeper.economy.aggregates import ADDED, COLUMNS


async def run(settings: Settings) -> int:
    """Make the sums anew, however long it takes, and return how many postings there are."""
    with translate_errors():
        # Not of the pool, whose connections have no time for that.
        connection = await asyncpg.connect(settings.database_url, timeout=CONNECT_SECONDS)
        try:
            async with connection.transaction():
                await connection.execute("SELECT FROM economy_horizon FOR UPDATE")
                return await recount(Writer(connection, settings))
        finally:
            await connection.close(timeout=5)


async def recount(writer: Writer) -> int:
    """
    Throw the sums away and add up everything. The horizon must be locked.

    All is done by one statement, and so at one instant: what it sees is added up, what
    it does not see is of transactions that were not over, and waits. Where the two
    cannot be told apart by their transactions, the numbers of the postings tell.
    """
    for sums in ("item_supply", "item_holdings", "economy_counted"):
        await writer.run(f"DELETE FROM {sums}")
    # The days of postings that were dropped could not be added up again.
    await writer.run(
        """
        DELETE FROM item_flows
         WHERE day >= coalesce((SELECT (at AT TIME ZONE 'UTC')::date FROM ledger_beginning),
                               '-infinity')
        """
    )
    return await writer.value(RECOUNT)


RECOUNT: LiteralString = f"""
    WITH new AS MATERIALIZED (
        SELECT {COLUMNS}, seq, xid FROM postings
        UNION ALL
        SELECT item_id, player_id, place, NULL, NULL, quantity, 0, '0' FROM openings
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
