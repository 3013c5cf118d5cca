"""
Verification of the hash chain: tamper detection for the audit log.

Four comparisons: the actions with the chain, the postings of each action with the digest in
its link, the chain with itself, and the chain with the anchors. Each finds what the others
cannot: an unlinked action, an added posting, a link with a wrong hash, a consistent chain
that was never signed.
"""

import asyncio
from collections.abc import AsyncIterator, Sequence
from datetime import datetime, timedelta
from typing import Any

import asyncpg
from msgspec import Struct, structs

from gamekeeper.core.progress import StepCallback
from gamekeeper.core.settings import Settings
from gamekeeper.ledger import anchors, verify_unlinked
from gamekeeper.ledger.anchors import NO_LINKS, Anchor, BadAnchors, Head
from gamekeeper.ledger.chain import HEAD
from gamekeeper.ledger.links import ACTION_ONLY, COLUMNS, RESTORE, Linked, Seal, hashed
from gamekeeper.ledger.reports import ChainBreach, ChainReport, Forms
from gamekeeper.ledger.snapshots import instant, lane
from gamekeeper.ledger.verify_postings import Link, Postings

AT_ONCE = 10_000
MOST_COMPARED = 10
LATE = timedelta(hours=1)
"""A link is made within seconds of its action; a larger delay means a backdated action."""


async def find(
    settings: Settings, on_progress: StepCallback = lambda done, total: None
) -> ChainReport:
    """Verify everything in one snapshot; the service may keep writing meanwhile."""
    report = ChainReport()
    # Read anchors before the snapshot is taken: then it contains every anchored link.
    try:
        signed = anchors.read(settings)
    except BadAnchors as fault:
        signed = []
        report.add([ChainBreach(kind="anchors", message=str(fault))])
    report.anchors = len(signed)
    async with (
        lane(settings) as connection,
        lane(settings, await instant(connection)) as beside,
    ):
        beginning = await beside.fetchval("SELECT at FROM ledger_beginning")
        await _walk(connection, Postings(beside, beginning), signed, report, on_progress)
        await _compare(connection, signed, report)
        await verify_unlinked.check(connection, report)
    return report


# ── The links, one after the other ──


async def _walk(
    connection: asyncpg.Connection,
    postings: Postings,
    signed: Sequence[Anchor],
    report: ChainReport,
    on_progress: StepCallback,
) -> None:
    total = int(await connection.fetchval("SELECT count(*) FROM chain") or 0)
    last = NO_LINKS
    clock = Clock(signed)
    async for rows in _links(connection):
        links = [
            Link(row["seq"], Seal(row["form"], row["postings"]), Linked(*row[FIRST:]))
            for row in rows
        ]
        comparing = postings.ask([link for link in links if link.action.id])
        # Let the query be sent before the hashes are computed.
        await asyncio.sleep(0)
        report.links += len(rows)
        for misfit in _misfits(last, rows, links):
            # After many breaches the costly search for swapped actions is not worth it.
            report.add([_named(misfit, rows if report.total < MOST_COMPARED else ())])
        report.add(clock.late(rows) if signed else ())
        report.add(await comparing)
        _count_forms(report.forms, report.links, rows)
        last = Head(rows[-1]["seq"], rows[-1]["hash"])
        report.last_action, report.last_action_at = rows[-1]["action_id"], rows[-1]["action_at"]
        on_progress(report.links, total)
    report.breaches = await _found_elsewhere(connection, report.breaches)


def _count_forms(forms: Forms, links: int, rows: Sequence[Any]) -> None:
    """Count the links of form 1, and those among them that follow a link of form 2."""
    newer = links - len(rows) > forms.old
    for row in rows:
        if row["form"] != ACTION_ONLY:
            newer = True
            continue
        forms.old += 1
        if newer:
            forms.later += 1
            forms.first_later = forms.first_later or row["seq"]


async def _links(connection: asyncpg.Connection) -> AsyncIterator[list[Any]]:
    """All links with their actions, in batches; the next batch is prefetched."""
    # Nested loop: each action is found by its key when its link is read. Any other plan
    # would have to sort all of them before the first.
    await connection.execute("SET LOCAL enable_hashjoin = off; SET LOCAL enable_mergejoin = off")
    cursor = await connection.cursor(LINKS)
    await connection.execute("SET LOCAL enable_hashjoin = on; SET LOCAL enable_mergejoin = on")
    coming = asyncio.create_task(cursor.fetch(AT_ONCE))
    while rows := await coming:
        coming = asyncio.create_task(cursor.fetch(AT_ONCE))
        # Let the next fetch be sent before this batch is processed.
        await asyncio.sleep(0)
        yield rows


