"""What lies in a slot, and how a slot is named."""

from typing import Literal
from uuid import UUID

from msgspec import Struct

Place = Literal["inventory", "bank"]
PLACES: tuple[Place, Place] = ("inventory", "bank")


class InLetter(Struct, frozen=True):
    """The items of a letter in a mailbox."""

    letter_id: UUID


Container = Place | Literal["guild"] | UUID | InLetter
"""The inventory, the bank, the bank of a guild, a bag, by its id, or a letter."""
Spot = tuple[UUID, Container, int]
"""A slot: of a character, or of a guild, in a container, by its number."""
NO_BUFFS = (0, 0, 0, 0, 0)


class Stack(Struct, frozen=True, kw_only=True):
    """The contents of one slot."""

    item_id: UUID
    quantity: int
    stat_buffs: tuple[int, ...] = NO_BUFFS
    bag_id: UUID | None = None
    bag_filled: bool = False
