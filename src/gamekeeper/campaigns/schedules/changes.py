"""
Changes of schedules: create, pause, resume, skip a run and delete them.

They only change rows; the worker makes the runs (runner.py). A schedule is compared with the limits
of its author once, when it is created: a run with `max_recipients` on a day without other gifts.
Beyond that it waits for an approval.
"""

from collections.abc import Sequence
from datetime import datetime
from typing import Any
from uuid import UUID

import msgspec

from gamekeeper.campaigns import changes as campaigns
from gamekeeper.campaigns import checks
from gamekeeper.campaigns.changes import CampaignCommand
from gamekeeper.campaigns.records import MAX_RECIPIENTS, CampaignWork
from gamekeeper.campaigns.schedules import storage
from gamekeeper.campaigns.schedules.plans import InvalidSchedule, Plan
from gamekeeper.campaigns.schedules.records import (
    MAX_GRACE_MINUTES,
    MAX_SCHEDULES,
    CampaignSchedule,
    ScheduleState,
)
from gamekeeper.campaigns.schedules.storage import StoredSchedule
from gamekeeper.core import ids
from gamekeeper.core.errors import Conflict, Problem
from gamekeeper.db.database import Writer
from gamekeeper.db.operations import AuditContext, Command, operation
from gamekeeper.ledger import actions
from gamekeeper.ledger.actions import Action, Kind
from gamekeeper.segments import saved


class WrongScheduleState(Conflict):
    """The schedule is not in a state in which this is possible."""

    cacheable = False


class TooManySchedules(Conflict):
    """There are already 100 schedules that have not ended. Delete one first."""

    cacheable = False


class NewSchedule(Command, frozen=True, kw_only=True):
    name: str
    segment: str | None
    """None for an announcement."""
    work: CampaignWork
    per_second: int
    plan: Plan
    grace_minutes: int
    max_recipients: int
    on_join: bool = False


class ScheduleCommand(Command, frozen=True, kw_only=True):
    """Pause, resume or delete a schedule."""

    schedule_id: UUID


class SkippedRun(Command, frozen=True, kw_only=True):
    schedule_id: UUID
    planned_at: datetime | None
    """None: the next run that is not skipped yet."""


@operation
async def create(
    writer: Writer, commands: Sequence[NewSchedule]
) -> list[CampaignSchedule | Problem]:
    """Create schedules; the worker makes their runs."""
    return [await _attempt(_create(writer, command)) for command in commands]


@operation
async def pause(
    writer: Writer, commands: Sequence[ScheduleCommand]
) -> list[CampaignSchedule | Problem]:
    """Pause schedules: no run happens until it is resumed."""
    return [await _attempt(_pause(writer, command)) for command in commands]


@operation
async def resume(
    writer: Writer, commands: Sequence[ScheduleCommand]
) -> list[CampaignSchedule | Problem]:
    """Continue paused schedules with the next run from now on."""
    return [await _attempt(_resume(writer, command)) for command in commands]


@operation
async def skip(writer: Writer, commands: Sequence[SkippedRun]) -> list[CampaignSchedule | Problem]:
    """Skip one of the next runs."""
    return [await _attempt(_skip(writer, command)) for command in commands]


@operation
async def delete(
    writer: Writer, commands: Sequence[ScheduleCommand]
) -> list[CampaignSchedule | Problem]:
    """Delete schedules; their campaigns stay, and one that has not started is stopped."""
    return [await _attempt(_delete(writer, command)) for command in commands]


async def _attempt(change: Any) -> CampaignSchedule | Problem:
    try:
        return await change
    except Problem as refusal:
        # Everything is checked before anything is written.
        return refusal


async def _create(writer: Writer, command: NewSchedule) -> CampaignSchedule:
    now = await writer.value("SELECT now()")
    await _check(writer, command, now)
    definition = None
    if command.segment is not None:
        definition = (await saved.find_segment(writer, command.segment)).definition
    # Two at once must not exceed the limit together.
    await writer.run("SELECT pg_advisory_xact_lock(72, 0)")
    sql = "SELECT count(*) FROM schedules WHERE state <> 'ended'"
    if await writer.value(sql) >= MAX_SCHEDULES:
        raise TooManySchedules
    shown, approver = _shown(command, now), command.by.approved_by
    stored = StoredSchedule(
        shown=shown,
        definition=definition,
        created_by=command.by.actor,
        approved_by=approver and approver.actor,
    )
    await storage.insert(writer, stored)
    plan = msgspec.structs.asdict(command.plan)
    about = {
        "segment": shown.segment,
        "work": msgspec.to_builtins(campaigns.without_text(shown.work)),
        **({"on_join": True} if shown.on_join else {}),
        **{name: value for name, value in plan.items() if value is not None},
    }
    await _record(writer, "schedules.create", command.by, None, _facts(shown) | about)
    return shown


async def _check(writer: Writer, command: NewSchedule, now: datetime) -> None:
    checks.check(command.name, command.per_second, command.work)
    _check_bounds(command)
    _check_segment(command)
    has_end = bool(command.plan.ends_at or command.plan.ends_cron)
    checks.check_reversible(command.work, has_end=has_end)
    checks.check_on_join(
        command.work,
        on_join=command.on_join,
        has_end=has_end,
        max_recipients=command.max_recipients if command.on_join else None,
    )
    command.plan.check(now)
    await checks.check_objects(writer, command.work)
    await campaigns.check_limits(writer, command.by, command.work, command.max_recipients)


