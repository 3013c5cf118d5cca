"""The catalog as clients read it: lists of items, spells, variables and classes."""

from collections.abc import Sequence
from typing import Generic, LiteralString, TypeVar
from uuid import UUID

from msgspec import Struct

from gamekeeper.catalog import icons, variables
from gamekeeper.core.errors import NotFound
from gamekeeper.core.parsing import Scalar
from gamekeeper.core.schemas import Page, Record, Window
from gamekeeper.core.search import Search
from gamekeeper.db.database import Reader
from gamekeeper.ledger.economy.supply import ItemNotFound

R = TypeVar("R", bound=Record)


class SpellNotFound(NotFound):
    """No spell has that id."""


class ClassNotFound(NotFound):
    """No class has that id."""


class ItemEntry(Record, frozen=True):
    """An item of the catalog."""

    id: UUID
    name: str
    type: str
    """`none`, `equipment`, `consumable`, `currency`, `spell`, `event` or `bag`."""
    stackable: bool
    inventory_stack: int
    """The stack size in an inventory or bag."""
    bank_stack: int
    """The stack size in a bank."""
    bag_slots: int
    """The number of slots if it is a bag; otherwise 0."""
    bankable: bool
    """Whether it can be stored in a bank."""
    value: int | None
    """
    The value of one piece, in the game's own unit, for limits on giving items; null if
    unknown.
    """
    icon: str | None
    """The URL of its icon: https, or a path of this service; null: none."""


class SpellEntry(Record, frozen=True):
    """A spell of the catalog."""

    id: UUID
    name: str
    bound: bool
    """Whether a character that knows it cannot forget it."""


class VariableEntry(Record, frozen=True):
    """A variable of the catalog."""

    id: UUID
    name: str
    type: variables.Type
    owner: variables.Owner
    """The owner of a value: each character, account (`user`) or guild; `game`: one for all."""

    default: Scalar
    """The value where it has never been set."""


class ClassEntry(Record, frozen=True):
    """A character class of the catalog."""

    id: UUID
    name: str
    base_vitals: list[int]
    """Health and mana at level 1."""
    vital_increases: list[int]
    """Health and mana that each level adds."""
    base_stats: list[int]
    """Attack, ability power, defense, magic resist, speed."""
    base_exp: int
    """The experience from level 1 to 2."""
    exp_increase: int
    """The additional experience per level, in per cent."""
    max_level: int


class CatalogTable(Struct, Generic[R], frozen=True):
    table: LiteralString
    columns: LiteralString
    shape: type[R]
    missing: type[NotFound]


ITEMS = CatalogTable(
    "items",
    f"""id, name, type, stackable, inventory_stack, bank_stack, bag_slots, bankable, value,
        {icons.ADDRESS} AS icon""",
    ItemEntry,
    ItemNotFound,
)
SPELLS = CatalogTable("spells", "id, name, bound", SpellEntry, SpellNotFound)
VARIABLES = CatalogTable(
    "variables",
    """id, name, type, owner,
       CASE type WHEN 'boolean' THEN 'false'::jsonb WHEN 'string' THEN '""'::jsonb
                 ELSE '0'::jsonb END AS default""",
    VariableEntry,
    variables.VariableNotFound,
)
CLASSES = CatalogTable(
    "classes",
    """id, name, base_vitals, vital_increases, base_stats, base_exp, exp_increase, max_level""",
    ClassEntry,
    ClassNotFound,
)


async def list_entries(
    reader: Reader,
    catalog: CatalogTable[R],
    window: Window,
    search: Search | None,
    ids: Sequence[UUID] | None,
) -> Page[R]:
    """A page of the catalog by name: all of it, those with a part in their name, or these ids."""
    conditions: LiteralString = " AND ".join(
        [
            PART if search else "$1::text IS NULL",
            "id = ANY($2)" if ids is not None else "$2::uuid[] IS NULL",
        ]
    )
    given = (search.name if search else None, None if ids is None else list(ids))
    entries = await reader.all(
        catalog.shape,
        f"""
        SELECT {catalog.columns} FROM {catalog.table} WHERE {conditions}
         ORDER BY lower(name) COLLATE "C", id LIMIT $3 OFFSET $4
        """,
        *given,
        window.shown,
        window.offset,
    )
    total = await reader.value(
        f"SELECT count(*) FROM {catalog.table} WHERE {conditions}",
        *given,
    )
    return Page.of(entries, total, window)


# The catalog is small, and its names are not stored folded.
PART: LiteralString = "strpos(normalize(lower(name), NFKC), $1) > 0"


async def find_entry(reader: Reader, catalog: CatalogTable[R], wanted: UUID) -> R:
    sql: LiteralString = f"SELECT {catalog.columns} FROM {catalog.table} WHERE id = $1"
    found = await reader.one(catalog.shape, sql, wanted)
    if found is None:
        raise catalog.missing
    return found
