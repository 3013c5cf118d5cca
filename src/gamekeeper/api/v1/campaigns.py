"""Campaign endpoints: work for every member of a segment, with a dry run and a reversal."""

from datetime import datetime
from typing import Annotated, Literal
from uuid import UUID

from msgspec import Meta

from gamekeeper.api.path_parameters import CampaignId
from gamekeeper.approvals import requests
from gamekeeper.approvals.requests import BEYOND_LIMITS
from gamekeeper.auth.principal import Principal
from gamekeeper.campaigns import changes, dry_run, recipients, storage
from gamekeeper.campaigns.changes import (
    CampaignCommand,
    CampaignReversal,
    CampaignStart,
    NewCampaign,
    WrongCampaignState,
)
from gamekeeper.campaigns.checks import InvalidCampaign, TooManyCampaigns
from gamekeeper.campaigns.records import (
    DEFAULT_PER_SECOND,
    SCOPES,
    Campaign,
    CampaignDryRun,
    CampaignItem,
    CampaignRecipients,
    Campaigns,
    CampaignWork,
    WorkKind,
)
from gamekeeper.campaigns.storage import CampaignNotFound
from gamekeeper.catalog.items import UnknownItem
from gamekeeper.core.errors import RoleRequired
from gamekeeper.core.parsing import Scalar
from gamekeeper.core.schemas import Body, Query
from gamekeeper.db.database import Database, Reader
from gamekeeper.db.operations import AuditContext
from gamekeeper.http.load_shedding import LOW
from gamekeeper.http.routing import Routes
from gamekeeper.players.mailbox.drafts import InvalidLetter
from gamekeeper.players.mailbox.records import MAX_ITEMS
from gamekeeper.players.rules import InvalidQuantity
from gamekeeper.segments.saved import SegmentNotFound
from gamekeeper.servers.commands.payloads import InvalidCommand

routes = Routes("/api/v1/campaigns")

READ = "campaigns.read"
MANAGE = "campaigns.manage"
MOVED = (CampaignNotFound, WrongCampaignState)


class CampaignItemBody(Body, frozen=True):
    item_id: UUID
    """The item's id."""
    quantity: int
    """The quantity for each recipient, at least 1."""


class CampaignWorkBody(Body, frozen=True, forbid_unknown_fields=True):
    kind: WorkKind
    """
    `letter`, `give`, `take`, `variable`, `spell` or `message`; of a schedule also `announcement`.
    It decides which other fields apply.
    """
    subject: str | None = None
    """`letter`: its subject, 1 to 100 characters."""
    text: str | None = None
    """
    `letter`: its text, at most 2,000 characters. `message` and `announcement`: the text,
    1 to 500 characters.
    """
    items: Annotated[list[CampaignItemBody], Meta(max_length=MAX_ITEMS)] | None = None
    """`letter`: at most 10 stacks of items. `give` and `take`: exactly one."""
    expires_in_days: int | None = None
    """`letter`: when it expires, 1 to 365 days after it was sent; by default 30."""
    overflow_to_bank: bool | None = None
    """`give`: whether what has no room in the inventory goes to the bank."""
    id: UUID | None = None
    """`variable` and `spell`: its id."""
    value: Scalar | None = None
    """`variable`: the new value."""
    color: str | None = None
    """`message` and `announcement`: `#RRGGBB`, or `#AARRGGBB` with the opacity first."""


class CreateCampaign(Body, frozen=True):
    name: str
    """1 to 80 characters, for staff."""
    segment: str
    """The name of the segment whose members are the recipients."""
    work: CampaignWorkBody
    """The work that is done for each recipient."""
    per_second: int = DEFAULT_PER_SECOND
    """The most recipients a second, 1 to 10,000."""
    ends_at: datetime | None = None
    """
    When the worker reverses the campaign; by default never. With `onjoin` it is required: letters
    are delivered until then, and stay.
    """
    on_join: bool = False
    """
    Whether recipients get the letter when they next join a game server, instead of at the start.
    No rows are stored for those who never join.
    """
    max_recipients: int | None = None
    """
    With `onjoin`: how many characters get the letter at most, 1 to 10,000,000, by default
    1,000,000. It counts against your limits.
    """


class CampaignsQuery(Query, frozen=True):
    cursor: UUID | None = None
    """The cursor of the next page: `Next` of the previous response."""
    limit: int = 20
    """The page size, 1 to 100; values out of range are clamped."""


class RecipientsQuery(Query, frozen=True):
    state: Literal["waiting", "done", "skipped", "refused", "reversed", "kept"] | None = None
    """Only recipients in this state."""
    cursor: UUID | None = None
    """The cursor of the next page: `Next` of the previous response."""
    limit: int = 100
    """The page size, 1 to 100; values out of range are clamped."""


@routes.get("", READ)
async def list_campaigns(reader: Reader, query: CampaignsQuery) -> Campaigns:
    """Campaigns, newest first."""
    return await storage.list_campaigns(reader, query.cursor, query.limit)


@routes.get("/{campaign_id}", READ, raises=(CampaignNotFound,))
async def get_campaign(reader: Reader, campaign_id: CampaignId) -> Campaign:
    """One campaign, and how far it is."""
    return await storage.find_campaign(reader, campaign_id)


