"""Moves: the changes of characters that a game server or a command can ask for."""

from collections.abc import Iterator, Sequence
from typing import Literal
from uuid import UUID

from msgspec import Struct

from gamekeeper.core.errors import Invalid
from gamekeeper.core.parsing import Scalar
from gamekeeper.players.inventory import NO_BUFFS
from gamekeeper.players.sheet import SheetChange
from gamekeeper.players.state import Needs


class InvalidMove(Invalid):
    """The move makes no sense."""


class Endpoint(Struct, frozen=True, kw_only=True):
    """Where items come from or go to: a character, a container of theirs, perhaps a slot."""

    player: str
    place: Literal["inventory", "bank", "bag"] = "inventory"
    bag: UUID | None = None
    slot: int | None = None


class MoveItems(Struct, frozen=True, kw_only=True):
    """So many of one item. From nowhere they are made, to nowhere they are gone for good."""

    item_id: UUID | None
    quantity: int | None
    source: Endpoint | None
    target: Endpoint | None
    overflow_to_bank: bool = False
    stat_buffs: tuple[int, ...] = NO_BUFFS


class AssignVariable(Struct, frozen=True, kw_only=True):
    player: str
    variable_id: UUID
    value: Scalar


class ChangeSpell(Struct, frozen=True, kw_only=True):
    """A spell to teach, or to make forgotten."""

    player: str
    spell_id: UUID
    teach: bool


class Advance(Struct, frozen=True, kw_only=True):
    """A level and experience to have; or experience to gain, on top."""

    player: str
    level: int | None
    exp: int | None
    gain: int | None


class SaveSheet(Struct, frozen=True, kw_only=True):
    """What a game saves of a character: place, appearance, vitals, stats, equipment."""

    player: str
    change: SheetChange


Move = MoveItems | AssignVariable | ChangeSpell | Advance | SaveSheet


def players_of(move: Move) -> Iterator[str]:
    """The names or ids of everybody a move is about."""
    if isinstance(move, MoveItems):
        yield from (end.player for end in (move.source, move.target) if end)
    else:
        yield move.player


def needs(moves: Sequence[Move]) -> Needs:
    """What must be loaded to carry out moves; of the ledger always how far it has come."""
    items = [move for move in moves if isinstance(move, MoveItems)]
    sheets = [move.change for move in moves if isinstance(move, SaveSheet)]
    return Needs(
        items={move.item_id for move in items if move.item_id},
        all_items=any(move.source and move.source.slot is not None for move in items),
        bags=bool(items),
        spells={move.spell_id for move in moves if isinstance(move, ChangeSpell)},
        variables={move.variable_id for move in moves if isinstance(move, AssignVariable)},
        progress=any(isinstance(move, Advance) for move in moves),
        sheets=bool(sheets),
        classes={change.class_id for change in sheets if change.class_id},
        heads=True,
    )
