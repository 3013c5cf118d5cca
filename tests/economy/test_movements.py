"""The largest movements of an item: exact with folds and without, bounded in what is kept."""

import pytest

from gamekeeper.db.database import Database
from gamekeeper.ledger.economy import maintenance, rebuild
from gamekeeper.players.moves import Endpoint, MoveItems
from gamekeeper.servers.transactions import Transaction, transact
from tests.economy.worlds import World, fold_all
from tests.make import BY


@pytest.fixture
async def world(database: Database) -> World:
    return await World(database, seed=7).make()


async def movements(client, item, **query) -> list[dict]:
    answer = await client.get(f"/api/v1/economy/items/{item}/movements", params=query)
    assert answer.status_code == 200, answer.text
    return answer.json()["Values"]


async def kept(database: Database) -> int:
    return await database.reader.value("SELECT count(*) FROM item_movements")


async def test_the_largest_come_first_with_who_and_by_which_action(client, world, statements):
    ana, bob = world.players[:2]
    potion = world.items[0]
    await world.give(ana, potion, 3)
    await world.give(ana, potion, 110)
    await world.take(ana, potion, 50)
    move = MoveItems(
        item_id=potion,
        quantity=20,
        source=Endpoint(player=str(ana), place="inventory"),
        target=Endpoint(player=str(bob), place="inventory"),
    )
    await transact.one(world.database, Transaction(by=BY, holder=None, expected=(), moves=[move]))
    expected = [
        (110, "grant", str(ana), "items.give"),
        (-50, "removal", str(ana), "items.take"),
        (-20, "move", str(ana), "items.move"),
        (20, "move", str(bob), "items.move"),
        (3, "grant", str(ana), "items.give"),
    ]

    async def shown() -> list[tuple]:
        found = await movements(client, potion)
        assert all(one["PlayerName"] for one in found)
        seen = [(one["Quantity"], one["Source"], one["PlayerId"], one["Kind"]) for one in found]
        return sorted(seen, key=lambda one: (-abs(one[0]), one[0]))

    assert await shown() == expected
    await world.database.write(lambda writer: maintenance.fold(writer, 2))
    assert await shown() == expected
    await fold_all(world.database)
    assert await shown() == expected
    with statements() as made:
        assert len(await movements(client, potion, limit=2)) == 2
    assert sum("api_keys" not in sql for sql in made) == 5


async def test_what_only_changes_places_is_no_movement(client, world):
    ana, potion = world.players[0], world.items[0]
    await world.give(ana, potion, 9)
    move = MoveItems(
        item_id=potion,
        quantity=9,
        source=Endpoint(player=str(ana), place="inventory"),
        target=Endpoint(player=str(ana), place="bank"),
    )
    await transact.one(world.database, Transaction(by=BY, holder=None, expected=(), moves=[move]))

    assert [movement["Quantity"] for movement in await movements(client, potion)] == [9]
    await fold_all(world.database)
    assert [movement["Quantity"] for movement in await movements(client, potion)] == [9]


async def test_of_many_only_the_largest_are_kept(client, world):
    """However they are folded, the twenty largest of a day are there, and few others."""
    potion = world.items[0]
    sizes = [world.dice.randint(1, 500) for _ in range(120)]
    for size in sizes:
        await world.give(world.dice.choice(world.players), potion, size)
        if world.dice.randrange(10) == 0:
            await fold_all(world.database)
    await fold_all(world.database)

    found = await movements(client, potion, limit=20)

    assert [one["Quantity"] for one in found] == sorted(sizes, reverse=True)[:20]
    assert await kept(world.database) < 100


async def test_days_before_are_left_out(client, world):
    potion = world.items[0]
    await world.give(world.players[0], potion, 7)
    await fold_all(world.database)
    await world.database.write(
        lambda writer: writer.run(
            """
            UPDATE item_movements SET day = day - 3, at = at - interval '3 days'
             WHERE item_id = $1
            """,
            potion,
        )
    )

    assert await movements(client, potion, days=3) == []
    assert [movement["Quantity"] for movement in await movements(client, potion, days=4)] == [7]


async def test_a_rebuild_finds_the_same(client, world, settings):
    for _ in range(60):
        await world.step()
    await fold_all(world.database)
    before = [await movements(client, item, limit=20) for item in world.items]

    await rebuild.run(settings)

    assert [await movements(client, item, limit=20) for item in world.items] == before


async def test_an_item_that_is_not_there_is_not_found(client):
    answer = await client.get("/api/v1/economy/items/nonsense/movements")
    assert (answer.status_code, answer.json()["Code"]) == (404, "item_not_found")