@routes.post(
    "",
    MANAGE,
    raises=(
        *(InvalidCampaign, InvalidCommand, InvalidLetter, InvalidQuantity, UnknownItem),
        *(SegmentNotFound, TooManyCampaigns),
    ),
)
async def create_campaign(
    database: Database, caller: Principal, by: AuditContext, body: CreateCampaign
) -> Campaign:
    """
    Create a campaign for the current members of a segment.

    The worker collects the recipients; then the campaign is `ready`, and nothing is done before it
    is started. Characters that join the segment later are not recipients. Beside
    `campaigns.manage` it needs the permission for the work itself: `players.items`,
    `players.variables`, `players.spells` or `commands`.

    With `onjoin` it is `ready` at once. After the start, each member of the segment that joins a
    game server before `endsat`, or is on one already, gets the letter once.
    """
    check_right(caller, body.work.kind)
    order = NewCampaign(
        by=by,
        name=body.name,
        segment=body.segment,
        work=work_of(body.work),
        per_second=body.per_second,
        ends_at=body.ends_at,
        on_join=body.on_join,
        max_recipients=body.max_recipients,
    )
    return await changes.create.one(database, order)


@routes.post(
    "/{campaign_id}/dry-run", MANAGE, raises=(CampaignNotFound,), priority=LOW, takes_key=False
)
async def try_campaign(database: Database, campaign_id: CampaignId) -> CampaignDryRun:
    """
    Try a campaign on a sample of at most 200 recipients, and change nothing.

    The effect on the supply of items is exact for all recipients.
    """
    return await dry_run.dry_run(database, campaign_id)


@routes.post("/{campaign_id}/start", MANAGE, raises=(*MOVED, *BEYOND_LIMITS))
async def start_campaign(
    database: Database, caller: Principal, by: AuditContext, campaign_id: CampaignId
) -> Campaign:
    """
    Start a campaign that is `ready`.

    The items for all recipients, or for `maxrecipients`, count against the caller's limits. Beyond
    them nothing is started: the response is 202 with the id of a request for approval.
    """
    check_right(caller, (await storage.find_campaign(database.reader, campaign_id)).work.kind)
    return await requests.carry_out(
        database, changes.start, CampaignStart(by=by, campaign_id=campaign_id)
    )


@routes.post("/{campaign_id}/pause", MANAGE, raises=MOVED)
async def pause_campaign(database: Database, by: AuditContext, campaign_id: CampaignId) -> Campaign:
    """Pause a running campaign; recipients who had their turn keep what they got."""
    return await changes.pause.one(database, CampaignCommand(by=by, campaign_id=campaign_id))


@routes.post("/{campaign_id}/resume", MANAGE, raises=MOVED)
async def resume_campaign(
    database: Database, by: AuditContext, campaign_id: CampaignId
) -> Campaign:
    """Continue a paused campaign where it was."""
    return await changes.resume.one(database, CampaignCommand(by=by, campaign_id=campaign_id))


@routes.post("/{campaign_id}/stop", MANAGE, raises=MOVED)
async def stop_campaign(database: Database, by: AuditContext, campaign_id: CampaignId) -> Campaign:
    """
    End a campaign for good; recipients who had their turn keep what they got.

    A finished campaign with `EndsAt` can be stopped before that: then it is not reversed.
    """
    return await changes.stop.one(database, CampaignCommand(by=by, campaign_id=campaign_id))


@routes.post("/{campaign_id}/reverse", MANAGE, raises=(*MOVED, *BEYOND_LIMITS))
async def reverse_campaign(
    database: Database, by: AuditContext, campaign_id: CampaignId
) -> Campaign:
    """
    Undo a campaign that is paused, stopped or finished, for every recipient.

    Items that were used cannot be taken back: the recipient is then `kept`, with the items and
    quantities.
    """
    return await requests.carry_out(
        database, changes.reverse, CampaignReversal(by=by, campaign_id=campaign_id)
    )


@routes.get("/{campaign_id}/recipients", READ, raises=(CampaignNotFound,), priority=LOW)
async def list_campaign_recipients(
    reader: Reader, campaign_id: CampaignId, query: RecipientsQuery
) -> CampaignRecipients:
    """The recipients of a campaign, by id, and what became of each."""
    return await recipients.list_recipients(
        reader, campaign_id, query.state, query.cursor, query.limit
    )


def check_right(caller: Principal, kind: WorkKind) -> None:
    """Raise RoleRequired if the caller lacks the scope of the work."""
    if not caller.may(SCOPES[kind]):
        raise RoleRequired(SCOPES[kind])


def work_of(body: CampaignWorkBody) -> CampaignWork:
    """The work that a body describes."""
    items = body.items or ()
    return CampaignWork(
        kind=body.kind,
        subject=body.subject,
        text=body.text,
        items=[CampaignItem(item_id=item.item_id, quantity=item.quantity) for item in items],
        expires_in_days=body.expires_in_days,
        overflow_to_bank=body.overflow_to_bank,
        id=body.id,
        value=body.value,
        color=body.color,
    )
