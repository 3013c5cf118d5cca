"""Endpoints of redeem codes: batches, their download, redemptions, and one code."""

from datetime import datetime
from typing import Annotated
from uuid import UUID

from msgspec import Meta

from gamekeeper.api.path_parameters import CodeBatchId
from gamekeeper.auth.principal import Principal
from gamekeeper.auth.secrets import Vault
from gamekeeper.catalog.items import UnknownItem
from gamekeeper.codes import batches, generation, lookup, redemption, storage, symbols
from gamekeeper.codes.batches import (
    BatchCommand,
    CodeRevocation,
    CodesNeedNoLimits,
    NewBatch,
    WrongBatchState,
)
from gamekeeper.codes.checks import InvalidCodeBatch
from gamekeeper.codes.generation import CodesAlreadyShown
from gamekeeper.codes.records import (
    DEFAULT_LETTER_DAYS,
    CodeBatch,
    CodeBatches,
    CodeBatchNotFound,
    CodeFacts,
    CodeItem,
    CodeRedemptions,
    RedeemedCode,
)
from gamekeeper.codes.redemption import (
    CodeAlreadyRedeemed,
    CodeExpired,
    CodeNotStarted,
    CodeRevoked,
    CodeUsedUp,
    NoCharacter,
    UnknownCode,
)
from gamekeeper.core.errors import Forbidden, Invalid, TooManyRequests
from gamekeeper.core.schemas import Body, Query
from gamekeeper.db.database import Database, Reader
from gamekeeper.db.operations import AuditContext
from gamekeeper.http.exports import TooManyExports
from gamekeeper.http.load_shedding import LOW
from gamekeeper.http.responses import Response
from gamekeeper.http.routing import Routes
from gamekeeper.players.lookup import PlayerNotFound
from gamekeeper.players.mailbox.drafts import InvalidLetter
from gamekeeper.players.mailbox.letters import MailboxFull
from gamekeeper.players.mailbox.records import MAX_ITEMS
from gamekeeper.players.rules import InvalidQuantity
from gamekeeper.users.lookup import UserNotFound, find_user_id

routes = Routes("/api/v1/codes")
own = Routes("/api/v1/me/codes")

READ = "codes.read"
MANAGE = "codes.manage"
REDEEM = "codes.redeem"
REFUSED = (
    *(UnknownCode, CodeExpired, CodeNotStarted, CodeRevoked, CodeUsedUp, CodeAlreadyRedeemed),
    *(NoCharacter, PlayerNotFound, MailboxFull, UnknownItem, TooManyRequests),
)


class RedeemNeedsAccount(Forbidden):
    """An API key has no account. Use /api/v1/codes/redeem, and name the account."""

    cacheable = False


class InvalidReceiver(Invalid):
    """Send either 'account' or 'character'."""


class CodeBatchesQuery(Query, frozen=True):
    campaign: str | None = None
    """Only batches of this campaign."""
    cursor: UUID | None = None
    """The cursor of the next page: `Next` of the previous response."""
    limit: int = 20
    """The page size, 1 to 100; values out of range are clamped."""


class CodeRedemptionsQuery(Query, frozen=True):
    cursor: UUID | None = None
    """The cursor of the next page: `Next` of the previous response."""
    limit: int = 100
    """The page size, 1 to 100; values out of range are clamped."""


class CodeItemBody(Body, frozen=True):
    item_id: UUID
    """The item's id."""
    quantity: int = 1
    """How many, at least 1."""


class CreateCodeBatch(Body, frozen=True):
    campaign: str
    """
    The campaign, 1 to 64 lower-case letters, digits, dots, hyphens or underscores. An account can
    redeem one code of all batches of a campaign, once.
    """
    name: str
    """1 to 80 characters, for staff."""
    codes: int
    """How many codes, 1 to 1,000,000."""
    subject: str
    """The subject of the letter, 1 to 100 characters."""
    text: str = ""
    """The text of the letter, at most 2,000 characters."""
    items: Annotated[list[CodeItemBody], Meta(max_length=MAX_ITEMS)] | None = None
    """The items in the letter, at most 10 stacks."""
    uses: int = 1
    """How many accounts can redeem each code, 1 to 1,000,000."""
    prefix: str | None = None
    """The prefix of each code: 1 to 12 letters A to Z or digits."""
    starts_at: datetime | None = None
    """From when codes can be redeemed; by default from the activation."""
    expires_at: datetime | None = None
    """Until when codes can be redeemed; by default no limit."""
    expires_in_days: int = DEFAULT_LETTER_DAYS
    """How many days after its redemption the letter expires, 1 to 365."""


@routes.get("/batches", READ)
async def list_code_batches(reader: Reader, query: CodeBatchesQuery) -> CodeBatches:
    """Batches of codes, newest first, with the number of redemptions of each."""
    return await storage.list_batches(reader, query.campaign, query.cursor, query.limit)


@routes.get("/batches/{batch_id}", READ, raises=(CodeBatchNotFound,))
async def get_code_batch(reader: Reader, batch_id: CodeBatchId) -> CodeBatch:
    """One batch of codes, and how many were redeemed."""
    return await storage.find_batch(reader, batch_id)


@routes.post(
    "/batches",
    MANAGE,
    raises=(InvalidCodeBatch, InvalidLetter, InvalidQuantity, UnknownItem, CodesNeedNoLimits),
    step_up=True,
)
async def create_code_batch(
    database: Database, by: AuditContext, body: CreateCodeBatch
) -> CodeBatch:
    """
    Create a batch of codes that give a letter with items.

    The batch has no codes yet: download them, then activate the batch. Callers with limits cannot
    create, download or activate codes, because redemptions count against no limits.
    """
    return await batches.create.one(database, _new_batch(by, body))


