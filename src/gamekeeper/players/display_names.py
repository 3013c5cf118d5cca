"""
Names beside ids, for people who read: of items, spells and variables.

Only for calls that ask for them: in an inventory of 135 slots the names are a seventh of
all bytes, and a program that needs them often knows the catalog.
"""

from collections.abc import Iterable, Sequence
from typing import LiteralString
from uuid import UUID

from msgspec.structs import replace

from gamekeeper.core.ids import NIL
from gamekeeper.db.database import Reader
from gamekeeper.players.records import Bag, Items, Slot
from gamekeeper.players.spells import KnownSpell
from gamekeeper.players.variables import PlayerVariable

ITEMS: LiteralString = "SELECT id, name FROM items WHERE id = ANY($1)"
SPELLS: LiteralString = "SELECT id, name FROM spells WHERE id = ANY($1)"
VARIABLES: LiteralString = "SELECT id, name FROM variables WHERE id = ANY($1)"


async def item_names(reader: Reader, ids: Iterable[UUID | None]) -> dict[UUID, str]:
    """The names of these items; what is no item has none."""
    return await _names(reader, ITEMS, ids)


async def with_item_names(reader: Reader, slots: Sequence[Slot]) -> list[Slot]:
    names = await item_names(reader, [slot.item_id for slot in slots])
    return _named(slots, names)


async def in_places(reader: Reader, items: Items) -> Items:
    names = await item_names(reader, [slot.item_id for slot in [*items.inventory, *items.bank]])
    return Items(inventory=_named(items.inventory, names), bank=_named(items.bank, names))


async def in_bag(reader: Reader, bag: Bag) -> Bag:
    return replace(bag, slots=await with_item_names(reader, bag.slots))


async def with_spell_names(reader: Reader, spells: Sequence[KnownSpell]) -> list[KnownSpell]:
    names = await _names(reader, SPELLS, [spell.spell_id for spell in spells])
    return [replace(spell, spell_name=names.get(spell.spell_id, "")) for spell in spells]


async def with_variable_names(
    reader: Reader, variables: Sequence[PlayerVariable]
) -> list[PlayerVariable]:
    names = await _names(reader, VARIABLES, [variable.variable_id for variable in variables])
    return [
        replace(variable, variable_name=names.get(variable.variable_id, ""))
        for variable in variables
    ]


def _named(slots: Sequence[Slot], names: dict[UUID, str]) -> list[Slot]:
    return [replace(slot, item_name=names.get(slot.item_id, "")) for slot in slots]


async def _names(reader: Reader, sql: LiteralString, ids: Iterable[UUID | None]) -> dict[UUID, str]:
    wanted = {id_ for id_ in ids if id_ is not None and id_ != NIL}
    rows = await reader.lookups.rows(sql, list(wanted)) if wanted else []
    return {row["id"]: row["name"] for row in rows}
