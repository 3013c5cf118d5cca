"""Moves: the changes to characters that a game server or a command can request."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Literal, Protocol, runtime_checkable
from uuid import UUID

from msgspec import UNSET, Struct, UnsetType
from msgspec.structs import replace

from gamekeeper.core.errors import Invalid
from gamekeeper.core.parsing import Scalar
from gamekeeper.db.operations import Command
from gamekeeper.players.inventory import NO_BUFFS
from gamekeeper.players.sheet import SheetChange
from gamekeeper.players.state import Needs


class InvalidMove(Invalid):
    """The move is not valid."""


ByMail = Literal["overflow", "always"]
"""Which new items go to the mailbox: those that have no room elsewhere, or all."""


class Endpoint(Struct, frozen=True, kw_only=True):
    """The source or target of items: a character, one of its containers, optionally a slot."""

    player: str
    place: Literal["inventory", "bank", "bag"] = "inventory"
    bag: UUID | None = None
    slot: int | None = None


class MoveItems(Struct, frozen=True, kw_only=True, tag_field="do", tag="items"):
    """Move a quantity of one item. No source creates the items; no target destroys them."""

    item_id: UUID | None
    quantity: int | None
    source: Endpoint | None
    target: Endpoint | None
    overflow_to_bank: bool = False
    stat_buffs: tuple[int, ...] = NO_BUFFS
    by_mail: ByMail | UnsetType = UNSET
    """Of new items: whether a letter brings them. Unset is not stored in approvals."""


class ClaimLetter(Struct, frozen=True, kw_only=True, tag_field="do", tag="claim"):
    """Move all items of a letter to the inventory."""

    player: str
    letter_id: UUID


class ReadLetter(Struct, frozen=True, kw_only=True, tag_field="do", tag="read"):
    """Mark a letter as read."""

    player: str
    letter_id: UUID


class AssignVariable(Struct, frozen=True, kw_only=True, tag_field="do", tag="variable"):
    player: str
    variable_id: UUID
    value: Scalar


class ChangeSpell(Struct, frozen=True, kw_only=True, tag_field="do", tag="spell"):
    """Teach a spell, or make the character forget it."""

    player: str
    spell_id: UUID
    teach: bool


class Advance(Struct, frozen=True, kw_only=True, tag_field="do", tag="progress"):
    """Set level and experience, or add experience (`gain`)."""

    player: str
    level: int | None
    exp: int | None
    gain: int | None


class SaveSheet(Struct, frozen=True, kw_only=True, tag_field="do", tag="sheet"):
    """Save a character's sheet: location, appearance, vitals, stats, equipment."""

    player: str
    change: SheetChange


class ReportPlayer(Struct, frozen=True, kw_only=True, tag_field="do", tag="report"):
    """Report another character, in the name of this one (servers/reports)."""

    player: str
    """The character that reports; the other one need not be on the server."""
    reported: str
    category: str
    text: str = ""
    message_ids: tuple[UUID, ...] = ()


LetterMove = ClaimLetter | ReadLetter
Move = MoveItems | LetterMove | AssignVariable | ChangeSpell | Advance | SaveSheet | ReportPlayer


def players_of(move: Move) -> Iterator[str]:
    """The names or ids of all characters that a move concerns."""
    if isinstance(move, MoveItems):
        yield from (end.player for end in (move.source, move.target) if end)
    else:
        yield move.player


def pinned(move: Move, ids: Mapping[str, str]) -> Move:
    """The move with ids for the names that are found in `ids`."""
    if not isinstance(move, MoveItems):
        return replace(move, player=ids.get(move.player, move.player))
    source, target = (
        end and replace(end, player=ids.get(end.player, end.player))
        for end in (move.source, move.target)
    )
    return replace(move, source=source, target=target)


@runtime_checkable
class AboutPlayers(Protocol):
    """A command about characters, which it may name: a name can change before it is executed."""

    def about(self) -> Iterable[str]:
        """The names or ids of all characters that it concerns."""
        ...

    def pinned(self, ids: Mapping[str, str]) -> Command:
        """The command with ids for the names that are found in `ids`."""
        ...


class PlayerCommand(Command, frozen=True, kw_only=True):
    """A change of one character."""

    player: str

    def about(self) -> Iterable[str]:
        return [self.player]

    def pinned(self, ids: Mapping[str, str]) -> Command:
        return replace(self, player=ids.get(self.player, self.player))


def needs(moves: Sequence[Move]) -> Needs:
    """What must be loaded to execute moves; always includes the ledger's sequence numbers."""
    kinds = {type(move) for move in moves}
    items = [move for move in moves if isinstance(move, MoveItems)]
    sheets = [move.change for move in moves if isinstance(move, SaveSheet)]
    return Needs(
        items={move.item_id for move in items if move.item_id},
        all_items=any(move.source and move.source.slot is not None for move in items),
        bags=bool(items),
        spells={move.spell_id for move in moves if isinstance(move, ChangeSpell)},
        variables={move.variable_id for move in moves if isinstance(move, AssignVariable)},
        progress=Advance in kinds,
        sheets=bool(sheets),
        classes={change.class_id for change in sheets if change.class_id},
        inventory=ClaimLetter in kinds,
        heads=True,
    )
