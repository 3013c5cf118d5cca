"""The worker: the job queue, scheduled jobs and background loops. Any number may run."""

import asyncio
from collections.abc import AsyncIterator, Coroutine
from contextlib import asynccontextmanager, closing, nullcontext
from datetime import timedelta
from importlib.metadata import version
from typing import Any
from urllib.parse import urlsplit

import asyncpg
import msgspec
import structlog
from pgqueuer import AsyncpgDriver, Job, PgQueuer, RetryRequested
from pgqueuer.models import Schedule

from gamekeeper.auth import openid_sessions
from gamekeeper.auth.openid_sessions import LogoutNotice
from gamekeeper.auth.secrets import Vault
from gamekeeper.campaigns import runner as campaigns
from gamekeeper.campaigns.schedules import runner as schedules
from gamekeeper.core import tasks
from gamekeeper.core.errors import Unavailable
from gamekeeper.core.observability import metrics, traces
from gamekeeper.core.observability.log_throttle import LogThrottle
from gamekeeper.core.settings import Settings
from gamekeeper.db import migrate, outages, partitions, retention
from gamekeeper.db.database import Database, DatabaseUnavailable, Reader
from gamekeeper.db.paging import maintenance as lists
from gamekeeper.events.webhooks import deliveries
from gamekeeper.events.webhooks.attempts import Sender
from gamekeeper.events.webhooks.dispatcher import Dispatcher
from gamekeeper.ledger import (
    action_counts,
    chain,
    checkpoints,
    verification_jobs,
    verification_worker,
)
from gamekeeper.ledger.economy import maintenance
from gamekeeper.ledger.findings import look
from gamekeeper.ledger.verification_jobs import VerificationOrder
from gamekeeper.moderation.cases import outcome_mails
from gamekeeper.moderation.cases.outcome_mails import OutcomeMail
from gamekeeper.operations import mails
from gamekeeper.operations.backup import epochs
from gamekeeper.operations.overview import lags
from gamekeeper.orders import retries
from gamekeeper.players import names
from gamekeeper.players.mailbox import expiry as letter_expiry
from gamekeeper.provider import discourse, logout
from gamekeeper.provider import keys as openid_keys
from gamekeeper.servers import online_history, session_expiry
from gamekeeper.servers.commands import expiry
from gamekeeper.users import email_verification, resets, skeletons, stretch
from gamekeeper.users.email_verification import MailedVerification
from gamekeeper.users.identities import notices as identity_notices
from gamekeeper.users.identities.notices import IdentityNotice
from gamekeeper.users.resets import ResetMail
from gamekeeper.users.staff import invitations
from gamekeeper.users.staff.invitations import InvitationMail

log = structlog.get_logger()

RESTART_SECONDS = 1

FAULTS = (OSError, TimeoutError, asyncpg.PostgresError, asyncpg.InterfaceError)
"""What a lost or overloaded PostgreSQL makes of a statement."""


def build_queue(settings: Settings, database: Database, connection: asyncpg.Connection) -> PgQueuer:
    """Create the queue with its job handlers and schedules."""
    queue = PgQueuer(AsyncpgDriver(connection))
    vault = Vault(settings)
    _add_mails(queue, settings, database, vault)
    _add_jobs(queue, database, vault)
    _add_schedules(queue, settings, database, vault)
    return queue


def _add_mails(queue: PgQueuer, settings: Settings, database: Database, vault: Vault) -> None:
    @queue.entrypoint(resets.MAIL, concurrency_limit=4)
    async def mail_password_reset(job: Job) -> None:
        mail = msgspec.json.decode(job.payload or b"{}", type=ResetMail)
        await mails.mail_password_reset(settings, database, vault, mail, job.attempts)

    @queue.entrypoint(email_verification.MAIL, concurrency_limit=4)
    async def mail_verification(job: Job) -> None:
        mail = msgspec.json.decode(job.payload or b"{}", type=MailedVerification)
        await mails.mail_verification(settings, database, vault, mail, job.attempts)

    @queue.entrypoint(email_verification.CHANGE_MAIL, concurrency_limit=4)
    async def mail_email_change(job: Job) -> None:
        mail = msgspec.json.decode(job.payload or b"{}", type=MailedVerification)
        await mails.mail_email_change(settings, database, mail, job.attempts)

    @queue.entrypoint(identity_notices.MAIL, concurrency_limit=4)
    async def mail_identity(job: Job) -> None:
        notice = msgspec.json.decode(job.payload or b"{}", type=IdentityNotice)
        await mails.mail_identity(settings, database, notice, job.attempts)

    @queue.entrypoint(invitations.MAIL, concurrency_limit=4)
    async def mail_invitation(job: Job) -> None:
        mail = msgspec.json.decode(job.payload or b"{}", type=InvitationMail)
        await mails.mail_invitation(settings, database, vault, mail, job.attempts)

    @queue.entrypoint(outcome_mails.MAIL, concurrency_limit=4)
    async def mail_report_outcome(job: Job) -> None:
        mail = msgspec.json.decode(job.payload or b"{}", type=OutcomeMail)
        await mails.mail_outcome(settings, database, mail, job.attempts)


