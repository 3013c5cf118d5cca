"""
The hash chain of the audit log: each action with its postings, linked to the one before.

Actions are linked after the commit, not in it: a chain written by every operation would let
only one of them commit at a time. Any number of processes may run the sequencer; an advisory
lock elects the one that links (leader election). The number of a link is the id of an event;
NOTIFY announces new links.
"""

import asyncio
from collections.abc import Awaitable, Sequence
from typing import LiteralString
from uuid import UUID

import asyncpg

from gamekeeper.core.observability import loggers, meters
from gamekeeper.core.observability.log_throttle import LogThrottle
from gamekeeper.core.tasks import pause
from gamekeeper.db import leader
from gamekeeper.db.database import Database, Writer
from gamekeeper.db.leader import Duty
from gamekeeper.db.pools import BY_KEY
from gamekeeper.ledger import anchors, digests, unlinked
from gamekeeper.ledger.anchors import BadAnchors, Head
from gamekeeper.ledger.digests import Posted
from gamekeeper.ledger.links import COLUMNS, WITH_POSTINGS, Linked, Seal, hashed
from gamekeeper.ledger.unlinked import Since

PAUSE_SECONDS = 0.1
IDLE_SECONDS = 0.25
MOST_AT_ONCE = 2000
"""The actions of a batch: more would block the event loop for longer than 50 ms."""
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
        # Planned while the chain is empty, a sequential scan would stay, and read it all for
        # each action of a first backlog.
        **BY_KEY,
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
    # Graceful shutdown: link the last actions, then sign the head.
    await _go_on(catch_up(database, stop))
    if anchoring:
        await _go_on(anchor(database, at_once=True))


async def _link_until(
    database: Database, connection: asyncpg.Connection, stop: asyncio.Event
) -> None:
    while not stop.is_set():
        linked = await _catch_up(connection, database, stop)
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


async def catch_up(database: Database, stop: asyncio.Event | None = None) -> int:
    """
    Link all committed actions; return how many, 0 if another process is the leader.

    After `stop`, a backlog is left to the next process: it may take minutes.
    """
    async with leader.connected(database.settings, DUTY) as connection:
        if not await leader.is_leader(connection, DUTY):
            return 0
        return await _catch_up(connection, database, stop)


async def _catch_up(
    connection: asyncpg.Connection, database: Database, stop: asyncio.Event | None
) -> int:
    total = 0
    while (linked := await _link_few(connection, database)) is None:
        if stop and stop.is_set():
            return total
        total += await _link_backlog(connection, database, stop)
    return total + linked


async def anchor(database: Database, *, at_once: bool = False) -> None:
    """Sign the head and append it to the anchor file, if due."""
    if database.settings.anchor_file is None:
        return
    if head := await database.reader.one(Head, HEAD):
        await asyncio.to_thread(anchors.keep, database.settings, head, at_once=at_once)


HEAD: LiteralString = "SELECT seq, hash FROM chain ORDER BY seq DESC LIMIT 1"


async def _link_few(connection: asyncpg.Connection, database: Database) -> int | None:
    """Link all new actions, and return how many there were; None, and no link, for a backlog."""
    async with connection.transaction():
        writer = Writer(connection, database.settings)
        [since] = await writer.all(Since, unlinked.SINCE)
        actions = await unlinked.few(writer, since, MOST_AT_ONCE)
        if actions:
            await _link(writer, actions)
            await _save(writer, since)
    return None if actions is None else len(actions)


async def _link_backlog(
    connection: asyncpg.Connection, database: Database, stop: asyncio.Event | None
) -> int:
    """
    Link what is unlinked now, in batches that listeners see one by one; return how many.

    The snapshot is saved after the last batch. If this ends before it, the next run sorts what
    is left and goes on with it.
    """
    total, more = 0, True
    async with unlinked.sorted_backlog(connection) as since:
        while more and not (stop and stop.is_set()):
            async with connection.transaction():
                writer = Writer(connection, database.settings)
                actions, more = await unlinked.next_batch(writer, MOST_AT_ONCE)
                if actions:
                    await _link(writer, actions)
                if not more:
                    await _save(writer, since)
            total += len(actions)
    return total


async def _link(writer: Writer, actions: Sequence[Linked]) -> None:
    last = await _append(writer, actions)
    await writer.run("SELECT pg_notify($1, $2)", LINKED, str(last))
    meters.meter.actions_linked(len(actions))


async def _save(writer: Writer, since: Since) -> None:
    """Save the snapshot: the next run reads what has been committed since."""
    await writer.run(
        """
        UPDATE chain_progress
           SET seen = $1::text::pg_snapshot,
               server = (SELECT system_identifier FROM pg_control_system())
        """,
        since.now_seen,
    )


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
