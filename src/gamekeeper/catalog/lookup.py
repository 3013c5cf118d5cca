"""Lookup of catalog entries by name or id, and of the names of ids."""

from collections.abc import Iterable
from typing import Literal, LiteralString
from uuid import UUID

from msgspec import Struct

from gamekeeper.catalog.classes import UnknownClass
from gamekeeper.catalog.items import UnknownItem
from gamekeeper.catalog.spells import UnknownSpell
from gamekeeper.catalog.variables import VariableNotFound
from gamekeeper.core.errors import Conflict, Problem
from gamekeeper.core.names import fold, nearest, parse_guid
from gamekeeper.db.database import Reader

Thing = Literal["item", "spell", "variable", "class"]

# The catalog is small: all names are read, so that a name is compared as `fold` compares.
NAMES: dict[Thing, LiteralString] = {
    "item": "SELECT id, name FROM items ORDER BY name, id",
    "spell": "SELECT id, name FROM spells ORDER BY name, id",
    "variable": "SELECT id, name FROM variables WHERE owner = 'player' ORDER BY name, id",
    "class": "SELECT id, name FROM classes ORDER BY name, id",
}
UNKNOWN: dict[Thing, type[Problem]] = {
    "item": UnknownItem,
    "spell": UnknownSpell,
    "variable": VariableNotFound,
    "class": UnknownClass,
}


class AmbiguousName(Conflict):
    """The name is ambiguous: several catalog entries have it. Use an id."""


class Named(Struct, frozen=True):
    id: UUID
    name: str


async def find_entry(reader: Reader, thing: Thing, key: str) -> Named:
    """The entry with this name or id; otherwise a refusal with the nearest names."""
    entries = await reader.all(Named, NAMES[thing])
    guid = parse_guid(key)
    folded = fold(key)
    found = [entry for entry in entries if entry.id == guid or fold(entry.name) == folded]
    if len(found) == 1:
        return found[0]
    if found:
        ids = ", ".join(str(entry.id) for entry in found)
        raise AmbiguousName(f"Several {plural(thing)} are called '{key}': {ids}. Give an id.")
    raise unknown(thing, key, entries)


def unknown(thing: Thing, key: str, entries: Iterable[Named]) -> Problem:
    near = nearest(key, [entry.name for entry in entries])
    return UNKNOWN[thing](f"No {thing} has the name or id '{key}'.{did_you_mean(near)}")


def plural(thing: Thing) -> str:
    return "classes" if thing == "class" else f"{thing}s"


def did_you_mean(names: list[str]) -> str:
    return f" Did you mean {' or '.join(repr(name) for name in names)}?" if names else ""


async def search(reader: Reader, thing: Thing, text: str) -> list[Named]:
    """The entries whose name contains the text or resembles it, by name."""
    entries = await reader.all(Named, NAMES[thing])
    folded = fold(text)
    if found := [entry for entry in entries if folded in fold(entry.name)]:
        return found
    near = set(nearest(text, [entry.name for entry in entries], most=10))
    return [entry for entry in entries if entry.name in near]


async def names_of(reader: Reader, thing: Thing, ids: Iterable[UUID]) -> dict[UUID, str]:
    """The names of entries; an id that is not in the catalog has none."""
    wanted = set(ids)
    if not wanted:
        return {}
    return {
        entry.id: entry.name
        for entry in await reader.all(Named, NAMES[thing])
        if entry.id in wanted
    }
