"""
The catalog of the other game: items, spells, classes and variables, with placeholders.

What players own must be in the catalog. Items, spells and classes that the game's editor has
deleted since get a placeholder with their id, so nothing is lost with them.
"""

from collections.abc import Container, Iterator
from typing import Any
from uuid import UUID, uuid5

from msgspec import Struct

from gamekeeper.catalog.files import (
    LARGEST_BAG,
    Catalog,
    CatalogItem,
    CatalogSpell,
    CatalogVariable,
    Class,
)
from gamekeeper.catalog.variables import Owner, Type
from gamekeeper.transfer.intersect.notes import Notes
from gamekeeper.transfer.intersect.sources import Source, Tables
from gamekeeper.transfer.intersect.values import (
    INT32,
    ZERO,
    UnreadableValue,
    guid,
    integer,
    json,
    numbers,
    text,
)

ITEM_TYPES = ("none", "equipment", "consumable", "currency", "spell", "event", "bag")
VARIABLE_TYPES: dict[int, Type] = {1: "boolean", 2: "integer", 3: "string", 4: "number"}
VARIABLE_TABLES: dict[str, Owner] = {
    "PlayerVariables": "player",
    "ServerVariables": "game",
    "GuildVariables": "guild",
    "UserVariables": "user",
}
NO_CLASS = uuid5(ZERO, "intersect/no class")
"""Stands for the zero id: characters that never chose a class."""
LONGEST_NAME = 64
OWNED_ITEMS = ("Player_Items", "Player_Bank", "Bag_Items", "Guild_Bank")


class Growth(Struct, frozen=True):
    """How the vitals of a class grow; by per cent, this differs from what `Class` can say."""

    base: tuple[int, int]
    increase: tuple[int, int]
    percent: bool

    def vitals(self, level: int) -> list[int]:
        found: list[int] = []
        for base, increase in zip(self.base, self.increase, strict=True):
            if not self.percent:
                found.append(min(INT32, base + increase * (level - 1)))
                continue
            # A float overflows beyond any vital that can be stored.
            grown = min(4000.0, (level - 1) * (increase / 100))
            found.append(
                int(
                    min(INT32, base * (1 + increase / 100) ** (level - 1)) if grown < 100 else INT32
                )
            )
        return found


class GameCatalog(Struct):
    """The catalog as an import takes it, and what only the conversion of characters needs."""

    catalog: Catalog
    growth: dict[UUID, Growth]
    maps: dict[UUID, str]


def read_catalog(source: Source, notes: Notes, *, max_level: int | None = None) -> GameCatalog:
    """Read the whole catalog, with placeholders for what players own and the game lacks."""
    game = source.game
    items = {item.id: item for item in _items(game, notes)}
    spells = {spell.id: spell for spell in _spells(game, notes)}
    growth: dict[UUID, Growth] = {}
    _, reached = source.players.extent("Players", "Level")
    highest = max(max_level or 100, reached)
    classes = {
        character_class.id: character_class
        for character_class in _classes(game, notes, growth, min(highest, 10_000))
    }
    _add_placeholders(source, notes, items, spells, classes, min(highest, 10_000))
    for character_class in classes.values():
        plain = (_two(character_class.base_vitals), _two(character_class.vital_increases))
        growth.setdefault(character_class.id, Growth(*plain, percent=False))
    variables = {variable.id: variable for variable in _variables(game, notes)}
    maps = {
        found: text(name, 255)
        for row_id, name in game.rows("Maps", ["Id", "Name"])
        if (found := _id(row_id, "Maps", notes))
    }
    catalog = Catalog(
        items=list(items.values()),
        spells=list(spells.values()),
        classes=list(classes.values()),
        variables=list(variables.values()),
    )
    return GameCatalog(catalog, growth, maps)


def _two(values: list[int]) -> tuple[int, int]:
    return values[0], values[1]


def _id(value: Any, table: str, notes: Notes) -> UUID | None:
    try:
        found = guid(value)
    except UnreadableValue:
        found = None
    if found is None:
        notes.add("row_unreadable", table, f"{value!r:.60}")
    return found


def _name(value: Any, owner: UUID, kind: str, notes: Notes) -> str:
    name = text(value, LONGEST_NAME)
    if not name.strip():
        name = f"Nameless {kind} {owner.hex[:8]}"
    if name != value:
        notes.add("catalog_name", f"{kind} {owner}", name)
    return name


# ── Items ──


def _items(game: Tables, notes: Notes) -> Iterator[CatalogItem]:
    columns = ("Id", "Name", "ItemType", "Stackable", "SlotCount", "CanBank", "Price")
    # 0.6 has no limits, and neither have its rows after an upgrade.
    limits = ("MaxInventoryStack", "MaxBankStack")
    has_limits = game.has_column("Items", "CanBank")
    for row in game.rows("Items", [*columns, *limits]):
        raw_id, name, raw_type, stackable, size, can_bank, price, inventory, bank = row
        found = _id(raw_id, "Items", notes)
        if found is None:
            continue
        number = integer(raw_type, 0, len(ITEM_TYPES), 0)
        if number == len(ITEM_TYPES) or not isinstance(raw_type, int):
            notes.add("catalog_value", f"item {found}", f"type {raw_type!r:.20} becomes none")
            number = 0
        kind: Any = ITEM_TYPES[number]
        piles = (bool(integer(stackable)) or kind == "currency") and kind not in (
            "equipment",
            "bag",
        )
        yield CatalogItem(
            id=found,
            name=_name(name, found, "item", notes),
            type=kind,
            stackable=piles,
            inventory_stack=_limit(inventory) if piles and has_limits else INT32 if piles else 1,
            bank_stack=_limit(bank) if piles and has_limits else INT32 if piles else 1,
            bag_slots=integer(size, 1, LARGEST_BAG, 1) if kind == "bag" else 0,
            bankable=bool(integer(can_bank, default=1)) if has_limits else True,
            value=integer(price, 0, INT32, 0),
        )


