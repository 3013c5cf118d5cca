"""
Breaches: where the log of actions is not what it was.

Three things are compared: the actions with the chain, the chain with itself, and
the chain with the anchors. Each finds what the others cannot: an action nobody
linked, a link that does not fit, a chain that fits but was never signed.
"""

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from datetime import datetime, timedelta
from typing import Any, Literal
from uuid import UUID

import asyncpg
from msgspec import Struct, field, structs

from gamekeeper.database import CONNECT_SECONDS, not_now
from gamekeeper.ledger import anchors
from gamekeeper.ledger.anchors import NOTHING, Anchor, BadAnchors, Head
from gamekeeper.ledger.chain import COLUMNS, HEAD, Linked, hashed
from gamekeeper.settings import Settings

AT_ONCE = 10_000
MOST_NAMED = 100
MOST_COMPARED = 10
LATE = timedelta(hours=1)
"""A link is made within seconds of its action; so much later, the action's time is a lie."""

Tell = Callable[[int, int], None]
"""Is told how many links were looked at, and how many there are."""


class Breach(Struct, frozen=True, kw_only=True):
    kind: Literal[
        "edited", "deleted", "inserted", "swapped", "backdated", "cut", "rewritten", "anchors"
    ]
    seq: int | None = None
    """The first link that is wrong; None: no link can be named."""
    action_id: UUID | None = None
    message: str


class Report(Struct, kw_only=True):
    links: int = 0
    anchors: int = 0
    waiting: int = 0
    """Actions too new to be linked."""
    breaches: list[Breach] = field(default_factory=list)
    """The first of them, in the order of the chain."""
    total: int = 0
    """How many there are."""

    def add(self, breaches: Sequence[Breach]) -> None:
        self.total += len(breaches)
        self.breaches = sorted([*self.breaches, *breaches], key=_place)[:MOST_NAMED]


def _place(breach: Breach) -> float:
    return float("inf") if breach.seq is None else breach.seq


async def find(settings: Settings, tell: Tell = lambda done, total: None) -> Report:
    """Look through everything, as it is at one instant; the service may go on meanwhile."""
    report = Report()
    # Before the database is looked at: an anchor is always of a link that was there.
    try:
        signed = anchors.read(settings)
    except BadAnchors as fault:
        signed = []
        report.add([Breach(kind="anchors", message=str(fault))])
    report.anchors = len(signed)
    async with _snapshot(settings) as connection:
        await _walk(connection, signed, report, tell)
        await _compare(connection, signed, report)
        await _strays(connection, report)
    return report


@asynccontextmanager
async def _snapshot(settings: Settings) -> AsyncIterator[asyncpg.Connection]:
    with not_now():
        connection = await asyncpg.connect(settings.database_url, timeout=CONNECT_SECONDS)
        try:
            async with connection.transaction(isolation="repeatable_read", readonly=True):
                await connection.execute("SET LOCAL jit = off")
                yield connection
        finally:
            await connection.close(timeout=5)


# ── The links, one after the other ──


async def _walk(
    connection: asyncpg.Connection, signed: Sequence[Anchor], report: Report, tell: Tell
) -> None:
    [head] = await connection.fetch(HEAD) or [{"seq": 0}]
    last = NOTHING
    clock = Clock(signed)
    async for rows in _links(connection):
        report.links += len(rows)
        for misfit in _misfits(last, rows):
            # Where everything is wrong, nobody asks what was swapped with what.
            report.add([_named(misfit, rows if report.total < MOST_COMPARED else ())])
        report.add(clock.late(rows) if signed else ())
        last = Head(rows[-1]["seq"], rows[-1]["hash"])
        tell(report.links, head["seq"])
    report.breaches = await _found_elsewhere(connection, report.breaches)


async def _links(connection: asyncpg.Connection) -> AsyncIterator[list[Any]]:
    """All links with their actions, some at a time; PostgreSQL finds the next ones meanwhile."""
    # Each action is found by its key as its link comes up: any other plan would have to
    # sort them all before the first.
    await connection.execute("SET LOCAL enable_hashjoin = off; SET LOCAL enable_mergejoin = off")
    cursor = await connection.cursor(LINKS)
    await connection.execute("SET LOCAL enable_hashjoin = on; SET LOCAL enable_mergejoin = on")
    coming = asyncio.create_task(cursor.fetch(AT_ONCE))
    while rows := await coming:
        coming = asyncio.create_task(cursor.fetch(AT_ONCE))
        # So that the question is sent before the answer to the last one is worked on.
        await asyncio.sleep(0)
        yield rows


LINKS = f"""
    SELECT seq, chain.hash, action_id, {COLUMNS}
      FROM chain LEFT JOIN actions ON actions.id = action_id AND actions.at = action_at
     ORDER BY seq
"""
FIRST = 3
"""Where the columns of the action begin."""


class Misfit(Struct, frozen=True):
    """A link that is not the hash of its action and of the link before it."""

    row: Any
    before: Head


def _misfits(last: Head, rows: Sequence[Any]) -> list[Misfit]:
    """
    The links that do not fit.

    Each is checked against the stored hash before it, not against the right one: so
    one changed action is one breach and not the end of all that follows.
    """
    found = []
    seq, before = last.seq, last.hash
    for row in rows:
        stored = row[1]
        if row[0] != seq + 1 or hashed(before, row[0], Linked(*row[FIRST:])) != stored:
            found.append(Misfit(row, Head(seq, before)))
        seq, before = row[0], stored
    return found


