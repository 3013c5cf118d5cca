"""The catalog that lines are checked against, loaded once for a whole import."""

from collections.abc import Iterable
from typing import get_args
from uuid import UUID

from msgspec import Struct
from msgspec.structs import replace

from gamekeeper.catalog.files import Catalog, Class
from gamekeeper.catalog.items import Item
from gamekeeper.catalog.variables import Owner, Variable
from gamekeeper.db.database import Queryable
from gamekeeper.transfer.lines import INT32

OWNERS: tuple[Owner, ...] = get_args(Owner)


class KnownCatalog(Struct, frozen=True):
    """The whole catalog, by id."""

    items: dict[UUID, Item]
    spells: frozenset[UUID]
    variables: dict[Owner, dict[UUID, Variable]]
    classes: dict[UUID, Class]

    @classmethod
    async def load(cls, reader: Queryable) -> "KnownCatalog":
        items = await reader.all(
            Item,
            """
            SELECT id, name, type, stackable, inventory_stack, bank_stack, bag_slots, bankable
              FROM items
            """,
        )
        variables = await reader.all(Variable, "SELECT id, name, type, owner FROM variables")
        classes = await reader.all(
            Class,
            """
            SELECT id, name, base_vitals, vital_increases, base_stats, base_exp, exp_increase,
                   max_level
              FROM classes
            """,
        )
        return cls(
            {item.id: item for item in items},
            frozenset(row["id"] for row in await reader.rows("SELECT id FROM spells")),
            _by_owner(variables),
            {character_class.id: character_class for character_class in classes},
        )

    def of_another_game(self, more: Catalog) -> "KnownCatalog":
        """With its catalog, and what it allowed: stacks of any size, and all of it in banks."""
        items: dict[UUID, Item] = {**self.items, **{item.id: item for item in more.items}}
        known = [
            variable for variables in self.variables.values() for variable in variables.values()
        ]
        return KnownCatalog(
            {
                key: replace(item, inventory_stack=INT32, bank_stack=INT32, bankable=True)
                for key, item in items.items()
            },
            self.spells | {spell.id for spell in more.spells},
            _by_owner([*known, *more.variables]),
            {
                **self.classes,
                **{character_class.id: character_class for character_class in more.classes},
            },
        )


def _by_owner(variables: Iterable[Variable]) -> dict[Owner, dict[UUID, Variable]]:
    found: dict[Owner, dict[UUID, Variable]] = {owner: {} for owner in OWNERS}
    for variable in variables:
        found[variable.owner][variable.id] = variable
    return found
