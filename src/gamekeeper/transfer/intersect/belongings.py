"""
What a character holds: slots and bags of the other game, made to obey the rules here.

A stack whose slot cannot be kept goes to the first free slot, in the bank before the inventory.
So does a bag that lay in another bag, and what lay in an item that is no bag any more. What
finds no place is left out and noted. No bag is placed twice, so a circle of bags ends.
"""

from collections import Counter
from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import Any
from uuid import UUID

from msgspec import Struct

from gamekeeper.catalog.files import LARGEST_BAG, CatalogItem
from gamekeeper.players.inventory import NO_BUFFS
from gamekeeper.transfer.intersect.notes import Notes
from gamekeeper.transfer.intersect.values import (
    INT32,
    UnreadableValue,
    guid,
    guid_bytes,
    integer,
    json,
)
from gamekeeper.transfer.lines import BagLine, BagSlotLine, SlotLine

SLOT_COLUMNS = ("Slot", "ItemId", "Quantity", "BagId", "StatBuffs", "ItemProperties")

USUAL_BUFFS = 200
"""Characters; what is longer is not worth remembering."""

RawSlot = tuple[Any, ...]
"""A row with those columns."""


class Bags(Struct):
    """All bags of a game: their sizes, what is in them, and which were placed."""

    sizes: dict[bytes, int]
    contents: Mapping[bytes, list[RawSlot]]
    placed: set[bytes]


class _Held(Struct):
    item: CatalogItem
    quantity: int
    buffs: tuple[int, ...]
    bag: bytes | None
    slot: int


class Belongings:
    """The inventory and the bank of one character while they are filled."""

    def __init__(
        self,
        who: str,
        items: Mapping[UUID, CatalogItem],
        bags: Bags,
        sizes: Mapping[str, int],
        notes: Notes,
    ) -> None:
        self.who, self.items, self.bags, self.notes = who, items, bags, notes
        self.sizes = sizes
        self.places: dict[str, dict[int, SlotLine]] = {"inventory": {}, "bank": {}}
        self.homeless: list[_Held] = []
        self.totals: Counter[UUID] = Counter()

    def fill(self, inventory: Iterable[RawSlot], bank: Iterable[RawSlot]) -> None:
        """Place all rows; those that cannot stay where they were come last."""
        for place, rows in (("inventory", inventory), ("bank", bank)):
            for row in rows:
                held = self._read(row)
                if held is None:
                    continue
                slots = self.places[place]
                if held.slot in range(self.sizes[place]) and held.slot not in slots:
                    slots[held.slot] = self._slot(held, held.slot)
                else:
                    self.homeless.append(held)
        # A bag that finds a place may bring more that has none.
        while self.homeless:
            self._shelter(self.homeless.pop())

    def slots(self, place: str) -> list[SlotLine]:
        return [slot for _, slot in sorted(self.places[place].items())]

    def _read(self, row: RawSlot) -> _Held | None:
        slot, item_id, quantity, bag_id, buffs, properties = row
        try:
            found = guid(item_id)
        except UnreadableValue:
            found = None
        item = self.items.get(found) if found else None
        if item is None:
            self.notes.add("item_lost", self.who, f"no item has the id {item_id!r:.50}")
            return None
        count = self._quantity(item, quantity)
        if not count:
            return None
        number = slot if isinstance(slot, int) else -1
        return _Held(item, count, _buffs(buffs, properties), guid_bytes(bag_id), number)

    def _quantity(self, item: CatalogItem, given: Any) -> int:
        count = integer(given, -1, 2**62, -1)
        if count < 1 and not item.stackable:
            self.notes.add("quantity_corrected", self.who, f"{given!r:.20} of {item.name}")
            count = 1
        if count < 1:
            self.notes.add("item_lost", self.who, f"{given!r:.20} of {item.name}")
            return 0
        # A bag has contents of its own, so each is one.
        most = min(1 if item.type == "bag" else INT32, INT32 - self.totals[item.id])
        if count > most:
            self.notes.add("quantity_lost", self.who, f"{count - most} of {count} of {item.name}")
        self.totals[item.id] += min(count, most)
        return min(count, most)

    def _slot(self, held: _Held, number: int) -> SlotLine:
        line = SlotLine(
            slot=number, item_id=held.item.id, quantity=held.quantity, stat_buffs=held.buffs
        )
        if held.bag is None:
            return line
        if held.bag in self.bags.placed:
            self.notes.add("bag_emptied", self.who, f"{held.item.name} in slot {number}")
            return line
        self.bags.placed.add(held.bag)
        inside = [
            stack for row in self.bags.contents.get(held.bag, ()) if (stack := self._read(row))
        ]
        if held.item.type != "bag":
            self.homeless += inside
            return line
        line.bag = self._bag(held, inside)
        return line

    def _bag(self, held: _Held, inside: list[_Held]) -> BagLine:
        assert held.bag is not None
        slots: dict[int, BagSlotLine] = {}
        for stack in inside:
            if (
                stack.item.type == "bag"
                or stack.bag
                or stack.slot in slots
                or stack.slot not in range(LARGEST_BAG)
            ):
                self.homeless.append(stack)
                continue
            slots[stack.slot] = BagSlotLine(
                slot=stack.slot,
                item_id=stack.item.id,
                quantity=stack.quantity,
                stat_buffs=stack.buffs,
            )
        size = self.bags.sizes.get(held.bag, held.item.bag_slots)
        return BagLine(
            id=UUID(bytes=held.bag),
            slot_count=max(integer(size, 1, LARGEST_BAG, 1), max(slots, default=0) + 1),
            slots=[slots[number] for number in sorted(slots)],
        )

    def _shelter(self, held: _Held) -> None:
        for place in ("bank", "inventory"):
            taken = self.places[place]
            number = next((slot for slot in range(self.sizes[place]) if slot not in taken), None)
            if number is not None:
                taken[number] = self._slot(held, number)
                where = f"{held.item.name}: {place} slot {number}"
                self.notes.add("slot_moved", self.who, where)
                return
        self.totals[held.item.id] -= held.quantity
        self.notes.add("item_lost", self.who, f"no free slot for {held.quantity} {held.item.name}")


class GuildBank(Belongings):
    """The bank of a guild, which holds no bags: what was in one lies beside it."""

    def _slot(self, held: _Held, number: int) -> SlotLine:
        if held.bag is not None and held.bag not in self.bags.placed:
            self.bags.placed.add(held.bag)
            rows = self.bags.contents.get(held.bag, ())
            self.homeless += [stack for row in rows if (stack := self._read(row))]
        held.bag = None
        return super()._slot(held, number)


def _buffs(old: Any, properties: Any) -> tuple[int, ...]:
    """The five stat buffs, of either form; none if all are zero."""
    given = properties or old
    if isinstance(given, str) and len(given) <= USUAL_BUFFS:
        return _usual_buffs(given)
    return _read_buffs(given)


def _read_buffs(stored: Any) -> tuple[int, ...]:
    try:
        given: Any = json(stored)
    except UnreadableValue:
        return NO_BUFFS
    if isinstance(given, dict):
        given = given.get("StatModifiers")
    if not isinstance(given, list):
        return NO_BUFFS
    found = tuple(integer(buff, -(2**31), INT32) for buff in given[:5])
    return (*found, *(0,) * (5 - len(found))) if any(found) else NO_BUFFS


_usual_buffs = lru_cache(4096)(_read_buffs)
