"""
Actions that are committed and not in the hash chain yet, in the order in which they are linked.

Mostly they are few, and one statement reads them. After a large import or while no sequencer
ran they are millions. Those are sorted once, by a cursor WITH HOLD: PostgreSQL keeps the sorted
keys, on its disk if they are many, and each batch reads its own actions by key. A LIMIT without
the cursor would read and sort the whole backlog again for every batch.
"""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import LiteralString

import asyncpg
from msgspec import Struct

from gamekeeper.db.database import Queryable, Writer
from gamekeeper.ledger.links import COLUMNS, Linked

MOST_COUNTED = 50_000


class Since(Struct, frozen=True):
    """The snapshot of finished transactions now, and whether the saved one is of this server."""

    is_ours: bool
    now_seen: str


# A separate statement reads the current snapshot before the actions are read: so the next
# statement sees every transaction in it, and one that ends between the two is read again and
# recognized by its link. Transaction ids belong to a server: on another one, after a dump was
# loaded there, the saved snapshot means nothing, and all actions are checked once.
SINCE: LiteralString = """
    SELECT server = system_identifier AS is_ours, pg_current_snapshot()::text AS now_seen
      FROM chain_progress, pg_control_system()
"""

# Actions of transactions that have finished since the saved snapshot. Two ranges of the index on
# transaction ids: with OR instead, a plan may walk the whole index. A scalar subquery looks up
# the links one by one; a join, planned for any number of actions, would read the whole chain.
UNLINKED: LiteralString = """
    SELECT * FROM actions
     WHERE xid = ANY(ARRAY(SELECT pg_snapshot_xip(seen) FROM chain_progress))
       AND (SELECT seq FROM chain WHERE action_id = actions.id) IS NULL
     UNION ALL
    SELECT * FROM actions
     WHERE xid >= (SELECT pg_snapshot_xmax(seen) FROM chain_progress)
       AND xid < pg_snapshot_xmax(pg_current_snapshot())
       AND (SELECT seq FROM chain WHERE action_id = actions.id) IS NULL
"""
ANY_UNLINKED: LiteralString = """
    SELECT * FROM actions WHERE NOT EXISTS (SELECT FROM chain WHERE action_id = actions.id)
"""

# A long transaction blocks nothing: the snapshot lists it as in progress, and its actions are new
# whenever it ends. Of two actions on one player the second is written after the first is
# committed: a snapshot with the second contains the first, and within one snapshot the position
# orders them. So each player's actions are linked in their order.
ORDER: LiteralString = "actions.position NULLS FIRST, actions.at, actions.id"

FEW: LiteralString = f"""
    SELECT {COLUMNS} FROM (SELECT * FROM ({UNLINKED}) AS unlinked LIMIT $1) AS actions
     ORDER BY {ORDER}
"""


async def few(writer: Writer, since: Since, most: int) -> list[Linked] | None:
    """All unlinked actions in their order; None if they are more than `most`: a backlog."""
    if not since.is_ours:
        return None
    rows = await writer.rows(FEW, most + 1)
    return None if len(rows) > most else [Linked(*row) for row in rows]


CURSOR: LiteralString = "unlinked"


def _declare(found: LiteralString) -> LiteralString:
    return f"""
        DECLARE {CURSOR} NO SCROLL CURSOR WITH HOLD FOR
        SELECT id, at FROM ({found}) AS actions ORDER BY {ORDER}
    """


DECLARE_NEW: LiteralString = _declare(UNLINKED)
DECLARE_ANY: LiteralString = _declare(ANY_UNLINKED)


@asynccontextmanager
async def sorted_backlog(connection: asyncpg.Connection) -> AsyncGenerator[Since]:
    """
    A cursor for `next_batch` over all unlinked actions, sorted when this begins.

    A batch that fails must end the connection, as an exception here does: a cursor WITH HOLD does
    not go back when a transaction is rolled back, so the next batch would skip actions.
    """
    async with connection.transaction():
        since = Since(**(await connection.fetch(SINCE))[0])
        if not since.is_ours:
            # Everything is read, so a sequential scan is the best plan (see chain.DUTY).
            await connection.execute("SET LOCAL enable_seqscan = on")
        await connection.execute(DECLARE_NEW if since.is_ours else DECLARE_ANY)
    yield since
    await connection.execute(f"CLOSE {CURSOR}")


async def next_batch(writer: Writer, most: int) -> tuple[list[Linked], bool]:
    """The next actions of the backlog, and whether there may be more."""
    keys = await writer.connection.fetch(f"FETCH FORWARD {most} FROM {CURSOR}")
    rows = await writer.rows(BY_KEYS, [key["id"] for key in keys], [key["at"] for key in keys])
    return [Linked(*row) for row in rows], len(keys) == most


# LATERAL with LIMIT: each action by its key, in the partition of its time.
BY_KEYS: LiteralString = f"""
    SELECT action.*
      FROM unnest($1::uuid[], $2::timestamptz[]) WITH ORDINALITY AS key (id, at, number)
     CROSS JOIN LATERAL (
               SELECT {COLUMNS} FROM actions
                WHERE actions.id = key.id AND actions.at = key.at LIMIT 1
           ) AS action
     ORDER BY key.number
"""


class Backlog(Struct, frozen=True):
    """The actions that are committed and not linked yet, and for how long the oldest waits."""

    actions: int
    seconds: float


async def backlog(reader: Queryable) -> Backlog | None:
    """
    The backlog, counted up to `MOST_COUNTED`.

    None on another server than that of the last run: all actions would have to be checked.
    """
    [since] = await reader.all(Since, SINCE)
    return await reader.one(Backlog, BACKLOG, MOST_COUNTED) if since.is_ours else None


BACKLOG: LiteralString = f"""
    SELECT count(*)::int AS actions,
           coalesce(extract(epoch FROM clock_timestamp() - min(at)), 0)::float AS seconds
      FROM (SELECT at FROM ({UNLINKED}) AS actions LIMIT $1) AS unlinked
"""
