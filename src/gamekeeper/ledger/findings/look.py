"""
The hourly look: a leader compares each full hour with those of the weeks before.

It reads only sums by the hour (`item_hours`, `item_gifts`, `action_counts`), never the ledger. An
hour is looked at when it is over and everything in it has been added up; how far it came is
written with the findings, in one transaction, so two leaders find nothing twice. After downtime
it goes on where it stopped, but not more than two weeks back.
"""

import asyncio
from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import LiteralString
from uuid import UUID

import asyncpg
from msgspec import Struct

from gamekeeper.core.ids import NIL
from gamekeeper.core.observability import loggers
from gamekeeper.core.settings import Settings
from gamekeeper.core.tasks import pause
from gamekeeper.db import leader
from gamekeeper.db.database import Writer
from gamekeeper.db.leader import Duty
from gamekeeper.ledger.findings import baseline, discoveries, flags
from gamekeeper.ledger.findings.baseline import DAY, FLOOR, PEAK_DAYS, Baseline
from gamekeeper.ledger.findings.discoveries import Found
from gamekeeper.ledger.findings.records import Measure

PAUSE_SECONDS = 20
HOURS_AT_ONCE = 24
CATCH_UP = timedelta(days=14)
HOUR = timedelta(hours=1)
GRACE = timedelta(minutes=2)
"""After the end of an hour, for transactions that began in it."""

DUTY = Duty(name="findings", lock=0x66696E64)  # "find"

log = loggers.get_logger()


async def follow(settings: Settings, stop: asyncio.Event) -> None:
    """Apply the rules and look at hours that are over, until `stop`; in one process at a time."""
    await leader.lead(
        settings, DUTY, lambda connection: _look_until(connection, settings, stop), stop
    )


async def _look_until(
    connection: asyncpg.Connection, settings: Settings, stop: asyncio.Event
) -> None:
    writer = Writer(connection, settings)
    while not stop.is_set():
        async with connection.transaction():
            hours = await look(writer)
        if hours < HOURS_AT_ONCE:
            await pause(stop, PAUSE_SECONDS)


class DueHours(Struct, frozen=True):
    now: datetime
    until: datetime | None
    first: datetime | None
    """The first hour with sums; None: none yet."""
    unadded_at: datetime | None
    uncounted_at: datetime | None


async def look(writer: Writer, most: int = HOURS_AT_ONCE) -> int:
    """Apply the rules, then look at the next hours that are over; returns how many."""
    # The lock makes it safe beside another leader.
    [row] = await writer.rows("SELECT until FROM look_progress FOR UPDATE")
    [due] = await writer.all(DueHours, DUE, row["until"])
    if due.first is None:
        return 0
    since = _since(due)
    await flags.apply(writer, since)
    hours = 0
    while hours < most and since + HOUR <= _complete_until(due):
        await _look_at(writer, since, due.first)
        since += HOUR
        hours += 1
    if since != due.until:
        await writer.run("UPDATE look_progress SET until = $1", since)
    return hours


DUE: LiteralString = """
    SELECT now() AS now, $1::timestamptz AS until,
           least((SELECT min(hour) FROM item_hours), (SELECT min(hour) FROM item_gifts)) AS first,
           (SELECT at FROM postings
             WHERE xid >= (SELECT xid FROM economy_horizon)
               AND xid < pg_snapshot_xmax(pg_current_snapshot())
             ORDER BY xid LIMIT 1) AS unadded_at,
           (SELECT action_at FROM chain
             WHERE seq > (SELECT seq FROM action_counts_progress)
             ORDER BY seq LIMIT 1) AS uncounted_at
"""


def _since(due: DueHours) -> datetime:
    """The next hour to look at; at most two weeks ago."""
    assert due.first is not None
    oldest = due.now.replace(minute=0, second=0, microsecond=0) - CATCH_UP
    if due.until and due.until < oldest:
        log.warning("findings_hours_skipped", since=due.until, until=oldest)
    return max(due.until or due.first, oldest)


def _complete_until(due: DueHours) -> datetime:
    waiting = [at for at in (due.unadded_at, due.uncounted_at) if at is not None]
    return min([due.now - GRACE, *waiting])


class CandidateHour(Struct, frozen=True):
    item_id: UUID
    """NIL for new accounts."""
    measure: Measure
    quantity: int
    first: datetime | None
    """The first hour that is known of the item."""


