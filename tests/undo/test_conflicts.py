"""Conflicts of a bulk undo name who received the missing items, whatever their number."""

from typing import Any
from uuid import UUID

import pytest
from msgspec.structs import replace

from gamekeeper.db.operations import Allowance
from gamekeeper.guilds import bank, lifecycle
from gamekeeper.guilds.bank import BankMove
from gamekeeper.guilds.lifecycle import GuildFounding
from gamekeeper.history.undo import conflicts
from gamekeeper.history.undo.bulk import Swept
from gamekeeper.history.undo.conflicts import TradeObstacle
from tests.history.ledgers import check_ledger
from tests.make import BY, make_item
from tests.undo.test_stolen_accounts import KEEPER, SERVER, World, move


@pytest.fixture
async def world(database) -> World:
    return await World.make(database)


@pytest.fixture
async def sword(database) -> UUID:
    return await make_item(database, "Sword", type="equipment")


def obstacles(swept: Swept) -> list[TradeObstacle]:
    return [obstacle for left in swept.left for obstacle in left.in_the_way]


def receivers(obstacle: TradeObstacle) -> list[tuple[int, list[str | None]]]:
    return [(one.quantity, [to.name for to in one.to]) for one in obstacle.handed_on]


@pytest.mark.parametrize("limited", [False, True], ids=["in batches", "in one transaction"])
@pytest.mark.parametrize("dry_run", [False, True], ids=["undo", "preview"])
async def test_a_transaction_names_who_has_the_items_now(world, sword, dry_run, limited):
    await world.give("Ana", sword, 3)
    world.since = await world.now()
    for _ in range(3):
        await world.trade(move(sword, 1, "Ana", "Bo"))
    await world.trade(move(sword, 1, "Bo", "Cy"))
    await world.trade(move(sword, 1, "Bo", "Di"))
    limits = Allowance(actor="user:2", limits={"undos_per_day": 99}) if limited else None

    swept = await world.undo(by=_limited(limits), player_id=world.players["Ana"], dry_run=dry_run)

    assert len(swept.left) == 2
    for obstacle in obstacles(swept):
        assert (obstacle.reason, obstacle.player_name) == ("gone", "Bo")
        assert receivers(obstacle) == [(1, ["Di"]), (1, ["Cy"])], "newest first"
    await check_ledger(world.database)


def _limited(allowance: Allowance | None) -> Any:
    return replace(KEEPER, allowance=allowance) if allowance else KEEPER


@pytest.mark.parametrize("partial", [False, True])
async def test_a_gift_undone_by_actor_names_the_character_too(world, database, partial):
    potion = await make_item(database)
    await world.give("Bo", potion, 5, by=SERVER)
    guild = await lifecycle.found.one(database, GuildFounding(by=BY, name="Owls", owner="Bo"))
    deposit = BankMove(by=BY, guild_id=guild.id, player="Bo", item_id=potion, quantity=2)
    await bank.deposit.one(database, deposit)

    swept = await world.undo(actor=SERVER.actor, partial=partial)

    [one] = obstacles(swept)
    assert (one.player_id, one.player_name) == (world.players["Bo"], "Bo")
    assert (one.wanted, one.possible) == (5, 3)
    [handed] = one.handed_on
    assert (handed.quantity, handed.transaction_id) == (2, None)
    assert [(to.guild_id, to.name) for to in handed.to] == [(guild.id, "Owls")]


async def test_only_later_transfers_of_the_same_item_and_character_count(world, sword, database):
    shield = await make_item(database, "Shield", type="equipment")
    for item in (sword, shield):
        await world.give("Bo", item, 1)
        await world.trade(move(item, 1, "Bo", "Cy"))
    await world.trade(move(shield, 1, "Cy", "Di"))
    await world.give("Ana", sword, 1)
    world.since = await world.now()
    await world.trade(move(sword, 1, "Ana", "Bo"))
    await world.take("Bo", sword, 1)

    [one] = obstacles(await world.undo(player_id=world.players["Ana"]))

    assert one.handed_on == [], "it was used up; the earlier transfer was of another sword"


async def test_many_conflicts_are_explained_by_as_many_statements_as_one(world, sword, statements):
    async def conflict(times: int) -> tuple[int, list[TradeObstacle]]:
        await world.give("Ana", sword, times)
        world.since = await world.now()
        for _ in range(times):
            await world.trade(move(sword, 1, "Ana", "Bo"))
            await world.trade(move(sword, 1, "Bo", "Cy"))
        with statements() as counted:
            swept = await world.undo(player_id=world.players["Ana"], dry_run=True)
        assert len(swept.left) == times
        return len(counted), obstacles(swept)

    few, _ = await conflict(1)
    many, found = await conflict(12)

    assert many == few
    counts = [len(one.handed_on) for one in found]
    assert counts == [1, 2, 3, 4, *[conflicts.MOST_IN_BULK] * 8]
