"""
The round: every check in turn, in bounded time.

A check that fails or takes too long says so, and does not stop the others.
"""

import asyncio
from collections.abc import AsyncIterator, Callable
from time import monotonic

from gamekeeper.core.errors import Problem
from gamekeeper.core.settings import Settings
from gamekeeper.db import outages
from gamekeeper.db.database import Database
from gamekeeper.doctor import backups, network, server, tables, work
from gamekeeper.doctor.findings import Diagnosis, Examination, Patient, ok, unknown, wrong

EACH_SECONDS = 5.0
ALL_SECONDS = 30.0

EXAMINATIONS = (
    Examination(name="settings", look=tables.settings, needs_database=False),
    Examination(name="postgresql", look=server.version),
    Examination(name="durability", look=server.durability),
    Examination(name="connections", look=server.connections),
    Examination(name="clock", look=server.clock),
    Examination(name="disk", look=server.disk),
    Examination(name="extension", look=tables.extension),
    Examination(name="schema", look=tables.schema),
    Examination(name="roles", look=tables.roles),
    Examination(name="months", look=tables.months),
    Examination(name="password_keys", look=tables.password_keys),
    Examination(name="worker", look=work.worker),
    Examination(name="chain", look=work.chain),
    Examination(name="mail_queue", look=work.mail),
    Examination(name="webhooks", look=work.webhooks),
    Examination(name="retention", look=work.expired_rows),
    Examination(name="verification", look=work.verification),
    Examination(name="backup", look=backups.last_backup),
    Examination(name="backup_disk", look=backups.backup_disk),
    Examination(name="replica", look=network.replica),
    Examination(name="mail_server", look=network.mail_server, needs_database=False),
    Examination(name="tls", look=network.public_address, needs_database=False),
)
"""All checks, in the order in which they are shown."""

Told = Callable[[str, int, int], None]


async def examine(settings: Settings, tell: Told = lambda *_: None) -> list[Diagnosis]:
    """All findings; at most half a minute."""
    return [finding async for finding in _findings(settings, tell)]


async def _findings(settings: Settings, tell: Told) -> AsyncIterator[Diagnosis]:
    until = monotonic() + ALL_SECONDS
    reachable = await _reach(settings)
    yield reachable
    async with Database.open(settings) as database:
        patient = Patient(settings=settings, reader=database.reader)
        for number, each in enumerate(EXAMINATIONS):
            tell(each.name, number, len(EXAMINATIONS))
            if each.needs_database and reachable.state != "ok":
                continue
            for finding in await _examine(each, patient, min(EACH_SECONDS, until - monotonic())):
                yield finding


async def _reach(settings: Settings) -> Diagnosis:
    try:
        connection = await outages.connect(settings.database_url, timeout=settings.connect_seconds)
        await connection.close()
    except Exception as fault:
        said, _, advice = outages.explain(fault, settings.database_url).partition("\n")
        [finding] = wrong("database", said, advice)
        return finding
    [finding] = ok("database", "The database answers.")
    return finding


async def _examine(each: Examination, patient: Patient, seconds: float) -> list[Diagnosis]:
    if seconds <= 0:
        return unknown(each.name, "There was no time left for this check.", "Run it again.")
    try:
        async with asyncio.timeout(seconds):
            return await each.look(patient)
    except TimeoutError:
        return unknown(each.name, f"This check took longer than {seconds:.0f} seconds.")
    except Exception as fault:
        # Whatever is broken may break a check, and the others must still be seen.
        cause = fault.__cause__ or fault if isinstance(fault, Problem) else fault
        said = " ".join(str(cause).split()) or type(cause).__name__
        return unknown(each.name, f"This check could not run: {said.rstrip('.')}.")