def _add_jobs(queue: PgQueuer, database: Database, vault: Vault) -> None:
    @queue.entrypoint(deliveries.TEST, concurrency_limit=16)
    async def test_webhook(job: Job) -> None:
        test = msgspec.json.decode(job.payload or b"{}", type=deliveries.Test)
        with closing(Sender(database, vault)) as own:
            await own.test(test)

    notifier = logout.Notifier(database, vault)

    @queue.entrypoint(openid_sessions.LOGOUT, concurrency_limit=16)
    async def notify_of_logout(job: Job) -> None:
        notice = msgspec.json.decode(job.payload or b"{}", type=LogoutNotice)
        if delay := await notifier.send_or_retry(notice, job.attempts):
            raise RetryRequested(delay=delay)

    # Without a limit: the job of a killed worker would count for half a minute, and delay the next.
    @queue.entrypoint(verification_jobs.JOB)
    async def verify_ledger(job: Job) -> None:
        order = msgspec.json.decode(job.payload or b"{}", type=VerificationOrder)
        await verification_worker.run(database, order, queue.shutdown)


def _add_schedules(queue: PgQueuer, settings: Settings, database: Database, vault: Vault) -> None:
    @queue.schedule("sweep", "*/10 * * * *")
    async def sweep(schedule: Schedule) -> None:
        await retention.sweep(database, queue.shutdown)

    @queue.schedule("months", "17 3 * * *")
    async def make_months(schedule: Schedule) -> None:
        await partitions.keep_ahead(settings)

    @queue.schedule("checkpoints", "*/5 * * * *")
    async def write_checkpoints(schedule: Schedule) -> None:
        await checkpoints.write_due(database, queue.shutdown)

    @queue.schedule("skeletons", "23 * * * *")
    async def enter_names(schedule: Schedule) -> None:
        await skeletons.backfill(database)
        await names.backfill(database)

    @queue.schedule("online", "* * * * *")
    async def sample_online(schedule: Schedule) -> None:
        await database.write(online_history.sample)

    @queue.schedule("commands", "* * * * *")
    async def expire_commands(schedule: Schedule) -> None:
        await expiry.sweep(database)

    @queue.schedule("letters", "* * * * *")
    async def expire_letters(schedule: Schedule) -> None:
        await letter_expiry.sweep(database, queue.shutdown)

    @queue.schedule("orders", "* * * * *")
    async def deliver_orders(schedule: Schedule) -> None:
        await retries.deliver_waiting(database)

    @queue.schedule("openid_bans", "* * * * *")
    async def end_banned_sign_ins(schedule: Schedule) -> None:
        await logout.follow_bans(database, queue.shutdown)

    @queue.schedule("openid_keys", "37 4 * * *")
    async def rotate_openid_keys(schedule: Schedule) -> None:
        await openid_keys.rotate(database, vault)
        await discourse.reseal(database, vault)

    @queue.schedule("stretch", "* * * * *")
    async def stretch_passwords(schedule: Schedule) -> None:
        await stretch.stretch_imported(database, vault, queue.shutdown)


