"""What a transaction is made of: moves of items, and changes of what characters are."""

from collections.abc import Iterator, Sequence
from typing import Literal
from uuid import UUID

from msgspec import Struct

from gamekeeper.errors import Conflict, Invalid
from gamekeeper.operations import Order
from gamekeeper.players.packing import NO_BUFFS
from gamekeeper.scalars import Scalar
from gamekeeper.servers.leases import Holder
from gamekeeper.shapes import Record


class InvalidMove(Invalid):
    """The move makes no sense."""


class Stale(Conflict):
    """The character's ledger has moved on; nothing of the transaction was done."""


class SlotOccupied(Conflict):
    """Something else lies in that slot; nothing of the transaction was done."""


class BagInsideBag(Conflict):
    """A bag cannot be put into a bag; nothing of the transaction was done."""


Where = Literal["inventory", "bank", "bag"]


class End(Struct, frozen=True, kw_only=True):
    """Where items come from or go to: a character, a container of theirs, perhaps a slot."""

    player: str
    place: Where = "inventory"
    bag: UUID | None = None
    slot: int | None = None


class Items(Struct, frozen=True, kw_only=True):
    """So many of one item. From nowhere they are made, to nowhere they are gone for good."""

    item_id: UUID | None
    quantity: int | None
    source: End | None
    target: End | None
    overflow_to_bank: bool = False
    stat_buffs: tuple[int, ...] = NO_BUFFS


class Variable(Struct, frozen=True, kw_only=True):
    player: str
    variable_id: UUID
    value: Scalar


class Spell(Struct, frozen=True, kw_only=True):
    player: str
    spell_id: UUID
    teach: bool


class Level(Struct, frozen=True, kw_only=True):
    """A level and experience to have; or experience to gain, on top."""

    player: str
    level: int | None
    exp: int | None
    gain: int | None


Move = Items | Variable | Spell | Level


class Expected(Struct, frozen=True):
    player: str
    seq: int


class Transaction(Order, frozen=True, kw_only=True):
    """Moves that are all done or none, for a server or for nobody."""

    holder: Holder | None
    expected: Sequence[Expected]
    moves: Sequence[Move]

    def about(self) -> Iterator[str]:
        """The names or ids of everybody it is about."""
        yield from (one.player for one in self.expected)
        for move in self.moves:
            if isinstance(move, Items):
                yield from (end.player for end in (move.source, move.target) if end)
            else:
                yield move.player


class Stood(Record, frozen=True):
    """Where a character's ledger stands after the transaction."""

    player_id: UUID
    seq: int


class Done(Record, frozen=True):
    id: UUID
    players: list[Stood]
