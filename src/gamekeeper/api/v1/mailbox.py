"""Endpoints of mailboxes: read, send, claim, withdraw and delete letters."""

from datetime import datetime
from typing import Annotated, Literal
from uuid import UUID

from msgspec import Meta

from gamekeeper.api.path_parameters import LetterId, PlayerKey
from gamekeeper.api.v1.players import READ
from gamekeeper.approvals import requests
from gamekeeper.approvals.requests import BEYOND_LIMITS
from gamekeeper.auth.principal import Principal
from gamekeeper.catalog.items import UnknownItem
from gamekeeper.core.schemas import Body, Query
from gamekeeper.db.database import Database, Reader
from gamekeeper.db.operations import AuditContext
from gamekeeper.http.routing import Routes
from gamekeeper.players.inventory import NO_BUFFS
from gamekeeper.players.lookup import PlayerNotFound
from gamekeeper.players.mailbox import changes, delivery, lists
from gamekeeper.players.mailbox.changes import LetterCommand
from gamekeeper.players.mailbox.delivery import Muted, SendLetter, TradeLocked
from gamekeeper.players.mailbox.drafts import InvalidLetter
from gamekeeper.players.mailbox.letters import (
    LetterClosed,
    LetterHoldsItems,
    LetterNotFound,
    LetterWithoutItems,
    MailboxFull,
)
from gamekeeper.players.mailbox.lists import LetterPage, ShownLetter
from gamekeeper.players.mailbox.records import MAX_ITEMS, Letter, LetterHeld, LetterItem
from gamekeeper.players.rules import (
    BagNotEmpty,
    InvalidQuantity,
    InvalidStatBuffs,
    InventoryFull,
    NotEnoughItems,
)

routes = Routes("/api/v1/players")

CHANGE = "players.items"
TEXTS = "chat.private"
"""Letters are private messages: only who may read those sees subjects and texts."""
OF_LETTERS = (PlayerNotFound, LetterNotFound)


class LettersQuery(Query, frozen=True):
    cursor: UUID | None = None
    """The cursor of the next page: `Next` of the previous response."""
    limit: int = 20
    """The number of letters, at most 100."""


class MailboxQuery(LettersQuery, frozen=True):
    ended: bool = False
    """Whether to list letters that expired, or were withdrawn or deleted, instead."""


@routes.get("/{key}/mailbox", READ, raises=(PlayerNotFound,))
async def list_letters(
    reader: Reader, caller: Principal, key: PlayerKey, query: MailboxQuery
) -> LetterPage:
    """A character's letters, newest first; subjects and texts only with `chat.private`."""
    texts = caller.may(TEXTS)
    return await lists.list_letters(
        reader, key, query.cursor, query.limit, texts=texts, ended=query.ended
    )


@routes.get("/{key}/mailbox/{letter_id}", READ, raises=OF_LETTERS)
async def get_letter(
    reader: Reader, caller: Principal, key: PlayerKey, letter_id: LetterId
) -> ShownLetter:
    """One letter; subject and text only with `chat.private`."""
    return await lists.find_letter(reader, key, letter_id, texts=caller.may(TEXTS))


class LetterItemBody(Body, frozen=True):
    item_id: UUID
    """The item's id."""
    quantity: int
    """The quantity, at least 1."""
    stat_buffs: Annotated[list[int], Meta(max_length=len(NO_BUFFS))] | None = None
    """The buffs of attack, ability power, defense, magic resist and speed; by default none."""


class WriteLetter(Body, frozen=True):
    subject: str
    """1 to 100 characters."""
    text: str = ""
    """At most 2,000 characters."""
    items: Annotated[list[LetterItemBody], Meta(max_length=MAX_ITEMS)] | None = None
    """At most 10 stacks; each bag is one of its own. JSON bodies only."""
    from_: str | None = None
    """
    The character that sends the letter: the items leave its inventory. Without it, the items are
    new.
    """
    expires_at: datetime | None = None
    """When the letter expires, within 365 days; by default after 30 days."""
    on_expiry: Literal["return", "destroy"] = "destroy"
    """Whether unclaimed items return to the mailbox of the sender, or are destroyed."""


