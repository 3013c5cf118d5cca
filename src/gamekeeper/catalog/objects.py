"""
Game objects, as clients of Intersect read them: one record per object of the game's editor.

A record is made of three layers: Intersect's keys at their default values, over them what
an import kept of the object, over that what the tables of the catalog say, by whose rules
items are given and spells are taught.
"""

from collections.abc import Callable
from typing import Any, LiteralString
from uuid import UUID

from msgspec import Struct

from gamekeeper.catalog.object_types import (
    DAY_CYCLE,
    DEFAULTS,
    ITEM_TYPES,
    TIME,
    TYPES,
    VARIABLE_TYPES,
    Facts,
)
from gamekeeper.core.errors import Invalid
from gamekeeper.core.schemas import Window
from gamekeeper.db.database import Reader
from gamekeeper.db.queries import single_flight

MOST_NAMES: LiteralString = "10000"


# Sentences of Intersect, which its clients compare: they stay as they are.
class ObjectNotFound(Invalid):
    """Object not found!"""


class InvalidObjectType(Invalid):
    """Invalid object type."""


def parse_type(word: str) -> str:
    """The type that a path names, in any letter case."""
    found = word.lower()
    if found not in TYPES:
        raise InvalidObjectType
    return found


# A table of one type needs no condition, but every statement takes the type.
ANY_TYPE: LiteralString = "$1::text IS NOT NULL"


class ObjectTable(Struct, frozen=True):
    """The table that says which objects of a type there are, and what it knows of them."""

    table: LiteralString
    columns: LiteralString = ""
    where: LiteralString = ANY_TYPE
    own: Callable[[Any], Facts] = lambda row: {}

    @property
    def select(self) -> LiteralString:
        return f"""
            SELECT entries.id, entries.name {self.columns}, objects.facts
              FROM {self.table} AS entries
              LEFT JOIN catalog_objects AS objects ON objects.type = $1 AND objects.id = entries.id
             WHERE {self.where}
        """


def _item(row: Any) -> Facts:
    own = {
        "ItemType": ITEM_TYPES.index(row["type"]),
        "Stackable": row["stackable"],
        "MaxInventoryStack": row["inventory_stack"],
        "MaxBankStack": row["bank_stack"],
        "SlotCount": row["bag_slots"],
        "CanBank": row["bankable"],
    }
    # Nobody has said what it is worth: then the editor's price stands.
    return own if row["value"] is None else own | {"Price": row["value"]}


def _spell(row: Any) -> Facts:
    return {"Bound": row["bound"]}


def _class(row: Any) -> Facts:
    return {
        "BaseStat": row["base_stats"],
        "BaseVital": row["base_vitals"],
        "VitalIncrease": row["vital_increases"],
        "BaseExp": row["base_exp"],
        "ExpIncrease": row["exp_increase"],
    }


def _variable(row: Any) -> Facts:
    return {"Type": VARIABLE_TYPES[row["type"]]}


def _variables(where: LiteralString) -> ObjectTable:
    return ObjectTable("variables", ", entries.type", f"{where} AND {ANY_TYPE}", _variable)


OBJECTS = ObjectTable("catalog_objects", where="entries.type = $1")

TABLES: dict[str, ObjectTable] = dict.fromkeys(TYPES, OBJECTS) | {
    "item": ObjectTable(
        "items",
        """, entries.type, stackable, inventory_stack, bank_stack, bag_slots, bankable, value""",
        own=_item,
    ),
    "spell": ObjectTable("spells", ", bound", own=_spell),
    "class": ObjectTable(
        "classes",
        ", base_stats, base_vitals, vital_increases, base_exp, exp_increase",
        own=_class,
    ),
    "playervariable": _variables("owner = 'player'"),
    "servervariable": _variables("owner = 'game'"),
    "guildvariable": _variables("owner = 'guild'"),
    "uservariable": _variables("owner = 'user'"),
}

BY_NAME: LiteralString = 'lower(entries.name) COLLATE "C", entries.id'


@single_flight
async def list_objects(reader: Reader, type_: str, window: Window) -> tuple[list[Facts], int]:
    """A page of the objects of a type, by name, and how many there are."""
    table = TABLES[type_]
    rows = await reader.rows(
        f"{table.select} ORDER BY {BY_NAME} LIMIT $2 OFFSET $3", type_, window.shown, window.offset
    )
    total = await reader.value(
        f"SELECT count(*) FROM {table.table} AS entries WHERE {table.where}", type_
    )
    return [_record(type_, row) for row in rows], total


@single_flight
async def object_names(reader: Reader, type_: str) -> dict[UUID, str]:
    """The names of the objects of a type, by name; the first `MOST_NAMES`."""
    table = TABLES[type_]
    rows = await reader.rows(
        f"""
        SELECT entries.id, entries.name FROM {table.table} AS entries
         WHERE {table.where} ORDER BY {BY_NAME} LIMIT {MOST_NAMES}
        """,
        type_,
    )
    return {row["id"]: row["name"] for row in rows}


async def find_object(reader: Reader, type_: str, wanted: UUID) -> Facts:
    """One object, by its id."""
    table = TABLES[type_]
    rows = await reader.lookups.rows(f"{table.select} AND entries.id = $2", type_, wanted)
    if not rows:
        raise ObjectNotFound
    return _record(type_, rows[0])


@single_flight
async def day_cycle(reader: Reader) -> Facts:
    """The light of the game at each time of its day."""
    rows = await reader.rows(
        "SELECT id, facts FROM catalog_objects WHERE type = $1 ORDER BY id LIMIT 1", TIME
    )
    return DAY_CYCLE if not rows else DAY_CYCLE | rows[0]["facts"] | {"Id": rows[0]["id"]}


def _record(type_: str, row: Any) -> Facts:
    about: Facts = DEFAULTS[type_] | (row["facts"] or {}) | TABLES[type_].own(row)
    # These two last, as in Intersect's records.
    created = about.pop("TimeCreated", 0)
    return about | {"Name": row["name"], "Id": row["id"], "TimeCreated": created}
