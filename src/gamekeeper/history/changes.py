"""What an undo does, and what is in its way."""

from collections.abc import Callable, Sequence
from typing import Any, Literal, Protocol
from uuid import UUID

from msgspec import Struct

from gamekeeper.database import Writer
from gamekeeper.history.deeds import Deed
from gamekeeper.scalars import Scalar
from gamekeeper.shapes import Record

What = Literal["item", "spell", "variable", "email", "power", "player", "user"]

Reason = Literal[
    "gone",
    "no_room",
    "restored",
    "bag_not_empty",
    "already_there",
    "unknown_item",
    "no_longer_kept",
    "changed_since",
    "spell_not_known",
    "spell_already_known",
    "spell_bound",
    "spellbook_full",
    "email_taken",
    "player_gone",
    "user_gone",
]


class Change(Record, frozen=True):
    """One thing that an undo does."""

    what: What
    id: UUID | None = None
    name: str | None = None
    place: str | None = None
    slot: int | None = None
    quantity: int | None = None
    before: Scalar | None = None
    after: Scalar | None = None


class Obstacle(Record, frozen=True):
    """One thing that an undo cannot do, or not all of, and why."""

    reason: Reason
    what: What
    id: UUID | None = None
    name: str | None = None
    place: str | None = None
    wanted: int | None = None
    possible: int | None = None
    expected: Scalar | None = None
    found: Scalar | None = None


class Plan(Struct, frozen=True, kw_only=True):
    """How one deed would be undone. Nothing has happened yet."""

    changes: Sequence[Change] = ()
    obstacles: Sequence[Obstacle] = ()
    carry_out: Callable[[UUID], tuple[Any, Any]]
    """Do it, in memory, under the id of the action it belongs to: the state before and after."""


class Part(Protocol):
    """One kind of thing that can be undone, held in memory while undos are decided."""

    async def load(self, writer: Writer, deeds: Sequence[Deed], *, lasting: bool) -> None:
        """Read what `deeds` touched; their players and users are locked if it is `lasting`."""
        ...

    def plan(self, deed: Deed) -> Plan: ...

    async def save(self, writer: Writer) -> None:
        """Write what was carried out, and only that."""
        ...


def blocked(*obstacles: Obstacle) -> Plan:
    """The plan of what cannot be done at all."""
    return Plan(obstacles=obstacles, carry_out=_never)


def _never(action: UUID) -> tuple[Any, Any]:
    raise AssertionError("what cannot be done at all is never carried out")
