"""Endpoints of schedules: campaigns at an instant or repeatedly, their next and past runs."""

from datetime import datetime
from uuid import UUID

from gamekeeper.api.path_parameters import ScheduleId
from gamekeeper.api.v1.campaigns import MANAGE, READ, CampaignWorkBody, check_right, work_of
from gamekeeper.approvals import requests
from gamekeeper.approvals.requests import BEYOND_LIMITS
from gamekeeper.auth.principal import Principal
from gamekeeper.campaigns.checks import InvalidCampaign
from gamekeeper.campaigns.records import DEFAULT_MAX_RECIPIENTS, DEFAULT_PER_SECOND
from gamekeeper.campaigns.schedules import changes, storage
from gamekeeper.campaigns.schedules.changes import (
    NewSchedule,
    ScheduleCommand,
    SkippedRun,
    TooManySchedules,
    WrongScheduleState,
)
from gamekeeper.campaigns.schedules.plans import InvalidSchedule, Plan
from gamekeeper.campaigns.schedules.records import (
    DEFAULT_GRACE_MINUTES,
    CampaignSchedule,
    NextRuns,
    ScheduleRuns,
    Schedules,
)
from gamekeeper.campaigns.schedules.storage import ScheduleNotFound
from gamekeeper.catalog.items import UnknownItem
from gamekeeper.core.schemas import Body, Query
from gamekeeper.db.database import Database, Reader
from gamekeeper.db.operations import AuditContext
from gamekeeper.http.routing import Routes
from gamekeeper.players.mailbox.drafts import InvalidLetter
from gamekeeper.players.rules import InvalidQuantity
from gamekeeper.segments.saved import SegmentNotFound
from gamekeeper.servers.commands.payloads import InvalidCommand

routes = Routes("/api/v1/schedules")

MOVED = (ScheduleNotFound, WrongScheduleState)


class CreateSchedule(Body, frozen=True):
    name: str
    """1 to 80 characters, for staff; its campaigns have the same name."""
    work: CampaignWorkBody
    """The work for each recipient, as in a campaign; or an `announcement` to all game servers."""
    segment: str | None = None
    """
    The name of the segment. Each run collects the members of that moment. An announcement has none.
    """
    starts_at: datetime | None = None
    """The instant of the only run; or send `cron`."""
    cron: str | None = None
    """
    When it runs, in local time: minute, hour, day of month, month, day of week, for example
    `0 18 * * FRI`. Two runs must be at least 10 minutes apart. Or send `startsat`.
    """
    time_zone: str = "UTC"
    """The time zone of the cron expressions, such as `Europe/Berlin`."""
    ends_at: datetime | None = None
    """With `startsat`: when the run is reversed; by default never."""
    ends_cron: str | None = None
    """With `cron`: each run is reversed at the first match after its start; by default never."""
    on_join: bool = False
    """
    Whether recipients of a run get the letter when they join a game server until the run ends, as
    a login reward. It needs `endsat` or `endscron`, and nothing is reversed at the end.
    """
    grace_minutes: int = DEFAULT_GRACE_MINUTES
    """How many minutes late a run can be, 1 to 10,080; after that it is missed."""
    max_recipients: int = DEFAULT_MAX_RECIPIENTS
    """
    A run with more recipients is refused, 1 to 10,000,000. With `onjoin`, no more characters get
    the letter of a run. It counts against your limits.
    """
    per_second: int = DEFAULT_PER_SECOND
    """The most recipients a second, 1 to 10,000."""


class SkipRun(Body, frozen=True):
    planned_at: datetime | None = None
    """One of the next 10 planned instants; by default the next that is not skipped."""


class SchedulesQuery(Query, frozen=True):
    cursor: UUID | None = None
    """The cursor of the next page: `Next` of the previous response."""
    limit: int = 20
    """The page size, 1 to 100; values out of range are clamped."""


class RunsQuery(Query, frozen=True):
    cursor: datetime | None = None
    """The cursor of the next page: `Next` of the previous response."""
    limit: int = 20
    """The page size, 1 to 100; values out of range are clamped."""


