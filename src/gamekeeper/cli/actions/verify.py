"""``gamekeeper actions verify``: the hash chain of the audit log."""

from datetime import timedelta
from time import perf_counter

import asyncpg

from gamekeeper.cli.command import Output, command
from gamekeeper.cli.terminal import progress, warn
from gamekeeper.core.errors import Unavailable
from gamekeeper.core.settings import Settings
from gamekeeper.db.database import Database
from gamekeeper.ledger import verifications, verify_chain
from gamekeeper.ledger.reports import ChainReport

NOT_PROVED = 3
"""Exit code if nothing is wrong but not everything could be verified; 2 is bad usage."""


@command
async def verify(settings: Settings) -> Output:
    """
    Verify the audit log: no action or posting was changed, removed or inserted.

    Every action and its postings are compared with their link in the hash chain, and
    the chain with the signed anchors in GAMEKEEPER_ANCHOR_FILE. Without that file, it
    cannot detect a truncated end, a rewritten chain or a restored old backup.

    The result is recorded, for the overview of the game. Can run while the service is up.
    Exit code 1: a breach was found. Exit code 3: no breach, but actions are waiting to be
    linked and no worker links them in time.
    """
    begun = perf_counter()
    with progress("links") as tell:
        report = await verify_chain.find(settings, tell)
    await _record(settings, report)
    code = 1 if report.total else NOT_PROVED if report.unlinked.is_overdue else 0
    text = _told(settings, report, perf_counter() - begun)
    warnings = [f"WARNING: {warning}" for warning in _warnings(report)]
    return Output(report, *text, warnings=warnings, code=code)


async def _record(settings: Settings, report: ChainReport) -> None:
    """Record the result; where that cannot be, as on a standby, the verdict still counts."""
    try:
        async with Database.open(settings) as database:
            await database.write(lambda writer: verifications.record_verification(writer, report))
    except (Unavailable, asyncpg.InsufficientPrivilegeError) as fault:
        warn(f"WARNING: The result is not on record, so the overview does not show it: {fault}")


def _warnings(report: ChainReport) -> list[str]:
    """Warnings for an operator that are not breaches."""
    warnings = []
    unlinked, forms = report.unlinked, report.forms
    if unlinked.is_overdue:
        who = "a sequencer is running but behind" if unlinked.sequencer else "no worker is running"
        warnings.append(
            f"{unlinked.count:,} actions are not linked, the oldest for "
            f"{timedelta(seconds=round(unlinked.oldest_seconds))}: {who}. Until they are, a "
            "change to them cannot be detected. Run `gamekeeper worker`, and verify again."
        )
    if forms.later:
        warnings.append(
            f"{forms.later:,} links from link {forms.first_later} on were written by an older "
            "version after this one: their postings are not in the chain. Stop the older worker."
        )
    return warnings


def _told(settings: Settings, report: ChainReport, seconds: float) -> list[str]:
    speed = f"{seconds:.1f} s, {report.links / seconds:,.0f} links a second"
    counts = (
        f"{report.links:,} links, {report.anchors:,} anchors, {report.waiting:,} not yet linked"
    )
    lines = [f"{counts}: {speed}."]
    if report.forms.old:
        lines.append(
            f"{report.forms.old:,} links are of an older version: the postings of their actions "
            "are compared with them, but not in the chain."
        )
    if settings.anchor_file is None:
        lines.append("GAMEKEEPER_ANCHOR_FILE is not set: a rewritten chain cannot be detected.")
    elif not report.anchors:
        lines.append("There are no anchors yet: a rewritten chain cannot be detected.")
    lines += [f"{'link ' + str(b.seq) if b.seq else b.kind}: {b.message}" for b in report.breaches]
    if report.total > len(report.breaches):
        lines.append(f"… and {report.total - len(report.breaches):,} more.")
    return [*lines, _verdict(report)]


def _verdict(report: ChainReport) -> str:
    if report.total:
        return f"BREACHES: {report.total:,}."
    if report.unlinked.is_overdue:
        return "Audit log verified, except for the actions that are not linked yet."
    return "Audit log verified."
