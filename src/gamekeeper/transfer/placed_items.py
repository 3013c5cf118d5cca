"""The items of a character by slot, as its line has them: to compare them, and to move them."""

from collections.abc import Sequence
from typing import Any
from uuid import UUID

from msgspec import UNSET

from gamekeeper.players.inventory import PLACES, Container, InLetter, Stack
from gamekeeper.transfer.lines import BagSlotLine, LetterItemLine, PlayerLine, SlotLine

Placed = dict[tuple[Container, int], Stack]


def placed(line: PlayerLine, before: PlayerLine) -> Placed:
    """What lies in each slot, in bags too; a place that the line leaves out stays as it is."""
    found: Placed = {}
    for place in PLACES:
        given: Any = getattr(line, place)
        slots: Sequence[SlotLine] = getattr(before, place) if given is UNSET else given
        for slot in slots:
            found[place, slot.slot] = _stack(slot, slot.bag.id if slot.bag else None)
            if slot.bag and slot.bag.id:
                found |= {
                    (slot.bag.id, content.slot): _stack(content) for content in slot.bag.slots
                }
    mailbox = before.mailbox if line.mailbox is UNSET else line.mailbox
    for letter in mailbox or ():
        for number, item in enumerate(letter.items):
            found[InLetter(letter.id), number] = _stack(item, item.bag)
    return found


def _stack(slot: BagSlotLine | LetterItemLine, bag: UUID | None = None) -> Stack:
    return Stack(
        item_id=slot.item_id, quantity=slot.quantity, stat_buffs=slot.stat_buffs, bag_id=bag
    )


def bags_first(entry: tuple[tuple[Container, int], Stack]) -> tuple[bool, str, int]:
    (container, number), _ = entry
    return not isinstance(container, UUID), str(container), number


def is_alike(one: Stack, other: Stack | None) -> bool:
    """Whether the slot keeps its item, and at most the quantity changes."""
    return other is not None and (one.item_id, one.stat_buffs, one.bag_id) == (
        other.item_id,
        other.stat_buffs,
        other.bag_id,
    )
