"""What players carry: looked at, given, taken."""

from collections.abc import Sequence
from functools import cache
from typing import Any, LiteralString
from uuid import UUID

from msgspec import Struct
from msgspec.structs import replace

from gamekeeper import directories
from gamekeeper.catalog import items as catalog
from gamekeeper.catalog.items import Item, UnknownItem
from gamekeeper.database import Reader, Writer
from gamekeeper.errors import Conflict, Invalid, NotFound, Problem
from gamekeeper.ledger import actions
from gamekeeper.ledger.actions import Action, Kind
from gamekeeper.operations import Order, merged_operation
from gamekeeper.players import packing
from gamekeeper.players.belongings import Belongings, Place, Why
from gamekeeper.players.lookup import NAMES, lock_all, unknown
from gamekeeper.players.packing import Stack
from gamekeeper.players.records import Bag, Items, Slot
from gamekeeper.queries import query

MOST = 2**31 - 1
"""More of one item than clients can count, nobody may hold."""


class InvalidQuantity(Invalid):
    """The quantity must be at least 1."""


class InventoryFull(Conflict):
    """There is no room for that many; nothing was given."""


class NotEnoughItems(Conflict):
    """The inventory holds fewer than that; nothing was taken."""


class BagNotEmpty(Conflict):
    """A bag with something in it cannot be taken; nothing was taken."""


class BagNotFound(NotFound):
    """Bag does not exist."""


class Holding(Struct, frozen=True, kw_only=True):
    """How many of one item a player holds, and where; what is in bags is not counted."""

    total: int
    bank: int
    inventory: int


class Gift(Order, frozen=True, kw_only=True):
    player: str
    item_id: UUID
    quantity: int
    overflow_to_bank: bool = False


class Taking(Order, frozen=True, kw_only=True):
    player: str
    item_id: UUID
    quantity: int


async def carried(reader: Reader, key: str) -> Items:
    """Every slot of a player's inventory and bank, the empty ones too."""
    rows = await filled.one(reader, key)
    if rows is None:
        raise unknown(key)
    return Items(
        inventory=_padded(rows["inventory"], reader.settings.inventory_slots),
        bank=_padded(rows["bank"], reader.settings.bank_slots),
    )


async def slots(reader: Reader, key: str, place: Place) -> list[Slot]:
    """Every slot of one place, the empty ones too."""
    rows = await (inventory if place == "inventory" else bank).one(reader, key)
    if rows is None:
        raise unknown(key)
    settings = reader.settings
    return _padded(rows, settings.inventory_slots if place == "inventory" else settings.bank_slots)


@query
async def filled(reader: Reader, keys: Sequence[str]) -> dict[str, dict[Place, list[Slot]]]:
    """What lies in the inventories and banks of the players with these names or ids."""
    found = await directories.read(reader, NAMES, ANYWHERE, keys)
    return {
        key: {place: _filled(rows, place) for place in ("inventory", "bank")}
        for key, rows in found.items()
    }


@query
async def inventory(reader: Reader, keys: Sequence[str]) -> dict[str, list[Slot]]:
    """What lies in the inventories of the players with these names or ids."""
    found = await directories.read(reader, NAMES, IN_INVENTORY, keys)
    return {key: _filled(rows, "inventory") for key, rows in found.items()}


@query
async def bank(reader: Reader, keys: Sequence[str]) -> dict[str, list[Slot]]:
    """What lies in the banks of the players with these names or ids."""
    found = await directories.read(reader, NAMES, IN_BANK, keys)
    return {key: _filled(rows, "bank") for key, rows in found.items()}


# A player who carries nothing has one row, with no place in it. The contract shows the id
# of a bag only while it lies in the inventory.
FILLED: LiteralString = """
    SELECT players.id, place, slot, CASE WHEN place = 'inventory' THEN bag_id END,
           item_id, quantity, stat_buffs
      FROM players LEFT JOIN slots ON slots.player_id = players.id {in_place}
     WHERE players.id = ANY($1)
"""
IN_INVENTORY: LiteralString = FILLED.format(in_place="AND place = 'inventory'")
IN_BANK: LiteralString = FILLED.format(in_place="AND place = 'bank'")
ANYWHERE: LiteralString = FILLED.format(in_place="")


def _filled(rows: Sequence[Any], place: Place) -> list[Slot]:
    return [Slot(*row[2:]) for row in rows if row[1] == place]


async def bag(reader: Reader, bag_id: UUID) -> Bag:
    """A bag and every slot in it."""
    found = await bags.one(reader, bag_id)
    if found is None:
        raise BagNotFound
    return found


