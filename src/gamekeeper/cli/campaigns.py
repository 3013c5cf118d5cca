"""Campaign commands: work for every member of a segment, with a dry run and a reversal."""

from pathlib import Path
from typing import Annotated, get_args
from uuid import UUID

import msgspec
import typer

from gamekeeper.campaigns import changes, storage
from gamekeeper.campaigns import dry_run as trial
from gamekeeper.campaigns import recipients as recipient_pages
from gamekeeper.campaigns.changes import (
    CampaignCommand,
    CampaignReversal,
    CampaignStart,
    NewCampaign,
)
from gamekeeper.campaigns.checks import InvalidCampaign
from gamekeeper.campaigns.records import (
    DEFAULT_PER_SECOND,
    Campaign,
    CampaignDryRun,
    CampaignRecipient,
    CampaignWork,
    RecipientState,
)
from gamekeeper.cli.actor import By
from gamekeeper.cli.command import Output, TextTable, change, command
from gamekeeper.cli.options import Limit, an_id
from gamekeeper.cli.times import Clock
from gamekeeper.core import parsing
from gamekeeper.db.database import Database

STATES: dict[str, RecipientState] = {state: state for state in get_args(RecipientState)}

CampaignId = Annotated[
    UUID, typer.Argument(metavar="CAMPAIGN", parser=an_id, help="The campaign's id.")
]
Name = Annotated[str, typer.Argument(metavar="NAME", help="1 to 80 characters, for staff.")]
Segment = Annotated[str, typer.Argument(metavar="SEGMENT", help="The segment's name.")]
WorkFile = Annotated[Path, typer.Argument(metavar="FILE", help="A JSON file.", show_default=False)]
PerSecond = Annotated[
    int, typer.Option(metavar="NUMBER", help="The most recipients a second, 1 to 10,000.")
]
EndsAt = Annotated[
    str | None,
    typer.Option(
        "--ends", metavar="TIME", help="When the worker reverses it; with --on-join, when it ends."
    ),
]
OnJoin = Annotated[
    bool, typer.Option("--on-join", help="Send the letter when recipients next join a server.")
]
MaxRecipients = Annotated[
    int | None,
    typer.Option(metavar="NUMBER", help="With --on-join: the most recipients; default: 1,000,000."),
]
InState = Annotated[
    str | None, typer.Option("--state", metavar="STATE", help=f"Only {', '.join(STATES)}.")
]
Cursor = Annotated[
    UUID | None, typer.Option(parser=an_id, help="The cursor printed at the end of the last page.")
]


@command
async def list_(
    database: Database, *, limit: Limit = 20, cursor: Cursor = None, clock: Clock
) -> Output:
    """Show campaigns, newest first."""
    found = await storage.list_campaigns(database.reader, cursor, limit)
    rows = [
        [str(each.id), each.name, each.state, _share(each), clock.show(each.created_at)]
        for each in found.values
    ]
    table = TextTable(["id", "name", "state", "done", "created"], rows)
    return Output(found, table, more(found.next))


@command
async def show(database: Database, campaign: CampaignId) -> Output:
    """Show a campaign, and how far it is."""
    found = await storage.find_campaign(database.reader, campaign)
    return Output(found, _facts(found))


@change("campaigns.manage")
async def create(
    database: Database,
    name: Name,
    segment: Segment,
    file: WorkFile,
    *,
    per_second: PerSecond = DEFAULT_PER_SECOND,
    ends_at: EndsAt = None,
    on_join: OnJoin = False,
    max_recipients: MaxRecipients = None,
    by: By,
    clock: Clock,
) -> Output:
    """
    Create a campaign from a JSON file; nothing is done yet.

    The worker collects the recipients: the members of the segment at this moment. Then try the
    campaign, and start it. The file says what each recipient gets, for example a letter with
    three potions:

        {"kind": "letter", "subject": "Sorry", "text": "For the outage on Friday.",
         "items": [{"itemId": "1e5cf19b-0f9b-4a7a-8d2b-6a3a2f0c9d11", "quantity": 3}]}

    With --on-join, members of the segment get the letter when they next join a game server, until
    --ends.
    """
    order = NewCampaign(
        by=by,
        name=name,
        segment=segment,
        work=read_work(file),
        per_second=per_second,
        ends_at=clock.maybe(ends_at),
        on_join=on_join,
        max_recipients=max_recipients,
    )
    made = await changes.create.one(database, order)
    done = f"Created the campaign {made.id}."
    return Output(made, done if on_join else f"{done} Its recipients are collected.")


@command
async def try_(database: Database, campaign: CampaignId) -> Output:
    """
    Try a campaign on a sample, and change nothing.

    The sample has at most 200 recipients. The effect on the supply is exact for all.
    """
    report = await trial.dry_run(database, campaign)
    return Output(report, *_report(report))


