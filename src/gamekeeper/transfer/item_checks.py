"""Rules for the item slots of a line: characters' inventories and banks, and banks of guilds."""

from collections import Counter
from collections.abc import Iterable, Iterator
from uuid import UUID, uuid5

from msgspec import UNSET

from gamekeeper.catalog.items import Item
from gamekeeper.core.ids import NIL
from gamekeeper.core.settings import Settings
from gamekeeper.transfer.known_catalog import KnownCatalog
from gamekeeper.transfer.lines import INT32, BagLine, BagSlotLine, GuildLine, PlayerLine, SlotLine

Faults = Iterator[tuple[str, str]]
"""Fields with the reason why each is refused."""


def places(line: PlayerLine, catalog: KnownCatalog, settings: Settings) -> Faults:
    held: Counter[UUID] = Counter()
    bags: set[UUID] = set()
    sizes = {"inventory": settings.inventory_slots, "bank": settings.bank_slots}
    for place, size in sizes.items():
        slots: list[SlotLine] = getattr(line, place)
        if not slots:
            continue
        yield from numbers(place, slots, size)
        for index, slot in enumerate(slots):
            where = f"{place}[{index}]"
            item = catalog.items.get(slot.item_id)
            if item is None:
                yield f"{where}.item_id", f"the catalog has no item {slot.item_id}"
                continue
            held[slot.item_id] += slot.quantity
            yield from stack(where, slot, item, bank=place == "bank")
            if item.bag_slots:
                _name_bag(line.id, place, slot, item)
            yield from _bag(where, slot, item, catalog, bags)
        slots.sort(key=number)
    for item_id, quantity in held.items():
        if quantity > INT32:
            yield "inventory", f"holds {quantity} of {item_id}, more than {INT32}"


def number(slot: BagSlotLine) -> int:
    return slot.slot


def numbers(where: str, slots: Iterable[BagSlotLine], size: int) -> Faults:
    seen: set[int] = set()
    for index, slot in enumerate(slots):
        if slot.slot >= size:
            yield f"{where}[{index}].slot", f"is {slot.slot}, but there are only {size} slots"
        if slot.slot in seen:
            yield f"{where}[{index}].slot", f"slot {slot.slot} is there twice"
        seen.add(slot.slot)


def stack(where: str, slot: BagSlotLine, item: Item, *, bank: bool) -> Faults:
    limit = item.bank_stack if bank else item.inventory_stack
    if slot.quantity > limit:
        yield f"{where}.quantity", f"is {slot.quantity}, but {item.name} stacks to {limit}"
    if bank and not item.bankable:
        yield f"{where}.item_id", f"{item.name} cannot be put into the bank"


def _name_bag(player: UUID, place: str, slot: SlotLine, item: Item) -> None:
    bag = slot.bag = slot.bag or BagLine(slots=[])
    bag.id = bag.id or uuid5(slot.item_id, f"{player}/{place}/{slot.slot}")
    bag.slot_count = bag.slot_count or item.bag_slots


def _bag(where: str, slot: SlotLine, item: Item, catalog: KnownCatalog, bags: set[UUID]) -> Faults:
    bag = slot.bag
    if bag is None:
        return
    if not item.bag_slots or bag.id is None or bag.slot_count is None:
        yield f"{where}.bag", f"{item.name} is not a bag"
        return
    if bag.id == NIL:
        yield f"{where}.bag.id", "must not be all zeros"
    if bag.id in bags:
        yield f"{where}.bag.id", f"the bag {bag.id} is in another slot already"
    bags.add(bag.id)
    yield from numbers(f"{where}.bag.slots", bag.slots, bag.slot_count)
    for index, inside in enumerate(bag.slots):
        place = f"{where}.bag.slots[{index}]"
        thing = catalog.items.get(inside.item_id)
        if thing is None:
            yield f"{place}.item_id", f"the catalog has no item {inside.item_id}"
        elif thing.bag_slots:
            yield f"{place}.item_id", f"{thing.name} is a bag, and a bag cannot be in a bag"
        else:
            yield from stack(place, inside, thing, bank=False)
    bag.slots.sort(key=number)


def guild_bank(line: GuildLine, catalog: KnownCatalog) -> Faults:
    """Without bags that hold something: nothing with contents is put into a guild's bank."""
    if not line.bank:
        return
    size = INT32 if line.bank_slots is UNSET else line.bank_slots
    yield from numbers("bank", line.bank, size)
    for index, slot in enumerate(line.bank):
        where = f"bank[{index}]"
        item = catalog.items.get(slot.item_id)
        if item is None:
            yield f"{where}.item_id", f"the catalog has no item {slot.item_id}"
        else:
            yield from stack(where, slot, item, bank=True)
    line.bank.sort(key=number)
