"""
The worker of schedules: makes a campaign for each planned instant, and starts it.

An announcement is sent to all game servers in the transaction of its run.

Two transactions for each run. The first stores the run, creates its campaign and moves the schedule
to its next instant: all or nothing, so that a kill in between repeats no run and loses none. The
second starts the campaign when its recipients have been collected. Both lock the schedule, so that
two workers at once wait for each other, and the second one finds the work done.
"""

import asyncio
from collections.abc import Awaitable, Callable
from datetime import datetime, timedelta
from uuid import UUID

import asyncpg

from gamekeeper.auth import current_rights
from gamekeeper.auth.principal import Principal
from gamekeeper.campaigns import changes as campaigns
from gamekeeper.campaigns import storage as campaign_storage
from gamekeeper.campaigns.changes import CampaignCommand, CampaignStart, PlannedCampaign
from gamekeeper.campaigns.records import SCOPES
from gamekeeper.campaigns.schedules import changes, storage
from gamekeeper.campaigns.schedules.storage import ScheduleNotFound, StoredSchedule
from gamekeeper.core import tasks
from gamekeeper.core.errors import Problem, Unavailable
from gamekeeper.core.observability import loggers
from gamekeeper.db import leader
from gamekeeper.db.database import Database, Queryable, Writer
from gamekeeper.db.leader import Duty
from gamekeeper.db.operations import CLAIMED, COMMAND_LINE, Approver, AuditContext
from gamekeeper.servers import leases
from gamekeeper.servers.commands import outbox
from gamekeeper.servers.commands.outbox import NewCommand

DUTY = Duty(name="schedules", lock=0x73636864)  # "schd"
WORKER = AuditContext(actor="system", name="schedules")
MANAGE = "campaigns.manage"
IDLE_SECONDS = 1.0

# Why a run is refused, beside the codes of errors.
AUTHOR_LOST_RIGHTS = "author_lost_rights"
NO_RECIPIENTS = "no_recipients"
NO_SERVERS = "no_servers"
TOO_MANY_RECIPIENTS = "too_many_recipients"
CAMPAIGN_STOPPED = "campaign_stopped"
INTERNAL_ERROR = "internal_error"

Step = Callable[[Writer], Awaitable[object]]

log = loggers.get_logger()


async def follow(database: Database, stop: asyncio.Event) -> None:
    """Make and start runs until `stop`; of all workers, one does."""

    async def work(connection: asyncpg.Connection) -> None:
        while not stop.is_set():
            # By this connection, so that it stays in use while it leads.
            due = await connection.fetch(DUE)
            collected = await connection.fetch(COLLECTED)
            for row in due:
                await advance(database, row["id"])
            for row in collected:
                await start_run(database, row["schedule_id"], row["planned_at"])
            await tasks.pause(stop, IDLE_SECONDS)

    await leader.lead(database.settings, DUTY, work, stop)


DUE = """
    SELECT id FROM schedules WHERE state = 'active' AND next_at <= statement_timestamp()
     ORDER BY next_at
"""
COLLECTED = """
    SELECT schedule_runs.schedule_id, planned_at
      FROM schedule_runs JOIN campaigns ON campaigns.id = schedule_runs.campaign_id
     WHERE schedule_runs.state = 'preparing' AND campaigns.state <> 'preparing'
     ORDER BY planned_at
"""


async def advance(database: Database, schedule: UUID) -> None:
    """Make the run of a schedule that is due, and move the schedule to its next instant."""
    await _guarded(
        database,
        schedule,
        lambda writer: _advance(writer, schedule),
        lambda writer: give_up(writer, schedule),
    )


async def start_run(database: Database, schedule: UUID, planned: datetime) -> None:
    """Start the campaign of a run, whose recipients have been collected."""
    await _guarded(
        database,
        schedule,
        lambda writer: _start(writer, schedule, planned),
        lambda writer: _give_up_start(writer, schedule, planned),
        lambda writer: _stop_campaign(writer, schedule, planned),
    )


async def _guarded(
    database: Database,
    schedule: UUID,
    step: Step,
    *give_up: Step,
) -> None:
    """One schedule must not hold up the others: if its step fails, its run is refused."""
    try:
        await database.write(step)
    except (Unavailable, OSError, TimeoutError):
        raise
    except ScheduleNotFound:
        pass  # Deleted since it was listed.
    except Exception:
        log.exception("schedule_step_failed", schedule=str(schedule))
        for last_step in give_up:
            await _abandon(database, schedule, last_step)


