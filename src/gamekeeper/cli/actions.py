"""Audit log commands: list actions, and verify the hash chain."""

import asyncio
from datetime import timedelta
from time import perf_counter
from typing import Annotated
from uuid import UUID

import typer

from gamekeeper.cli import undo
from gamekeeper.cli.options import Cursor, Limit, Since, Until, an_id
from gamekeeper.cli.terminal import (
    AsJson,
    progress,
    say,
    show_json,
    show_table,
    warn,
    with_database,
)
from gamekeeper.core.settings import Settings
from gamekeeper.db.database import Database
from gamekeeper.ledger import audit_log, verify_chain
from gamekeeper.ledger.audit_log import Entries, Entry, Filters
from gamekeeper.ledger.reports import ChainReport
from gamekeeper.players import lookup as players
from gamekeeper.users import lookup as users

app = typer.Typer(help="What was done: listed, and proved.", no_args_is_help=True)
app.command()(undo.undo)


@app.command("list")
def list_(
    *,
    actor: Annotated[str | None, typer.Option(help="key:<id>, user:<id> or system.")] = None,
    player: Annotated[str | None, typer.Option(help="A character's name or id.")] = None,
    user: Annotated[str | None, typer.Option(help="An account's name or id.")] = None,
    kind: Annotated[str | None, typer.Option(help="For example items.give.")] = None,
    item: Annotated[
        UUID | None, typer.Option(parser=an_id, metavar="ID", help="An item's id.")
    ] = None,
    since: Since = None,
    until: Until = None,
    limit: Limit = 50,
    cursor: Cursor = None,
    as_json: AsJson = False,
) -> None:
    """Show the audit log, newest first."""

    async def work(database: Database) -> Entries:
        reader = database.reader
        filters = Filters(
            actor=actor,
            player_id=await audit_log.whose(reader, player, players.find_player_id),
            user_id=await audit_log.whose(reader, user, users.find_user_id),
            kind=kind,
            item_id=item,
            since=since,
            until=until,
        )
        return await audit_log.list_actions(reader, filters, cursor, limit)

    found = with_database(work)
    if as_json:
        return show_json(found)
    show_table(["at", "what", "by", "on", "why", "id"], [_row(entry) for entry in found.values])
    return say(f"Go on with --cursor={found.next}" if found.next else "That is all.")


def _row(entry: Entry) -> list[str]:
    return [
        f"{entry.at:%Y-%m-%d %H:%M:%S}",
        f"{entry.kind}{' (undone)' if entry.undone_by else ''}",
        entry.actor_name,
        str(entry.player_id or entry.user_id or ""),
        entry.reason or "",
        str(entry.id),
    ]


NOT_PROVED = 3
"""Exit code if nothing is wrong but not everything could be verified; 2 is bad usage."""


@app.command()
def verify(*, as_json: AsJson = False) -> None:
    """
    Verify the audit log: no action or posting was changed, removed or inserted.

    Every action and its postings are compared with their link in the hash chain, and
    the chain with the signed anchors in GAMEKEEPER_ANCHOR_FILE. Without that file, a
    truncated end, a rewritten chain and a restored old backup go unnoticed.

    May run while the service does. Exit code 1: something is wrong. Exit code 3:
    nothing is wrong, but actions wait to be linked and no worker links them in time.
    """
    settings = Settings.read()
    begun = perf_counter()
    with progress("links") as tell:
        report = asyncio.run(verify_chain.find(settings, tell))
    if as_json:
        show_json(report)
    else:
        say(*_told(settings, report, perf_counter() - begun).split("\n"))
    for warning in _warnings(report):
        warn(f"WARNING: {warning}")
    if report.total:
        raise typer.Exit(1)
    if report.unlinked.is_overdue:
        raise typer.Exit(NOT_PROVED)


def _warnings(report: ChainReport) -> list[str]:
    """Warnings for an operator that are not breaches."""
    warnings = []
    unlinked, forms = report.unlinked, report.forms
    if unlinked.is_overdue:
        who = "a sequencer is at work but behind" if unlinked.sequencer else "no worker runs"
        warnings.append(
            f"{unlinked.count:,} actions are not linked, the oldest for "
            f"{timedelta(seconds=round(unlinked.oldest_seconds))}: {who}. Until they are, they "
            "can be altered without a trace. Run `gamekeeper worker`, and verify again."
        )
    if forms.later:
        warnings.append(
            f"{forms.later:,} links from link {forms.first_later} on were made by an older "
            "version after this one: their postings are not in the chain. Stop the older worker."
        )
    return warnings


def _told(settings: Settings, report: ChainReport, seconds: float) -> str:
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
        lines.append("GAMEKEEPER_ANCHOR_FILE is not set: a chain made anew would go unnoticed.")
    elif not report.anchors:
        lines.append("There are no anchors yet: a chain made anew would go unnoticed.")
    lines += [f"{'link ' + str(b.seq) if b.seq else b.kind}: {b.message}" for b in report.breaches]
    if report.total > len(report.breaches):
        lines.append(f"… and {report.total - len(report.breaches):,} more.")
    lines.append(_verdict(report))
    return "\n".join(lines)


def _verdict(report: ChainReport) -> str:
    if report.total:
        return f"BREACHES: {report.total:,}."
    if report.unlinked.is_overdue:
        return "All that is linked is as it was written."
    return "All is as it was written."
