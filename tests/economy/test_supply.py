"""What the economy says equals a count of everything, whenever and by whomever it is asked."""

import asyncio
from datetime import UTC, datetime
from uuid import uuid4

import pytest

from gamekeeper import worker
from gamekeeper.auth import keys
from gamekeeper.db.database import Database, Writer
from gamekeeper.ledger.economy import maintenance
from gamekeeper.ledger.verify_ledger import verify
from gamekeeper.players import items
from gamekeeper.players.items import Gift
from tests.db.paging.world import instant
from tests.deadlines import PATIENCE
from tests.economy.worlds import World, beyond, compare, fold_all
from tests.make import BY, make_item, make_player


@pytest.fixture
async def world(database: Database) -> World:
    return await World(database, seed=7).make()


# ── With and without folds ──


async def test_it_is_exact_though_nothing_was_ever_folded(world, settings):
    for _ in range(40):
        await world.step()

    await compare(world.database.reader, world)
    assert await world.database.reader.value("SELECT count(*) FROM item_supply") == 0
    assert (await verify(settings)).breach is None


async def test_it_is_exact_after_every_fold_however_small(world):
    for _ in range(25):
        await world.step()
        await world.database.write(
            lambda writer: maintenance.fold(writer, world.dice.randint(0, 3))
        )
        await compare(world.database.reader, world)

    await fold_all(world.database)
    await compare(world.database.reader, world)


async def test_a_fold_takes_everything_once(world):
    for _ in range(30):
        await world.step()
    count = await world.database.reader.value("SELECT count(*) FROM postings")

    assert await fold_all(world.database, most=5) == count
    assert await world.database.write(maintenance.fold) == 0

    await compare(world.database.reader, world)
    assert (
        await world.database.reader.value("SELECT count(*) FROM item_holdings WHERE quantity <= 0")
        == 0
    )


async def test_a_fold_that_fails_leaves_everything_as_it_was(world):
    for _ in range(10):
        await world.step()

    async def fail(writer: Writer) -> None:
        while await maintenance.fold(writer) == 0:
            await asyncio.sleep(0.1)
        raise ValueError

    with pytest.raises(ValueError):
        async with asyncio.timeout(PATIENCE):
            await world.database.write(fail)

    assert await world.database.reader.value("SELECT count(*) FROM item_supply") == 0
    await compare(world.database.reader, world)


async def test_what_began_early_and_ended_late_is_not_missed(world):
    """A transaction takes its number, others overtake it, it posts last of all."""
    late = asyncio.Event()

    async def slow(writer: Writer) -> None:
        await writer.value("SELECT pg_current_xact_id()::text")
        await late.wait()
        gift = Gift(by=BY, player=str(world.players[1]), item_id=world.items[0], quantity=5)
        await items.give(writer, [gift])

    waiting = asyncio.create_task(world.database.write(slow))
    await asyncio.sleep(0.2)
    await world.give(world.players[2], world.items[0], 7)
    for _ in range(3):
        await world.database.write(maintenance.fold)
    assert await beyond(world.database) > 0

    late.set()
    await waiting
    await compare(world.database.reader, world)
    await fold_all(world.database)
    await compare(world.database.reader, world)


# ── While others write ──


async def test_it_is_exact_while_others_write_and_two_fold(world, settings):
    done = asyncio.Event()

    async def write(seed: int) -> None:
        mine = World(world.database, seed)
        mine.players, mine.items = world.players, world.items
        while not done.is_set():
            await mine.step()

    async def fold() -> None:
        while not done.is_set():
            await world.database.write(lambda writer: maintenance.fold(writer, 5))
            await asyncio.sleep(0.01)

    tasks = [asyncio.create_task(write(seed)) for seed in range(3)]
    tasks += [asyncio.create_task(fold()) for _ in range(2)]
    horizons: list[str] = []
    # At least twenty looks, and folds between them: others on the same server hold those up.
    async with asyncio.timeout(PATIENCE):
        while len(horizons) < 20 or len(set(horizons)) < 3:
            async with instant(world.database) as reader:
                await compare(reader, world)
                horizons.append(await reader.value("SELECT xid::text FROM economy_horizon"))
            await asyncio.sleep(0.05)
    done.set()
    await asyncio.gather(*tasks)

    await fold_all(world.database)
    await compare(world.database.reader, world)
    assert (await verify(settings)).breach is None


