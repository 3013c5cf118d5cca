"""
Objects of the game's editor, kept whole: all columns of each table, decoded.

The keys are the names of the columns, as the engine's own API has most of them.
"""

from collections.abc import Iterator
from typing import Any, LiteralString
from uuid import UUID

import msgspec

from gamekeeper.db.database import Database, Writer
from gamekeeper.db.operations import AuditContext
from gamekeeper.ledger import actions
from gamekeeper.ledger.actions import Action
from gamekeeper.transfer.importer import TransferCounts
from gamekeeper.transfer.intersect.notes import Notes
from gamekeeper.transfer.intersect.sources import Tables
from gamekeeper.transfer.intersect.values import facts, guid_bytes, integer, text

TYPES = {
    "Items": "item",
    "Spells": "spell",
    "Classes": "class",
    "PlayerVariables": "playervariable",
    "ServerVariables": "servervariable",
    "GuildVariables": "guildvariable",
    "UserVariables": "uservariable",
    "Animations": "animation",
    "Npcs": "npc",
    "Projectiles": "projectile",
    "Quests": "quest",
    "Resources": "resource",
    "Shops": "shop",
    "Crafts": "crafts",
    "CraftingTables": "crafttables",
    "Tilesets": "tileset",
}
FLAGS = frozenset(
    {"stackable", "canbank", "cantrade", "cansell", "canbag", "canguildbank", "twohanded"}
    | {"quickcast", "singleuse", "ignoreglobalcooldown", "ignorecooldownreduction", "locked"}
    | {"increasepercentage", "completed", "repeatable", "quitable", "logafterfinish"}
)
LARGEST = 60_000
LONGEST_NAME = 255
WINDOW = 500

Row = dict[str, Any]


def read_objects(game: Tables, notes: Notes) -> Iterator[Row]:
    """Every object with its type, id, name and facts; of maps only the names."""
    for table, kind in TYPES.items():
        columns = game.columns(table)
        for row in game.rows(table, columns):
            given = dict(zip(columns, row, strict=True))
            own = guid_bytes(next((given[key] for key in given if key.lower() == "id"), None))
            if own is None:
                continue
            found = _facts(table, given, is_old=not game.has_column("Items", "CanBank"))
            name = text(given.get("Name"), LONGEST_NAME)
            if len(msgspec.json.encode(found)) > LARGEST:
                notes.add("object_too_large", f"{kind} {name}")
                found = {"Name": name}
            yield {"type": kind, "id": UUID(bytes=own), "name": name, "facts": found}
    for raw, name in game.rows("Maps", ["Id", "Name"]):
        if own := guid_bytes(raw):
            shown = text(name, LONGEST_NAME)
            yield {"type": "map", "id": UUID(bytes=own), "name": shown, "facts": {"Name": shown}}


def _facts(table: str, row: Row, *, is_old: bool) -> Row:
    found: Row = {}
    for column, value in row.items():
        if column.lower() == "id":
            continue
        known = facts(value)
        if column.lower() in FLAGS and value in (0, 1):
            known = bool(value)
        group, _, part = column.partition("_")
        if part and group in ("Consumable", "Effect"):
            found.setdefault(group, {})[part] = known
        elif table == "Items" and column == "Bound":
            # 1 meant that it cannot be dropped, until the same column became CanDrop.
            found["CanDrop"] = bool(integer(value)) != is_old
        else:
            found[column] = bool(integer(value)) if column == "Bound" else known
    return found


async def store_objects(
    database: Database, wanted: list[Row], by: AuditContext, source: str, *, dry_run: bool
) -> TransferCounts:
    """Add and change objects; one that the game no longer has stays."""
    counts = TransferCounts()
    for start in range(0, len(wanted), WINDOW):
        part = wanted[start : start + WINDOW]
        rows = await database.reader.rows(
            STORED, [row["type"] for row in part], [row["id"] for row in part]
        )
        there = {(row["type"], row["id"]): (row["name"], row["facts"]) for row in rows}
        new = [row for row in part if (row["type"], row["id"]) not in there]
        changed = [
            row
            for row in part
            if (row["type"], row["id"]) in there
            and there[row["type"], row["id"]] != (row["name"], row["facts"])
        ]
        counts.added += len(new)
        counts.changed += len(changed)
        counts.unchanged += len(part) - len(new) - len(changed)
        if (new or changed) and not dry_run:
            await database.write(
                lambda writer, rows=new + changed: _write(writer, rows, by, source)
            )
    return counts


async def _write(writer: Writer, rows: list[Row], by: AuditContext, source: str) -> None:
    await writer.run(UPSERT, msgspec.json.encode(rows).decode())
    named = [{"type": row["type"], "id": row["id"], "name": row["name"]} for row in rows]
    after = {"source": source, "objects": named}
    await actions.record(writer, [Action(kind="catalog.import", by=by, after=after)])


STORED: LiteralString = """
    SELECT type, id, name, facts FROM catalog_objects
      JOIN unnest($1::text[], $2::uuid[]) AS wanted (type, id) USING (type, id)
"""

UPSERT: LiteralString = """
    INSERT INTO catalog_objects (type, id, name, facts)
    SELECT type, id, name, facts
      FROM json_to_recordset($1::text::json) AS entry (type text, id uuid, name text, facts jsonb)
    ON CONFLICT (type, id) DO UPDATE SET name = excluded.name, facts = excluded.facts
"""
