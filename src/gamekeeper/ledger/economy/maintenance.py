"""
Incremental maintenance of aggregates: a leader adds new postings every second.

A fold takes the postings of finished transactions, from the horizon to a bound below
every open transaction, adds them to the sums and moves the horizon to the bound, all
in one transaction: no posting is missed and none is added twice. Readers add the
postings beyond the horizon, so sums are exact however late a fold is.
"""

import asyncio
from typing import LiteralString

import asyncpg
from msgspec import Struct

from gamekeeper.core.observability import loggers
from gamekeeper.core.settings import Settings
from gamekeeper.core.tasks import pause
from gamekeeper.db import leader
from gamekeeper.db.database import Writer
from gamekeeper.db.leader import Duty
from gamekeeper.ledger.economy import new_accounts
from gamekeeper.ledger.economy.aggregates import ADDED, COLUMNS, IS_PENDING
from gamekeeper.ledger.economy.rebuild import recount

PAUSE_SECONDS = 1
MOST_AT_ONCE = 20_000
"""Postings per fold; it also takes the rest of the transaction that reaches this number."""

DUTY = Duty(name="economy", lock=0x65636F6E)  # "econ"

log = loggers.get_logger()


async def follow(settings: Settings, stop: asyncio.Event) -> None:
    """Fold new postings every second until `stop`; leader election picks one process."""
    await leader.lead(
        settings, DUTY, lambda connection: _fold_until(connection, settings, stop), stop
    )


async def _fold_until(
    connection: asyncpg.Connection, settings: Settings, stop: asyncio.Event
) -> None:
    writer = Writer(connection, settings)
    while not stop.is_set():
        async with connection.transaction():
            folded = await fold(writer)
        if not folded:
            await pause(stop, PAUSE_SECONDS)


class Horizon(Struct, frozen=True):
    """The first xid not in the sums, and whether it is an xid of this server."""

    xid: str
    is_ours: bool


class Bound(Struct, frozen=True):
    bound: str
    is_new: bool
    """Whether there are postings to fold before it."""


async def fold(writer: Writer, most: int = MOST_AT_ONCE) -> int:
    """
    Add the next batch of postings to the sums; returns how many they were.

    On another server than the last time, it rebuilds the sums.
    """
    horizon = await writer.one(
        Horizon,
        """
        SELECT xid::text AS xid, server = system_identifier AS is_ours
          FROM economy_horizon, pg_control_system()
           FOR UPDATE OF economy_horizon SKIP LOCKED
        """,
    )
    if horizon is None:
        return 0  # Another process is folding.
    if not horizon.is_ours:
        log.warning("economy_rebuild_started", reason="the totals come from another server")
        return await recount(writer)
    bound = await _bound(writer, horizon.xid, most)
    if bound is None:
        return 0
    await new_accounts.add_receipts(writer, horizon.xid, bound)
    return await _add(writer, horizon.xid, bound)


async def _bound(writer: Writer, horizon: str, most: int) -> str | None:
    """
    The xid up to which to fold; None if there is nothing to fold.

    Transactions do not end in the order in which they begin, so the bound is never
    beyond the oldest open one. A separate statement reads it before the postings: so
    every transaction that had ended by then is visible.
    """
    [found] = await writer.all(Bound, BOUND, horizon, most)
    return found.bound if found.is_new else None


BOUND: LiteralString = """
    SELECT least(pg_snapshot_xmin(pg_current_snapshot()), beyond.xid)::text AS bound,
           EXISTS (SELECT FROM postings
                    WHERE xid >= $1::text::xid8
                      AND xid < pg_snapshot_xmin(pg_current_snapshot())) AS is_new
      FROM (SELECT (SELECT xid FROM postings
                     WHERE xid > (SELECT xid FROM postings
                                   WHERE xid >= $1::text::xid8
                                     AND xid < pg_snapshot_xmin(pg_current_snapshot())
                                   ORDER BY xid LIMIT 1 OFFSET $2)
                     ORDER BY xid LIMIT 1) AS xid) AS beyond
"""


async def _add(writer: Writer, horizon: str, bound: str) -> int:
    return await writer.value(ADD, horizon, bound)


ADD: LiteralString = f"""
    WITH new AS MATERIALIZED (
        SELECT {COLUMNS} FROM postings WHERE {IS_PENDING} AND xid < $2::text::xid8
    ), {ADDED}, moved AS (
        UPDATE economy_horizon SET xid = $2::text::xid8
    )
    SELECT count(*) FROM new
"""