@routes.post(
    "/batches/{batch_id}/download",
    MANAGE,
    raises=(CodeBatchNotFound, CodesAlreadyShown, CodesNeedNoLimits, TooManyExports),
    priority=LOW,
    step_up=True,
    takes_key=False,
    media_type="text/csv",
)
async def download_codes(
    database: Database, vault: Vault, by: AuditContext, batch_id: CodeBatchId
) -> Response:
    """
    Make the codes of a batch and return them as a CSV file with one column, once.

    Codes are not stored. If a download breaks, start another one: it makes new codes, and those
    of the broken download can never be redeemed. This is possible until the batch is activated.
    """
    command = BatchCommand(by=by, batch_id=batch_id)
    await generation.check(database.reader, command)
    return Response(
        body=b"",
        content_type="text/csv; charset=utf-8",
        headers=[("Content-Disposition", f'attachment; filename="codes-{batch_id}.csv"')],
        stream=generation.pieces(database, vault, command),
        is_export=True,
    )


@routes.post(
    "/batches/{batch_id}/activate",
    MANAGE,
    raises=(CodeBatchNotFound, CodesNeedNoLimits, WrongBatchState),
)
async def activate_code_batch(
    database: Database, by: AuditContext, batch_id: CodeBatchId
) -> CodeBatch:
    """
    Activate a batch whose codes you have: from now on they can be redeemed.

    A batch that is active stays as it is.
    """
    return await batches.activate.one(database, BatchCommand(by=by, batch_id=batch_id))


@routes.post("/batches/{batch_id}/revoke", MANAGE, raises=(CodeBatchNotFound,))
async def revoke_code_batch(
    database: Database, by: AuditContext, batch_id: CodeBatchId
) -> CodeBatch:
    """Revoke all codes of a batch for good. Letters of redeemed codes stay."""
    return await batches.revoke.one(database, BatchCommand(by=by, batch_id=batch_id))


@routes.get("/batches/{batch_id}/redemptions", READ, raises=(CodeBatchNotFound,), priority=LOW)
async def list_code_redemptions(
    reader: Reader, batch_id: CodeBatchId, query: CodeRedemptionsQuery
) -> CodeRedemptions:
    """The redemptions of a batch, newest first."""
    return await storage.redemptions_of_batch(reader, batch_id, query.cursor, query.limit)


class NamedCode(Body, frozen=True):
    code: str
    """The code; in any letter case, with or without hyphens and prefix."""


@routes.post("/look-up", READ, raises=(UnknownCode,), takes_key=False)
async def look_up_code(database: Database, vault: Vault, body: NamedCode) -> CodeFacts:
    """
    One code: its batch, how often it was used, and who redeemed it.

    A POST, because a code in an address would be stored in logs.
    """
    # Not from a replica: it may have been redeemed just now.
    return await lookup.look_up(database.reader, vault, body.code)


@routes.post("/revoke", MANAGE, raises=(UnknownCode,), takes_key=False)
async def revoke_code(
    database: Database, vault: Vault, by: AuditContext, body: NamedCode
) -> CodeFacts:
    """Revoke one code for good. Letters of its redemptions stay."""
    hashes = symbols.typed_hashes(vault, body.code)
    await batches.revoke_code.one(database, CodeRevocation(by=by, hashes=hashes))
    return await lookup.look_up(database.reader, vault, body.code)


class RedeemCode(Body, frozen=True):
    code: str
    """The code; in any letter case, with or without hyphens and prefix."""
    account: str | None = None
    """The account that redeems, by name or id; its character that was played last receives."""
    character: str | None = None
    """The character that receives, by name or id; instead of an account."""


@routes.post("/redeem", REDEEM, raises=(*REFUSED, UserNotFound, InvalidReceiver))
async def redeem_code(
    database: Database, vault: Vault, by: AuditContext, body: RedeemCode
) -> RedeemedCode:
    """
    Redeem a code for an account or a character: a letter with the items goes to its mailbox.

    Each account redeems one code of a campaign, once. Unknown codes are limited for each account
    and each caller.
    """
    if (body.account is None) == (body.character is None):
        raise InvalidReceiver
    user = None if body.account is None else await find_user_id(database.reader, body.account)
    receiver = await redemption.find_receiver(database, user, body.character)
    source = redemption.source_client(by.actor)
    return await redemption.redeem_code(database, vault, by, receiver, body.code, source=source)


class RedeemMyCode(Body, frozen=True):
    code: str
    """The code; in any letter case, with or without hyphens and prefix."""
    character: str | None = None
    """Your character that receives, by name or id; by default the one played last."""


@own.post("", raises=(*REFUSED, RedeemNeedsAccount))
async def redeem_my_code(
    database: Database, vault: Vault, caller: Principal, by: AuditContext, body: RedeemMyCode
) -> RedeemedCode:
    """
    Redeem a code as the account that calls: a letter with the items goes to your mailbox.

    Unknown codes are limited for each account and each address.
    """
    if caller.user_id is None:
        raise RedeemNeedsAccount
    receiver = await redemption.find_receiver(database, caller.user_id, body.character)
    source = redemption.source_address(by.address)
    return await redemption.redeem_code(database, vault, by, receiver, body.code, source=source)


def _new_batch(by: AuditContext, body: CreateCodeBatch) -> NewBatch:
    items = body.items or ()
    return NewBatch(
        by=by,
        campaign=body.campaign,
        name=body.name,
        codes=body.codes,
        subject=body.subject,
        text=body.text,
        items=tuple(CodeItem(item_id=item.item_id, quantity=item.quantity) for item in items),
        uses=body.uses,
        prefix=body.prefix,
        starts_at=body.starts_at,
        expires_at=body.expires_at,
        expires_in_days=body.expires_in_days,
    )
