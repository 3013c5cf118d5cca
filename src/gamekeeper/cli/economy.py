"""Economy commands: findings, rules, and the rebuild of the aggregates (supply, flows, holders)."""

from time import perf_counter
from typing import Annotated
from uuid import UUID

import typer

from gamekeeper.cli import names
from gamekeeper.cli.actor import By
from gamekeeper.cli.command import Output, TextTable, change, command
from gamekeeper.cli.options import Limit, an_id
from gamekeeper.cli.terminal import error_console
from gamekeeper.cli.times import Clock, TerminalClock
from gamekeeper.core.schemas import Window
from gamekeeper.core.settings import Settings
from gamekeeper.db.database import Database
from gamekeeper.ledger.economy import rebuild
from gamekeeper.ledger.findings import queue, rules
from gamekeeper.ledger.findings.queue import Acknowledgement
from gamekeeper.ledger.findings.records import EconomyFinding
from gamekeeper.ledger.findings.rules import EconomyRule, Effect, RuleChange, RuleRemoval, Shape

FindingId = Annotated[UUID, typer.Argument(parser=an_id, metavar="ID", help="The finding's id.")]
Every = Annotated[bool, typer.Option("--all", help="Include acknowledged findings.")]
Note = Annotated[str, typer.Argument(metavar="NOTE", help="The result of the investigation.")]
RuleName = Annotated[str, typer.Argument(metavar="NAME", help="The rule's name.")]

SHAPES: dict[Shape, str] = {
    "created_per_hour": "more than {} created in an hour",
    "given_per_day": "more than {} given by one staff member or key in a day",
    "received_by_new_account": "more than {} received by an account younger than {} days",
}
ShapeOption = Annotated[Shape, typer.Option("--shape", help="The quantity that the rule counts.")]
MoreThan = Annotated[
    int, typer.Option(metavar="NUMBER", help="The rule is exceeded by more than this.", min=0)
]
ItemOption = Annotated[
    str | None,
    typer.Option("--item", metavar="ITEM", help="A name or id. Default: the value of all items."),
]
DaysOption = Annotated[
    int | None,
    typer.Option(metavar="DAYS", help="The age up to which an account is new.", min=1, max=365),
]
HoldOption = Annotated[
    bool, typer.Option("--hold", help="Also hold gifts beyond it until they are approved.")
]


@command
async def findings(
    database: Database, *, every: Every = False, limit: Limit = 20, clock: Clock
) -> Output:
    """Show unusual increases and exceeded rules, newest first."""
    state = None if every else "open"
    found = await queue.list_findings(database.reader, state, None, Window.of(0, limit))
    rows = [_finding_row(finding, clock) for finding in found.values]
    table = TextTable(["began", "state", "what", "quantity", "usual", "id"], rows)
    is_all = found.total <= found.count
    return Output(found, table, None if is_all else f"{found.count} of {found.total}.")


def _finding_row(finding: EconomyFinding, clock: TerminalClock) -> list[str]:
    name = finding.item_name or ("all items" if finding.rule else "")
    what = f"{name} {finding.measure}".strip()
    usual = f"rule {finding.rule}" if finding.rule else f"{finding.usual or 0:,}"
    began = clock.show(finding.began_at)
    return [began, finding.state, what, f"{finding.quantity:,}", usual, str(finding.id)]


@change("economy.manage")
async def acknowledge(database: Database, id_: FindingId, note: Note, *, by: By) -> Output:
    """
    Acknowledge a finding, with a note.

    It leaves the overview and stays acknowledged. If the increase continues, the next
    hour is a new finding.
    """
    order = Acknowledgement(by=by, finding_id=id_, note=queue.check_note(note))
    return Output(await queue.acknowledge.one(database, order), "Acknowledged.")


@command
async def rules_(database: Database) -> Output:
    """Show all economy rules."""
    found = await rules.list_rules(database.reader)
    rows = [[rule.name, _sentence(rule), rule.effect] for rule in found]
    return Output(found, TextTable(["name", "rule", "effect"], rows))


def _sentence(rule: EconomyRule) -> str:
    what = rule.item_name or (str(rule.item_id) if rule.item_id else "value")
    return SHAPES[rule.shape].format(f"{rule.more_than:,} {what}", rule.days)


@change("economy.manage")
async def set_rule(
    database: Database,
    name: RuleName,
    *,
    shape: ShapeOption,
    more_than: MoreThan,
    item: ItemOption = None,
    days: DaysOption = None,
    hold: HoldOption = False,
    by: By,
) -> Output:
    """
    Create an economy rule, or replace the one with this name.

    For example, a finding if more than 500 rubies are created in an hour:

        gamekeeper economy set-rule rubies --shape created_per_hour --item "Rough Ruby"
            --more-than 500

    --hold also makes gifts beyond the rule wait for approval, if they come through the
    API. Game servers are never held, only flagged.
    """
    item_id = (await names.entry(database.reader, "item", item)).id if item else None
    effect: Effect = "hold" if hold else "flag"
    order = RuleChange(
        by=by,
        name=name,
        shape=shape,
        item_id=item_id,
        more_than=more_than,
        days=days,
        effect=effect,
    )
    made = await rules.change.one(database, order)
    return Output(made, f"{made.name}: {_sentence(made)} ({made.effect}).")


@change("economy.manage")
async def delete_rule(database: Database, name: RuleName, *, by: By) -> Output:
    """Delete an economy rule; its findings stay."""
    gone = await rules.remove.one(database, RuleRemoval(by=by, name=name))
    return Output(gone, f"Deleted the rule {gone.name}.")


@change()
async def recount(settings: Settings) -> Output:
    """
    Rebuild the supply, flows and holders of all items from all postings.

    Normally not needed: a worker maintains the totals, and rebuilds them automatically
    after the database was moved to another server with pg_dump and pg_restore.
    Use this to rebuild without waiting for a worker, or after the totals were
    changed by hand. It can run while the game is live; it changes only the
    totals, and queries return the old ones until it is done.
    """
    begun = perf_counter()
    with error_console().status("Summing all postings"):
        postings = await rebuild.run(settings)
    seconds = perf_counter() - begun
    return Output(
        {"postings": postings, "seconds": round(seconds, 3)},
        f"Summed {postings:,} postings in {seconds:.1f} s.",
    )
