"""
Maintenance of page counts: one worker at a time folds recorded deltas into the counts.

A fold sees one snapshot. In one transaction it consumes all deltas, adds them to the
counts, and rebalances the nodes that have grown or shrunk too far. So a reader sees all
of that or nothing, and exact counts either way. If the worker crashes, nothing happened.
"""

import asyncio
from collections.abc import AsyncIterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from typing import LiteralString

import asyncpg

from gamekeeper.core.observability import loggers
from gamekeeper.core.settings import Settings
from gamekeeper.core.tasks import pause
from gamekeeper.db import leader
from gamekeeper.db.database import Writer
from gamekeeper.db.leader import Duty
from gamekeeper.db.paging.orderings import ORDERINGS, Ordering
from gamekeeper.db.paging.rebalance import USUAL, MiscountedList, Sizes, rebuild, tidy

PAUSE_SECONDS = 1
BREATH_SECONDS = 0.25
"""Between folds while there are deltas: the more there are, the more a page costs."""

LOCK = 0x6C697374  # "list": any number that no other lock uses

DUTY = Duty(name="lists", lock=LOCK)

log = loggers.get_logger()


async def follow(settings: Settings, stop: asyncio.Event) -> None:
    """Fold deltas, at least every second, until `stop`; any number of processes may compete."""
    await leader.lead(
        settings, DUTY, lambda connection: _fold_until(connection, settings, stop), stop
    )


def connected(settings: Settings) -> AbstractAsyncContextManager[asyncpg.Connection]:
    """A dedicated connection, without the pool's statement timeout: a whole list takes long."""
    return leader.connected(settings, DUTY)


@asynccontextmanager
async def alone(
    connection: asyncpg.Connection, settings: Settings, listing: Ordering, *, patient: bool = False
) -> AsyncIterator[Writer | None]:
    """
    A transaction with one snapshot and the exclusive lock on the list's counts.

    None if another process holds the lock, unless `patient`, which waits for it.
    """
    # Before the snapshot is taken, or it might predate another process's fold.
    if patient:
        await connection.execute("SELECT pg_advisory_lock($1, $2)", LOCK, listing.number)
    elif not await connection.fetchval("SELECT pg_try_advisory_lock($1, $2)", LOCK, listing.number):
        yield None
        return
    try:
        async with connection.transaction(isolation="repeatable_read"):
            yield Writer(connection, settings)
    finally:
        if not connection.is_closed():
            await connection.execute("SELECT pg_advisory_unlock($1, $2)", LOCK, listing.number)


async def rebuild_ordering(settings: Settings, listing: Ordering, sizes: Sizes = USUAL) -> int:
    """Rebuild a list's counts online, and return how long the list is."""
    async with (
        connected(settings) as connection,
        alone(connection, settings, listing, patient=True) as writer,
    ):
        assert writer
        return await rebuild(writer, listing, sizes)


async def hold(writer: Writer) -> None:
    """Lock the counts of all lists until the end of the transaction."""
    for listing in ORDERINGS:
        await writer.run("SELECT pg_advisory_xact_lock($1, $2)", LOCK, listing.number)


async def fold(writer: Writer, listing: Ordering, sizes: Sizes = USUAL) -> int:
    """Fold the deltas into the counts and return how many; see `alone` for the writer."""
    [row] = await writer.rows(_fold(listing), 2 * sizes.bucket, sizes.bucket // 4)
    await tidy(writer, listing, sizes, row["unfit"])
    return row["folded"]


def _fold(listing: Ordering) -> LiteralString:
    return f"""
        WITH gone AS (
            DELETE FROM list_deltas WHERE list = '{listing.name}' RETURNING key, change::int
        ),
        leaves AS ({placed(listing, "0", "gone")}),
        branches AS ({placed(listing, "1", "leaves")}),
        tops AS ({placed(listing, "2", "branches")}),
        changed AS (
            UPDATE list_nodes AS node SET count = node.count + moved.change
              FROM (SELECT * FROM leaves
                    UNION ALL SELECT * FROM branches
                    UNION ALL SELECT * FROM tops) AS moved
             WHERE node.list = '{listing.name}'
               AND node.height = moved.height AND node.key = moved.key
            RETURNING node.height, node.key, node.count
        )
        SELECT (SELECT count(*) FROM gone) AS folded,
               ARRAY(SELECT key FROM changed
                      WHERE height = 0 AND (count > $1 OR count < $2) ORDER BY key) AS unfit
    """


def placed(
    listing: Ordering, height: LiteralString, moves: LiteralString, where: LiteralString = "true"
) -> LiteralString:
    """By how much the nodes of a height change: the sums of the changes within them."""
    return f"""
        SELECT {height}::smallint AS height, node.key, sum(change)::int AS change
          FROM (SELECT key, sum(change) AS change FROM {moves} WHERE {where}
                 GROUP BY key HAVING sum(change) <> 0) AS moves
          CROSS JOIN LATERAL (
              SELECT key FROM list_nodes
               WHERE list = '{listing.name}' AND height = {height}
                 AND list_nodes.key <= moves.key
               ORDER BY list_nodes.key DESC LIMIT 1) AS node
         GROUP BY node.key
        HAVING sum(change) <> 0
    """


async def _fold_until(
    connection: asyncpg.Connection, settings: Settings, stop: asyncio.Event
) -> None:
    turn = 0
    while not stop.is_set():
        noted = [listing for listing in ORDERINGS if await _is_noted(connection, listing)]
        for listing in noted:
            await _turn(connection, settings, listing)
            await _clean(connection, listing, thoroughly=turn % 240 == 0)
        turn += 1
        await pause(stop, BREATH_SECONDS if noted else PAUSE_SECONDS)


async def _is_noted(connection: asyncpg.Connection, listing: Ordering) -> bool:
    noted = f"SELECT EXISTS (SELECT FROM list_deltas WHERE list = '{listing.name}')"
    return bool(await connection.fetchval(noted))


async def _turn(connection: asyncpg.Connection, settings: Settings, listing: Ordering) -> None:
    try:
        async with alone(connection, settings, listing) as writer:
            if writer:
                await fold(writer, listing)
    except MiscountedList as wrong:
        log.error("list_rebuild_started", list=listing.name, reason=str(wrong))  # noqa: TRY400
        async with alone(connection, settings, listing, patient=True) as writer:
            assert writer
            await rebuild(writer, listing)


async def _clean(connection: asyncpg.Connection, listing: Ordering, *, thoroughly: bool) -> None:
    """
    Vacuum the dead rows; readers would have to skip them.

    Only the owner of the tables may. For another role autovacuum does it, later.
    Truncating takes an exclusive lock for a moment, so that is not done each time.
    """
    if not await connection.fetchval(IS_OURS):
        return
    how = "TRUNCATE" if thoroughly else "TRUNCATE false, SKIP_LOCKED"
    await connection.execute(f"VACUUM ({how}) list_deltas_{listing.name}")
    if thoroughly:
        await connection.execute("VACUUM (TRUNCATE false, SKIP_LOCKED) list_nodes")


IS_OURS: LiteralString = """
    SELECT pg_has_role(relowner, 'USAGE') FROM pg_class WHERE oid = 'list_nodes'::regclass
"""