LINKS = f"""
    SELECT seq, chain.hash, action_id, action_at, form, postings, {COLUMNS}
      FROM chain LEFT JOIN actions ON actions.id = action_id AND actions.at = action_at
     ORDER BY seq
"""
FIRST = 6
"""The index of the action's first column."""


class Misfit(Struct, frozen=True):
    """A link whose hash does not match its action and the link before it."""

    row: Any
    before: Head


def _misfits(last: Head, rows: Sequence[Any], links: Sequence[Link]) -> list[Misfit]:
    """
    The links whose hash or number is wrong.

    Each is checked against the stored hash before it, not the recomputed one: so one changed
    action is one breach and does not invalidate all later links.
    """
    found = []
    seq, before = last.seq, last.hash
    for row, link in zip(rows, links, strict=True):
        number, stored = row["seq"], row["hash"]
        is_next = _is_next(seq, row)
        if not is_next or hashed(before, number, link.action, link.seal) != stored:
            found.append(Misfit(row, Head(seq, before)))
        seq, before = number, stored
    return found


def _is_next(last: int, row: Any) -> bool:
    """Whether the number follows; that of a restore may skip some, but its hash follows too."""
    return row["seq"] == last + 1 or (row["kind"] == RESTORE and row["seq"] > last)


def _named(misfit: Misfit, rows: Sequence[Any]) -> ChainBreach:
    seq, action = misfit.row["seq"], misfit.row["action_id"]
    if not _is_next(misfit.before.seq, misfit.row):
        missing = misfit.before.seq + 1
        return ChainBreach(kind="deleted", seq=missing, message=f"Link {missing} is missing.")
    if misfit.row["id"] is None:
        said = f"Action {action} is missing."
        return ChainBreach(kind="deleted", seq=seq, action_id=action, message=said)
    seal = Seal(misfit.row["form"], misfit.row["postings"])
    for other in rows:
        linked = Linked(*other[FIRST:])
        if hashed(misfit.before.hash, seq, linked, seal) == misfit.row["hash"]:
            said = f"Action {action} is in the place of {other['id']} was."
            return ChainBreach(kind="swapped", seq=seq, action_id=action, message=said)
    said = f"Action {action} was changed after it was linked."
    return ChainBreach(kind="edited", seq=seq, action_id=action, message=said)


async def _found_elsewhere(
    connection: asyncpg.Connection, named: Sequence[ChainBreach]
) -> list[ChainBreach]:
    """The breaches; an action missing only because its time was changed becomes `edited`."""
    missing = [breach.action_id for breach in named if breach.kind == "deleted"]
    if not missing:
        return list(named)
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
    """Detects backdated actions: much older than an anchor that precedes their link."""

    def __init__(self, signed: Sequence[Anchor]) -> None:
        self._anchors = sorted(signed, key=lambda anchor: anchor.seq)
        self._next = 0
        self._earliest: datetime | None = None

    def late(self, rows: Sequence[Any]) -> list[ChainBreach]:
        return [breach for row in rows if row["at"] and (breach := self._late(row))]

    def _late(self, row: Any) -> ChainBreach | None:
        while self._next < len(self._anchors) and self._anchors[self._next].seq < row["seq"]:
            self._earliest = self._anchors[self._next].at - LATE
            self._next += 1
        if self._earliest is None or row["at"] >= self._earliest:
            return None
        said = f"Action {row['id']} says {row['at']}, but was linked more than an hour later."
        return ChainBreach(kind="backdated", seq=row["seq"], action_id=row["id"], message=said)


# ── The anchors ──


async def _compare(
    connection: asyncpg.Connection, signed: Sequence[Anchor], report: ChainReport
) -> None:
    """Compare the chain with the anchors; report the first mismatch."""
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


async def _unlike(connection: asyncpg.Connection, anchor: Anchor, since: int) -> ChainBreach:
    """The breach after link `since`, the last that matches its anchor."""
    [head] = await connection.fetch(HEAD) or [{"seq": 0}]
    when = f"anchor {anchor.number} of {anchor.at:%Y-%m-%d %H:%M:%S} UTC"
    if head["seq"] < anchor.seq:
        said = (
            f"Link {head['seq'] + 1} is missing and all after it, up to {anchor.seq} by {when}: "
            "the end was cut off, or an old backup was restored."
        )
        return ChainBreach(kind="cut", seq=head["seq"] + 1, message=said)
    action = await connection.fetchval("SELECT action_id FROM chain WHERE seq = $1", since + 1)
    said = (
        f"Links {since + 1} to {anchor.seq} are not those of {when}: they were rewritten, "
        "or an old backup was restored and continued."
    )
    return ChainBreach(kind="rewritten", seq=since + 1, action_id=action, message=said)
