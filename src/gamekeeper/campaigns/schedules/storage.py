"""The rows of schedules and of their runs: find, list, lock and write them."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, LiteralString
from uuid import UUID
from zoneinfo import ZoneInfo

import msgspec
from msgspec import Struct

from gamekeeper.campaigns.records import CampaignWork
from gamekeeper.campaigns.schedules.plans import Plan
from gamekeeper.campaigns.schedules.records import (
    NEXT_RUNS,
    CampaignSchedule,
    NextRun,
    NextRuns,
    RunState,
    ScheduleRun,
    ScheduleRuns,
    Schedules,
    ScheduleState,
)
from gamekeeper.core.errors import NotFound
from gamekeeper.core.schemas import LARGEST_PAGE
from gamekeeper.db.database import Queryable, Reader, Writer
from gamekeeper.ledger.audit_log import MAX_ID
from gamekeeper.segments.records import Definition


class ScheduleNotFound(NotFound):
    """No schedule has that id."""


class StoredSchedule(Struct, frozen=True, kw_only=True):
    """A schedule, and what only the worker needs of it."""

    shown: CampaignSchedule
    definition: Definition | None
    """None for an announcement."""
    created_by: str
    approved_by: str | None

    @property
    def id(self) -> UUID:
        return self.shown.id

    @property
    def plan(self) -> Plan:
        return plan_of(self.shown)


def plan_of(schedule: CampaignSchedule) -> Plan:
    """The plan of a schedule: when it runs, and when its runs end."""
    return Plan(**{name: getattr(schedule, name) for name in Plan.__struct_fields__})


_SHOWN: LiteralString = """
    id, name, segment, work, reason, per_second, starts_at, cron, time_zone, ends_at, ends_cron,
    on_join, grace_minutes, max_recipients, state, next_at, created_at, created_by_name,
    approved_by_name