async def run(settings: Settings, stop: asyncio.Event) -> None:
    """Work until `stop`; if PostgreSQL goes away, wait for it to come back."""
    traces.start(settings)
    await _wait_for_tables(settings, stop)
    if stop.is_set():
        return
    log.info("worker_started", mail=urlsplit(settings.smtp_url or "").hostname)
    async with Database.open(settings) as database, _background(database, stop):
        throttle = LogThrottle()
        while not stop.is_set():
            try:
                await _run_queue(settings, database, stop)
            except FAULTS as fault:
                name = type(fault).__name__
                if throttle.is_due(name):
                    log.warning("worker_waiting_for_database", fault=name, reason=str(fault))
                await tasks.pause(stop, RESTART_SECONDS)
            except Exception:
                # A worker that exited would leave its jobs unprocessed.
                log.exception("worker_restarted")
                await tasks.pause(stop, RESTART_SECONDS)
    if traces.recorder is not None:
        await asyncio.to_thread(traces.stop)


@asynccontextmanager
async def _background(database: Database, stop: asyncio.Event) -> AsyncIterator[None]:
    """Run the background loops during the block; they end by themselves on `stop`."""
    settings = database.settings
    dispatcher = Dispatcher(database, Sender(database, Vault(settings)))
    async with (
        _sampled(database, dispatcher),
        _in_background(dispatcher.follow(stop)),
        _in_background(chain.follow(database, stop)),
        _in_background(maintenance.follow(settings, stop)),
        _in_background(look.follow(settings, stop)),
        _in_background(action_counts.follow(settings, stop)),
        _in_background(lists.follow(settings, stop)),
        _in_background(session_expiry.follow(database, stop)),
        _in_background(campaigns.follow(database, stop)),
        _in_background(schedules.follow(database, stop)),
        # Who is not scraped must not lead: nobody would see what it measures.
        _in_background(lags.follow(database, stop)) if settings.metrics_address else nullcontext(),
    ):
        yield


@asynccontextmanager
async def _sampled(database: Database, dispatcher: Dispatcher) -> AsyncIterator[None]:
    """Sample the gauges of this process during the block."""
    sampler = metrics.Sampler()
    sampler.watch(metrics.BUILD.labels(version("gamekeeper")), lambda: 1)
    sampler.watch(metrics.WEBHOOKS_BEHIND, lambda: dispatcher.behind)
    sampler.watch_pools(database.pools)
    sampling = asyncio.create_task(sampler.run())
    try:
        yield
    finally:
        await tasks.end([sampling])


async def _wait_for_tables(settings: Settings, stop: asyncio.Event) -> None:
    """
    Return when the database has the tables of this version and may be served, or on `stop`.

    The job queue and each background loop would report their own missing table, again and again.
    """
    reason = ""
    async with Database.open(settings) as database:
        while not stop.is_set():
            try:
                await _check_tables(database.reader)
            except DatabaseUnavailable:
                pass  # In the log already, with what PostgreSQL said.
            except (Unavailable, *FAULTS) as fault:
                if str(fault) != reason:
                    reason = str(fault)
                    log.error("worker_waiting_for_tables", reason=reason)  # noqa: TRY400
            else:
                return
            await tasks.pause(stop, RESTART_SECONDS)


async def _check_tables(reader: Reader) -> None:
    newest = await reader.value("SELECT max(name) FROM migrations")
    # The queue's tables come last.
    has_queue = await reader.value("SELECT to_regclass('pgqueuer') IS NOT NULL")
    if newest is None or newest < migrate.numbered()[-1][0] or not has_queue:
        raise Unavailable("The schema is older than this version; run: gamekeeper migrate")
    await epochs.check(reader)


@asynccontextmanager
async def _in_background(work: Coroutine[Any, Any, None]) -> AsyncIterator[None]:
    """Run `work` during the block; after the block, wait for it to end by itself."""
    task = asyncio.create_task(work)
    try:
        yield
        await task
    finally:
        task.cancel()


async def _run_queue(settings: Settings, database: Database, stop: asyncio.Event) -> None:
    connection = await outages.connect(settings.database_url, timeout=2)
    try:
        queue = build_queue(settings, database, connection)
        stopping = asyncio.create_task(_pass_on(stop, queue))
        try:
            await queue.run(dequeue_timeout=timedelta(seconds=5))
        finally:
            stopping.cancel()
    finally:
        connection.terminate()


async def _pass_on(stop: asyncio.Event, queue: PgQueuer) -> None:
    await stop.wait()
    queue.shutdown.set()
