"""What lies in a slot, and how a slot is named."""

from typing import Literal
from uuid import UUID

from msgspec import Struct

Place = Literal["inventory", "bank"]
PLACES: tuple[Place, Place] = ("inventory", "bank")
Container = Place | Literal["guild"] | UUID
"""The inventory, the bank, the bank of a guild, or a bag, by its id."""
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
