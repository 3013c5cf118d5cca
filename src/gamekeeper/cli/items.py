"""Item commands: find items of the catalog by name, and show one."""

from typing import Annotated

import typer

from gamekeeper.catalog import items as catalog_items
from gamekeeper.catalog import lookup
from gamekeeper.catalog.items import Item
from gamekeeper.cli.command import Output, Part, TextTable, command
from gamekeeper.cli.names import FoundItem
from gamekeeper.db.database import Database
from gamekeeper.ledger.economy import supply
from gamekeeper.ledger.economy.supply import ItemEconomy


@command
async def find(
    database: Database,
    text: Annotated[str, typer.Argument(metavar="TEXT", help="Part of the name.")] = "",
) -> Output:
    """Find items by part of their name, or list all items."""
    ids = [entry.id for entry in await lookup.search(database.reader, "item", text)]
    known = await catalog_items.find_items(database.reader, ids)
    found = [known[id_] for id_ in ids]
    if not found:
        none = f"No item has a name like '{text}'." if text else "The catalog has no items."
        return Output(found, none)
    rows = [[item.name, item.type, str(item.id)] for item in found]
    return Output(found, TextTable(["item", "type", "id"], rows))


@command
async def show(database: Database, entry: FoundItem) -> Output:
    """Show an item: its stack sizes and its total supply."""
    found = (await catalog_items.find_items(database.reader, [entry.id]))[entry.id]
    economy = await supply.find_item_economy(database.reader, entry.id, 1)
    parts: list[Part] = [_facts(found) | {"total": _places(economy)}]
    if economy.holders:
        rows = [
            [each.name or str(each.player_id), f"{each.quantity:,}"] for each in economy.holders
        ]
        parts += ["", "Top holders:", TextTable(["character", "quantity"], rows)]
    return Output({"item": found, "economy": economy}, *parts)


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
        facts["bag slots"] = str(item.bag_slots)
    if item.value is not None:
        facts["value"] = f"{item.value:,}"
    return facts


def _places(economy: ItemEconomy) -> str:
    there = f"{economy.inventories:,} carried, {economy.banks:,} in banks, {economy.bags:,} in bags"
    return f"{economy.total:,}: {there}"