def _shown(command: NewSchedule, now: datetime) -> CampaignSchedule:
    """A new schedule, with its first run."""
    by = command.by
    return CampaignSchedule(
        id=ids.new_id(),
        name=command.name.strip(),
        segment=command.segment,
        work=command.work,
        reason=by.reason,
        per_second=command.per_second,
        **msgspec.structs.asdict(command.plan),
        on_join=command.on_join,
        grace_minutes=command.grace_minutes,
        max_recipients=command.max_recipients,
        state="active",
        next_at=command.plan.next_run(now),
        created_at=now,
        created_by_name=by.name,
        approved_by_name=by.approved_by and by.approved_by.name,
    )


def _check_bounds(command: NewSchedule) -> None:
    if not 1 <= command.grace_minutes <= MAX_GRACE_MINUTES:
        raise InvalidSchedule(
            f"'graceMinutes' must be 1 to {MAX_GRACE_MINUTES:,}.", field="graceminutes"
        )
    if not 1 <= command.max_recipients <= MAX_RECIPIENTS:
        raise InvalidSchedule(
            f"'maxRecipients' must be 1 to {MAX_RECIPIENTS:,}.", field="maxrecipients"
        )


def _check_segment(command: NewSchedule) -> None:
    """An announcement is for all game servers, and cannot be taken back."""
    if command.work.kind != "announcement":
        if command.segment is None:
            raise InvalidSchedule(f"'{command.work.kind}' needs 'segment'.", field="segment")
        return
    if command.segment is not None:
        raise InvalidSchedule(
            "An announcement is for all game servers. Leave 'segment' out.", field="segment"
        )


async def _pause(writer: Writer, command: ScheduleCommand) -> CampaignSchedule:
    found = await _locked(writer, command.schedule_id, "active")
    return await _entered(
        writer, "schedules.pause", command.by, found.shown, "paused", found.shown.next_at
    )


async def _resume(writer: Writer, command: ScheduleCommand) -> CampaignSchedule:
    found = await _locked(writer, command.schedule_id, "paused")
    next_at = found.shown.next_at
    if found.shown.cron is not None:
        next_at = found.plan.next_run(await writer.value("SELECT now()"))
    return await _entered(writer, "schedules.resume", command.by, found.shown, "active", next_at)


async def _skip(writer: Writer, command: SkippedRun) -> CampaignSchedule:
    found = await _locked(writer, command.schedule_id, "active")
    planned = storage.next_instants(found.shown)
    stored = await storage.find_runs(writer, found.id, planned)
    waiting = [instant for instant in planned if instant not in stored]
    wanted = command.planned_at or next(iter(waiting), None)
    if wanted is None or wanted not in planned:
        raise InvalidSchedule("'plannedAt' must be one of the next 10 runs.", field="plannedat")
    if wanted in waiting:
        await storage.add_runs(writer, found.id, [wanted], "skipped")
        facts = _facts(found.shown)
        await _record(writer, "schedules.skip", command.by, facts, facts | {"planned_at": wanted})
    return found.shown


async def _delete(writer: Writer, command: ScheduleCommand) -> CampaignSchedule:
    found = await storage.lock(writer, command.schedule_id)
    rows = await writer.rows(UNSTARTED, found.id)
    await campaigns.stop(
        writer, [CampaignCommand(by=command.by, campaign_id=row["id"]) for row in rows]
    )
    await writer.run("DELETE FROM schedules WHERE id = $1", found.id)
    await _record(writer, "schedules.delete", command.by, _facts(found.shown), None)
    return found.shown


UNSTARTED = """
    SELECT campaigns.id
      FROM schedule_runs JOIN campaigns ON campaigns.id = schedule_runs.campaign_id
     WHERE schedule_runs.schedule_id = $1 AND schedule_runs.state = 'preparing'
       AND campaigns.state IN ('preparing', 'ready')
"""


async def _locked(writer: Writer, schedule: UUID, needed: ScheduleState) -> StoredSchedule:
    found = await storage.lock(writer, schedule)
    if found.shown.state != needed:
        raise WrongScheduleState(
            f"The schedule is {found.shown.state}; this needs it {needed}.",
            state=found.shown.state,
        )
    return found


async def _entered(
    writer: Writer,
    kind: Kind,
    by: AuditContext,
    before: CampaignSchedule,
    state: ScheduleState,
    next_at: datetime | None,
) -> CampaignSchedule:
    after = await storage.enter(writer, before.id, state if next_at else "ended", next_at)
    await _record(writer, kind, by, _facts(before), _facts(after))
    return after


async def record_run(
    writer: Writer,
    by: AuditContext,
    schedule: CampaignSchedule,
    planned: datetime,
    about: dict[str, Any],
) -> None:
    """Record how a run went: its state, its campaign, and why it was refused."""
    facts = _facts(schedule) | {"planned_at": planned}
    await _record(writer, "schedules.run", by, None, facts | about)


async def _record(
    writer: Writer,
    kind: Kind,
    by: AuditContext,
    before: dict[str, Any] | None,
    after: dict[str, Any] | None,
) -> None:
    await actions.record(writer, [Action(kind=kind, by=by, before=before, after=after)])


def _facts(schedule: CampaignSchedule) -> dict[str, Any]:
    return {
        "schedule_id": schedule.id,
        "schedule": schedule.name,
        "state": schedule.state,
        "next_at": schedule.next_at,
    }
