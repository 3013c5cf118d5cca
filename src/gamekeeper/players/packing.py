"""How items are spread over slots. Pure: no database, no clock."""

from collections.abc import Mapping
from uuid import UUID

from msgspec import Struct
from msgspec.structs import replace

NO_BUFFS = (0, 0, 0, 0, 0)


class Stack(Struct, frozen=True, kw_only=True):
    """What lies in one slot."""

    item_id: UUID
    quantity: int
    stat_buffs: tuple[int, ...] = NO_BUFFS
    bag_id: UUID | None = None
    bag_filled: bool = False


Slots = Mapping[int, Stack]
"""Slot numbers and what lies there; a number that is missing is an empty slot."""


def put(
    slots: Slots, size: int, item: UUID, quantity: int, *, stack: int
) -> tuple[dict[int, Stack], int]:
    """
    Put `quantity` of `item` into a container of `size` slots.

    Stacks of it are filled up to `stack` in slot order, then the lowest free
    slots. Returns the slots that change, and how many found no room.
    """
    changed: dict[int, Stack] = {}
    for number in sorted(slots):
        held = slots[number]
        room = stack - held.quantity if held.item_id == item else 0
        if (fits := min(quantity, room)) > 0:
            changed[number] = replace(held, quantity=held.quantity + fits)
            quantity -= fits
    for number in range(size):
        if quantity == 0:
            break
        if number not in slots:
            fits = min(quantity, stack)
            changed[number] = Stack(item_id=item, quantity=fits)
            quantity -= fits
    return changed, quantity


def fit(slots: Slots, size: int, thing: Stack, *, stack: int) -> tuple[dict[int, Stack], int]:
    """
    Put a thing, which keeps its buffs and its inside, into a container of `size` slots.

    As `put` does, but only stacks with the same buffs are filled up, and never a bag.
    """
    left = thing.quantity
    changed: dict[int, Stack] = {}
    alike = (thing.item_id, thing.stat_buffs, None, None)
    for number in sorted(slots):
        held = slots[number]
        if (held.item_id, held.stat_buffs, held.bag_id, thing.bag_id) == alike:
            fits = max(0, min(left, stack - held.quantity))
            if fits:
                changed[number] = replace(held, quantity=held.quantity + fits)
                left -= fits
    for number in range(size):
        if left == 0:
            break
        if number not in slots:
            changed[number] = replace(thing, quantity=min(left, stack))
            left -= changed[number].quantity
    return changed, left


def take(slots: Slots, item: UUID, quantity: int) -> tuple[dict[int, Stack | None], int]:
    """
    Take `quantity` of `item`, from the lowest slot on; a bag with something in it stays.

    Returns the slots that change, None for one that becomes empty, and how many are lacking.
    """
    changed: dict[int, Stack | None] = {}
    for number in sorted(slots):
        held = slots[number]
        if quantity == 0:
            break
        if held.item_id == item and not held.bag_filled:
            taken = min(quantity, held.quantity)
            left = held.quantity - taken
            changed[number] = replace(held, quantity=left) if left else None
            quantity -= taken
    return changed, quantity


def count(slots: Slots, item: UUID) -> int:
    return sum(held.quantity for held in slots.values() if held.item_id == item)
