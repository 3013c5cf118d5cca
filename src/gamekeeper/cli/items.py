"""Item commands: find items of the catalog by name, and show one."""

from typing import Annotated

import typer

from gamekeeper.catalog import items as catalog_items
from gamekeeper.catalog import lookup
from gamekeeper.catalog.items import Item
from gamekeeper.cli import names
from gamekeeper.cli.names import ItemKey
from gamekeeper.cli.terminal import AsJson, say, show_facts, show_json, show_table, with_database
from gamekeeper.db.database import Database
from gamekeeper.ledger.economy import supply
from gamekeeper.ledger.economy.supply import ItemEconomy


def find(
    text: Annotated[str, typer.Argument(metavar="TEXT", help="Part of the name.")] = "",
    *,
    as_json: AsJson = False,
) -> None:
    """Find items by part of their name, or list all items."""

    async def work(database: Database) -> list[Item]:
        found = [one.id for one in await lookup.search(database.reader, "item", text)]
        known = await catalog_items.find_items(database.reader, found)
        return [known[one] for one in found]

    found = with_database(work)
    if as_json:
        return show_json(found)
    if not found:
        return say(f"No item has a name like '{text}'." if text else "The catalog has no items.")
    return show_table(["item", "type", "id"], [[one.name, one.type, str(one.id)] for one in found])


def show(item: ItemKey, *, as_json: AsJson = False) -> None:
    """Show an item: its stack sizes and its total supply."""

    async def work(database: Database) -> tuple[Item, ItemEconomy]:
        entry = await names.entry(database.reader, "item", item)
        known = await catalog_items.find_items(database.reader, [entry.id])
        return known[entry.id], await supply.find_item_economy(database.reader, entry.id, 1)

    found, economy = with_database(work)
    if as_json:
        return show_json({"item": found, "economy": economy})
    show_facts(_facts(found) | {"there are": _places(economy)})
    if economy.holders:
        say("", "Who has most:")
        show_table(
            ["character", "quantity"],
            [[one.name or str(one.player_id), f"{one.quantity:,}"] for one in economy.holders],
        )
    return None


def _facts(item: Item) -> dict[str, str]:
    stacks = f"{item.inventory_stack:,} in the inventory, {item.bank_stack:,} in the bank"
    facts = {
        "item": item.name,
        "id": str(item.id),
        "type": item.type,
        "stacks": stacks if item.stackable else "no",
        "bankable": "yes" if item.bankable else "no",
    }
    if item.bag_slots:
        facts["slots inside"] = str(item.bag_slots)
    if item.value is not None:
        facts["value"] = f"{item.value:,}"
    return facts


def _places(economy: ItemEconomy) -> str:
    there = f"{economy.inventories:,} carried, {economy.banks:,} in banks, {economy.bags:,} in bags"
    return f"{economy.total:,}: {there}"
