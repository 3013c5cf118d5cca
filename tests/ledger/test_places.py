"""
Every place of items × every feature that counts items: none forgets a place.

A new place fails here until there is a way to put items into it and each feature knows it. A query
over the tables of items that leaves one out fails here too, unless it is listed with a reason.
"""

import ast
import json
import re
from collections.abc import Awaitable, Callable, Iterator
from datetime import UTC, datetime
from io import BytesIO
from pathlib import Path
from typing import Any, get_args
from uuid import UUID

import pytest
from msgspec import Struct

import gamekeeper
from gamekeeper.auth.secrets import Vault
from gamekeeper.core.settings import Settings
from gamekeeper.db.database import Database, Writer
from gamekeeper.guilds.bank import BankMove, deposit
from gamekeeper.guilds.lifecycle import GuildFounding, found
from gamekeeper.guilds.members import GuildJoin, GuildTransfer, change_members
from gamekeeper.history import as_of, trail
from gamekeeper.history.restore import Restoration, restore
from gamekeeper.ledger.economy import initial_totals, rebuild, supply
from gamekeeper.ledger.places import HELD, STORAGES, PlaceName
from gamekeeper.ledger.verify_ledger import verify
from gamekeeper.operations.overview import figures
from gamekeeper.players import items
from gamekeeper.players.mailbox.delivery import SendLetter, send
from gamekeeper.players.mailbox.records import LetterItem
from gamekeeper.players.memberships import OwnsGuild
from gamekeeper.players.moves import Endpoint, MoveItems
from gamekeeper.servers.transactions import Transaction, transact
from gamekeeper.transfer import exporter
from gamekeeper.users.erasure import Erasure, erase
from tests.make import BY, make_bag_item, make_item, make_player

PLACES = get_args(PlaceName)
QUANTITY = 7


class World(Struct):
    """Ana holds seven potions, all in one place."""

    settings: Settings
    database: Database
    player: UUID
    potion: UUID
    place: PlaceName
    given_at: datetime
    """When they were still in the inventory."""

    async def now(self) -> datetime:
        return await self.database.reader.value("SELECT clock_timestamp()")


async def _into_inventory(_world: World) -> None: ...


async def _into_bank(world: World) -> None:
    await _move(world, Endpoint(player=str(world.player), place="bank"))


async def _into_bag(world: World) -> None:
    satchel = await make_bag_item(world.database)
    gift = items.Gift(by=BY, player=str(world.player), item_id=satchel, quantity=1)
    await items.give.one(world.database, gift)
    bag = await world.database.reader.value("SELECT id FROM bags")
    await _move(world, Endpoint(player=str(world.player), place="bag", bag=bag))


async def _into_guild(world: World) -> None:
    order = GuildFounding(by=BY, name="Larkspur Court", owner=str(world.player))
    guild = await found.one(world.database, order)
    move = BankMove(
        by=BY,
        guild_id=guild.id,
        player=str(world.player),
        item_id=world.potion,
        quantity=QUANTITY,
    )
    await deposit.one(world.database, move)


async def _move(world: World, target: Endpoint) -> None:
    source = Endpoint(player=str(world.player))
    move = MoveItems(item_id=world.potion, quantity=QUANTITY, source=source, target=target)
    order = Transaction(by=BY, holder=None, expected=(), moves=[move])
    await transact.one(world.database, order)


async def _into_mail(world: World) -> None:
    """Ana's own potions, by way of Cyd: a character cannot send letters to itself."""
    other = str(await make_player(world.database, "Cyd"))
    await _move(world, Endpoint(player=other))
    letter = SendLetter(
        by=BY,
        player=str(world.player),
        from_player=other,
        subject="Potions",
        items=(LetterItem(item_id=world.potion, quantity=QUANTITY),),
    )
    await send.one(world.database, letter)


PUT: dict[PlaceName, Callable[[World], Awaitable[None]]] = {
    "inventory": _into_inventory,
    "bank": _into_bank,
    "bag": _into_bag,
    "guild": _into_guild,
    "mail": _into_mail,
}


@pytest.fixture(params=PLACES)
async def world(request, settings, database) -> World:
    player, potion = await make_player(database, "Ana"), await make_item(database)
    gift = items.Gift(by=BY, player=str(player), item_id=potion, quantity=QUANTITY)
    await items.give.one(database, gift)
    given_at = await database.reader.value("SELECT clock_timestamp()")
    world = World(settings, database, player, potion, request.param, given_at)
    await PUT[world.place](world)
    return world


def test_every_place_is_in_one_table_and_can_be_filled():
    assert sorted(name for storage in STORAGES for name in storage.places) == sorted(PLACES)
    assert set(PUT) == set(PLACES)


