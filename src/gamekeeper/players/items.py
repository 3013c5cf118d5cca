"""What players carry: looked at, given, taken."""

from collections.abc import Sequence
from uuid import UUID

from msgspec import Struct

from gamekeeper.catalog import items as catalog
from gamekeeper.catalog.items import Item, UnknownItem
from gamekeeper.database import Reader, Writer, operation
from gamekeeper.errors import Conflict, Invalid, NotFound, Problem
from gamekeeper.players import packing
from gamekeeper.players.belongings import Belongings, Place
from gamekeeper.players.lookup import find, lock_all, unknown
from gamekeeper.players.records import Bag, Items, Slot

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


class Gift(Struct, frozen=True, kw_only=True):
    player: str
    item_id: UUID
    quantity: int
    overflow_to_bank: bool = False


class Taking(Struct, frozen=True, kw_only=True):
    player: str
    item_id: UUID
    quantity: int


async def carried(reader: Reader, key: str) -> Items:
    """Every slot of a player's inventory and bank, the empty ones too."""
    player = await find(reader, key)
    rows = await reader.rows(
        """
        SELECT place, slot, bag_id, item_id, quantity, stat_buffs
          FROM slots
         WHERE player_id = $1
         ORDER BY place, slot
        """,
        player,
    )
    inventory = [_slot(row) for row in rows if row["place"] == "inventory"]
    bank = [_slot(row) for row in rows if row["place"] == "bank"]
    return Items(
        inventory=_padded(inventory, reader.settings.inventory_slots),
        bank=_padded(bank, reader.settings.bank_slots),
    )


async def slots(reader: Reader, key: str, place: Place) -> list[Slot]:
    """Every slot of one place, the empty ones too."""
    player = await find(reader, key)
    filled = await reader.all(
        Slot,
        """
        SELECT slot, bag_id, item_id, quantity, stat_buffs
          FROM slots
         WHERE player_id = $1 AND place = $2
         ORDER BY slot
        """,
        player,
        place,
    )
    settings = reader.settings
    return _padded(
        filled, settings.inventory_slots if place == "inventory" else settings.bank_slots
    )


async def bag(reader: Reader, bag_id: UUID) -> Bag:
    """A bag and every slot in it."""
    player = await reader.value("SELECT player_id FROM bag_owners WHERE bag_id = $1", bag_id)
    size = await reader.value(
        "SELECT slot_count FROM bags WHERE player_id = $1 AND id = $2", player, bag_id
    )
    if size is None:
        raise BagNotFound
    filled = await reader.all(
        Slot,
        """
        SELECT slot, item_id, quantity, stat_buffs
          FROM bag_slots
         WHERE player_id = $1 AND bag_id = $2
         ORDER BY slot
        """,
        player,
        bag_id,
    )
    return Bag(id=bag_id, slot_count=size, slots=_padded(filled, size))


def _slot(row: Slot) -> Slot:
    return Slot(**{name: row[name] for name in Slot.__struct_fields__})  # pyright: ignore


def _padded(filled: list[Slot], size: int) -> list[Slot]:
    """All slots up to `size`; those beyond it, from a time when it was larger, are shown too."""
    there = {slot.slot: slot for slot in filled}
    last = max([size, *(number + 1 for number in there)])
    return [there.get(number) or Slot(slot=number) for number in range(last)]


@operation
async def give(writer: Writer, orders: Sequence[Gift]) -> list[Holding | Problem]:
    """
    Give players items, each order whole or not at all.

    The inventory is filled first. What does not fit goes to the bank if
    `overflow_to_bank`, and is otherwise a reason to give nothing.
    """
    items = await catalog.known(writer, {order.item_id for order in orders})
    players = await lock_all(writer, [order.player for order in orders])
    belongings = await Belongings.of(writer, [player for player in players if player])
    outcomes = [
        _refusal(order, items, player) or _give(writer, belongings, player, items, order)
        for order, player in zip(orders, players, strict=True)
    ]
    await belongings.save(writer)
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
) -> Holding | Problem:
    assert player is not None
    item = items[order.item_id]
    settings = writer.settings
    left = order.quantity
    if _holding(belongings, player, item).total + left > MOST:
        return InventoryFull()
    carried, left = packing.put(
        belongings.at(player, "inventory"),
        settings.inventory_slots,
        item.id,
        left,
        stack=item.inventory_stack,
    )
    banked = {}
    if left and order.overflow_to_bank and item.bankable:
        banked, left = packing.put(
            belongings.at(player, "bank"),
            settings.bank_slots,
            item.id,
            left,
            stack=item.bank_stack,
        )
    if left:
        return InventoryFull()
    belongings.add(player, "inventory", item, carried)
    belongings.add(player, "bank", item, banked)
    return _holding(belongings, player, item)


def _holding(belongings: Belongings, player: UUID, item: Item) -> Holding:
    inventory = packing.count(belongings.at(player, "inventory"), item.id)
    bank = packing.count(belongings.at(player, "bank"), item.id)
    return Holding(total=inventory + bank, bank=bank, inventory=inventory)


@operation
async def take(writer: Writer, orders: Sequence[Taking]) -> list[Taking | Problem]:
    """Take items out of players' inventories, each order whole or not at all."""
    items = await catalog.known(writer, {order.item_id for order in orders})
    players = await lock_all(writer, [order.player for order in orders])
    belongings = await Belongings.of(writer, [player for player in players if player])
    outcomes = [
        _refusal(order, items, player) or _take(belongings, player, order)
        for order, player in zip(orders, players, strict=True)
    ]
    await belongings.save(writer)
    return outcomes


def _take(belongings: Belongings, player: UUID | None, order: Taking) -> Taking | Problem:
    assert player is not None
    inventory = belongings.at(player, "inventory")
    held = packing.count(inventory, order.item_id)
    if held < order.quantity:
        return NotEnoughItems(None, held=held)
    changed, lacking = packing.take(inventory, order.item_id, order.quantity)
    if lacking:
        return BagNotEmpty(None, held=held, empty=order.quantity - lacking)
    belongings.remove(player, "inventory", changed)
    return order
