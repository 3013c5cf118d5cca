"""Player variables of the catalog, with their types and defaults."""

from collections.abc import Iterable
from typing import Any, Literal
from uuid import UUID

from msgspec import Struct

from gamekeeper.core.errors import NotFound
from gamekeeper.core.parsing import INT64, Scalar
from gamekeeper.db.database import Queryable

Type = Literal["boolean", "integer", "string", "number"]

DEFAULTS: dict[Type, Scalar] = {"boolean": False, "integer": 0, "string": "", "number": 0.0}


class VariableNotFound(NotFound):
    """No player variable has that id."""


class Variable(Struct, frozen=True, kw_only=True):
    id: UUID
    name: str
    type: Type


async def find_variables(reader: Queryable, ids: Iterable[UUID]) -> dict[UUID, Variable]:
    variables = await reader.all(
        Variable, "SELECT id, name, type FROM variables WHERE id = ANY($1)", list(ids)
    )
    return {variable.id: variable for variable in variables}


def stored(value: Any) -> Any:
    """A value as it was set: PostgreSQL writes 1e300 as an integer of 301 digits."""
    return float(value) if isinstance(value, int) and value not in INT64 else value
