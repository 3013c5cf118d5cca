"""Endpoints of characters' items: inventory, bank and bags; give and take."""

from typing import Annotated, Literal
from uuid import UUID

from msgspec import UNSET, Meta, UnsetType

from gamekeeper.api.path_parameters import BagId, PlayerKey
from gamekeeper.api.v1.players import READ, NamedAsOf
from gamekeeper.approvals import requests
from gamekeeper.approvals.requests import BEYOND_LIMITS
from gamekeeper.catalog.items import UnknownItem
from gamekeeper.core.schemas import Body, Record, Reply
from gamekeeper.db.database import Database, Reader
from gamekeeper.db.operations import AuditContext
from gamekeeper.history import as_of
from gamekeeper.http.routing import Routes
from gamekeeper.ledger.retention import AtTooOld
from gamekeeper.players import display_names, items, rules
from gamekeeper.players.inventory import NO_BUFFS
from gamekeeper.players.lookup import PlayerNotFound
from gamekeeper.players.mailbox.gifts import BY_MAIL, MailedHolding
from gamekeeper.players.mailbox.letters import MailboxFull
from gamekeeper.players.records import Bag, Items, Slot

routes = Routes("/api/v1/players")


@routes.get("/{key}/items", READ, raises=(PlayerNotFound, AtTooOld))
async def list_items(reader: Reader, key: PlayerKey, query: NamedAsOf) -> Items:
    """Every slot of a character's inventory and bank, now or as of an instant."""
    found = (
        await as_of.carried(reader, key, query.at) if query.at else await items.carried(reader, key)
    )
    return await display_names.in_places(reader, found) if query.names else found


@routes.get("/{key}/items/inventory", READ, raises=(PlayerNotFound, AtTooOld))
async def list_inventory(reader: Reader, key: PlayerKey, query: NamedAsOf) -> list[Slot]:
    """Every slot of a character's inventory, now or as of an instant."""
    found = (
        await as_of.slots(reader, key, "inventory", query.at)
        if query.at
        else await items.slots(reader, key, "inventory")
    )
    return await display_names.with_item_names(reader, found) if query.names else found


@routes.get("/{key}/items/bank", READ, raises=(PlayerNotFound, AtTooOld))
async def list_bank(reader: Reader, key: PlayerKey, query: NamedAsOf) -> list[Slot]:
    """Every slot of a character's bank, now or as of an instant."""
    found = (
        await as_of.slots(reader, key, "bank", query.at)
        if query.at
        else await items.slots(reader, key, "bank")
    )
    return await display_names.with_item_names(reader, found) if query.names else found


@routes.get("/bag/{bag_id}", READ, raises=(items.BagNotFound, AtTooOld))
async def get_bag(reader: Reader, bag_id: BagId, query: NamedAsOf) -> Bag:
    """A bag and every slot in it, now or as of an instant."""
    found = (
        await as_of.bag(reader, bag_id, query.at) if query.at else await items.bag(reader, bag_id)
    )
    return await display_names.in_bag(reader, found) if query.names else found


class GiveItem(Body, frozen=True):
    item_id: UUID
    """The item's id."""
    quantity: int
    """The quantity, at least 1."""
    bank_overflow: bool = False
    """Whether items that do not fit into the inventory go to the bank."""
    stat_buffs: Annotated[list[int], Meta(max_length=len(NO_BUFFS))] | None = None
    """
    The buffs of attack, ability power, defense, magic resist and speed; by default none. JSON
    bodies only.
    """
    deliver: Literal["inventory", "mailbox"] | None = None
    """Where the items go: `mailbox` sends all of them in a letter; by default `inventory`."""
    overflow: Literal["refuse", "mailbox"] | None = None
    """Whether items that have no room are refused (the default), or sent in a letter."""


class GiftLetter(Reply, frozen=True):
    """The letter that brings items of a gift."""

    id: UUID
    quantity: int
    """How many are in the letter; they are not in the total."""


class GivenItem(Reply, frozen=True):
    id: UUID
    quantity: items.Holding
    letter: GiftLetter | UnsetType = UNSET
    """Only if items are in a letter."""


@routes.post(
    "/{key}/items/give",
    "players.items",
    raises=(
        *(PlayerNotFound, UnknownItem, items.InvalidQuantity),
        *(rules.InvalidStatBuffs, rules.InventoryFull, MailboxFull, *BEYOND_LIMITS),
    ),
    claims_first=True,
)
async def give_item(
    database: Database, by: AuditContext, key: PlayerKey, body: GiveItem
) -> GivenItem:
    """
    Give items to a character, all or nothing; `statbuffs` apply to all of them.

    Beyond the caller's limits nothing is given: the response is 202 with the id of a request
    for approval.
    """
    buffs = NO_BUFFS if body.stat_buffs is None else tuple(body.stat_buffs)
    if len(buffs) != len(NO_BUFFS):
        raise rules.InvalidStatBuffs
    order = items.Gift(
        by=by,
        player=key,
        item_id=body.item_id,
        quantity=body.quantity,
        overflow_to_bank=body.bank_overflow,
        stat_buffs=buffs,
        by_mail=BY_MAIL.get((body.deliver or "inventory", body.overflow or "refuse"), UNSET),
    )
    return await requests.carry_out(
        database,
        items.give,
        order,
        lambda held: (
            GivenItem(id=body.item_id, quantity=held)
            if type(held) is items.Holding
            else _given_by_mail(body.item_id, held)
        ),
    )


def _given_by_mail(item: UUID, held: items.Holding) -> GivenItem:
    assert isinstance(held, MailedHolding)
    return GivenItem(
        id=item,
        quantity=items.Holding(total=held.total, bank=held.bank, inventory=held.inventory),
        letter=GiftLetter(id=held.letter_id, quantity=held.mailed),
    )


class TakeItem(Body, frozen=True):
    item_id: UUID
    """The item's id."""
    quantity: int
    """The quantity, at least 1."""


class TakenItem(
    Record, frozen=True, rename={"item_id": "ItemId", "quantity": "Quantity", "id": "id"}
):
    item_id: UUID
    quantity: int
    id: UUID
    """The same as `ItemId`: clients of Intersect recognise success by it, as in a gift."""


@routes.post(
    "/{key}/items/take",
    "players.items",
    raises=(
        PlayerNotFound,
        UnknownItem,
        items.InvalidQuantity,
        rules.NotEnoughItems,
        rules.BagNotEmpty,
    ),
    claims_first=True,
)
async def take_item(
    database: Database, by: AuditContext, key: PlayerKey, body: TakeItem
) -> TakenItem:
    """Take items from a character's inventory, all or nothing."""
    order = items.Taking(by=by, player=key, item_id=body.item_id, quantity=body.quantity)
    return await items.take.one(
        database,
        order,
        lambda taken: TakenItem(item_id=taken.item_id, quantity=taken.quantity, id=taken.item_id),
    )