def _limit(value: Any) -> int:
    return integer(value, 1, INT32, INT32)


# ── Spells, classes, variables ──


def _spells(game: Tables, notes: Notes) -> Iterator[CatalogSpell]:
    for row_id, name, bound in game.rows("Spells", ["Id", "Name", "Bound"]):
        if found := _id(row_id, "Spells", notes):
            spell_name = _name(name, found, "spell", notes)
            yield CatalogSpell(id=found, name=spell_name, bound=bool(integer(bound)))


def _classes(
    game: Tables, notes: Notes, growth: dict[UUID, Growth], highest: int
) -> Iterator[Class]:
    columns = ("Id", "Name", "BaseVitals", "VitalIncreases", "BaseStats", "BaseExp", "ExpIncrease")
    rules = ("IncreasePercentage", "ExperienceOverrides")
    for row in game.rows("Classes", [*columns, *rules]):
        row_id, name, vitals, increases, stats, exp, more, percent, overrides = row
        found = _id(row_id, "Classes", notes)
        if found is None:
            continue
        by_percent = bool(integer(percent))
        own_name = _name(name, found, "class", notes)
        _note_rules(own_name, overrides, more, notes, by_percent=by_percent)
        base, added = numbers(vitals, 2), numbers(increases, 2)
        growth[found] = Growth(_two(base), _two(added), percent=by_percent)
        yield Class(
            id=found,
            name=own_name,
            base_vitals=base,
            vital_increases=[0, 0] if by_percent else added,
            base_stats=numbers(stats, 5),
            base_exp=integer(exp, 1, 2**63 - 1, 100),
            exp_increase=integer(more, 0, 1000, 0),
            max_level=highest,
        )


def _note_rules(name: str, overrides: Any, more: Any, notes: Notes, *, by_percent: bool) -> None:
    if by_percent:
        notes.add(
            "class_simplified",
            name,
            "vitals grow by percentage: characters keep their maximum, later levels add nothing",
        )
    try:
        given = json(overrides)
    except UnreadableValue:
        given = None
    if given:
        count = len(given) if isinstance(given, dict | list) else 1
        detail = f"{count} levels have their own experience, not used for ExperienceToNextLevel"
        notes.add("class_simplified", name, detail)
    if integer(more, 0, INT32, 0) > 1000:
        notes.add("class_simplified", name, f"ExpIncrease {more} becomes 1000")


def _variables(game: Tables, notes: Notes) -> Iterator[CatalogVariable]:
    for table, owner in VARIABLE_TABLES.items():
        column = "DataType" if game.has_column(table, "DataType") else "Type"
        for row_id, name, raw in game.rows(table, ["Id", "Name", column]):
            found = _id(row_id, table, notes)
            kind = VARIABLE_TYPES.get(integer(raw, 0, 99, 0))
            if found and kind is None:
                notes.add("catalog_value", f"variable {found}", f"unknown type {raw!r:.20}")
            if found and kind:
                own = _name(name, found, "variable", notes)
                yield CatalogVariable(id=found, name=own, type=kind, owner=owner)


# ── Placeholders ──


def _add_placeholders(
    source: Source,
    notes: Notes,
    items: dict[UUID, CatalogItem],
    spells: dict[UUID, CatalogSpell],
    classes: dict[UUID, Class],
    highest: int,
) -> None:
    players = source.players
    owned = {item for table in OWNED_ITEMS for item in players.ids(table, "ItemId")}
    for own in _missing(owned, items):
        items[own] = CatalogItem(
            id=own,
            name=f"Unknown item {own.hex[:8]}",
            type="none",
            stackable=True,
            inventory_stack=INT32,
            bank_stack=INT32,
        )
        notes.add("item_placeholder", own, items[own].name)
    for own in _missing(players.ids("Player_Spells", "SpellId"), spells):
        spells[own] = CatalogSpell(id=own, name=f"Unknown spell {own.hex[:8]}")
        notes.add("spell_placeholder", own, spells[own].name)
    for own in _missing(players.ids("Players", "ClassId"), classes):
        classes[own] = Class(id=own, name=f"Unknown class {own.hex[:8]}", max_level=highest)
        notes.add("class_placeholder", own, classes[own].name)
    if _is_classless(players):
        classes[NO_CLASS] = Class(id=NO_CLASS, name="No class", max_level=highest)
        notes.add("class_placeholder", NO_CLASS, "No class, for characters without one")


def _missing(ids: set[bytes], there: Container[UUID]) -> list[UUID]:
    return [own for found in sorted(ids) if (own := UUID(bytes=found)) not in there]


def _is_classless(players: Tables) -> bool:
    return players.count("Players") > players.count("Players", filled="ClassId")
