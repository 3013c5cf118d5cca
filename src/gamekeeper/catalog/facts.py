"""
Facts in a catalog file: what the game's editor knows of an object, by the keys of Intersect.

Items, spells, variables and classes have them in a table `facts` of their own. What is none of
these stands in the list `objects`. They are kept as they are, so they are bounded here.
"""

import math
from collections.abc import Mapping
from decimal import Decimal
from typing import Any
from uuid import UUID

import msgspec
from msgspec import Struct

from gamekeeper.catalog.object_types import TIME, TYPES, VARIABLE_OWNERS, Facts
from gamekeeper.core.names import parse_guid
from gamekeeper.core.parsing import DEEPEST, INT64, shallow

LARGEST_FACTS = 65_536
"""Bytes of the text that PostgreSQL makes of them."""
LARGEST_FLOAT = 2**53
LONGEST_NAME = 255
LONGEST_KEY = 100

TABLE_TYPES = {"items": "item", "spells": "spell", "classes": "class"}
LISTED_TYPES = {
    type_
    for type_ in (*TYPES, TIME)
    if type_ not in TABLE_TYPES.values() and type_ not in VARIABLE_OWNERS.values()
}
"""The types that stand in the list `objects`."""


class CatalogObject(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    type: str
    id: UUID
    name: str = ""
    facts: Facts = {}

    @property
    def content(self) -> bytes:
        """To be compared: in Python true would equal 1."""
        return msgspec.json.encode((self.name, self.facts), order="deterministic")

    @property
    def key(self) -> tuple[str, UUID]:
        return self.type, self.id


class BadFacts(Exception):
    """Why facts are rejected; the message follows the name of their field."""


def object_faults(entry: CatalogObject) -> list[tuple[str, str]]:
    """The faults of an entry of the list `objects`, each after the name of its field."""
    faults = []
    if entry.type not in LISTED_TYPES:
        faults.append(("type", f"is {entry.type!r:.40}, but must be one of {_words(LISTED_TYPES)}"))
    if len(entry.name) > LONGEST_NAME or "\0" in entry.name:
        faults.append(("name", f"must have at most {LONGEST_NAME} characters, and no NUL"))
    try:
        check_facts(entry.facts)
    except BadFacts as fault:
        faults.append(("facts", str(fault)))
    return faults


def _words(words: set[str]) -> str:
    return ", ".join(sorted(words))


def take_out(
    document: Mapping[str, Any],
) -> tuple[dict[str, Any], list[CatalogObject], list[tuple[str, int, object, str]]]:
    """
    The catalog without the facts of its entries, these facts, and what is wrong with them.

    A fault is the table, the number of the row in it, the row, and the message.
    """
    plain: dict[str, Any] = dict(document)
    found: list[CatalogObject] = []
    faults: list[tuple[str, int, object, str]] = []
    for table in ("items", "spells", "variables", "classes"):
        rows = document.get(table)
        if not isinstance(rows, list):
            continue
        plain[table] = [_without_facts(row) for row in rows]
        for number, row in enumerate(rows):
            if not isinstance(row, dict) or "facts" not in row:
                continue
            try:
                about = _facts_of(table, row)
            except BadFacts as fault:
                faults.append((table, number, row, str(fault)))
                continue
            found += [about] if about else []
    return plain, found, faults


def _without_facts(row: object) -> object:
    if not isinstance(row, dict):
        return row
    return {name: value for name, value in row.items() if name != "facts"}


def _facts_of(table: str, row: Mapping[str, Any]) -> CatalogObject | None:
    check_facts(row["facts"])
    entry, name = parse_guid(str(row.get("id"))), row.get("name")
    type_ = TABLE_TYPES.get(table) or VARIABLE_OWNERS.get(str(row.get("owner", "player")))
    # What is missing is a fault of the entry itself, and told there.
    if entry is None or type_ is None or not isinstance(name, str):
        return None
    return CatalogObject(type=type_, id=entry, name=name[:LONGEST_NAME], facts=row["facts"])


def check_facts(facts: object) -> None:
    """Raise BadFacts unless it is a JSON object that can be kept and answered as it is."""
    if not isinstance(facts, dict):
        raise BadFacts("must be a table")
    if not shallow(facts):
        raise BadFacts(f"nests deeper than {DEEPEST}")
    if _text_size(facts) > LARGEST_FACTS:
        raise BadFacts(f"is larger than {LARGEST_FACTS // 1024} KiB")


def _text_size(value: object) -> int:
    """The bytes of a value as PostgreSQL writes jsonb; raises BadFacts if it is not JSON."""
    match value:
        case dict():
            if not all(isinstance(key, str) and len(key) <= LONGEST_KEY for key in value):
                raise BadFacts(f"has a key of more than {LONGEST_KEY} characters")
            return 2 + sum(
                _text_size(key) + _text_size(element) + 4 for key, element in value.items()
            )
        case list():
            return 2 + sum(_text_size(element) + 2 for element in value)
        case str():
            if "\0" in value:
                raise BadFacts("must not contain NUL")
            return len(msgspec.json.encode(value))
        case bool() | None:
            return 5
        case int() if value in INT64:
            return len(str(value))
        # jsonb has no exponents: it would give 1e300 back as an integer of 301 digits.
        case float() if math.isfinite(value) and abs(value) < LARGEST_FLOAT:
            return len(format(Decimal(repr(value)), "f"))
    raise BadFacts(f"has a value that is not JSON or too large: {value!r:.40}")
