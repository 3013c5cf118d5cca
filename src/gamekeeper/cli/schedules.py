"""Commands of schedules: campaigns at an instant or repeatedly, their next and past runs."""

from datetime import datetime
from typing import Annotated
from uuid import UUID

import typer

from gamekeeper.campaigns.records import DEFAULT_MAX_RECIPIENTS, DEFAULT_PER_SECOND, CampaignWork
from gamekeeper.campaigns.schedules import changes, storage
from gamekeeper.campaigns.schedules.changes import NewSchedule, ScheduleCommand, SkippedRun
from gamekeeper.campaigns.schedules.plans import Plan
from gamekeeper.campaigns.schedules.records import (
    DEFAULT_GRACE_MINUTES,
    CampaignSchedule,
)
from gamekeeper.cli.actor import By
from gamekeeper.cli.campaigns import Cursor, Name, PerSecond, Segment, WorkFile, more, read_work
from gamekeeper.cli.command import Output, TextTable, change, command
from gamekeeper.cli.options import Limit, an_id
from gamekeeper.cli.times import Clock
from gamekeeper.db.database import Database

ScheduleId = Annotated[
    UUID, typer.Argument(metavar="SCHEDULE", parser=an_id, help="The schedule's id.")
]
StartsAt = Annotated[
    str | None, typer.Option("--at", metavar="TIME", help="The time of the only run.")
]
Cron = Annotated[
    str | None, typer.Option(metavar="CRON", help="When it runs, such as '0 18 * * FRI'.")
]
TimeZone = Annotated[
    str, typer.Option("--zone", metavar="ZONE", help="The time zone of cron expressions.")
]
EndsAt = Annotated[
    str | None, typer.Option("--ends", metavar="TIME", help="With --at: when it is reversed.")
]
EndsCron = Annotated[
    str | None,
    typer.Option(metavar="CRON", help="With --cron: each run is reversed at the first match."),
]
GraceMinutes = Annotated[
    int, typer.Option(metavar="NUMBER", help="How late a run can be, 1 to 10,080.")
]
OnJoin = Annotated[
    bool,
    typer.Option("--on-join", help="Send the letters of a run to those who join until its end."),
]
MaxRecipients = Annotated[
    int, typer.Option(metavar="NUMBER", help="A run with more recipients is refused.")
]
Message = Annotated[str, typer.Argument(metavar="TEXT", help="The text of the announcement.")]
Color = Annotated[str | None, typer.Option(metavar="COLOR", help="#RRGGBB or #AARRGGBB.")]
PlannedAt = Annotated[
    str | None, typer.Option("--at", metavar="TIME", help="The run; default: the next.")
]
Before = Annotated[
    str | None, typer.Option("--before", metavar="TIME", help="Only runs planned before.")
]


@command
async def list_(
    database: Database, *, limit: Limit = 20, cursor: Cursor = None, clock: Clock
) -> Output:
    """Show schedules, newest first."""
    found = await storage.list_schedules(database.reader, cursor, limit)
    rows = [
        [str(each.id), each.name, each.state, each.cron or "once", _shown(clock, each.next_at)]
        for each in found.values
    ]
    return Output(found, TextTable(["id", "name", "state", "runs", "next"], rows), more(found.next))


@command
async def show(database: Database, schedule: ScheduleId, *, clock: Clock) -> Output:
    """Show a schedule, with its next run."""
    found = await storage.find_schedule(database.reader, schedule)
    return Output(found, _facts(found, clock))


@change("campaigns.manage")
async def create(
    database: Database,
    name: Name,
    segment: Segment,
    file: WorkFile,
    *,
    starts_at: StartsAt = None,
    cron: Cron = None,
    time_zone: TimeZone = "UTC",
    ends_at: EndsAt = None,
    ends_cron: EndsCron = None,
    on_join: OnJoin = False,
    grace_minutes: GraceMinutes = DEFAULT_GRACE_MINUTES,
    max_recipients: MaxRecipients = DEFAULT_MAX_RECIPIENTS,
    per_second: PerSecond = DEFAULT_PER_SECOND,
    by: By,
    clock: Clock,
) -> Output:
    """
    Plan a campaign at an instant, or repeatedly.

    Each run is a campaign for the members of the segment at that time. The file says what each
    recipient gets. An event from Friday to Monday; with --on-join, a login reward:

        --cron "0 18 * * FRI" --ends-cron "0 9 * * MON" --zone Europe/Berlin
    """
    order = NewSchedule(
        by=by,
        name=name,
        segment=segment,
        work=read_work(file),
        per_second=per_second,
        plan=Plan(
            starts_at=clock.maybe(starts_at),
            cron=cron,
            time_zone=time_zone,
            ends_at=clock.maybe(ends_at),
            ends_cron=ends_cron,
        ),
        grace_minutes=grace_minutes,
        max_recipients=max_recipients,
        on_join=on_join,
    )
    return await _created(database, order, clock)