def _named(misfit: Misfit, rows: Sequence[Any]) -> Breach:
    seq, action = misfit.row["seq"], misfit.row["action_id"]
    if seq != misfit.before.seq + 1:
        missing = misfit.before.seq + 1
        return Breach(kind="deleted", seq=missing, message=f"Link {missing} is missing.")
    if misfit.row["id"] is None:
        said = f"Action {action} is missing."
        return Breach(kind="deleted", seq=seq, action_id=action, message=said)
    for other in rows:
        if hashed(misfit.before.hash, seq, Linked(*other[FIRST:])) == misfit.row["hash"]:
            said = f"Action {action} stands where {other['id']} was."
            return Breach(kind="swapped", seq=seq, action_id=action, message=said)
    said = f"Action {action} is not what it was when it was linked."
    return Breach(kind="edited", seq=seq, action_id=action, message=said)


async def _found_elsewhere(connection: asyncpg.Connection, named: Sequence[Breach]) -> list[Breach]:
    """The same; an action that is missing only because it has another time now was edited."""
    missing = [breach.action_id for breach in named if breach.kind == "deleted"]
    rows = await connection.fetch("SELECT id, at FROM actions WHERE id = ANY($1)", missing)
    times = {row["id"]: row["at"] for row in rows}
    return [
        structs.replace(
            breach,
            kind="edited",
            message=f"Action {breach.action_id} has another time, {times[breach.action_id]}.",
        )
        if breach.kind == "deleted" and breach.action_id in times
        else breach
        for breach in named
    ]


class Clock:
    """Notices actions that claim to be older than links made long before theirs."""

    def __init__(self, signed: Sequence[Anchor]) -> None:
        self._anchors = sorted(signed, key=lambda anchor: anchor.seq)
        self._next = 0
        self._earliest: datetime | None = None

    def late(self, rows: Sequence[Any]) -> list[Breach]:
        return [breach for row in rows if row["at"] and (breach := self._late(row))]

    def _late(self, row: Any) -> Breach | None:
        while self._next < len(self._anchors) and self._anchors[self._next].seq < row[0]:
            self._earliest = self._anchors[self._next].at - LATE
            self._next += 1
        if self._earliest is None or row["at"] >= self._earliest:
            return None
        said = f"Action {row['id']} says {row['at']}, but was linked more than an hour later."
        return Breach(kind="backdated", seq=row["seq"], action_id=row["id"], message=said)


# ── The anchors ──


async def _compare(
    connection: asyncpg.Connection, signed: Sequence[Anchor], report: Report
) -> None:
    """Whether what was signed is still there; the first that is not is named."""
    rows = await connection.fetch(
        "SELECT seq, hash, action_id FROM chain WHERE seq = ANY($1)",
        [anchor.seq for anchor in signed],
    )
    there = {row["seq"]: row["hash"].hex() for row in rows}
    good = [anchor.seq for anchor in signed if there.get(anchor.seq) == anchor.hash]
    wrong = [anchor for anchor in signed if there.get(anchor.seq) != anchor.hash]
    for anchor in sorted(wrong, key=lambda anchor: anchor.seq)[:1]:
        since = max([0, *(seq for seq in good if seq < anchor.seq)])
        report.add([await _unlike(connection, anchor, since)])


async def _unlike(connection: asyncpg.Connection, anchor: Anchor, since: int) -> Breach:
    """What became of the links after `since`, the last that is as it was signed."""
    [head] = await connection.fetch(HEAD) or [{"seq": 0}]
    when = f"anchor {anchor.number} of {anchor.at:%Y-%m-%d %H:%M:%S} UTC"
    if head["seq"] < anchor.seq:
        said = (
            f"Link {head['seq'] + 1} is missing and all after it, up to {anchor.seq} by {when}: "
            "the end was cut off, or an old backup restored."
        )
        return Breach(kind="cut", seq=head["seq"] + 1, message=said)
    action = await connection.fetchval("SELECT action_id FROM chain WHERE seq = $1", since + 1)
    said = (
        f"Links {since + 1} to {anchor.seq} are not those of {when}: they were written anew, "
        "or an old backup restored and added to."
    )
    return Breach(kind="rewritten", seq=since + 1, action_id=action, message=said)


# ── What nobody linked ──


async def _strays(connection: asyncpg.Connection, report: Report) -> None:
    """Actions in no link, though the sequencer has passed the place where they stand."""
    [counted] = await connection.fetch(
        """
        WITH unlinked AS MATERIALIZED (
            -- On another server it has not begun yet, whatever was seen on the old one.
            SELECT actions.id, pg_visible_in_snapshot(actions.xid, seen)
                               AND server = system_identifier AS passed
              FROM actions CROSS JOIN chain_progress CROSS JOIN pg_control_system()
             WHERE NOT EXISTS (SELECT FROM chain WHERE action_id = actions.id)
        )
        SELECT count(*) FILTER (WHERE passed) AS strays,
               count(*) FILTER (WHERE NOT passed) AS waiting,
               (array_agg(id ORDER BY id) FILTER (WHERE passed))[:$1] AS first
          FROM unlinked
        """,
        MOST_NAMED,
    )
    report.waiting = counted["waiting"]
    for action in counted["first"] or []:
        said = f"Action {action} was put in beside the service: no link leads to it."
        report.add([Breach(kind="inserted", action_id=action, message=said)])
    report.total += counted["strays"] - len(counted["first"] or [])
