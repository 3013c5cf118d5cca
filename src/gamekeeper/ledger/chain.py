"""
The hash chain of the audit log: each action with its postings, linked to the one before.

Actions are linked after the commit, not in it: a chain written by every operation would let
only one of them commit at a time. Any number of processes may run the sequencer; an advisory
lock elects the one that links (leader election). The number of a link is the id of an event;
NOTIFY announces new links.
"""

import asyncio
from collections.abc import Awaitable, Sequence
from typing import Any, LiteralString
from uuid import UUID

import asyncpg
from msgspec import Struct

from gamekeeper.core.observability import loggers, meters
from gamekeeper.core.observability.log_throttle import LogThrottle
from gamekeeper.core.tasks import pause
from gamekeeper.db import leader
from gamekeeper.db.database import Database, Queryable, Writer
from gamekeeper.db.leader import Duty
from gamekeeper.ledger import anchors, digests
from gamekeeper.ledger.anchors import BadAnchors, Head
from gamekeeper.ledger.digests import Posted
from gamekeeper.ledger.links import COLUMNS, WITH_POSTINGS, Linked, Seal, hashed

PAUSE_SECONDS = 0.1
IDLE_SECONDS = 0.25
MOST_AT_ONCE = 5000
MOST_WHEN_BEHIND = 50_000
LINKED = "gamekeeper_linked"
"""The NOTIFY channel for new links; the payload is the number of the last one."""

LOCK = 0x6368696E  # "chin": any number that no other lock uses
DUTY = Duty(
    name="sequencer",
    lock=LOCK,
    pause=IDLE_SECONDS,
    session={
        # With many monthly partitions, planning takes longer than execution.
        "plan_cache_mode": "force_generic_plan",
        "idle_in_transaction_session_timeout": "10000",
        "idle_session_timeout": "10000",
    },
)

log = loggers.get_logger()
_throttle = LogThrottle()


async def follow(database: Database, stop: asyncio.Event, *, anchoring: bool = True) -> None:
    """Link actions as they are committed, and anchor the chain, until `stop`."""
    linking = leader.lead(
        database.settings, DUTY, lambda connection: _link_until(database, connection, stop), stop
    )
    await asyncio.gather(linking, *([_anchor_until(database, stop)] if anchoring else []))
    # Graceful shutdown: link all committed actions, then sign the head.
    await _go_on(catch_up(database))
    if anchoring:
        await _go_on(anchor(database, at_once=True))


async def _link_until(
    database: Database, connection: asyncpg.Connection, stop: asyncio.Event
) -> None:
    while not stop.is_set():
        linked = await _catch_up(connection, database)
        await pause(stop, PAUSE_SECONDS if linked else IDLE_SECONDS)


async def _anchor_until(database: Database, stop: asyncio.Event) -> None:
    """Anchor even if another process links: that one may have no anchor file configured."""
    while not stop.is_set():
        await _go_on(anchor(database))
        await pause(stop, IDLE_SECONDS)


async def _go_on(work: Awaitable[object]) -> None:
    try:
        await work
    except (*leader.WAITS, BadAnchors) as fault:
        if _throttle.is_due(f"{fault!r}"):
            log.warning("chain_waiting", fault=type(fault).__name__, reason=str(fault))
    except Exception:
        log.exception("chain_failed")


async def catch_up(database: Database) -> int:
    """Link all committed actions; return how many, 0 if another process is the leader."""
    async with leader.connected(database.settings, DUTY) as connection:
        if not await leader.is_leader(connection, DUTY):
            return 0
        return await _catch_up(connection, database)


async def _catch_up(connection: asyncpg.Connection, database: Database) -> int:
    """Link in batches that grow: each query costs as much as the backlog that is left."""
    total, linked, most = 0, MOST_AT_ONCE, MOST_AT_ONCE
    while linked == most:
        most = min(most * 4, MOST_WHEN_BEHIND) if total else MOST_AT_ONCE
        async with connection.transaction():
            linked = await _link(Writer(connection, database.settings), most, going_on=total > 0)
        total += linked
        meters.meter.actions_linked(linked)
    return total


async def anchor(database: Database, *, at_once: bool = False) -> None:
    """Sign the head and append it to the anchor file, if due."""
    if database.settings.anchor_file is None:
        return
    if head := await database.reader.one(Head, HEAD):
        await asyncio.to_thread(anchors.keep, database.settings, head, at_once=at_once)


HEAD: LiteralString = "SELECT seq, hash FROM chain ORDER BY seq DESC LIMIT 1"


class Since(Struct, frozen=True):
    """The snapshot of finished transactions at the sequencer's last run, and the current one."""

    is_ours: bool
    began_after: str
    under_way: list[str]
    now_seen: str


async def _link(writer: Writer, most: int, *, going_on: bool) -> int:
    """
    Link the next actions and notify listeners; return how many there were.

    The snapshot is saved only after the last batch, and not if there was nothing to link.
    """
    [since] = await writer.all(Since, SINCE)
    rows = await _next(writer, since, most)
    if rows:
        last = await _append(writer, [Linked(*row) for row in rows])
        await writer.run("SELECT pg_notify($1, $2)", LINKED, str(last))
    if len(rows) < most and (rows or going_on):
        await writer.run(
            """
            UPDATE chain_progress
               SET seen = $1::text::pg_snapshot,
                   server = (SELECT system_identifier FROM pg_control_system())
            """,
            since.now_seen,
        )
    return len(rows)


