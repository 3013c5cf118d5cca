"""
The health of the installation for callers of the API: findings and the last backup.

All callers of a process share one round of checks, however many look at the same time.
"""

import asyncio
from collections.abc import Sequence
from datetime import UTC, datetime
from importlib import import_module
from time import monotonic
from typing import Literal
from weakref import WeakKeyDictionary

from gamekeeper.core.schemas import Instant, Record
from gamekeeper.db.database import Database
from gamekeeper.operations.backup import last_backup
from gamekeeper.operations.backup.last_backup import RecordedBackup
from gamekeeper.operations.doctor.findings import CheckResult, Installation, State

FRESH_SECONDS = 5.0

FindingState = Literal["ok", "warning", "failed", "unknown"]

STATES: dict[State, FindingState] = {
    "ok": "ok",
    "warning": "warning",
    "wrong": "failed",
    "unknown": "unknown",
}
"""`gamekeeper doctor --json` has had `wrong` since 0.1.0, and keeps it."""


class HealthFinding(Record, frozen=True):
    """The finding of one check."""

    check: str
    """The name of the check, as in `gamekeeper doctor`; one check may have several findings."""
    state: FindingState
    """`ok`, `warning`, `failed`, or `unknown` if the check could not look."""
    message: str
    """One sentence."""
    remedy: str | None
    """The fix; null if none is needed or known."""


class HealthReport(Record, frozen=True):
    """The health of the installation."""

    at: Instant
    """When the checks ended; a report is shared for 5 seconds."""
    state: Literal["ok", "warning", "failed"]
    """The worst of all findings; a check that could not look does not count."""
    findings: list[HealthFinding]
    """In the order of `gamekeeper doctor`."""
    backup: RecordedBackup | None
    """The last backup on record; null if there is none."""


async def report(database: Database) -> HealthReport:
    """The report, at most five seconds old."""
    shared = _shared.get(database)
    if shared is None:
        shared = _shared[database] = _Shared()
    return await shared.report(database)


class _Shared:
    """The last report of a process, and the round of checks for the next one."""

    def __init__(self) -> None:
        self._last: HealthReport | None = None
        self._ended = 0.0
        self._looking: asyncio.Task[HealthReport] | None = None

    async def report(self, database: Database) -> HealthReport:
        if self._last and monotonic() - self._ended < FRESH_SECONDS:
            return self._last
        if self._looking is None:
            self._looking = asyncio.create_task(self._look(database))
        # A caller that goes away must not end the checks of the others.
        return await asyncio.shield(self._looking)

    async def _look(self, database: Database) -> HealthReport:
        try:
            self._last = await _read(database)
            self._ended = monotonic()
            return self._last
        finally:
            self._looking = None


_shared: WeakKeyDictionary[Database, _Shared] = WeakKeyDictionary()


async def _read(database: Database) -> HealthReport:
    # The primary's: a replica has other settings and other connections.
    installation = Installation(settings=database.settings, reader=database.reader)
    backup = await last_backup.find_last(database.reader)
    # Imported here: the mail client and the job queue would take a quarter of the start-up. In a
    # thread, so that requests of others are not delayed.
    await asyncio.to_thread(import_module, "gamekeeper.operations.doctor.checks")
    from gamekeeper.operations.doctor import checks

    found = await checks.run_served(installation)
    return HealthReport(
        at=datetime.now(UTC),
        state=_worst(found),
        findings=[
            HealthFinding(
                check=result.check,
                state=STATES[result.state],
                message=result.message,
                remedy=result.remedy,
            )
            for result in found
        ],
        backup=backup,
    )


def _worst(found: Sequence[CheckResult]) -> Literal["ok", "warning", "failed"]:
    states = {result.state for result in found}
    if "wrong" in states:
        return "failed"
    return "warning" if "warning" in states else "ok"