async def _look_at(writer: Writer, hour: datetime, first: datetime) -> None:
    if not baseline.has_history(hour, first):
        return
    found = await writer.all(CandidateHour, CANDIDATES, hour, FLOOR, first)
    candidates = [one for one in found if baseline.has_history(hour, one.first)]
    if not candidates:
        return
    compared = baseline.compared_hours(hour, first)
    unusual = _unusual(candidates, await _baselines(writer, candidates, compared))
    if not unusual:
        return
    peaks = await _peaks(writer, list(unusual), hour)
    usual = {one: baseline.with_peaks(unusual[one], peaks.get(_key(one), [])) for one in unusual}
    for one, base in usual.items():
        if one.quantity > base.threshold:
            await _open(writer, hour, one, base)


def _key(one: CandidateHour) -> tuple[UUID, str]:
    return one.item_id, one.measure


def _unusual(
    candidates: Sequence[CandidateHour], known: dict[tuple[UUID, str], Baseline]
) -> dict[CandidateHour, Baseline]:
    return {one: base for one in candidates if one.quantity > (base := known[_key(one)]).threshold}


async def _baselines(
    writer: Writer, candidates: Sequence[CandidateHour], compared: Sequence[datetime]
) -> dict[tuple[UUID, str], Baseline]:
    rows = await writer.rows(COMPARED, list(compared), _items(candidates))
    seen: dict[tuple[UUID, str], list[int]] = {}
    for row in rows:
        seen.setdefault((row["item_id"], row["measure"]), []).append(row["quantity"])
    return {
        _key(one): baseline.of_hours(_padded(seen.get(_key(one), []), len(compared)))
        for one in candidates
    }


def _padded(quantities: Sequence[int], size: int) -> list[int]:
    """An hour without any has no row."""
    return [*quantities, *[0] * (size - len(quantities))]


async def _peaks(
    writer: Writer, candidates: Sequence[CandidateHour], hour: datetime
) -> dict[tuple[UUID, str], list[int]]:
    """The highest hour of each of the days before that had any."""
    rows = await writer.rows(PEAKS, hour - DAY * PEAK_DAYS, hour, _items(candidates))
    peaks: dict[tuple[UUID, str], list[int]] = {}
    for row in rows:
        peaks.setdefault((row["item_id"], row["measure"]), []).append(row["peak"])
    return peaks


def _items(candidates: Sequence[CandidateHour]) -> list[UUID]:
    return sorted({one.item_id for one in candidates})


async def _open(writer: Writer, hour: datetime, one: CandidateHour, base: Baseline) -> None:
    found = Found(
        measure=one.measure,
        item_id=None if one.item_id == NIL else one.item_id,
        began_at=hour,
        ended_at=hour + HOUR,
        quantity=one.quantity,
        usual=base.usual,
        threshold=base.threshold,
    )
    if not await discoveries.grow(writer, found):
        await discoveries.store(writer, [found])


# PostgreSQL applies conditions on the item and the hour to each part, and uses its indexes.
MEASURED: LiteralString = """
    SELECT item_id, hour, measure, quantity
      FROM item_hours
     CROSS JOIN LATERAL (VALUES ('created', created), ('destroyed', destroyed),
                                ('traded', traded)) AS measures (measure, quantity)
    UNION ALL
    SELECT item_id, hour, 'given', sum(quantity)::bigint FROM item_gifts GROUP BY item_id, hour
    UNION ALL
    SELECT '00000000-0000-0000-0000-000000000000', hour, 'accounts', count
      FROM action_counts WHERE kind = 'users.register'
"""

CANDIDATES: LiteralString = f"""
    SELECT item_id, measure, quantity,
           CASE WHEN measure = 'accounts' THEN $3::timestamptz
                ELSE least((SELECT min(hour) FROM item_hours AS known
                             WHERE known.item_id = candidates.item_id),
                           (SELECT min(hour) FROM item_gifts AS known
                             WHERE known.item_id = candidates.item_id))
           END AS first
      FROM (SELECT * FROM ({MEASURED}) AS measured
             WHERE hour = $1 AND quantity > $2) AS candidates
"""

COMPARED: LiteralString = f"""
    SELECT item_id, measure, quantity
      FROM ({MEASURED}) AS measured
     WHERE hour = ANY($1) AND item_id = ANY($2)
"""

PEAKS: LiteralString = f"""
    SELECT item_id, measure, max(quantity) AS peak
      FROM ({MEASURED}) AS measured
     WHERE hour >= $1 AND hour < date_trunc('day', $2::timestamptz, 'UTC')
       AND item_id = ANY($3) AND quantity > 0
     GROUP BY item_id, measure, date_trunc('day', hour, 'UTC')
"""
