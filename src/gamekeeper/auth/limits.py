"""Limits: how much the holder of a role or of an API key may hand out and undo in a day."""

from collections.abc import Mapping
from typing import Annotated, Any

from msgspec import Meta, Struct, ValidationError, convert, structs

from gamekeeper.core.errors import Invalid
from gamekeeper.core.schemas import Record

Amount = Annotated[int, Meta(ge=0, le=2**53)]


class Limits(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """None: no limit. A day is a day of UTC."""

    pieces_per_day: Amount | None = None
    """Pieces of any one item given per day."""
    value_per_day: Amount | None = None
    """Value given per day, by the values of the catalog."""
    largest_gift: Amount | None = None
    """Pieces given by one change."""
    undos_per_day: Amount | None = None
    """Actions undone per day."""


def as_json(limits: Limits | None) -> dict[str, int]:
    """What is stored and recorded: only what is limited."""
    facts = structs.asdict(limits) if limits else {}
    return {name: value for name, value in facts.items() if value is not None}


def of_json(facts: Mapping[str, Any]) -> Limits | None:
    """The limits that were stored. A newer version may have stored some that this one lacks."""
    known = {name: facts[name] for name in Limits.__struct_fields__ if name in facts}
    return Limits(**known) if known else None


class LimitsRecord(Record, frozen=True):
    """Limits as they are shown; null: no limit."""

    pieces_per_day: int | None
    """Pieces of any one item given per day; null: no limit."""
    value_per_day: int | None
    """Value given per day, by the values of the catalog; null: no limit."""
    largest_gift: int | None
    """Pieces given by one change; null: no limit."""
    undos_per_day: int | None
    """Actions undone per day; null: no limit."""

    @classmethod
    def of(cls, limits: Limits | None) -> "LimitsRecord":
        return cls(**structs.asdict(limits or Limits()))


class InvalidLimit(Invalid):
    """A limit must be a whole number from 0 to 9007199254740992. Omit it for no limit."""


def checked(limits: Limits) -> Limits:
    """The same limits, or raise InvalidLimit."""
    try:
        return convert(structs.asdict(limits), Limits)
    except ValidationError:
        raise InvalidLimit from None
