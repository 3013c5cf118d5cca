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


def put(slots: Slots, size: int, thing: Stack, *, stack: int) -> tuple[dict[int, Stack], int]:
    """
    Put a thing, which keeps its stat buffs and its bag, into a container of `size` slots.

    Stacks of the same item with the same buffs are filled up to `stack` in slot order,
    then the lowest free slots; a bag never joins a stack. Returns the slots that change,
    and how many found no room.
    """
    left = thing.quantity
    changed: dict[int, Stack] = {}
    for number in sorted(slots):
        held = slots[number]
        if stackable(held, thing) and (fits := min(left, stack - held.quantity)) > 0:
            changed[number] = replace(held, quantity=held.quantity + fits)
            left -= fits
    for number in range(size):
        if left == 0:
            break
        if number not in slots:
            changed[number] = replace(thing, quantity=min(left, stack))
            left -= changed[number].quantity
    return changed, left


def stackable(one: Stack, other: Stack) -> bool:
    """Whether two stacks could be one: the same item and buffs, and neither is a bag."""
    alike = (one.item_id, one.stat_buffs) == (other.item_id, other.stat_buffs)
    return alike and one.bag_id is None and other.bag_id is None


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
