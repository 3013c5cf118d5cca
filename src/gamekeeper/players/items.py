"""What players carry: looked at, given, taken."""

from collections.abc import Sequence
from uuid import UUID

from msgspec import Struct
from msgspec.structs import replace

from gamekeeper.catalog import items as catalog
from gamekeeper.catalog.items import Item, UnknownItem
from gamekeeper.database import Reader, Writer
from gamekeeper.errors import Conflict, Invalid, NotFound, Problem
from gamekeeper.ledger import actions
from gamekeeper.ledger.actions import Action, Kind
from gamekeeper.operations import Order, operation
from gamekeeper.players import packing
from gamekeeper.players.belongings import Belongings, Place, Why
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
    left = order.quantity
    before = _holding(belongings, player, item.id)
    if before.total + left > MOST:
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
    action = _action("items.give", order, player, before)
    belongings.add(player, "inventory", item, carried, Why(action.id, "grant"))
    belongings.add(player, "bank", item, banked, Why(action.id, "grant"))
    after = _holding(belongings, player, item.id)
    given.append(replace(action, after=after))
    return after


def _action(kind: Kind, order: Gift | Taking, player: UUID, before: Holding) -> Action:
    return Action(kind=kind, by=order.by, player_id=player, item_id=order.item_id, before=before)


def _holding(belongings: Belongings, player: UUID, item: UUID) -> Holding:
    inventory = packing.count(belongings.at(player, "inventory"), item)
    bank = packing.count(belongings.at(player, "bank"), item)
    return Holding(total=inventory + bank, bank=bank, inventory=inventory)


@operation
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
    action = _action("items.take", order, player, _holding(belongings, player, order.item_id))
    belongings.remove(player, "inventory", changed, Why(action.id, "removal"))
    taken.append(replace(action, after=_holding(belongings, player, order.item_id)))
    return order
