"""Character classes of the catalog, with the initial values of their characters."""

from collections.abc import Iterable, Sequence
from uuid import UUID

from gamekeeper.catalog.files import Class
from gamekeeper.core.errors import Invalid
from gamekeeper.db.database import Queryable, Reader
from gamekeeper.db.queries import single_flight

MAX_STAT = 2**31 - 1


class UnknownClass(Invalid):
    """Invalid class id."""


async def find_classes(reader: Queryable, ids: Iterable[UUID]) -> dict[UUID, Class]:
    classes = await reader.all(
        Class,
        """
        SELECT id, name, base_vitals, vital_increases, base_stats, base_exp, exp_increase, max_level
          FROM classes
         WHERE id = ANY($1)
        """,
        list(ids),
    )
    return {character_class.id: character_class for character_class in classes}


@single_flight
async def highest_level(reader: Reader) -> int:
    """The highest level that any class allows; without a class, what one allows by default."""
    return await reader.value("SELECT coalesce(max(max_level), 100) FROM classes")


def vitals_at(kind: Class, level: int) -> list[int]:
    """The vitals, health and mana, that a class gives at a level."""
    pairs: Iterable[Sequence[int]] = zip(kind.base_vitals, kind.vital_increases, strict=True)
    return [min(MAX_STAT, base + increase * (level - 1)) for base, increase in pairs]
