"""
Import of the catalog from a file (upsert).

An import adds and changes entries; it never deletes those that the file omits. It is
atomic, and reports what became of each entry.
"""

from collections.abc import Awaitable, Callable
from typing import Any, LiteralString
from uuid import UUID

import msgspec
from msgspec import Struct

from gamekeeper.catalog import icons, object_import
from gamekeeper.catalog.changes import Added, CatalogChange, Changes
from gamekeeper.catalog.files import (
    Catalog,
    CatalogEntry,
    CatalogItem,
    CatalogSpell,
    CatalogVariable,
    Class,
)
from gamekeeper.core.errors import Conflict
from gamekeeper.db.database import Database, Writer
from gamekeeper.db.operations import AuditContext
from gamekeeper.ledger import actions
from gamekeeper.ledger.actions import Action

# The checks for owned items may scan all slots of all players; in a large game
# that takes longer than the timeout of a request.
CHECK_SECONDS = 600


class VariableInUse(Conflict):
    """Players hold values of this variable, so its type cannot change."""


class BagInUse(Conflict):
    """Players own this item, so it can neither become a bag nor stop being one."""


# ── Import ──


async def bring(
    database: Database, catalog: Catalog, by: AuditContext, *, dry_run: bool = False
) -> list[Changes]:
    """Import a catalog; returns the changes, with `dry_run` without making them."""

    async def work(writer: Writer) -> list[Changes]:
        changes = await load(writer, catalog)
        if dry_run:
            raise _DryRunImport(changes)
        await actions.record(writer, _actions(changes, by))
        return changes

    try:
        return await database.write(work)
    except _DryRunImport as undone:
        return undone.changes


async def load(writer: Writer, catalog: Catalog) -> list[Changes]:
    """Import a catalog in the caller's transaction; records no action."""
    # One import at a time, so that the reported changes are exact. Other requests are
    # not blocked: they may read and reference the catalog meanwhile.
    await writer.rows(
        """
        LOCK TABLE items, spells, variables, classes, catalog_objects
         IN SHARE ROW EXCLUSIVE MODE
        """
    )
    changes = [await _load_table(writer, table, catalog) for table in TABLES]
    if catalog.objects:
        changes.append(await object_import.load_objects(writer, catalog.objects))
    return [*changes, await _load_icons(writer, catalog)] if catalog.icons else changes


async def _load_icons(writer: Writer, catalog: Catalog) -> Changes:
    """Store the icons of items, after the items."""
    names = {item.id: item.name for item in catalog.items}
    before = await icons.summaries(writer, list(catalog.icons))
    pairs = {item: (before.get(item), icon.summary) for item, icon in catalog.icons.items()}
    changed = {item: pair for item, pair in pairs.items() if pair[0] != pair[1]}
    await icons.store(writer, {item: catalog.icons[item] for item in changed})
    return Changes(
        "icons",
        [],
        [CatalogChange(item, names[item], {"icon": pair}) for item, pair in changed.items()],
        len(pairs) - len(changed),
    )


async def _load_table(writer: Writer, table: "Table", catalog: Catalog) -> Changes:
    wanted: list[Any] = getattr(catalog, table.name)
    stored = await writer.all(table.shape, table.select, [entry.id for entry in wanted])
    before = {entry.id: entry for entry in stored}
    changed = [entry for entry in wanted if entry.id in before and entry != before[entry.id]]
    added = [entry for entry in wanted if entry.id not in before]
    if table.guard is not None:
        await table.guard(writer, [(before[entry.id], entry) for entry in changed])
    if added or changed:
        await writer.run(table.upsert, msgspec.json.encode(added + changed).decode())
    return Changes(
        table.name,
        [Added(entry.id, entry.name) for entry in added],
        [CatalogChange(entry.id, entry.name, _diff(before[entry.id], entry)) for entry in changed],
        len(wanted) - len(added) - len(changed),
    )


