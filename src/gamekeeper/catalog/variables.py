"""Variables of the catalog: whose they are, their types and defaults, and values of a type."""

import re
from collections.abc import Iterable
from math import inf, isfinite
from typing import Any, Literal
from uuid import UUID

from msgspec import Struct

from gamekeeper.core import parsing
from gamekeeper.core.errors import Invalid, NotFound
from gamekeeper.core.parsing import INT64, Scalar, Unreadable
from gamekeeper.db.database import Queryable

Type = Literal["boolean", "integer", "string", "number"]
Owner = Literal["player", "user", "guild", "game"]
"""Whose values it has; the game's is one value for all."""

MAX_TEXT_LENGTH = 4096
NUMBER = re.compile(r"-?[0-9]{1,400}(\.[0-9]{1,400})?([eE][+-]?[0-9]{1,3})?")

DEFAULTS: dict[Type, Scalar] = {"boolean": False, "integer": 0, "string": "", "number": 0.0}


class VariableNotFound(NotFound):
    """No player variable has that id."""


class WrongVariableType(Invalid):
    """The value is not of the variable's type."""


class Variable(Struct, frozen=True, kw_only=True):
    id: UUID
    name: str
    type: Type
    owner: Owner = "player"


async def find_variables(
    reader: Queryable, ids: Iterable[UUID], owner: Owner = "player"
) -> dict[UUID, Variable]:
    variables = await reader.all(
        Variable,
        "SELECT id, name, type, owner FROM variables WHERE id = ANY($1) AND owner = $2",
        list(ids),
        owner,
    )
    return {variable.id: variable for variable in variables}


def stored(value: Any) -> Any:
    """A value as it was set: PostgreSQL writes 1e300 as an integer of 301 digits."""
    return float(value) if isinstance(value, int) and value not in INT64 else value


def shown(kind: Type, value: Scalar | None) -> Scalar:
    """A stored value as it is answered; if there is none, the default of its type."""
    if value is None:
        return DEFAULTS[kind]
    # PostgreSQL writes 1e300 as an integer of 301 digits.
    return float(value) if kind == "number" else value


def typed(variable: Variable, value: Scalar) -> Scalar:
    """The value in the variable's type; raises WrongVariableType if it cannot be."""
    try:
        return of_type(variable, value)
    except Unreadable as wanted:
        raise WrongVariableType(
            f"'{variable.name}' must be {wanted}.", type=variable.type
        ) from None


def of_type(variable: Variable, value: Scalar) -> Scalar:
    match variable.type:
        case "boolean":
            return parsing.boolean(value)
        case "integer":
            number = parsing.integer(value)
            if number not in INT64:
                raise Unreadable("an integer of 64 bits")
            return number
        case "number":
            return _number(value)
        case "string":
            if not isinstance(value, str) or len(value) > MAX_TEXT_LENGTH:
                raise Unreadable(f"a string of at most {MAX_TEXT_LENGTH} characters")
            return value


def _number(value: Scalar) -> float:
    if isinstance(value, bool) or (isinstance(value, str) and not NUMBER.fullmatch(value)):
        raise Unreadable("a number")
    try:
        number = float(value)
    except OverflowError:
        number = inf
    if not isfinite(number):
        raise Unreadable("a finite number")
    return number