@change("campaigns.manage", "commands")
async def announce(
    database: Database,
    name: Name,
    message: Message,
    *,
    starts_at: StartsAt = None,
    cron: Cron = None,
    time_zone: TimeZone = "UTC",
    grace_minutes: GraceMinutes = DEFAULT_GRACE_MINUTES,
    color: Color = None,
    by: By,
    clock: Clock,
) -> Output:
    """
    Plan a message to all game servers, at an instant or repeatedly.

        --at 2026-11-20T17:45:00+01:00
    """
    order = NewSchedule(
        by=by,
        name=name,
        segment=None,
        work=CampaignWork(kind="announcement", text=message, color=color),
        per_second=DEFAULT_PER_SECOND,
        plan=Plan(starts_at=clock.maybe(starts_at), cron=cron, time_zone=time_zone),
        grace_minutes=grace_minutes,
        max_recipients=DEFAULT_MAX_RECIPIENTS,
    )
    return await _created(database, order, clock)


async def _created(database: Database, order: NewSchedule, clock: Clock) -> Output:
    made = await changes.create.one(database, order)
    return Output(made, f"Created the schedule {made.id}. Next run: {_shown(clock, made.next_at)}.")


@command
async def next_(database: Database, schedule: ScheduleId, *, clock: Clock) -> Output:
    """Show the next 10 runs of a schedule."""
    found = await storage.list_next_runs(database.reader, schedule)
    rows = [
        [each.local_time, clock.show(each.ends_at), "skipped" if each.skipped else ""]
        for each in found.values
    ]
    return Output(found, TextTable(["planned", "reversed", ""], rows))


@command
async def runs(
    database: Database,
    schedule: ScheduleId,
    *,
    limit: Limit = 20,
    before: Before = None,
    clock: Clock,
) -> Output:
    """Show the runs of a schedule that were due, the last first."""
    found = await storage.list_runs(database.reader, schedule, clock.maybe(before), limit)
    rows = [
        [clock.show(each.planned_at), each.state, str(each.campaign_id or ""), each.code or ""]
        for each in found.values
    ]
    rest = f"More: --before {found.next.isoformat()}" if found.next else None
    return Output(found, TextTable(["planned", "state", "campaign", "reason"], rows), rest)


@change("campaigns.manage")
async def pause(database: Database, schedule: ScheduleId, *, by: By) -> Output:
    """Pause a schedule: no run happens until it is resumed."""
    after = await changes.pause.one(database, ScheduleCommand(by=by, schedule_id=schedule))
    return Output(after, f"Paused the schedule {after.name}.")


@change("campaigns.manage")
async def resume(database: Database, schedule: ScheduleId, *, by: By, clock: Clock) -> Output:
    """Continue a paused schedule with its next run from now on."""
    after = await changes.resume.one(database, ScheduleCommand(by=by, schedule_id=schedule))
    return Output(after, f"Resumed the schedule. Next run: {_shown(clock, after.next_at)}.")


@change("campaigns.manage")
async def skip(
    database: Database, schedule: ScheduleId, *, planned_at: PlannedAt = None, by: By, clock: Clock
) -> Output:
    """Skip one of the next 10 runs."""
    order = SkippedRun(by=by, schedule_id=schedule, planned_at=clock.maybe(planned_at))
    after = await changes.skip.one(database, order)
    return Output(after, f"Skipped a run of the schedule {after.name}.")


@change("campaigns.manage")
async def delete(database: Database, schedule: ScheduleId, *, by: By) -> Output:
    """Delete a schedule; its campaigns stay, and one that has not started is stopped."""
    gone = await changes.delete.one(database, ScheduleCommand(by=by, schedule_id=schedule))
    return Output(gone, f"Deleted the schedule {gone.name}.")


def _shown(clock: Clock, instant: datetime | None) -> str:
    return clock.show(instant) if instant else "none"


def _facts(schedule: CampaignSchedule, clock: Clock) -> dict[str, str]:
    ends = schedule.ends_cron or (clock.show(schedule.ends_at) if schedule.ends_at else "never")
    return {
        "name": schedule.name,
        "segment": schedule.segment or "all game servers",
        "work": schedule.work.kind,
        "runs": schedule.cron or "once",
        "zone": schedule.time_zone,
        "reversed": ends,
        "state": schedule.state,
        "next": _shown(clock, schedule.next_at),
        "author": schedule.created_by_name,
    }