@routes.get("", READ)
async def list_schedules(reader: Reader, query: SchedulesQuery) -> Schedules:
    """Schedules, newest first."""
    return await storage.list_schedules(reader, query.cursor, query.limit)


@routes.get("/{schedule_id}", READ, raises=(ScheduleNotFound,))
async def get_schedule(reader: Reader, schedule_id: ScheduleId) -> CampaignSchedule:
    """One schedule, with its next planned instant."""
    return await storage.find_schedule(reader, schedule_id)


@routes.post(
    "",
    MANAGE,
    raises=(
        *(InvalidSchedule, InvalidCampaign, InvalidCommand, InvalidLetter, InvalidQuantity),
        UnknownItem,
        *(SegmentNotFound, TooManySchedules, *BEYOND_LIMITS),
    ),
)
async def create_schedule(
    database: Database, caller: Principal, by: AuditContext, body: CreateSchedule
) -> CampaignSchedule:
    """
    Plan a campaign at an instant, or repeatedly.

    For each run the worker creates a campaign, collects its recipients and starts it in your name,
    if you still have the permissions: `campaigns.manage` and that of the work. If `maxrecipients`
    exceeds your limits of a day, the response is 202 with the id of a request for approval; an
    approved schedule no longer counts against your limits.
    """
    check_right(caller, body.work.kind)
    command = NewSchedule(
        by=by,
        name=body.name,
        segment=body.segment,
        work=work_of(body.work),
        per_second=body.per_second,
        plan=Plan(
            starts_at=body.starts_at,
            cron=body.cron,
            time_zone=body.time_zone,
            ends_at=body.ends_at,
            ends_cron=body.ends_cron,
        ),
        grace_minutes=body.grace_minutes,
        max_recipients=body.max_recipients,
        on_join=body.on_join,
    )
    return await requests.carry_out(database, changes.create, command)


@routes.get("/{schedule_id}/next", READ, raises=(ScheduleNotFound,))
async def list_next_runs(reader: Reader, schedule_id: ScheduleId) -> NextRuns:
    """The next 10 planned runs; none if the schedule is paused or has ended."""
    return await storage.list_next_runs(reader, schedule_id)


@routes.get("/{schedule_id}/runs", READ, raises=(ScheduleNotFound,))
async def list_schedule_runs(
    reader: Reader, schedule_id: ScheduleId, query: RunsQuery
) -> ScheduleRuns:
    """The runs that were due, the last first, with their campaigns; also those that are skipped."""
    return await storage.list_runs(reader, schedule_id, query.cursor, query.limit)


@routes.post("/{schedule_id}/pause", MANAGE, raises=MOVED)
async def pause_schedule(
    database: Database, by: AuditContext, schedule_id: ScheduleId
) -> CampaignSchedule:
    """Pause a schedule: no run happens until it is resumed."""
    return await changes.pause.one(database, ScheduleCommand(by=by, schedule_id=schedule_id))


@routes.post("/{schedule_id}/resume", MANAGE, raises=MOVED)
async def resume_schedule(
    database: Database, by: AuditContext, schedule_id: ScheduleId
) -> CampaignSchedule:
    """Continue a paused schedule with its next run from now on."""
    return await changes.resume.one(database, ScheduleCommand(by=by, schedule_id=schedule_id))


@routes.post("/{schedule_id}/skip", MANAGE, raises=(*MOVED, InvalidSchedule))
async def skip_run(
    database: Database, by: AuditContext, schedule_id: ScheduleId, body: SkipRun
) -> CampaignSchedule:
    """Skip one of the next 10 runs."""
    command = SkippedRun(by=by, schedule_id=schedule_id, planned_at=body.planned_at)
    return await changes.skip.one(database, command)


@routes.delete("/{schedule_id}", MANAGE, raises=(ScheduleNotFound,))
async def delete_schedule(
    database: Database, by: AuditContext, schedule_id: ScheduleId
) -> CampaignSchedule:
    """Delete a schedule; its campaigns stay, and one that has not started is stopped."""
    return await changes.delete.one(database, ScheduleCommand(by=by, schedule_id=schedule_id))