async def test_the_worker_folds(world, settings):
    await world.step()
    stop = asyncio.Event()
    working = asyncio.create_task(worker.run(settings, stop))
    try:
        async with asyncio.timeout(PATIENCE):
            while await beyond(world.database):
                await asyncio.sleep(0.05)
    finally:
        stop.set()
        await working
    await compare(world.database.reader, world)
    assert await world.database.reader.value("SELECT count(*) FROM item_supply") > 0


# ── Over HTTP ──


async def test_one_item_in_full(client, database):
    ana, bob = await make_player(database, "Ana"), await make_player(database, "Bob")
    potion = await make_item(database)
    world = World(database, 1)
    await world.give(ana, potion, 360)
    await world.give(bob, potion, 20)
    await world.take(bob, potion, 6)

    answer = await client.get(f"/api/v1/economy/items/{potion}")

    today = datetime.now(UTC).date().isoformat()
    assert answer.json() == {
        "Id": str(potion),
        "Name": "Potion",
        "Total": 374,
        "Inventories": 364,
        "Banks": 10,
        "Bags": 0,
        "Guilds": 0,
        "Mailboxes": 0,
        "Flows": [
            {"Day": today, "Source": "grant", "Came": 380, "Went": 0},
            {"Day": today, "Source": "removal", "Came": 0, "Went": 6},
        ],
        "Holders": [
            {"PlayerId": str(ana), "Name": "Ana", "Quantity": 360},
            {"PlayerId": str(bob), "Name": "Bob", "Quantity": 14},
        ],
    }


async def test_an_item_nobody_has_is_there_with_nothing(client, database):
    potion = await make_item(database)

    answer = (await client.get(f"/api/v1/economy/items/{potion}")).json()

    assert (answer["Total"], answer["Flows"], answer["Holders"]) == (0, [], [])


async def test_an_unknown_item_is_not_found(client):
    for key in (uuid4(), "sword"):
        answer = await client.get(f"/api/v1/economy/items/{key}")
        assert (answer.status_code, answer.json()["Code"]) == (404, "item_not_found")


async def test_only_so_many_days_are_shown(client, database):
    ana, potion = await make_player(database), await make_item(database)
    await World(database, 1).give(ana, potion, 3)
    await database.write(
        lambda writer: writer.run(
            """
            INSERT INTO item_flows (item_id, day, against, came, went)
            SELECT $1, (now() AT TIME ZONE 'UTC')::date - number, 'import', number, 0
              FROM generate_series(1, 400) AS number
            """,
            potion,
        )
    )
    for days, shown in (("2", 2), ("0", 1), ("", 30), ("99999", 366)):
        query = f"?days={days}" if days else ""
        answer = await client.get(f"/api/v1/economy/items/{potion}{query}")
        assert len(answer.json()["Flows"]) == shown


async def test_all_items_by_supply(client, database):
    ana = await make_player(database)
    few, many, none = [await make_item(database, name) for name in ("Few", "Many", "None")]
    world = World(database, 1)
    await world.give(ana, few, 2)
    await world.give(ana, many, 9)

    first = (await client.get("/api/v1/economy/items?pageSize=2")).json()
    second = (await client.get("/api/v1/economy/items?pageSize=2&page=1")).json()

    assert [entry["Id"] for entry in first["Values"]] == [str(many), str(few)]
    assert first["Values"][0] == {
        "Id": str(many),
        "Name": "Many",
        "Total": 9,
        "Inventories": 9,
        "Banks": 0,
        "Bags": 0,
        "Guilds": 0,
        "Mailboxes": 0,
    }
    assert (first["Total"], first["Page"], first["PageSize"], first["Count"]) == (3, 0, 2, 2)
    assert [entry["Id"] for entry in second["Values"]] == [str(none)]


async def test_it_needs_a_role_of_its_own(client, database):
    key = await keys.create.one(
        database, keys.NewKey(by=BY, name="shop", scopes=("players.read", "players.items"))
    )

    answer = await client.get("/api/v1/economy/items", headers={"Authorization": f"Bearer {key}"})

    assert (answer.status_code, answer.json()["Code"]) == (403, "role_required")


async def test_a_page_costs_the_same_number_of_statements(client, database, statements):
    potion = await make_item(database)
    with statements() as sent:
        await client.get(f"/api/v1/economy/items/{potion}")
    first = len(sent)
    for number in range(5):
        await World(database, number).give(await make_player(database), potion, 3)
    with statements() as sent:
        await client.get(f"/api/v1/economy/items/{potion}")
    assert len(sent) <= first