# ── The features ──


async def _supply(world: World) -> int:
    economy = await supply.find_item_economy(world.database.reader, world.potion, 7)
    by_place = {
        "inventory": economy.inventories,
        "bank": economy.banks,
        "bag": economy.bags,
        "guild": economy.guilds,
        "mail": economy.mailboxes,
    }
    assert by_place[world.place] == economy.total
    return economy.total


async def test_the_supply_counts_it_before_and_after_a_rebuild(world):
    assert await _supply(world) == QUANTITY
    await rebuild.run(world.settings)
    assert await _supply(world) == QUANTITY


async def test_the_first_totals_of_a_loaded_world_count_it(world):
    async def work(writer: Writer) -> int:
        for table in ("item_holdings", "item_supply", "item_flows"):
            await writer.run(f"DELETE FROM {table}")
        await initial_totals.count_all(writer, against="import", at=datetime.now(UTC))
        return await writer.value(
            "SELECT quantity FROM item_supply WHERE item_id = $1 AND place = $2",
            world.potion,
            world.place,
        )

    assert await world.database.write(work) == QUANTITY


async def test_the_overview_reports_only_the_gift(world):
    await rebuild.run(world.settings)
    changes = await figures.supply_changes(world.database.reader, datetime.now(UTC))
    shown = [(entry.came, entry.went) for entry in changes.values if entry.item_id == world.potion]
    assert shown == [(QUANTITY, 0)]


async def test_the_trail_finds_it(world):
    found = await trail.of_item(world.database.reader, "Ana", world.potion, world.given_at)
    assert sum(holder.quantity for holder in found.holders) == QUANTITY
    assert found.is_complete


async def test_a_restore_does_not_give_it_again(world):
    order = Restoration(by=BY, player="Ana", at=world.given_at)
    restored = await restore.one(world.database, order)
    assert restored.values == []
    assert await _supply(world) == QUANTITY


async def test_a_past_instant_shows_it_or_it_is_with_another_owner(world):
    before = await world.now()
    held = await as_of.held(world.database.reader, world.player, before)
    found = {one.place: one.quantity for one in held if one.item_id == world.potion}
    owner = next(storage.owner for storage in STORAGES if world.place in storage.places)
    assert found == ({world.place: QUANTITY} if owner == "player" else {})


async def test_an_export_has_it(world):
    out = BytesIO()
    await exporter.send(world.settings, out)
    lines = [json.loads(line) for line in out.getvalue().splitlines()]
    assert sum(_potions(lines, str(world.potion))) == QUANTITY


def _potions(value: Any, item: str) -> Iterator[int]:
    if isinstance(value, list):
        for one in value:
            yield from _potions(one, item)
    elif isinstance(value, dict):
        if value.get("item_id") == item:
            yield value.get("quantity", 1)
        for one in value.values():
            yield from _potions(one, item)


async def test_the_erasure_of_the_owner_takes_it_away_and_leaves_what_others_own(world):
    """A guild's bank is not personal data: its items stay, after a change of ownership."""
    user = await world.database.reader.value(
        "SELECT user_id FROM players WHERE id = $1", world.player
    )
    order = Erasure(by=BY, user=str(user))
    owner = next(storage.owner for storage in STORAGES if world.place in storage.places)
    if owner == "guild":
        with pytest.raises(OwnsGuild):
            await erase(Vault(world.settings)).one(world.database, order)
        assert await _supply(world) == QUANTITY
        await _hand_over_guild(world)

    await erase(Vault(world.settings)).one(world.database, order)

    kept = QUANTITY if owner == "guild" else 0
    held = await world.database.reader.value(
        f"SELECT coalesce(sum(quantity), 0)::int FROM ({HELD}) AS held WHERE item_id = $1",
        world.potion,
    )
    archived = await world.database.reader.value("SELECT count(*) FROM deleted_players")
    assert (held, archived) == (kept, 0)
    await rebuild.run(world.settings)
    assert await _supply(world) == kept
    assert (await verify(world.settings)).breach is None


async def _hand_over_guild(world: World) -> None:
    heir = str(await make_player(world.database, "Heir"))
    guild = await world.database.reader.value("SELECT id FROM guilds")
    for change in (
        GuildJoin(by=BY, guild_id=guild, player=heir, rank=1),
        GuildTransfer(by=BY, guild_id=guild, player=heir),
    ):
        await change_members.one(world.database, change)


TABLES = {
    "inventory": "slots",
    "bank": "slots",
    "bag": "bag_slots",
    "guild": "guild_slots",
    "mail": "letter_slots",
}