"""
_SHOWN_FIELDS = [name.strip() for name in _SHOWN.split(",")]


async def find_schedule(reader: Queryable, schedule: UUID) -> CampaignSchedule:
    """One schedule; raises ScheduleNotFound."""
    rows = await reader.rows(f"SELECT {_SHOWN} FROM schedules WHERE id = $1", schedule)
    if not rows:
        raise missing(schedule)
    return _schedule(rows[0])


async def list_schedules(reader: Reader, cursor: UUID | None, limit: int) -> Schedules:
    """A page of schedules, newest first."""
    limit = max(1, min(limit, LARGEST_PAGE))
    rows = await reader.rows(
        f"SELECT {_SHOWN} FROM schedules WHERE id < $1 ORDER BY id DESC LIMIT $2",
        cursor or MAX_ID,
        limit + 1,
    )
    values = [_schedule(row) for row in rows[:limit]]
    return Schedules(values=values, next=values[-1].id if len(rows) > limit else None)


async def lock(writer: Writer, schedule: UUID) -> StoredSchedule:
    """A schedule that nobody else can change until the transaction ends."""
    rows = await writer.rows(
        f"""
        SELECT {_SHOWN}, definition, created_by, approved_by
          FROM schedules WHERE id = $1 FOR UPDATE
        """,
        schedule,
    )
    if not rows:
        raise missing(schedule)
    row = rows[0]
    return StoredSchedule(
        shown=_schedule(row),
        definition=msgspec.convert(row["definition"], Definition | None),
        created_by=row["created_by"],
        approved_by=row["approved_by"],
    )


async def insert(writer: Writer, schedule: StoredSchedule) -> None:
    """Store a new schedule."""
    shown = schedule.shown
    await writer.run(
        """
        INSERT INTO schedules (id, name, segment, definition, work, reason, per_second, starts_at,
                               cron, time_zone, ends_at, ends_cron, grace_minutes, max_recipients,
                               next_at, created_at, created_by, created_by_name, approved_by,
                               approved_by_name, on_join)
        VALUES ($1, $2, $3, $4::text::jsonb, $5::text::jsonb, $6, $7, $8, $9, $10, $11, $12, $13,
                $14, $15, $16, $17, $18, $19, $20, $21)
        """,
        *(shown.id, shown.name, shown.segment),
        schedule.definition and msgspec.json.encode(schedule.definition).decode(),
        msgspec.json.encode(shown.work).decode(),
        *(shown.reason, shown.per_second, shown.starts_at, shown.cron, shown.time_zone),
        *(shown.ends_at, shown.ends_cron, shown.grace_minutes, shown.max_recipients),
        *(shown.next_at, shown.created_at, schedule.created_by, shown.created_by_name),
        *(schedule.approved_by, shown.approved_by_name, shown.on_join),
    )


async def enter(
    writer: Writer, schedule: UUID, state: ScheduleState, next_at: datetime | None
) -> CampaignSchedule:
    """Put a schedule into a state, with its next planned instant."""
    [row] = await writer.rows(
        f"UPDATE schedules SET state = $2, next_at = $3 WHERE id = $1 RETURNING {_SHOWN}",
        schedule,
        state,
        next_at,
    )
    return _schedule(row)


async def add_runs(
    writer: Writer,
    schedule: UUID,
    planned: Sequence[datetime],
    state: RunState,
    *,
    campaign: UUID | None = None,
    code: str | None = None,
) -> None:
    """Store runs of planned instants; one that is stored already is an error of the caller."""
    await writer.run(
        """
        INSERT INTO schedule_runs (schedule_id, planned_at, state, campaign_id, code)
        SELECT $1, unnest($2::timestamptz[]), $3, $4, $5
        """,
        schedule,
        list(planned),
        state,
        campaign,
        code,
    )


async def decide_run(
    writer: Writer, schedule: UUID, planned: datetime, state: RunState, code: str | None
) -> None:
    """Write the state of a run whose recipients have been collected."""
    await writer.run(
        """
        UPDATE schedule_runs SET state = $3, code = $4, at = now()
         WHERE schedule_id = $1 AND planned_at = $2
        """,
        schedule,
        planned,
        state,
        code,
    )


async def find_runs(
    reader: Queryable, schedule: UUID, planned: Sequence[datetime]
) -> dict[datetime, ScheduleRun]:
    """The stored runs of these planned instants."""
    rows = await reader.rows(
        f"SELECT {_RUN} FROM schedule_runs WHERE schedule_id = $1 AND planned_at = ANY($2)",
        schedule,
        list(planned),
    )
    return {row["planned_at"]: ScheduleRun(**row) for row in rows}


_RUN: LiteralString = "planned_at, state, campaign_id, code, at"


async def list_runs(
    reader: Reader, schedule: UUID, cursor: datetime | None, limit: int
) -> ScheduleRuns:
    """A page of the runs of a schedule, the last planned instant first."""
    await find_schedule(reader, schedule)
    limit = max(1, min(limit, LARGEST_PAGE))
    rows = await reader.rows(
        f"""
        SELECT {_RUN} FROM schedule_runs
         WHERE schedule_id = $1 AND planned_at < coalesce($2, 'infinity'::timestamptz)
         ORDER BY planned_at DESC LIMIT $3
        """,
        schedule,
        cursor,
        limit + 1,
    )
    values = [ScheduleRun(**row) for row in rows[:limit]]
    return ScheduleRuns(values=values, next=values[-1].planned_at if len(rows) > limit else None)


async def list_next_runs(reader: Queryable, schedule: UUID) -> NextRuns:
    """The next planned runs of a schedule, at most 10; none if it is paused or ended."""
    found = await find_schedule(reader, schedule)
    if found.state != "active" or found.next_at is None:
        return NextRuns(values=[])
    planned = next_instants(found)
    stored = await find_runs(reader, schedule, planned)
    plan, zone = plan_of(found), ZoneInfo(found.time_zone)
    return NextRuns(
        values=[
            NextRun(
                planned_at=instant,
                local_time=instant.astimezone(zone).isoformat(),
                ends_at=plan.end_of(instant),
                skipped=instant in stored,
            )
            for instant in planned
        ]
    )


def next_instants(schedule: CampaignSchedule) -> list[datetime]:
    """The next planned instants of a schedule, at most 10."""
    assert schedule.next_at is not None
    found = [schedule.next_at]
    for instant in plan_of(schedule).runs(schedule.next_at):
        if len(found) == NEXT_RUNS:
            break
        found.append(instant)
    return found


def _schedule(row: Mapping[str, Any]) -> CampaignSchedule:
    fields = {name: row[name] for name in _SHOWN_FIELDS}
    return CampaignSchedule(**{**fields, "work": msgspec.convert(row["work"], CampaignWork)})


def missing(schedule: UUID) -> ScheduleNotFound:
    """The error for an unknown id."""
    return ScheduleNotFound(f"No schedule has the id '{schedule}'.")