@change("campaigns.manage")
async def start(database: Database, campaign: CampaignId, *, by: By) -> Output:
    """Start a campaign that is ready."""
    order = CampaignStart(by=by, campaign_id=campaign)
    started = await changes.start.one(database, order)
    if started.max_recipients is not None:
        most = f"at most {started.max_recipients:,} recipients"
        return Output(started, f"Started the campaign for {most}, when they join.")
    return Output(started, f"Started the campaign for {started.recipients:,} recipients.")


@change("campaigns.manage")
async def pause(database: Database, campaign: CampaignId, *, by: By) -> Output:
    """Pause a running campaign; recipients who had their turn keep what they got."""
    after = await changes.pause.one(database, CampaignCommand(by=by, campaign_id=campaign))
    return Output(after, f"Paused the campaign: {_share(after)} done.")


@change("campaigns.manage")
async def resume(database: Database, campaign: CampaignId, *, by: By) -> Output:
    """Continue a paused campaign where it was."""
    after = await changes.resume.one(database, CampaignCommand(by=by, campaign_id=campaign))
    return Output(after, f"Resumed the campaign: {_share(after)} done.")


@change("campaigns.manage")
async def stop(database: Database, campaign: CampaignId, *, by: By) -> Output:
    """
    End a campaign for good; recipients who had their turn keep what they got.

    A finished campaign that has an end can be stopped before its end: then it is not reversed.
    """
    after = await changes.stop.one(database, CampaignCommand(by=by, campaign_id=campaign))
    return Output(after, f"Stopped the campaign: {_share(after)} done.")


@change("campaigns.manage")
async def reverse(database: Database, campaign: CampaignId, *, by: By) -> Output:
    """
    Undo a campaign for every recipient.

    It must be paused, stopped or finished. Items that were used cannot be taken back:
    `recipients --state kept` lists them.
    """
    order = CampaignReversal(by=by, campaign_id=campaign)
    after = await changes.reverse.one(database, order)
    return Output(after, f"The worker reverses the campaign for {after.done:,} recipients.")


@command
async def recipients(
    database: Database,
    campaign: CampaignId,
    *,
    state: InState = None,
    limit: Limit = 20,
    cursor: Cursor = None,
) -> Output:
    """Show recipients of a campaign, and what became of each."""
    if state is not None and state not in STATES:
        raise InvalidCampaign(f"'--state' must be one of: {', '.join(STATES)}.", field="state")
    found = await recipient_pages.list_recipients(
        database.reader, campaign, STATES[state] if state else None, cursor, limit
    )
    table = TextTable(["character", "state", "reason"], [_row(each) for each in found.values])
    return Output(found, table, more(found.next))


def _row(recipient: CampaignRecipient) -> list[str]:
    missing = sum(item.wanted - item.taken for item in recipient.kept)
    reason = f"{missing:,} pieces kept" if missing else recipient.code or ""
    return [recipient.name or str(recipient.player_id), recipient.state, reason]


def _share(campaign: Campaign) -> str:
    return f"{campaign.done:,} of {campaign.recipients:,}"


def _facts(campaign: Campaign) -> dict[str, str]:
    counts = ("recipients", "done", "skipped", "refused", "reversed", "kept")
    return {
        "name": campaign.name,
        "segment": campaign.segment,
        "work": campaign.work.kind,
        "state": campaign.state,
        **({"on join": f"at most {campaign.max_recipients:,}"} if campaign.max_recipients else {}),
        **{name: f"{getattr(campaign, name):,}" for name in counts},
    }


def _report(report: CampaignDryRun) -> list[str | TextTable]:
    sample = f"Of a sample of {report.sampled}, it is possible for {report.possible}."
    lines: list[str | TextTable] = [f"{report.recipients:,} recipients. {sample}"]
    lines += [f"{each.recipients} of the sample: {each.code}." for each in report.refused]
    lines += [
        f"{each.pieces:+,} of item {each.item_id}, of which {each.supply:,} exist."
        for each in report.items
    ]
    rows = [
        [each.name, str(each.before), str(each.after), each.code or ""] for each in report.samples
    ]
    return [*lines, TextTable(["character", "before", "after", "reason"], rows)]


def more(cursor: UUID | None) -> str | None:
    """How to see the next page; None on the last one."""
    return f"More: --cursor {cursor}" if cursor else None


def read_work(file: Path) -> CampaignWork:
    """The work in a JSON file."""
    try:
        document = msgspec.json.decode(file.read_bytes())
    except (OSError, msgspec.MsgspecError, UnicodeDecodeError) as wrong:
        raise InvalidCampaign(f"{file} cannot be read as JSON: {wrong}.") from None
    return parsing.read(CampaignWork, parsing.fields_of(document), InvalidCampaign)
