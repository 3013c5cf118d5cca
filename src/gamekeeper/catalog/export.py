"""Export of the catalog to a file that an import takes."""

from pathlib import Path
from typing import Any
from uuid import UUID

import msgspec

from gamekeeper.catalog.facts import TABLE_TYPES, CatalogObject
from gamekeeper.catalog.importer import TABLES
from gamekeeper.catalog.object_types import VARIABLE_OWNERS
from gamekeeper.db.database import Queryable

ICONS = "icons"
"""The folder of the pictures, beside the file."""


def write(document: dict[str, list[Any]], pictures: dict[UUID, bytes], file: Path) -> None:
    """Write a catalog as JSON to `file`, and its pictures beside it."""
    folder = file.parent / ICONS
    if pictures:
        folder.mkdir(exist_ok=True)
    for item, picture in pictures.items():
        (folder / f"{item}.png").write_bytes(picture)
    file.write_bytes(msgspec.json.format(msgspec.json.encode(document)) + b"\n")


async def whole(reader: Queryable) -> tuple[dict[str, list[Any]], dict[UUID, bytes]]:
    """The catalog as a document, and the pictures that it names."""
    kept = await reader.all(
        CatalogObject,
        "SELECT type, id, name, facts FROM catalog_objects ORDER BY type, name, id",
    )
    facts = {game_object.key: game_object.facts for game_object in kept}
    icons = await reader.rows("SELECT item_id, address, png FROM item_icons")
    names = {row["item_id"]: row["address"] or f"{ICONS}/{row['item_id']}.png" for row in icons}
    document: dict[str, list[Any]] = {}
    for table in TABLES:
        ids = await reader.rows(f"SELECT id FROM {table.name}")
        entries = await reader.all(table.shape, table.select, [row["id"] for row in ids])
        document[table.name] = rows = []
        for entry in sorted(entries, key=lambda entry: (entry.name, entry.id)):
            type_ = TABLE_TYPES.get(table.name) or VARIABLE_OWNERS[entry.owner]
            row = _without_nothing(msgspec.to_builtins(entry))
            if table.name == "items" and entry.id in names:
                row["icon"] = names[entry.id]
            if (type_, entry.id) in facts:
                row["facts"] = facts.pop((type_, entry.id))
            rows.append(row)
    document["objects"] = [
        msgspec.to_builtins(game_object)
        for game_object in kept
        if game_object.key in facts and game_object.type not in OF_TABLES
    ]
    return document, {row["item_id"]: row["png"] for row in icons if row["png"]}


# Facts of an item that is gone: nothing shows them, and no file could name them.
OF_TABLES = {*TABLE_TYPES.values(), *VARIABLE_OWNERS.values()}


def _without_nothing(row: dict[str, Any]) -> dict[str, Any]:
    """TOML and the importer have no null: a value that nobody has set is left out."""
    return {name: value for name, value in row.items() if value is not None}
