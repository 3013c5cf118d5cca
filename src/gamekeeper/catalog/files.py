"""
Catalog files: parsing and validation, before an import, of JSON or TOML with up to five tables.

The tables are ``items``, ``spells``, ``variables``, ``classes`` and ``objects``; their fields
are the columns of the database's tables of the same names. The rules are those of the
database's constraints, but here the message can name the file, the entry and the
field of each fault.
"""

from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Annotated, Any, Literal
from uuid import UUID

import msgspec
from msgspec import Meta, Struct

from gamekeeper.catalog import icons, items, spells, variables
from gamekeeper.catalog.facts import CatalogObject, object_faults, take_out
from gamekeeper.catalog.icons import BadIcon, Icon
from gamekeeper.core.errors import Invalid
from gamekeeper.core.names import parse_guid

Name = Annotated[str, Meta(min_length=1, max_length=64)]
Int32 = Annotated[int, Meta(ge=-(2**31), le=2**31 - 1)]
Stack = Annotated[int, Meta(ge=1, le=2**31 - 1)]
Vitals = Annotated[list[Int32], Meta(min_length=2, max_length=2)]
Stats = Annotated[list[Int32], Meta(min_length=5, max_length=5)]

LARGEST_BAG = 500
MOST_VALUE = 2**53
"""The largest integer that every JSON reader knows exactly."""
MOST_FAULTS = 20


class UnreadableCatalog(Invalid):
    """The file is not a catalog."""


class InvalidCatalog(Invalid):
    """The catalog breaks a rule."""


class CatalogItem(items.Item, frozen=True, kw_only=True, forbid_unknown_fields=True):
    name: Name
    type: Literal["none", "equipment", "consumable", "currency", "spell", "event", "bag"]
    inventory_stack: Stack = 1
    bank_stack: Stack = 1
    bag_slots: Int32 = 0
    value: Annotated[int, Meta(ge=0, le=MOST_VALUE)] | None = None


class CatalogSpell(spells.Spell, frozen=True, kw_only=True, forbid_unknown_fields=True):
    name: Name


class CatalogVariable(variables.Variable, frozen=True, kw_only=True, forbid_unknown_fields=True):
    name: Name


