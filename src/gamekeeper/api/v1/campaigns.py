"""Campaign endpoints: work for every member of a segment, with a dry run and a reversal."""

from typing import Annotated, Literal
from uuid import UUID

from msgspec import Meta

from gamekeeper.api.path_parameters import CampaignId
from gamekeeper.approvals import requests
from gamekeeper.approvals.requests import BEYOND_LIMITS
from gamekeeper.auth.principal import Principal
from gamekeeper.campaigns import changes, dry_run, storage
from gamekeeper.campaigns.changes import (
    CampaignCommand,
    CampaignReversal,
    CampaignStart,
    NewCampaign,
    TooManyCampaigns,
    WrongCampaignState,
)
from gamekeeper.campaigns.checks import InvalidCampaign
from gamekeeper.campaigns.records import (
    DEFAULT_PER_SECOND,
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

routes = Routes("/api/v1/campaigns")

READ = "campaigns.read"
MANAGE = "campaigns.manage"
MOVED = (CampaignNotFound, WrongCampaignState)
SCOPES: dict[WorkKind, str] = {
    "letter": "players.items",
    "give": "players.items",
    "take": "players.items",
    "variable": "players.variables",
    "spell": "players.spells",
}
"""The scope of each kind of work. A campaign must not be a way around it."""


class CampaignItemBody(Body, frozen=True):
    item_id: UUID
    """The item's id."""
    quantity: int
    """The quantity for each recipient, at least 1."""


class CampaignWorkBody(Body, frozen=True, forbid_unknown_fields=True):
    kind: WorkKind
    """`letter`, `give`, `take`, `variable` or `spell`; it decides which other fields apply."""
    subject: str | None = None
    """`letter`: its subject, 1 to 100 characters."""
    text: str | None = None
    """`letter`: its text, at most 2,000 characters."""
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


class CreateCampaign(Body, frozen=True):
    name: str
    """1 to 80 characters, for staff."""
    segment: str
    """The name of the segment whose members are the recipients."""
    work: CampaignWorkBody
    """The work that is done for each recipient."""
    per_second: int = DEFAULT_PER_SECOND
    """The most recipients a second, 1 to 10,000."""


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
        *(InvalidCampaign, InvalidLetter, InvalidQuantity, UnknownItem),
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
    `players.variables` or `players.spells`.
    """
    _check_right(caller, body.work.kind)
    order = NewCampaign(
        by=by,
        name=body.name,
        segment=body.segment,
        work=_work(body.work),
        per_second=body.per_second,
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

    The items for all recipients count against the caller's limits. Beyond them nothing is started:
    the response is 202 with the id of a request for approval.
    """
    _check_right(caller, (await storage.find_campaign(database.reader, campaign_id)).work.kind)
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
    """End a campaign for good; recipients who had their turn keep what they got."""
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
    return await storage.list_recipients(
        reader, campaign_id, query.state, query.cursor, query.limit
    )


def _check_right(caller: Principal, kind: WorkKind) -> None:
    if not caller.may(SCOPES[kind]):
        raise RoleRequired(SCOPES[kind])


def _work(body: CampaignWorkBody) -> CampaignWork:
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
    )