def _actions(changes: list[Changes], by: AuditContext) -> list[Action]:
    """The audit action of an import; none if it changed nothing."""
    before = {
        table.table: [
            {"id": change.id} | {name: old for name, (old, _) in change.fields.items()}
            for change in table.changed
        ]
        for table in changes
        if table.changed
    }
    after = {
        table.table: [
            *({"id": entry.id, "name": entry.name, "added": True} for entry in table.added),
            *(
                {"id": change.id} | {name: new for name, (_, new) in change.fields.items()}
                for change in table.changed
            ),
        ]
        for table in changes
        if table.added or table.changed
    }
    return [Action(kind="catalog.import", by=by, before=before, after=after)] if after else []


def _diff(old: CatalogEntry, new: CatalogEntry) -> dict[str, tuple[object, object]]:
    pairs = {name: (getattr(old, name), getattr(new, name)) for name in new.__struct_fields__}
    return {name: (was, now) for name, (was, now) in pairs.items() if was != now}


class _DryRunImport(Exception):
    """Carries the result of a dry run out of the transaction, which rolls it back."""

    def __init__(self, changes: list[Changes]) -> None:
        super().__init__()
        self.changes = changes


# ── Guards: changes must not break what players own, deleted characters and guilds included ──


async def _keep_types(writer: Writer, pairs: list[tuple[CatalogVariable, CatalogVariable]]) -> None:
    """Refuse a new type or owner for a variable that has values."""
    retyped = {
        new.id: (old, new) for old, new in pairs if (old.type, old.owner) != (new.type, new.owner)
    }
    # FOR UPDATE also blocks new values, because their foreign key locks the variable's row.
    await writer.rows("SELECT FROM variables WHERE id = ANY($1) FOR UPDATE", list(retyped))
    held = await _first(
        writer,
        """
        SELECT id FROM unnest($1::uuid[]) AS id
         WHERE EXISTS (SELECT FROM player_variables WHERE variable_id = id)
            OR EXISTS (SELECT FROM user_variables WHERE variable_id = id)
            OR EXISTS (SELECT FROM guild_variables WHERE variable_id = id)
            OR EXISTS (SELECT FROM game_variables WHERE variable_id = id)
            OR EXISTS (SELECT FROM deleted_players
                        WHERE kept -> 'variables'
                              @> jsonb_build_array(jsonb_build_object('variable_id', id)))
            OR EXISTS (SELECT FROM deleted_guilds
                        WHERE kept -> 'variables'
                              @> jsonb_build_array(jsonb_build_object('variable_id', id)))
        """,
        list(retyped),
    )
    if held is not None:
        old, new = retyped[held]
        raise VariableInUse(
            f"Variable '{old.name}' ({held}) is of type {old.type}, one for each {old.owner}, and "
            f"it has values, so it cannot become {new.type}, one for each {new.owner}. "
            "Add a new variable with another id instead."
        )


async def _keep_bags(writer: Writer, pairs: list[tuple[CatalogItem, CatalogItem]]) -> None:
    """Refuse to turn an owned item into a bag, or an owned bag into another item."""
    turned = {
        new.id: (old, new) for old, new in pairs if (old.type == "bag") != (new.type == "bag")
    }
    await writer.rows("SELECT FROM items WHERE id = ANY($1) FOR UPDATE", list(turned))
    owned = await _first(
        writer,
        """
        SELECT id FROM unnest($1::uuid[]) AS id
         WHERE EXISTS (SELECT FROM slots WHERE item_id = id)
            OR EXISTS (SELECT FROM bag_slots WHERE item_id = id)
            OR EXISTS (SELECT FROM guild_slots WHERE item_id = id)
            OR EXISTS (SELECT FROM letter_slots WHERE item_id = id)
            OR EXISTS (SELECT FROM deleted_players
                        WHERE kept -> 'slots'
                              @> jsonb_build_array(jsonb_build_object('item_id', id))
                           OR kept -> 'bag_slots'
                              @> jsonb_build_array(jsonb_build_object('item_id', id))
                           OR kept -> 'letter_slots'
                              @> jsonb_build_array(jsonb_build_object('item_id', id)))
            OR EXISTS (SELECT FROM deleted_guilds
                        WHERE kept -> 'slots'
                              @> jsonb_build_array(jsonb_build_object('item_id', id)))
        """,
        list(turned),
    )
    if owned is not None:
        old, new = turned[owned]
        raise BagInUse(
            f"Item '{old.name}' ({owned}) is of type {old.type} and players own it, so it cannot "
            f"become {new.type}: bags have contents. Add a new item with another id instead."
        )