class Class(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    id: UUID
    name: Name
    base_vitals: Vitals = msgspec.field(default_factory=lambda: [100, 100])
    vital_increases: Vitals = msgspec.field(default_factory=lambda: [10, 10])
    base_stats: Stats = msgspec.field(default_factory=lambda: [10, 10, 10, 10, 10])
    base_exp: Annotated[int, Meta(ge=1, le=2**63 - 1)] = 100
    exp_increase: Annotated[int, Meta(ge=0, le=1000)] = 10
    max_level: Annotated[int, Meta(ge=1, le=10_000)] = 100


Faults = Iterable[tuple[str, str]]

CatalogEntry = CatalogItem | CatalogSpell | CatalogVariable | Class


class Catalog(Struct, frozen=True, kw_only=True):
    items: list[CatalogItem] = []
    spells: list[CatalogSpell] = []
    variables: list[CatalogVariable] = []
    classes: list[Class] = []
    objects: list[CatalogObject] = []
    """Also the facts of items, spells, variables and classes that have some."""
    icons: dict[UUID, Icon] = {}
    """Of the items that say which."""


def read(file: Path) -> Catalog:
    """Read the catalog in `file`; raises an error that lists its faults."""
    decoders = {".json": msgspec.json.decode, ".toml": msgspec.toml.decode}
    decode = decoders.get(file.suffix.lower())
    if decode is None:
        raise UnreadableCatalog(f"{file}: the name of a catalog ends with .json or .toml.")
    try:
        document = decode(file.read_bytes())
    except OSError as fault:
        raise UnreadableCatalog(f"{file}: {fault.strerror}. Check the path.") from None
    except (msgspec.DecodeError, UnicodeDecodeError, ValueError) as fault:
        raise UnreadableCatalog(f"{file}: not valid {file.suffix[1:].upper()}: {fault}") from None
    return parse(document, str(file), file.parent)


def parse(document: object, source: str, folder: Path | None = None) -> Catalog:
    """Validate `document`, decoded from `source`, as a catalog; icons are files in `folder`."""
    if not isinstance(document, dict):
        raise UnreadableCatalog(f"{source}: a catalog is an object with the tables {_TABLE_NAMES}.")
    faults = [
        f"'{name}' is not a table of a catalog; the tables are {_TABLE_NAMES}"
        for name in sorted(document.keys() - {table.name for table in _TABLES})
    ]
    found: dict[str, Any] = {}
    document, found["icons"], wrong = _without_icons(document, folder)
    faults += wrong
    document, facts, misplaced = take_out(document)
    faults += [
        f"{table}[{number}]{_called(row)}, field facts: {fault}"
        for table, number, row, fault in misplaced
    ]
    for table in _TABLES:
        found[table.name], wrong = _entries(table, document.get(table.name, []))
        faults += wrong
    found["objects"] += facts
    if faults:
        raise InvalidCatalog(_sentence(source, faults), faults=faults)
    return Catalog(**found)


def _without_icons(
    document: Mapping[str, Any], folder: Path | None
) -> tuple[Mapping[str, Any], dict[UUID, Icon], list[str]]:
    """The catalog with its items as they are stored, the icons they name, and what is wrong."""
    rows = document.get("items", [])
    found: dict[UUID, Icon] = {}
    faults: list[str] = []
    for index, row in enumerate(rows if isinstance(rows, list) else []):
        item = parse_guid(str(row.get("id"))) if isinstance(row, dict) else None
        if item is None or "icon" not in row:
            continue
        try:
            found[item] = icons.read(row["icon"], folder)
        except BadIcon as fault:
            faults.append(f"items[{index}]{_called(row)}, field icon: {fault}")
    if not isinstance(rows, list):
        return document, {}, []
    plain = [
        {name: value for name, value in row.items() if name != "icon"}
        if isinstance(row, dict)
        else row
        for row in rows
    ]
    return {**document, "items": plain}, found, faults


def _entries(table: "_Table", rows: object) -> tuple[list[Any], list[str]]:
    if not isinstance(rows, list):
        return [], [f"{table.name}: must be a list"]
    entries: dict[object, Any] = {}
    places: dict[object, int] = {}
    faults: list[str] = []
    for index, row in enumerate(rows):
        where = f"{table.name}[{index}]{_called(row)}"
        try:
            entry = msgspec.convert(row, table.shape)
        except msgspec.ValidationError as fault:
            faults.append(f"{where}{_placed(str(fault))}")
            continue
        faults += [f"{where}, field {field}: {fault}" for field, fault in table.rules(entry)]
        # An object may have the id of another of another type.
        key = entry.key if isinstance(entry, CatalogObject) else entry.id
        if key in entries:
            first = f"{table.name}[{places[key]}]"
            faults.append(f"{where}, field id: {entry.id} is already the id of {first}")
        entries[key], places[key] = entry, index
    return list(entries.values()), faults


def _called(row: object) -> str:
    name = row.get("name") if isinstance(row, Mapping) else None
    return f" ({name!r:.70})" if isinstance(name, str) else ""


def _placed(fault: str) -> str:
    """Put the field of 'Expected `int`, got `str` - at `$.bag_slots`' in front."""
    what, _, path = fault.partition(" - at `$")
    field = path.removeprefix(".").removesuffix("`")
    what = what.replace("`", "'")
    what = what[:1].lower() + what[1:]
    return f", field {field}: {what}" if field else f": {what}"


def _sentence(source: str, faults: list[str]) -> str:
    shown = [f"{source}: {fault}" for fault in faults[:MOST_FAULTS]]
    if len(faults) > MOST_FAULTS:
        shown.append(f"… and {len(faults) - MOST_FAULTS} more.")
    return "\n".join([*shown, "Nothing was imported. Correct the file and import it again."])


# ── Rules across fields, as in the constraints of the tables ──


def _name_rules(entry: CatalogEntry) -> Faults:
    if "\x00" in entry.name:
        yield "name", "must not contain NUL"


def _item_rules(item: CatalogItem) -> Faults:
    yield from _name_rules(item)
    for field in ("inventory_stack", "bank_stack"):
        if not item.stackable and getattr(item, field) != 1:
            yield field, f"is {getattr(item, field)}, but must be 1 unless the item is stackable"
    if item.type in ("bag", "equipment") and item.stackable:
        yield "stackable", f"is true, but an item of type {item.type} is never stackable"
    if item.type == "bag" and not 1 <= item.bag_slots <= LARGEST_BAG:
        yield "bag_slots", f"is {item.bag_slots}, but a bag must have 1 to {LARGEST_BAG} slots"
    if item.type != "bag" and item.bag_slots != 0:
        yield "bag_slots", f"is {item.bag_slots}, but only an item of type bag has slots"


class _Table(Struct, frozen=True):
    name: str
    shape: type[Any]
    rules: Callable[[Any], Faults] = _name_rules


_TABLES = (
    _Table("items", CatalogItem, _item_rules),
    _Table("spells", CatalogSpell),
    _Table("variables", CatalogVariable),
    _Table("classes", Class),
    _Table("objects", CatalogObject, object_faults),
)
_TABLE_NAMES = ", ".join(table.name for table in _TABLES)
