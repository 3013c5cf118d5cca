"""
All checks of an installation, in bounded time: for `gamekeeper doctor`, and for the API.

A check that fails or takes too long says so, and does not stop the others.
"""

import asyncio
from collections.abc import AsyncIterator
from time import monotonic

from gamekeeper.core.errors import Problem
from gamekeeper.core.observability import loggers
from gamekeeper.core.progress import ProgressCallback
from gamekeeper.core.settings import Settings
from gamekeeper.db import outages
from gamekeeper.db.database import Database
from gamekeeper.operations.doctor import backups, network, server, tables, work
from gamekeeper.operations.doctor.findings import (
    CheckResult,
    HealthCheck,
    Installation,
    ok,
    unknown,
    without_secrets,
    wrong,
)

EACH_SECONDS = 5.0
ALL_SECONDS = 30.0
SERVED_SECONDS = 10.0
"""All checks for a caller of the API, who waits for them."""
SERVED_AT_ONCE = 3
"""Checks that run at the same time for the API: most take a connection that requests need."""

log = loggers.get_logger()

CHECKS = (
    HealthCheck(name="settings", look=tables.settings, needs_database=False),
    HealthCheck(name="postgresql", look=server.version),
    HealthCheck(name="durability", look=server.durability),
    HealthCheck(name="autovacuum", look=server.autovacuum),
    HealthCheck(name="replication", look=server.replication),
    HealthCheck(name="connections", look=server.connections),
    HealthCheck(name="clock", look=server.clock),
    HealthCheck(name="disk", look=server.disk),
    HealthCheck(name="extension", look=tables.extension),
    HealthCheck(name="schema", look=tables.schema),
    HealthCheck(name="roles", look=tables.roles),
    HealthCheck(name="months", look=tables.months),
    HealthCheck(name="statistics", look=tables.planner_statistics),
    HealthCheck(name="search_indexes", look=tables.indexes_of_names),
    HealthCheck(name="password_keys", look=tables.password_keys),
    HealthCheck(name="worker", look=work.worker),
    HealthCheck(name="chain", look=work.chain),
    HealthCheck(name="mail_queue", look=work.mail),
    HealthCheck(name="webhooks", look=work.webhooks),
    HealthCheck(name="retention", look=work.expired_rows),
    HealthCheck(name="verification", look=work.verification),
    HealthCheck(name="ledger", look=work.ledger),
    HealthCheck(name="recovery", look=backups.point_in_time_recovery),
    HealthCheck(name="backup", look=backups.last_backup),
    HealthCheck(name="backup_disk", look=backups.backup_disk),
    HealthCheck(name="replica", look=network.replica),
    HealthCheck(name="mail_server", look=network.mail_server, needs_database=False),
    HealthCheck(name="tls", look=network.public_address, needs_database=False),
)
"""All checks, in the order in which they are shown."""


async def run(
    settings: Settings, on_progress: ProgressCallback = lambda *_: None
) -> list[CheckResult]:
    """All findings; at most half a minute."""
    return [finding async for finding in _findings(settings, on_progress)]


async def _findings(
    settings: Settings, on_progress: ProgressCallback
) -> AsyncIterator[CheckResult]:
    until = monotonic() + ALL_SECONDS
    reachable = await _reach(settings)
    yield reachable
    async with Database.open(settings) as database:
        installation = Installation(settings=settings, reader=database.reader)
        for number, each in enumerate(CHECKS):
            on_progress(each.name, number, len(CHECKS))
            if each.needs_database and reachable.state != "ok":
                continue
            seconds = min(EACH_SECONDS, until - monotonic())
            for finding in await _checked(each, installation, seconds):
                yield finding


async def run_served(installation: Installation) -> list[CheckResult]:
    """All findings from inside the service, in the order of the checks; at most ten seconds."""
    until = monotonic() + SERVED_SECONDS
    turn = asyncio.Semaphore(SERVED_AT_ONCE)

    async def check(each: HealthCheck) -> list[CheckResult]:
        async with turn:
            seconds = min(EACH_SECONDS, until - monotonic())
            return await _checked(each, installation, seconds, is_served=True)

    found = await asyncio.gather(*(check(each) for each in CHECKS))
    return [finding for findings in found for finding in findings]


async def _reach(settings: Settings) -> CheckResult:
    try:
        connection = await outages.connect(settings.database_url, timeout=settings.connect_seconds)
        await connection.close()
    except Exception as fault:
        said, _, advice = outages.explain(fault, settings.database_url).partition("\n")
        [finding] = wrong("database", said, advice)
        return finding
    [finding] = ok("database", "The database answers.")
    return finding


async def _checked(
    each: HealthCheck, installation: Installation, seconds: float, *, is_served: bool = False
) -> list[CheckResult]:
    if seconds <= 0:
        return unknown(each.name, "There was no time left for this check.", "Run it again.")
    try:
        async with asyncio.timeout(seconds):
            return await each.look(installation)
    except TimeoutError:
        return unknown(each.name, f"This check took longer than {seconds:.0f} seconds.")
    except Exception as fault:
        # Whatever is broken may break a check, and the others must still be seen.
        cause = fault.__cause__ or fault if isinstance(fault, Problem) else fault
        if is_served:
            # What an unforeseen fault says may quote a setting: it is for the log, without URLs.
            reason = str(cause)
            for url in _urls(installation.settings):
                reason = without_secrets(reason, url)
            log.warning("health_check_failed", check=each.name, reason=reason)
            said = f"This check could not run ({type(cause).__name__})."
            return unknown(each.name, said, "See the log of serve for health_check_failed.")
        said = " ".join(str(cause).split()) or type(cause).__name__
        return unknown(each.name, f"This check could not run: {said.rstrip('.')}.")


def _urls(settings: Settings) -> list[str]:
    """The settings that contain a password."""
    urls = (settings.database_url, settings.replica_url, settings.smtp_url, settings.redis_url)
    return [url for url in urls if url]