@pytest.mark.parametrize("change", ["SET quantity = quantity + 1", "SET quantity = 1"])
async def test_verification_finds_another_quantity(world, change):
    assert (await verify(world.settings)).breach is None
    statement = f"UPDATE {TABLES[world.place]} {change} WHERE item_id = $1"
    await world.database.write(lambda writer: writer.run(statement, world.potion))
    breach = (await verify(world.settings)).breach
    assert breach is not None
    assert breach.place == world.place


# ── The registry is the one place where they are written out ──

WRITTEN_OUT = re.compile(
    r"\b(against|place)\s*(=|<>|!=|IN|NOT IN)\s*\(?\s*'(move|guild|inventory|bank|bag|mail)'"
)
EXCEPT = {
    "ledger/places.py",
    # The supply of an item has a column for each place.
    "ledger/economy/supply.py",
    # Lists of one place.
    "players/items.py",
}


def test_no_query_writes_out_a_place_or_an_account_of_transfers():
    source = Path(gamekeeper.__file__).parent
    found = {
        f"{path.relative_to(source)}: {match.group()}"
        for path in source.rglob("*.py")
        if str(path.relative_to(source)) not in EXCEPT
        for match in WRITTEN_OUT.finditer(path.read_text())
    }
    assert found == set()


# ── Every query over the tables of items ──

ITEM_TABLES = {
    table: storage.owner
    for storage in STORAGES
    for table in re.findall(r"FROM (\w+)", storage.rows)
}
OWNED = {
    owner: {table for table, of in ITEM_TABLES.items() if of == owner}
    for owner in ITEM_TABLES.values()
}
IN_STATEMENT = re.compile(rf"\b(?:FROM|JOIN|INTO|UPDATE|USING)\s+({'|'.join(ITEM_TABLES)})\b")

PLACE_BY_PLACE = [
    # The write path: a container is loaded and saved in the module of its table.
    ("players/inventory.py", "players/mailbox/slots.py", "players/guild_slots.py"),
    # Exports: the lines of characters, of their letters and of guilds.
    ("transfer/stored.py", "transfer/letters.py", "transfer/stored_guilds.py"),
    # What an account gets of its personal data; a bank of a guild is none.
    ("users/personal_data.py",),
]
"""Modules that have a statement for each place: together they know all tables."""

OF_ONE_PLACE = {
    "ledger/places.py": "the registry itself",
    "ledger/mailboxes.py": "a law about letters",
    "players/items.py": "the API's lists of an inventory, a bank and a bag",
    "demo/ledger.py": "the opening balances of the demo: before its first letter and guild",
}
"""Modules whose statements are about some places on purpose."""


def statements_of(source: str) -> list[set[str]]:
    """The tables of items in each string of a module that has any."""
    texts = []
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.JoinedStr):
            parts = [part.value for part in node.values if isinstance(part, ast.Constant)]
            texts.append("".join(str(part) for part in parts))
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            texts.append(node.value)
    return [tables for text in texts if (tables := set(IN_STATEMENT.findall(text)))]


def forgotten_by(tables: set[str]) -> set[str]:
    """The tables that a statement forgets: it is about all places of an owner, or of both."""
    owners = {ITEM_TABLES[table] for table in tables}
    return {table for owner in owners for table in OWNED[owner]} - tables


def test_no_query_over_items_forgets_a_place():
    source = Path(gamekeeper.__file__).parent
    known = {name for group in PLACE_BY_PLACE for name in group} | OF_ONE_PLACE.keys()
    forgotten = {
        f"{path.relative_to(source)}: {sorted(tables)} without {sorted(missing)}"
        for path in source.rglob("*.py")
        if str(path.relative_to(source)) not in known
        for tables in statements_of(path.read_text())
        if (missing := forgotten_by(tables))
    }
    assert forgotten == set()


@pytest.mark.parametrize("group", PLACE_BY_PLACE, ids=lambda group: group[0])
def test_modules_with_a_statement_for_each_place_know_all_of_them(group):
    source = Path(gamekeeper.__file__).parent
    tables = {
        table
        for name in group
        for found in statements_of((source / name).read_text())
        for table in found
    }
    assert forgotten_by(tables) == set()


def test_a_query_that_forgets_a_place_is_found():
    held = "SELECT 1 FROM slots UNION ALL SELECT 1 FROM bag_slots"
    for text in (f'"""{held}"""', f'f"{held} WHERE {{condition}}"'):
        found = [forgotten_by(tables) for tables in statements_of(text)]
        assert found
        assert all(forgotten == {"letter_slots"} for forgotten in found)
    assert forgotten_by({"slots", "guild_slots"}) == {"bag_slots", "letter_slots"}
    assert forgotten_by({"guild_slots"}) == set()
    assert forgotten_by({"slots", "bag_slots", "letter_slots"}) == set()