async def _abandon(database: Database, schedule: UUID, give_up: Step) -> None:
    """Give up a step; if that fails, for example because a newer version wrote it, it stays due."""
    try:
        await database.write(give_up)
    except (Unavailable, OSError, TimeoutError):
        raise
    except ScheduleNotFound:
        pass
    except Exception:
        log.exception("schedule_give_up_failed", schedule=str(schedule))


async def _advance(writer: Writer, schedule: UUID) -> None:
    found = await storage.lock(writer, schedule)
    now = await writer.value("SELECT statement_timestamp()")
    first = found.shown.next_at
    if found.shown.state != "active" or first is None or first > now:
        return
    due = found.plan.due(first, now)
    stored = await storage.find_runs(writer, schedule, due)
    latest = due[-1]
    missed = due if _is_too_late(found, latest, now) else due[:-1]
    await storage.add_runs(
        writer, schedule, [planned for planned in missed if planned not in stored], "missed"
    )
    if latest in stored:
        pass  # Staff skipped it.
    elif latest in missed:
        await changes.record_run(writer, WORKER, found.shown, latest, {"run": "missed"})
    else:
        await _make_run(writer, found, latest)
    await _move_on(writer, found, latest)


def _is_too_late(schedule: StoredSchedule, planned: datetime, now: datetime) -> bool:
    """Whether the grace period of a run has passed, or its end."""
    ends_at = schedule.plan.end_of(planned)
    grace = timedelta(minutes=schedule.shown.grace_minutes)
    return now > planned + grace or (ends_at is not None and ends_at <= now)


async def _move_on(writer: Writer, schedule: StoredSchedule, planned: datetime) -> None:
    """Set the instant after a run; without one the schedule has ended."""
    next_at = schedule.plan.next_run(planned)
    await storage.enter(writer, schedule.id, "active" if next_at else "ended", next_at)


async def give_up(writer: Writer, schedule: UUID) -> None:
    """Refuse a run that fails, and pause its schedule: each further run might fail too."""
    found = await storage.lock(writer, schedule)
    now = await writer.value("SELECT statement_timestamp()")
    planned = found.shown.next_at
    if found.shown.state != "active" or planned is None or planned > now:
        return  # Staff changed it, or another worker made the run.
    if not await storage.find_runs(writer, schedule, [planned]):
        await _refuse(writer, found, planned, INTERNAL_ERROR)
    await storage.enter(writer, schedule, "paused", planned)


async def _make_run(writer: Writer, schedule: StoredSchedule, planned: datetime) -> None:
    """Create the campaign of a run, or refuse the run."""
    author = await _find_author(writer, schedule)
    if author is None:
        await _refuse(writer, schedule, planned, AUTHOR_LOST_RIGHTS)
        return
    if schedule.definition is None:
        await _announce(writer, schedule, planned, author)
        return
    shown = schedule.shown
    assert shown.segment is not None
    command = PlannedCampaign(
        by=_audit_context(schedule, author),
        name=shown.name,
        segment=shown.segment,
        work=shown.work,
        per_second=shown.per_second,
        ends_at=schedule.plan.end_of(planned),
        on_join=shown.on_join,
        max_recipients=shown.max_recipients if shown.on_join else None,
        definition=schedule.definition,
        schedule_id=schedule.id,
    )
    [made] = await campaigns.create(writer, [command])
    if isinstance(made, Problem):
        await _refuse(writer, schedule, planned, made.code)
        return
    await storage.add_runs(writer, schedule.id, [planned], "preparing", campaign=made.id)
    about = {"run": "preparing", "campaign_id": made.id}
    await changes.record_run(writer, WORKER, shown, planned, about)


async def _announce(
    writer: Writer, schedule: StoredSchedule, planned: datetime, author: Principal
) -> None:
    """Send a message to all live game servers, in the transaction of the run."""
    by, said = _audit_context(schedule, author), schedule.shown.work.message()
    commands = [
        NewCommand(by=by, server_id=server, kind="message", payload=said)
        for server in await leases.live(writer)
    ]
    refusals = [
        outcome.code
        for outcome in await outbox.send(writer, commands)
        if isinstance(outcome, Problem)
    ]
    if len(refusals) == len(commands):
        await _refuse(writer, schedule, planned, refusals[0] if refusals else NO_SERVERS)
        return
    await storage.add_runs(writer, schedule.id, [planned], "started")
    about = {"run": "started", "servers": len(commands) - len(refusals)}
    await changes.record_run(writer, WORKER, schedule.shown, planned, about)