@query
async def bags(reader: Reader, ids: Sequence[UUID]) -> dict[UUID, Bag]:
    """Bags with every slot in them."""
    owners = await reader.rows("SELECT player_id FROM bag_owners WHERE bag_id = ANY($1)", list(ids))
    rows = await reader.rows(
        """
        SELECT bags.id, slot_count, slot, item_id, quantity, stat_buffs
          FROM bags
          LEFT JOIN bag_slots ON bag_slots.player_id = bags.player_id
                             AND bag_slots.bag_id = bags.id
         WHERE bags.player_id = ANY($1) AND bags.id = ANY($2)
        """,
        [row["player_id"] for row in owners],
        list(ids),
    )
    sizes = {row["id"]: row["slot_count"] for row in rows}
    inside: dict[UUID, list[Slot]] = {bag_id: [] for bag_id in sizes}
    for bag_id, _, slot, item, quantity, buffs in rows:
        if slot is not None:
            inside[bag_id].append(Slot(slot, None, item, quantity, buffs))
    return {
        bag_id: Bag(id=bag_id, slot_count=size, slots=_padded(inside[bag_id], size))
        for bag_id, size in sizes.items()
    }


def _padded(filled: list[Slot], size: int) -> list[Slot]:
    """All slots up to `size`; those beyond it, from a time when it was larger, are shown too."""
    padded = list(_empty(max([size, *(slot.slot + 1 for slot in filled)])))
    for slot in filled:
        padded[slot.slot] = slot
    return padded


@cache
def _empty(size: int) -> tuple[Slot, ...]:
    return tuple(Slot(slot=number) for number in range(size))


@merged_operation
async def give(writer: Writer, orders: Sequence[Gift]) -> list[Holding | Problem]:
    """
    Give players items, each order whole or not at all.

    The inventory is filled first. What does not fit goes to the bank if
    `overflow_to_bank`, and is otherwise a reason to give nothing.
    """
    items = await catalog.known(writer, {order.item_id for order in orders})
    players = await lock_all(writer, [order.player for order in orders])
    belongings = await Belongings.of(writer, [player for player in players if player])
    given: list[Action] = []
    outcomes = [
        _refusal(order, items, player) or _give(writer, belongings, player, items, order, given)
        for order, player in zip(orders, players, strict=True)
    ]
    await belongings.save(writer)
    await actions.record(writer, given)
    return outcomes


def _refusal(order: Gift | Taking, items: dict[UUID, Item], player: UUID | None) -> Problem | None:
    if order.item_id not in items:
        return UnknownItem()
    if order.quantity < 1:
        return InvalidQuantity()
    return None if player else unknown(order.player)


def _give(
    writer: Writer,
    belongings: Belongings,
    player: UUID | None,
    items: dict[UUID, Item],
    order: Gift,
    given: list[Action],
) -> Holding | Problem:
    assert player is not None
    item = items[order.item_id]
    settings = writer.settings
    gift = Stack(item_id=item.id, quantity=order.quantity)
    before = holding(belongings, player, item.id)
    if before.total + gift.quantity > MOST:
        return InventoryFull()
    carried, left = packing.put(
        belongings.at(player, "inventory"),
        settings.inventory_slots,
        gift,
        stack=item.inventory_stack,
    )
    banked = {}
    if left and order.overflow_to_bank and item.bankable:
        banked, left = packing.put(
            belongings.at(player, "bank"),
            settings.bank_slots,
            replace(gift, quantity=left),
            stack=item.bank_stack,
        )
    if left:
        return InventoryFull()
    action = _action("items.give", order, player, before)
    belongings.add(player, "inventory", item, carried, Why(action.id, "grant"))
    belongings.add(player, "bank", item, banked, Why(action.id, "grant"))
    after = holding(belongings, player, item.id)
    given.append(replace(action, after=after))
    return after


def _action(kind: Kind, order: Gift | Taking, player: UUID, before: Holding) -> Action:
    return Action(kind=kind, by=order.by, player_id=player, item_id=order.item_id, before=before)


def holding(belongings: Belongings, player: UUID, item: UUID) -> Holding:
    inventory = packing.count(belongings.at(player, "inventory"), item)
    bank = packing.count(belongings.at(player, "bank"), item)
    return Holding(total=inventory + bank, bank=bank, inventory=inventory)


@merged_operation
async def take(writer: Writer, orders: Sequence[Taking]) -> list[Taking | Problem]:
    """Take items out of players' inventories, each order whole or not at all."""
    items = await catalog.known(writer, {order.item_id for order in orders})
    players = await lock_all(writer, [order.player for order in orders])
    belongings = await Belongings.of(writer, [player for player in players if player])
    taken: list[Action] = []
    outcomes = [
        _refusal(order, items, player) or _take(belongings, player, order, taken)
        for order, player in zip(orders, players, strict=True)
    ]
    await belongings.save(writer)
    await actions.record(writer, taken)
    return outcomes


def _take(
    belongings: Belongings, player: UUID | None, order: Taking, taken: list[Action]
) -> Taking | Problem:
    assert player is not None
    inventory = belongings.at(player, "inventory")
    held = packing.count(inventory, order.item_id)
    if held < order.quantity:
        return NotEnoughItems(None, held=held)
    changed, lacking = packing.take(inventory, order.item_id, order.quantity)
    if lacking:
        return BagNotEmpty(None, held=held, empty=order.quantity - lacking)
    action = _action("items.take", order, player, holding(belongings, player, order.item_id))
    belongings.remove(player, "inventory", changed, Why(action.id, "removal"))
    taken.append(replace(action, after=holding(belongings, player, order.item_id)))
    return order
