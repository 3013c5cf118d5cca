"""Checks of what a worker should have done: chain, mail, webhooks, retention, verification."""

from typing import LiteralString

from gamekeeper.db import retention
from gamekeeper.events.webhooks import records
from gamekeeper.events.webhooks.owners import OPERATOR
from gamekeeper.ledger import verification_jobs
from gamekeeper.operations.doctor.findings import (
    CheckResult,
    Installation,
    counted,
    ok,
    warning,
    wrong,
)
from gamekeeper.operations.mail_jobs import MAIL_JOBS
from gamekeeper.operations.overview import alerts
from gamekeeper.operations.overview.state import read_state

START = "Start it: gamekeeper worker --production"
MAIL_SECONDS = 300
BEHIND = 10_000
"""Events that a webhook may be behind before it is worth a warning."""


async def worker(installation: Installation) -> list[CheckResult]:
    """It notes every minute who is online."""
    if found := alerts.worker_stopped(await read_state(installation.reader)):
        since = found[0].since
        when = f"since {since:%Y-%m-%d %H:%M} UTC" if since else "and none has run yet"
        said = f"No worker runs, {when}: mails, webhooks and totals are delayed."
        return wrong("worker", said, START)
    return ok("worker", "A worker runs.")


async def chain(installation: Installation) -> list[CheckResult]:
    found = alerts.chain_lagging(await read_state(installation.reader))
    if found:
        said = "Actions have not been linked into the hash chain for over a minute."
        return wrong("chain", said, "See the worker's log for leader_waiting and chain_waiting.")
    return ok("chain", "Actions are linked into the hash chain without delay.")


async def verification(installation: Installation) -> list[CheckResult]:
    state = await read_state(installation.reader)
    last = state.chain
    if last.breaches:
        said = f"The last verification found {counted(last.breaches, 'breach in the audit log')}."
        return wrong("verification", said, f"Find the altered actions: {alerts.VERIFY}")
    found = alerts.chain_unverified(state)
    if last.verified_at is None:
        if not found:
            return ok("verification", "The audit log is too new to need a verification.")
        said = "The audit log has never been verified."
        return warning("verification", said, f"Run nightly: {alerts.VERIFY}")
    said = f"The audit log was last verified at {last.verified_at:%Y-%m-%d %H:%M} UTC."
    if found:
        return warning("verification", said, f"Run nightly: {alerts.VERIFY}")
    return ok("verification", said)


async def ledger(installation: Installation) -> list[CheckResult]:
    """The outcome of the last verification that staff started."""
    last = await verification_jobs.last(installation.reader)
    if last.state == "faults" and last.ended_at:
        laws = ", ".join(faults.law for faults in last.faults)
        when = f"{last.ended_at:%Y-%m-%d %H:%M} UTC"
        said = f"The verification of the ledger at {when} found faults ({laws})."
        return wrong("ledger", said, "List the faults: gamekeeper ledger verify")
    if last.state == "clean" and last.ended_at:
        said = f"The ledger was verified without faults at {last.ended_at:%Y-%m-%d %H:%M} UTC."
        return ok("ledger", said)
    return ok("ledger", "No verification of the ledger that was started in the console has ended.")


async def mail(installation: Installation) -> list[CheckResult]:
    waited = await installation.reader.value(OLDEST_MAIL, MAIL_JOBS)
    if waited is not None and waited > MAIL_SECONDS:
        said = f"The oldest mail has waited for {counted(waited / 60, 'minute')}."
        return warning("mail_queue", said, "See the worker's log for mail_delayed.")
    return ok("mail_queue", "No mail is delayed.")


OLDEST_MAIL: LiteralString = """
    SELECT extract(epoch FROM max(now() - created))::float8
      FROM pgqueuer WHERE entrypoint = ANY($1) AND status = 'queued'
"""


async def webhooks(installation: Installation) -> list[CheckResult]:
    found = await records.list_webhooks(installation.reader, OPERATOR)
    off = [hook for hook in found.values if not hook.enabled]
    failing = [hook for hook in found.values if hook.enabled and hook.failing_since]
    if failing:
        said = f"Nothing arrives at {counted(len(failing), 'webhook')}."
        return warning("webhooks", said, "See why: gamekeeper webhooks list")
    if off:
        said = f"{counted(len(off), 'webhook')} switched off ({off[0].off_reason})."
        return warning("webhooks", said, "Enable or delete: gamekeeper webhooks list")
    behind = await installation.reader.value(BEHIND_MOST, BEHIND + 1)
    if behind is not None and behind > BEHIND:
        said = f"A webhook is {counted(behind, 'event')} behind."
        return warning("webhooks", said, "See its deliveries: gamekeeper webhooks show ID")
    return ok("webhooks", f"{counted(len(found.values), 'webhook')}, all of them working.")


# Counted, not subtracted: numbers are skipped where a backup was restored.
BEHIND_MOST: LiteralString = """
    SELECT max((SELECT count(*) FROM (SELECT FROM chain WHERE seq > position LIMIT $1) AS next))
      FROM webhooks WHERE enabled
"""


async def expired_rows(installation: Installation) -> list[CheckResult]:
    late = await retention.overdue(installation.reader)
    table, seconds = max(late.items(), key=lambda each: each[1])
    if seconds > retention.BEHIND_SECONDS:
        said = f"Expired rows of {table} are {counted(seconds / 3600, 'hour')} overdue."
        return warning("retention", said, "See the worker's log for retention_failed.")
    return ok("retention", "Expired rows are deleted in time.")
