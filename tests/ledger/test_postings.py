"""Every item that moves leaves a posting, and nothing else does."""

import asyncio

from gamekeeper.core.errors import Problem
from gamekeeper.players import items
from gamekeeper.players.items import Gift, Taking
from tests.make import BY, make_bag_item, make_item, make_player


async def posted(database, player) -> list[tuple[object, ...]]:
    rows = await database.reader.rows(
        """
        SELECT seq, place, slot, quantity, held_before, held_after, against
          FROM postings WHERE player_id = $1 ORDER BY seq
        """,
        player,
    )
    return [tuple(row) for row in rows]


async def test_a_gift_posts_each_slot_it_changed(database):
    ana = await make_player(database)
    potion = await make_item(database)
    await items.give.one(database, Gift(by=BY, player=str(ana), item_id=potion, quantity=4))

    await items.give.one(database, Gift(by=BY, player=str(ana), item_id=potion, quantity=18))

    assert await posted(database, ana) == [
        (1, "inventory", 0, 4, 0, 4, "grant"),
        (2, "inventory", 0, 6, 4, 10, "grant"),
        (3, "inventory", 1, 10, 0, 10, "grant"),
        (4, "inventory", 2, 2, 0, 2, "grant"),
    ]


async def test_overflow_posts_to_the_bank_and_taking_posts_what_went(database):
    ana = await make_player(database)
    sword = await make_item(database, "Sword", type="equipment")
    gift = Gift(by=BY, player=str(ana), item_id=sword, quantity=36, overflow_to_bank=True)
    await items.give.one(database, gift)

    await items.take.one(database, Taking(by=BY, player=str(ana), item_id=sword, quantity=1))

    postings = await posted(database, ana)
    assert postings[35] == (36, "bank", 0, 1, 0, 1, "grant")
    assert postings[36] == (37, "inventory", 0, -1, 1, 0, "removal")


async def test_a_refused_order_posts_nothing_and_is_no_action(database):
    ana = await make_player(database)
    potion = await make_item(database)
    orders = [
        Gift(by=BY, player=str(ana), item_id=potion, quantity=quantity) for quantity in (1, 999, 0)
    ]

    outcomes = await items.give(database, orders)

    assert [isinstance(outcome, Problem) for outcome in outcomes] == [False, True, True]
    assert len(await posted(database, ana)) == 1
    assert await database.reader.value("SELECT count(*) FROM actions") == 1


async def test_a_given_bag_is_named_in_its_posting(database):
    ana = await make_player(database)
    satchel = await make_bag_item(database)

    await items.give.one(database, Gift(by=BY, player=str(ana), item_id=satchel, quantity=1))

    assert await database.reader.value(
        "SELECT bag_id FROM postings"
    ) == await database.reader.value("SELECT id FROM bags")


async def test_numbers_have_no_gap_and_time_never_runs_backwards(database):
    """Forty at once, on two players, in batches of two."""
    ana, bob = await make_player(database), await make_player(database)
    coin = await make_item(database, inventory_stack=1000)
    orders = [Gift(by=BY, player=str(one), item_id=coin, quantity=1) for one in (ana, bob)]

    gate = asyncio.Semaphore(8)

    async def give() -> None:
        async with gate:
            await items.give(database, orders)

    await asyncio.gather(*(give() for _ in range(40)))

    for player in (ana, bob):
        rows = await database.reader.rows(
            "SELECT seq, at, held_after FROM postings WHERE player_id = $1 ORDER BY seq", player
        )
        assert [row["seq"] for row in rows] == list(range(1, 41))
        assert [row["held_after"] for row in rows] == list(range(1, 41))
        assert [row["at"] for row in rows] == sorted(row["at"] for row in rows)