async def _first(writer: Writer, sql: LiteralString, ids: list[UUID]) -> UUID | None:
    if not ids:
        return None
    await writer.rows("SET LOCAL statement_timeout = 0")
    return await writer.connection.fetchval(sql, ids, timeout=CHECK_SECONDS)


# ── The tables ──


class Table(Struct, frozen=True):
    name: LiteralString
    shape: type[Any]
    select: LiteralString
    upsert: LiteralString
    """Takes all entries as one JSON text: one statement for any number of entries."""
    guard: Callable[[Writer, list[Any]], Awaitable[None]] | None = None
    """Refuses changes that would break what players own."""


TABLES = (
    Table(
        "items",
        CatalogItem,
        """
        SELECT id, name, type, stackable, inventory_stack, bank_stack, bag_slots, bankable, value
          FROM items
         WHERE id = ANY($1)
        """,
        """
        INSERT INTO items (
            id, name, type, stackable, inventory_stack, bank_stack, bag_slots, bankable, value
        )
        SELECT id, name, type, stackable, inventory_stack, bank_stack, bag_slots, bankable, value
          FROM json_to_recordset($1::text::json) AS entry (
            id uuid, name text, type text, stackable boolean, inventory_stack int,
            bank_stack int, bag_slots int, bankable boolean, value bigint
          )
        ON CONFLICT (id) DO UPDATE SET
            name = excluded.name, type = excluded.type, stackable = excluded.stackable,
            inventory_stack = excluded.inventory_stack, bank_stack = excluded.bank_stack,
            bag_slots = excluded.bag_slots, bankable = excluded.bankable,
            value = excluded.value
        """,
        _keep_bags,
    ),
    Table(
        "spells",
        CatalogSpell,
        "SELECT id, name, bound FROM spells WHERE id = ANY($1)",
        """
        INSERT INTO spells (id, name, bound)
        SELECT id, name, bound
          FROM json_to_recordset($1::text::json) AS entry (id uuid, name text, bound boolean)
        ON CONFLICT (id) DO UPDATE SET name = excluded.name, bound = excluded.bound
        """,
    ),
    Table(
        "variables",
        CatalogVariable,
        "SELECT id, name, type, owner FROM variables WHERE id = ANY($1)",
        """
        INSERT INTO variables (id, name, type, owner)
        SELECT id, name, type, owner
          FROM json_to_recordset($1::text::json) AS entry (
            id uuid, name text, type text, owner text
          )
        ON CONFLICT (id) DO UPDATE SET
            name = excluded.name, type = excluded.type, owner = excluded.owner
        """,
        guard=_keep_types,
    ),
    Table(
        "classes",
        Class,
        """
        SELECT id, name, base_vitals, vital_increases, base_stats, base_exp, exp_increase, max_level
          FROM classes
         WHERE id = ANY($1)
        """,
        """
        INSERT INTO classes (
            id, name, base_vitals, vital_increases, base_stats, base_exp, exp_increase, max_level
        )
        SELECT id, name, base_vitals, vital_increases, base_stats, base_exp, exp_increase, max_level
          FROM json_to_recordset($1::text::json) AS entry (
            id uuid, name text, base_vitals int[], vital_increases int[], base_stats int[],
            base_exp bigint, exp_increase int, max_level int
          )
        ON CONFLICT (id) DO UPDATE SET
            name = excluded.name, base_vitals = excluded.base_vitals,
            vital_increases = excluded.vital_increases, base_stats = excluded.base_stats,
            base_exp = excluded.base_exp, exp_increase = excluded.exp_increase,
            max_level = excluded.max_level
        """,
    ),
)
