"""
The chain: every action and its postings, linked to the one before it by a hash.

Linking comes after the commit and not with it, because a chain written by every
operation would let only one of them commit at a time. Any number of processes may
run the sequencer; a lock lets one at a time link what is new. The number of a link
is the id of an event: whoever listens is told of each new one.
"""

import asyncio
from collections.abc import Awaitable, Sequence
from typing import Any, LiteralString

import asyncpg
import structlog
from msgspec import Struct

from gamekeeper.core.tasks import pause
from gamekeeper.db import leader
from gamekeeper.db.database import Database, Writer
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
"""Who listens to this channel hears the number of the last link whenever there are new ones."""

LOCK = 0x6368696E  # "chin": any number nobody else uses
DUTY = Duty(
    name="sequencer",
    lock=LOCK,
    pause=IDLE_SECONDS,
    session={
        # Over the many months of the log, planning takes longer than looking.
        "plan_cache_mode": "force_generic_plan",
        "idle_in_transaction_session_timeout": "10000",
        "idle_session_timeout": "10000",
    },
)

log = structlog.get_logger()


async def follow(database: Database, stop: asyncio.Event, *, anchoring: bool = True) -> None:
    """Link actions as they are committed, and anchor the chain, until `stop`."""
    linking = leader.lead(
        database.settings, DUTY, lambda connection: _link_until(database, connection, stop), stop
    )
    await asyncio.gather(linking, *([_anchor_until(database, stop)] if anchoring else []))
    # Told to stop: nothing that is there goes unlinked, nothing that was linked unsigned.
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
    """Whoever links: another process may, and it need not know where anchors are kept."""
    while not stop.is_set():
        await _go_on(anchor(database))
        await pause(stop, IDLE_SECONDS)


async def _go_on(work: Awaitable[object]) -> None:
    try:
        await work
    except (*leader.WAITS, BadAnchors) as fault:
        log.warning("chain_waiting", fault=type(fault).__name__, reason=str(fault))
    except Exception:
        log.exception("chain_failed")


async def catch_up(database: Database) -> int:
    """Link all that is committed; return how many that were, none if somebody else is at it."""
    async with leader.connected(database.settings, DUTY) as connection:
        if not await leader.is_leader(connection, DUTY):
            return 0
        return await _catch_up(connection, database)


async def _catch_up(connection: asyncpg.Connection, database: Database) -> int:
    """Each look for the next costs what is left, so far behind there are few and large ones."""
    total, linked, most = 0, MOST_AT_ONCE, MOST_AT_ONCE
    while linked == most:
        most = min(most * 4, MOST_WHEN_BEHIND) if total else MOST_AT_ONCE
        async with connection.transaction():
            linked = await _link(Writer(connection, database.settings), most, going_on=total > 0)
        total += linked
    return total


async def anchor(database: Database, *, at_once: bool = False) -> None:
    """Sign the head and put it where the database cannot write, if it is time to."""
    if database.settings.anchor_file is None:
        return
    if head := await database.reader.one(Head, HEAD):
        await asyncio.to_thread(anchors.keep, database.settings, head, at_once=at_once)


HEAD: LiteralString = "SELECT seq, hash FROM chain ORDER BY seq DESC LIMIT 1"


class Since(Struct, frozen=True):
    """What was over when the sequencer last looked, and what is now."""

    is_ours: bool
    began_after: str
    under_way: list[str]
    now_seen: str


async def _link(writer: Writer, most: int, *, going_on: bool) -> int:
    """
    Link the next actions and say so to who listens; return how many there were.

    Only when there are no more is it written down what was seen, and when there were
    none at all, nothing.
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


# What is over now is read by a statement of its own, before the actions are: then all of it
# is seen by the next, and what ended between the two is met again and known by its link.
# Transactions are counted by the server: on another one, after a dump was loaded
# there, what was seen says nothing, and everything is looked at once.
SINCE: LiteralString = """
    SELECT server = system_identifier AS is_ours,
           pg_snapshot_xmax(seen)::text AS began_after,
           ARRAY(SELECT pg_snapshot_xip(seen)::text) AS under_way,
           pg_current_snapshot()::text AS now_seen
      FROM chain_progress, pg_control_system()
"""


async def _next(writer: Writer, since: Since, most: int) -> Sequence[Any]:
    """
    The next actions: those of transactions that are over and were not when we last looked.

    Nobody waits for a transaction that takes long; it is remembered as under way, and its
    actions are new whenever it ends. Of two actions on one player the second is written
    after the first is committed: who sees the second sees the first, and in one look the
    position tells them apart. So each player's actions are linked in their order.
    """
    if not since.is_ours:
        return await writer.rows(UNLINKED, most)
    return await writer.rows(NEW, most, since.began_after, since.under_way)


UNLINKED: LiteralString = f"""
    SELECT {COLUMNS}
      FROM actions
     WHERE NOT EXISTS (SELECT FROM chain WHERE action_id = actions.id)
     ORDER BY actions.position NULLS FIRST, at, id
     LIMIT $1
"""
# Asked in this way, the links of the few that are new are looked up one by one. As a join,
# which is planned for any number of them, it would read the whole chain.
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


async def _append(writer: Writer, actions: Sequence[Linked]) -> int:
    """Add links for `actions`, in this order; return the number of the last."""
    head = await writer.one(Head, HEAD) or anchors.NOTHING
    posted = await digests.read_digests(writer.connection, actions)
    seals = [_seal(posted.get(action.id) if action.id else None) for action in actions]
    hashes: list[bytes] = []
    last = head.hash
    for seq, (action, seal) in enumerate(zip(actions, seals, strict=True), head.seq + 1):
        last = hashed(last, seq, action, seal)
        hashes.append(last)
    await writer.run(
        """
        INSERT INTO chain (seq, action_id, action_at, hash, form, postings)
        SELECT $1 + row_number() OVER (ORDER BY position), id, at, hash, $5, postings
          FROM unnest($2::uuid[], $3::timestamptz[], $4::bytea[], $6::bytea[])
               WITH ORDINALITY AS new (id, at, hash, postings, position)
        """,
        head.seq,
        [action.id for action in actions],
        [action.at for action in actions],
        hashes,
        WITH_POSTINGS,
        [seal.postings for seal in seals],
    )
    return head.seq + len(actions)


def _seal(posted: Posted | None) -> Seal:
    return Seal(WITH_POSTINGS, posted.digest if posted else None)