# A separate statement reads the current snapshot before the actions are read: so the next
# statement sees every transaction in it, and one that ends between the two is read again and
# recognized by its link. Transaction ids belong to a server: on another one, after a dump was
# loaded there, the saved snapshot means nothing, and all actions are checked once.
SINCE: LiteralString = """
    SELECT server = system_identifier AS is_ours,
           pg_snapshot_xmax(seen)::text AS began_after,
           ARRAY(SELECT pg_snapshot_xip(seen)::text) AS under_way,
           pg_current_snapshot()::text AS now_seen
      FROM chain_progress, pg_control_system()
"""


async def _next(writer: Writer, since: Since, most: int) -> Sequence[Any]:
    """
    The next actions: those of transactions that have finished since the last snapshot.

    A long transaction blocks nothing: the snapshot lists it as in progress, and its actions
    are new whenever it ends. Of two actions on one player the second is written after the
    first is committed: a snapshot with the second contains the first, and within one
    snapshot the position orders them. So each player's actions are linked in their order.
    """
    if not since.is_ours:
        return await writer.rows(UNLINKED, most)
    return await writer.rows(NEW, most, since.began_after, since.under_way)


class Backlog(Struct, frozen=True):
    """The actions that are committed and not linked yet, and for how long the oldest waits."""

    actions: int
    seconds: float


async def backlog(reader: Queryable) -> Backlog | None:
    """
    The backlog, counted up to `MOST_WHEN_BEHIND`; to be read in a transaction.

    None on another server than that of the last run: all actions would have to be checked.
    """
    [since] = await reader.all(Since, SINCE)
    if not since.is_ours:
        return None
    return await reader.one(Backlog, BACKLOG, MOST_WHEN_BEHIND, since.began_after, since.under_way)


UNLINKED: LiteralString = f"""
    SELECT {COLUMNS}
      FROM actions
     WHERE NOT EXISTS (SELECT FROM chain WHERE action_id = actions.id)
     ORDER BY actions.position NULLS FIRST, at, id
     LIMIT $1
"""
# A scalar subquery looks up the links of the few new actions one by one. A join, planned for
# any number of them, would read the whole chain.
NEW: LiteralString = f"""
    SELECT {COLUMNS}
      FROM actions
     WHERE (actions.xid = ANY($3::text[]::xid8[])
            OR (actions.xid >= $2::text::xid8
                AND actions.xid < pg_snapshot_xmax(pg_current_snapshot())))
       AND (SELECT seq FROM chain WHERE action_id = actions.id) IS NULL
     ORDER BY actions.position NULLS FIRST, at, id
     LIMIT $1
"""

BACKLOG: LiteralString = """
    SELECT count(*)::int AS actions,
           coalesce(extract(epoch FROM clock_timestamp() - min(at)), 0)::float AS seconds
      FROM (SELECT at
              FROM actions
             WHERE (actions.xid = ANY($3::text[]::xid8[])
                    OR (actions.xid >= $2::text::xid8
                        AND actions.xid < pg_snapshot_xmax(pg_current_snapshot())))
               AND (SELECT seq FROM chain WHERE action_id = actions.id) IS NULL
             ORDER BY actions.xid
             LIMIT $1) AS unlinked
"""


async def begin_epoch(writer: Writer, action: UUID) -> int:
    """
    Link the restore of a backup, under a number that no event ever had; return that number.

    A client may have heard events that the backup does not have. Their numbers must not come
    again for other events, so the chain jumps to the microseconds since 2026. No chain grows by
    an event in each microsecond: so the new number is beyond all that were ever given, also by
    an earlier restore of the same backup. JavaScript counts them exactly until 2311.
    """
    rows = await writer.rows(f"SELECT {COLUMNS} FROM actions WHERE id = $1", action)
    first = await writer.value(
        """
        SELECT greatest(
            (extract(epoch FROM clock_timestamp() - timestamptz '2026-01-01 00:00Z') * 1e6)::bigint,
            (SELECT max(seq) + 1 FROM chain)
        )
        """
    )
    return await _append(writer, [Linked(*row) for row in rows], first)


async def _append(writer: Writer, actions: Sequence[Linked], first: int | None = None) -> int:
    """Add links for `actions`, in this order; return the number of the last."""
    head = await writer.one(Head, HEAD) or anchors.NO_LINKS
    before = head.seq if first is None else first - 1
    posted = await digests.read_digests(writer.connection, actions)
    seals = [_seal(posted.get(action.id) if action.id else None) for action in actions]
    hashes: list[bytes] = []
    last = head.hash
    for seq, (action, seal) in enumerate(zip(actions, seals, strict=True), before + 1):
        last = hashed(last, seq, action, seal)
        hashes.append(last)
    await writer.run(
        """
        INSERT INTO chain (seq, action_id, action_at, hash, form, postings)
        SELECT $1 + row_number() OVER (ORDER BY position), id, at, hash, $5, postings
          FROM unnest($2::uuid[], $3::timestamptz[], $4::bytea[], $6::bytea[])
               WITH ORDINALITY AS new (id, at, hash, postings, position)
        """,
        before,
        [action.id for action in actions],
        [action.at for action in actions],
        hashes,
        WITH_POSTINGS,
        [seal.postings for seal in seals],
    )
    return before + len(actions)


def _seal(posted: Posted | None) -> Seal:
    return Seal(WITH_POSTINGS, posted.digest if posted else None)
