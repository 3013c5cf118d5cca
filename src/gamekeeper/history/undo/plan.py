"""Undo plan: the changes that an undo makes, and the obstacles (conflicts)."""

from collections.abc import Sequence
from typing import Any, Literal
from uuid import UUID

from msgspec import Struct

from gamekeeper.core.parsing import Scalar
from gamekeeper.core.schemas import Record

What = Literal[
    "item",
    "spell",
    "variable",
    "email",
    "power",
    "player",
    "user",
    "name",
    "level",
    "sheet",
    "access_ban",
    "guild",
    "member",
    "rank",
    "owner",
    "letter",
]

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
    "name_taken",
    "online",
    "holds_items",
    "owns_guild",
    "too_many_characters",
    "level_above_class",
    "guild_gone",
    "guild_owner",
    "in_another_guild",
    "not_a_member",
]


class Change(Record, frozen=True):
    """One thing that an undo does."""

    what: What
    id: UUID | None = None
    """Of the item, spell, variable, character, guild or letter."""
    name: str | None = None
    """Of the power, the character or the guild."""
    place: str | None = None
    slot: int | None = None
    quantity: int | None = None
    """The quantity returned; negative if taken."""
    before: Scalar | None = None
    """Of a variable, a power or an email, which is shown masked."""
    after: Scalar | None = None


class Obstacle(Record, frozen=True):
    """One thing that an undo cannot do, or not all of, and why."""

    reason: Reason
    """The conflict."""
    what: What
    id: UUID | None = None
    name: str | None = None
    place: str | None = None
    wanted: int | None = None
    """The quantity that must be taken or given back."""
    possible: int | None = None
    """The quantity that can be."""
    expected: Scalar | None = None
    """The state that the action left."""
    found: Scalar | None = None
    """The current state."""


class Result(Struct, frozen=True, kw_only=True):
    """The changes that an undo made to the in-memory state, and its obstacles."""

    changes: Sequence[Change] = ()
    obstacles: Sequence[Obstacle] = ()
    before: Any = None
    after: Any = None
    """The before and after states that the undo action records."""


def blocked(*obstacles: Obstacle) -> Result:
    """A result without changes: the undo is impossible."""
    return Result(obstacles=obstacles)