async def _refuse(writer: Writer, schedule: StoredSchedule, planned: datetime, code: str) -> None:
    """List a run that does not happen, with the reason."""
    await storage.add_runs(writer, schedule.id, [planned], "refused", code=code)
    about = {"run": "refused", "code": code}
    await changes.record_run(writer, WORKER, schedule.shown, planned, about)


async def _start(writer: Writer, schedule: UUID, planned: datetime) -> None:
    # The schedule first, then its campaign: all who lock both do so in this order.
    found = await storage.lock(writer, schedule)
    run = (await storage.find_runs(writer, schedule, [planned])).get(planned)
    if run is None or run.state != "preparing" or run.campaign_id is None:
        return
    if code := await _started(writer, found, run.campaign_id):
        await _refuse_start(writer, found, planned, run.campaign_id, code)
        await _stop_campaign(writer, schedule, planned)
    else:
        await storage.decide_run(writer, schedule, planned, "started", None)


async def _refuse_start(
    writer: Writer, schedule: StoredSchedule, planned: datetime, campaign: UUID, code: str
) -> None:
    """List a run whose campaign does not start, with the reason."""
    await storage.decide_run(writer, schedule.id, planned, "refused", code)
    about = {"run": "refused", "code": code, "campaign_id": campaign}
    await changes.record_run(writer, WORKER, schedule.shown, planned, about)


async def _give_up_start(writer: Writer, schedule: UUID, planned: datetime) -> None:
    """Refuse a run whose start fails."""
    found = await storage.lock(writer, schedule)
    run = (await storage.find_runs(writer, schedule, [planned])).get(planned)
    if run and run.state == "preparing" and run.campaign_id:
        await _refuse_start(writer, found, planned, run.campaign_id, INTERNAL_ERROR)


async def _stop_campaign(writer: Writer, schedule: UUID, planned: datetime) -> None:
    """Stop the campaign of a refused run; on its own, for it may be what fails."""
    await storage.lock(writer, schedule)
    run = (await storage.find_runs(writer, schedule, [planned])).get(planned)
    if run and run.state == "refused" and run.campaign_id:
        await campaigns.stop(writer, [CampaignCommand(by=WORKER, campaign_id=run.campaign_id)])


async def _started(writer: Writer, schedule: StoredSchedule, campaign: UUID) -> str | None:
    """Start a campaign in the name of the author; why not, as a code."""
    found = (await campaign_storage.lock(writer, campaign)).shown
    if found.state == "stopped":
        return CAMPAIGN_STOPPED
    if found.state != "ready":
        return None  # Staff started it.
    if not found.recipients and not found.on_join:
        return NO_RECIPIENTS
    if found.recipients > schedule.shown.max_recipients:
        return TOO_MANY_RECIPIENTS
    author = await _find_author(writer, schedule)
    if author is None:
        return AUTHOR_LOST_RIGHTS
    command = CampaignStart(by=_audit_context(schedule, author), campaign_id=campaign)
    [outcome] = await campaigns.start(writer, [command])
    return outcome.code if isinstance(outcome, Problem) else None


async def _find_author(reader: Queryable, schedule: StoredSchedule) -> Principal | None:
    """The author, if it still has the permissions that the schedule needs."""
    actor, name = schedule.created_by, schedule.shown.created_by_name
    if actor == COMMAND_LINE.actor or actor.startswith(CLAIMED):
        # The command line has no account that could lose permissions.
        return Principal(id=actor, name=name)
    found = await current_rights.find_principal(reader, actor, name)
    needed = (MANAGE, SCOPES[schedule.shown.work.kind])
    return found if found and all(map(found.may, needed)) else None


def _audit_context(schedule: StoredSchedule, author: Principal) -> AuditContext:
    """The author as in the audit log; the limits count unless an approver allowed the runs."""
    approver = schedule.approved_by and Approver(
        schedule.approved_by, schedule.shown.approved_by_name or ""
    )
    return AuditContext(
        actor=author.id,
        name=author.name,
        request_id=str(schedule.id),
        reason=schedule.shown.reason,
        allowance=None if approver else author.allowance,
        approved_by=approver or None,
    )
