"""Spells of the catalog."""

from collections.abc import Iterable
from uuid import UUID

from msgspec import Struct

from gamekeeper.core.errors import Invalid
from gamekeeper.db.database import Queryable


# A sentence of Intersect, which its clients compare: it stays as it is.
class UnknownSpell(Invalid):
    """Invalid spell id."""


class Spell(Struct, frozen=True, kw_only=True):
    id: UUID
    name: str
    bound: bool = False


async def find_spells(reader: Queryable, ids: Iterable[UUID]) -> dict[UUID, Spell]:
    spells = await reader.all(
        Spell, "SELECT id, name, bound FROM spells WHERE id = ANY($1)", list(ids)
    )
    return {spell.id: spell for spell in spells}
