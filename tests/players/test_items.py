"""Giving and taking: together, at once, and in one batch with others."""

import asyncio

import pytest

from gamekeeper.core.errors import InternalError, Problem
from gamekeeper.players import items
from gamekeeper.players.items import Gift, Taking
from gamekeeper.players.records import Holding
from gamekeeper.players.rules import InventoryFull, NotEnoughItems
from tests.make import BY, fill_slot, make_bag_item, make_item, make_player


def gift(player: object, item: object, quantity: int, **about: object) -> Gift:
    return Gift(by=BY, player=str(player), item_id=item, quantity=quantity, **about)


def taking(player: object, item: object, quantity: int) -> Taking:
    return Taking(by=BY, player=str(player), item_id=item, quantity=quantity)


async def rows(database, table: str) -> int:
    return await database.reader.value(f"SELECT count(*) FROM {table}")


async def test_a_batch_carries_out_its_orders_in_turn(database):
    """Three gifts to one player and one to another: each outcome is the count after it."""
    ana = await make_player(database, "ana")
    await make_player(database, "bob")
    potion = await make_item(database)

    outcomes = await items.give(
        database,
        [
            gift(ana, potion, 4),
            gift("BOB", potion, 1),
            gift("ana", potion, 9),
            gift(ana, potion, 7),
        ],
    )

    assert [outcome.total for outcome in outcomes] == [4, 1, 13, 20]


async def test_a_refused_gift_does_not_harm_its_neighbours_and_leaves_nothing(database):
    ana = await make_player(database)
    potion = await make_item(database)

    outcomes = await items.give(
        database, [gift(ana, potion, 5), gift(ana, potion, 351), gift("nobody", potion, 1)]
    )

    assert outcomes[0] == Holding(total=5, bank=0, inventory=5)
    assert isinstance(outcomes[1], InventoryFull)
    assert isinstance(outcomes[2], Problem)
    assert await rows(database, "slots") == 1


async def test_a_refused_taking_does_not_harm_its_neighbours(database):
    ana = await make_player(database)
    potion = await make_item(database)
    await items.give.one(database, gift(ana, potion, 5))

    outcomes = await items.take(
        database, [taking(ana, potion, 2), taking(ana, potion, 4), taking(ana, potion, 3)]
    )

    assert isinstance(outcomes[1], NotEnoughItems)
    assert outcomes[1].details == {"held": 3}
    assert await rows(database, "slots") == 0


@pytest.mark.usefixtures("schema_changes")
async def test_an_order_that_fails_unexpected_fails_alone(database):
    """A constraint nobody thought of stands in the way of one; the other gets theirs."""
    ana, bob = await make_player(database), await make_player(database)
    potion = await make_item(database, inventory_stack=2**31 - 1)

    async def broken(writer):
        await writer.run("ALTER TABLE slots ADD CONSTRAINT slots_test CHECK (quantity <> 13)")

    await database.write(broken)
    outcomes = await items.give(database, [gift(bob, potion, 13), gift(ana, potion, 1)])

    assert [type(outcome) for outcome in outcomes] == [InternalError, Holding]
    assert await database.reader.value("SELECT sum(quantity) FROM slots") == 1


async def test_two_hundred_at_once_on_one_character_end_with_the_right_number(database):
    """
    100 gifts of 3 and 100 takings of 2, all at once, from a stock of 10.

    Whoever finds too few is refused, so what is left is told by the outcomes.
    Without the lock on the player's row this test fails.
    """
    ana = await make_player(database)
    coin = await make_item(database, inventory_stack=1000)
    await items.give.one(database, gift(ana, coin, 10))
    gate = asyncio.Semaphore(database.settings.connections)

    async def one(operation, order) -> object:
        async with gate:
            [outcome] = await operation(database, [order])
            return outcome

    calls = [
        one(items.give, gift(ana, coin, 3)) if turn % 2 else one(items.take, taking(ana, coin, 2))
        for turn in range(200)
    ]
    outcomes = await asyncio.gather(*calls)

    given = sum(isinstance(outcome, Holding) for outcome in outcomes)
    taken = sum(isinstance(outcome, Taking) for outcome in outcomes)
    assert given == 100
    held = await database.reader.value("SELECT sum(quantity) FROM slots")
    assert held == 10 + 3 * given - 2 * taken


async def test_two_batches_over_the_same_players_do_not_wait_in_a_ring(database):
    """Orders come in any order; locks are taken in one."""
    players = [await make_player(database) for _ in range(8)]
    coin = await make_item(database, inventory_stack=1000)

    forward = [gift(player, coin, 1) for player in players]
    await asyncio.gather(
        *(items.give(database, forward if turn % 2 else forward[::-1]) for turn in range(8))
    )

    assert await database.reader.value("SELECT sum(quantity) FROM slots") == 64


async def test_a_batch_of_any_length_takes_the_same_number_of_statements(database, statements):
    """One statement for each step, whoever many orders there are."""
    players = [await make_player(database) for _ in range(20)]
    potion = await make_item(database)

    with statements() as few:
        await items.give(database, [gift(players[0], potion, 1)])
    with statements() as many:
        await items.give(database, [gift(player, potion, 1) for player in players])

    assert len(many) == len(few)


async def test_a_given_bag_has_an_inside_and_loses_it_when_taken(database):
    ana = await make_player(database)
    satchel = await make_bag_item(database, slots=4)

    await items.give.one(database, gift(ana, satchel, 2))
    assert await rows(database, "bags") == await rows(database, "bag_owners") == 2

    await items.take.one(database, taking(ana, satchel, 2))
    assert await rows(database, "bags") == await rows(database, "bag_owners") == 0


async def test_a_gift_never_joins_a_stack_with_buffs(database):
    ana = await make_player(database)
    potion = await make_item(database)
    await fill_slot(database, ana, "inventory", 0, potion, 5, (1, 2, 3, 4, 5))

    await items.give.one(database, gift(ana, potion, 1))

    slots = await items.slots(database.reader, str(ana), "inventory")
    assert [(slot.quantity, slot.stat_buffs) for slot in slots[:2]] == [
        (5, [1, 2, 3, 4, 5]),
        (1, [0, 0, 0, 0, 0]),
    ]