@routes.post(
    "/{key}/mailbox",
    CHANGE,
    raises=(
        *(PlayerNotFound, UnknownItem, InvalidLetter, InvalidQuantity, InvalidStatBuffs),
        *(MailboxFull, NotEnoughItems, BagNotEmpty, TradeLocked, Muted, *BEYOND_LIMITS),
    ),
    claims_first=True,
)
async def send_letter(
    database: Database, caller: Principal, by: AuditContext, key: PlayerKey, body: WriteLetter
) -> ShownLetter:
    """
    Send a letter to a character, with all its items or not at all.

    Beyond the caller's limits nothing is sent: the response is 202 with the id of a request for
    approval.
    """
    order = SendLetter(
        by=by,
        player=key,
        subject=body.subject,
        text=body.text,
        items=tuple(_item(item) for item in body.items or ()),
        from_player=body.from_,
        expires_at=body.expires_at,
        on_expiry=body.on_expiry,
    )
    return await requests.carry_out(
        database, delivery.send, order, lambda letter: _shown(letter, caller)
    )


def _item(body: LetterItemBody) -> LetterItem:
    buffs = NO_BUFFS if body.stat_buffs is None else tuple(body.stat_buffs)
    if len(buffs) != len(NO_BUFFS):
        raise InvalidStatBuffs
    return LetterItem(item_id=body.item_id, quantity=body.quantity, stat_buffs=buffs)


def _shown(letter: Letter, caller: Principal) -> ShownLetter:
    return lists.shown(letter, texts=caller.may(TEXTS))


@routes.post(
    "/{key}/mailbox/{letter_id}/claim",
    CHANGE,
    raises=(*OF_LETTERS, LetterClosed, LetterHeld, LetterWithoutItems, InventoryFull),
    claims_first=True,
)
async def claim_letter(
    database: Database, caller: Principal, by: AuditContext, key: PlayerKey, letter_id: LetterId
) -> ShownLetter:
    """Move all items of a letter to the character's inventory, or none."""
    order = LetterCommand(by=by, player=key, letter_id=letter_id)
    return await changes.claim.one(database, order, lambda letter: _shown(letter, caller))


@routes.post("/{key}/mailbox/{letter_id}/read", CHANGE, raises=OF_LETTERS, claims_first=True)
async def mark_letter_read(
    database: Database, caller: Principal, by: AuditContext, key: PlayerKey, letter_id: LetterId
) -> ShownLetter:
    """Mark a letter as read; the first time counts."""
    order = LetterCommand(by=by, player=key, letter_id=letter_id)
    return await changes.mark_read.one(database, order, lambda letter: _shown(letter, caller))


@routes.post(
    "/{key}/mailbox/{letter_id}/withdraw",
    CHANGE,
    raises=(*OF_LETTERS, LetterClosed),
    claims_first=True,
)
async def withdraw_letter(
    database: Database, caller: Principal, by: AuditContext, key: PlayerKey, letter_id: LetterId
) -> ShownLetter:
    """Take an open letter back now; its items go where they would go when it expires."""
    order = LetterCommand(by=by, player=key, letter_id=letter_id)
    return await changes.withdraw.one(database, order, lambda letter: _shown(letter, caller))


@routes.delete(
    "/{key}/mailbox/{letter_id}",
    CHANGE,
    raises=(*OF_LETTERS, LetterHoldsItems),
    claims_first=True,
)
async def delete_letter(
    database: Database, caller: Principal, by: AuditContext, key: PlayerKey, letter_id: LetterId
) -> ShownLetter:
    """Delete a letter without items, or whose items were claimed; returns its last state."""
    order = LetterCommand(by=by, player=key, letter_id=letter_id)
    return await changes.delete.one(database, order, lambda letter: _shown(letter, caller))
