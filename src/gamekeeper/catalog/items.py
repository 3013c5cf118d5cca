"""Items of the catalog, with their stack limits."""

from collections.abc import Iterable
from typing import LiteralString
from uuid import UUID

from msgspec import Struct

from gamekeeper.core.errors import Invalid
from gamekeeper.db.database import Queryable


# A sentence of Intersect, which its clients compare: it stays as it is.
class UnknownItem(Invalid):
    """Invalid item id."""


class Item(Struct, frozen=True, kw_only=True):
    id: UUID
    name: str
    type: str
    stackable: bool = False
    inventory_stack: int = 1
    bank_stack: int = 1
    bag_slots: int = 0
    bankable: bool = True
    value: int | None = None
    """The value of one piece, in the game's own unit; None: unknown."""


class StoredItem(Item, frozen=True, kw_only=True):
    """An item, with what only the database knows of it."""

    is_held: bool = False
    """Whether a rule may hold gifts of it (players/holds.py)."""


FIND: LiteralString = """
    SELECT id, name, type, stackable, inventory_stack, bank_stack, bag_slots, bankable, value,
           EXISTS (SELECT FROM economy_rules AS rule
                    WHERE effect = 'hold'
                      AND (rule.item_id = items.id OR rule.item_id IS NULL)) AS is_held
      FROM items
     WHERE id = ANY($1)
"""


async def find_items(reader: Queryable, ids: Iterable[UUID]) -> dict[UUID, StoredItem]:
    return {item.id: item for item in await reader.all(StoredItem, FIND, list(ids))}
