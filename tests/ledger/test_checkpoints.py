"""Checkpoints: the past is read from them, is the same as without them, and costs the same."""

import asyncio
from datetime import datetime, timedelta
from random import Random
from typing import Any
from uuid import UUID

import asyncpg
import pytest

from gamekeeper import worker
from gamekeeper.core.errors import Problem
from gamekeeper.core.settings import Settings
from gamekeeper.db.database import Database
from gamekeeper.history import as_of
from gamekeeper.ledger import checkpoints, verify_ledger
from gamekeeper.ledger.checkpoints import Due
from gamekeeper.ledger.verify_ledger import LedgerBreach
from gamekeeper.players import items
from gamekeeper.players.items import Gift, Taking
from tests.generic_plans import Cost, cost
from tests.make import BY, make_bag_item, make_item, make_player
from tests.open_connections import open_connections

INTERVAL = 10
TICK = timedelta(microseconds=1)


class World:
    """A character with many gifts and takings, and what it held after each of them."""

    def __init__(self, database: Database) -> None:
        self.database, self.ana = database, UUID(int=0)
        self.dice, self.notes = Random(7), list[tuple[datetime, list[Any]]]()
        self.stackable, self.all = list[UUID](), list[UUID]()

    async def make(self) -> "World":
        self.ana = await make_player(self.database, "ana")
        self.stackable = [await make_item(self.database, f"Potion {n}") for n in range(3)]
        sword = await make_item(self.database, "Sword", type="equipment")
        self.all = [*self.stackable, sword, await make_bag_item(self.database)]
        return self

    async def live(self, postings: int) -> None:
        """Give and take by dice, until there are as many postings."""
        while await self.head() < postings:
            item, quantity = self.dice.choice(self.all), self.dice.randint(1, 12)
            if item not in self.stackable:
                quantity = 1
            about = {"by": BY, "player": "ana", "item_id": item, "quantity": quantity}
            try:
                if self.dice.random() < 0.6:
                    await items.give.one(self.database, Gift(**about, overflow_to_bank=True))
                else:
                    await items.take.one(self.database, Taking(**about))
            except Problem:
                continue  # Too little there, or no room.
            self.notes.append((await self.now(), await self.present()))

    async def repeat(self, times: int) -> None:
        """Postings in bulk, in a few transactions: one potion comes and goes."""
        about = {"by": BY, "player": "ana", "item_id": self.stackable[0], "quantity": 1}
        for _ in range(times):
            await items.give(self.database, [Gift(**about, overflow_to_bank=True)] * 50)
            await items.take(self.database, [Taking(**about)] * 50)

    async def head(self) -> int:
        sql = "SELECT seq FROM ledger_heads WHERE player_id = $1"
        return await self.database.reader.value(sql, self.ana) or 0

    async def now(self) -> datetime:
        return await self.database.reader.value("SELECT clock_timestamp()")

    async def present(self) -> list[Any]:
        far = await self.now() + timedelta(days=1)
        return await as_of.held(self.database.reader.lookups, self.ana, far)

    async def write(self) -> int:
        return await checkpoints.write_due(self.database, asyncio.Event(), INTERVAL)

    async def count(self) -> int:
        return await self.database.reader.value("SELECT count(*) FROM ledger_checkpoints")

    async def breaches(self) -> list[LedgerBreach]:
        with open_connections(self.database):
            return (await verify_ledger.verify(self.database.settings)).breaches


@pytest.fixture
async def world(database: Database) -> World:
    return await World(database).make()


async def test_the_past_is_the_same_with_checkpoints_and_without(world: World, database: Database):
    await world.live(45)
    at = [at for at, _ in world.notes]
    instants = [at[0] - timedelta(days=1), *at, *(instant - TICK for instant in at)]
    # Those of postings too: a change at exactly the instant is included.
    rows = await database.reader.rows("SELECT DISTINCT at FROM postings")
    instants += [row["at"] + change for row in rows for change in (TICK * 0, -TICK)]
    lookups = database.reader.lookups
    without = [await as_of.held(lookups, world.ana, instant) for instant in instants]
    assert await world.write() == await world.head() // INTERVAL > 3

    again = [await as_of.held(lookups, world.ana, instant) for instant in instants]

    assert again == without
    assert again[1 : len(at) + 1] == [then for _, then in world.notes]
    assert await world.breaches() == []


async def test_postings_since_the_last_checkpoint_make_the_next(world: World):
    for postings in (INTERVAL - 5, 2 * INTERVAL + 5, 4 * INTERVAL + 5):
        await world.live(postings)
        await world.write()
        assert await world.count() == await world.head() // INTERVAL

    assert (await world.write(), await world.breaches()) == (0, [])


async def test_two_workers_at_once_write_each_checkpoint_once(world: World, database: Database):
    await world.live(45)

    written = await asyncio.gather(*(world.write() for _ in range(4)))

    assert sum(written) == await world.count() == await world.head() // INTERVAL
    assert await world.breaches() == []


async def test_a_checkpoint_is_not_written_on_one_that_is_gone(world: World, database: Database):
    """An operator deletes them while the worker writes: the next would begin with nothing."""
    await world.live(30)
    await world.write()
    await plant(database, "DELETE FROM ledger_checkpoints")
    stale = Due(player_id=world.ana, base=INTERVAL, head=30)

    assert await database.write(lambda writer: checkpoints.write(writer, [stale], INTERVAL)) == 0

    assert await world.write() == await world.head() // INTERVAL
    assert await world.breaches() == []


async def test_the_worker_writes_them_by_a_schedule(
    world: World, database: Database, settings: Settings, monkeypatch
):
    monkeypatch.setattr(checkpoints.write_due, "__defaults__", (INTERVAL,))
    await world.live(15)
    connection = await asyncpg.connect(settings.database_url)
    try:
        queue = worker.build_queue(settings, database, connection)
        schedules: dict[str, Any] = {
            name.entrypoint: schedule for name, schedule in queue.sm.registry.items()
        }
        await schedules["checkpoints"].parameters.func(None)
    finally:
        await connection.close()

    assert await world.count() == await world.head() // INTERVAL == 1


async def test_a_guild_has_no_checkpoints(world: World, database: Database):
    """The past of its bank is not asked for; its head is one of the ledger's all the same."""
    await world.live(20)
    await plant(database, "UPDATE ledger_heads SET player_id = gen_random_uuid()")

    assert await checkpoints.find_due(database.reader, INTERVAL) == []


PLANTED = {
    "more of an item": (
        "UPDATE ledger_checkpoints SET contents = jsonb_set(contents, '{0,quantity}', '999')"
    ),
    "a stack more": """
        UPDATE ledger_checkpoints
           SET contents = contents || jsonb_set(contents -> 0, '{slot}', '77')
    """,
    "nothing left": "UPDATE ledger_checkpoints SET contents = '[]'",
    "no stack at all": 'UPDATE ledger_checkpoints SET contents = \'[7, null, {"slot": "x"}]\'',
    "another time": "UPDATE ledger_checkpoints SET at = at + interval '1 second'",
    "another number": "UPDATE ledger_checkpoints SET seq = seq + 1",
    "one in the future": """
        INSERT INTO ledger_checkpoints (player_id, seq, at, contents)
        SELECT player_id, 1000, at + interval '1 hour', contents FROM ledger_checkpoints
    """,
}


@pytest.mark.parametrize("what", PLANTED)
async def test_a_forged_checkpoint_is_found(world: World, database: Database, what: str):
    await world.live(35)
    await world.write()

    await plant(database, PLANTED[what] + " WHERE seq = 20")

    [breach] = await world.breaches()
    assert (breach.law, breach.player_id) == ("checkpoints", world.ana)
    assert breach.seq == {"another number": 21, "one in the future": 1000}.get(what, 20)
    with open_connections(database):
        alone = await verify_ledger.verify(database.settings, world.ana)
    assert alone.breaches == [breach]


async def test_deleted_checkpoints_are_no_breach_and_come_back(world: World, database: Database):
    await world.live(35)
    await world.write()
    contents = "SELECT seq, at, contents FROM ledger_checkpoints ORDER BY seq"
    before = await database.reader.rows(contents)
    await plant(database, "DELETE FROM ledger_checkpoints WHERE seq >= 20")
    assert await world.breaches() == []

    await world.write()

    assert await database.reader.rows(contents) == before


async def test_an_instant_costs_the_same_whatever_the_history(world: World, database: Database):
    """Rows and blocks are counted; without checkpoints both grow with what came since."""
    await world.live(30)
    early = world.notes[len(world.notes) // 2][0]
    await world.repeat(1)
    await world.write()
    short = await reading(world, early)
    await world.repeat(5)
    await world.write()

    middle: datetime = await database.reader.value("SELECT at FROM postings WHERE seq = 400")
    for instant in (early, middle, await world.now()):
        then = await reading(world, instant)
        assert 0 < then.rows <= INTERVAL or instant > middle
        assert then.blocks <= short.blocks + 3 * INTERVAL

    await plant(database, "DELETE FROM ledger_checkpoints")
    assert (await reading(world, early)).rows > 500


async def reading(world: World, at: datetime) -> Cost:
    return await cost(world.database.settings, "postings_", as_of.HELD_AT, world.ana, at)


async def plant(database: Database, sql: str) -> None:
    """Do what no operation does."""
    assert await database.write(lambda writer: writer.run(sql)) > 0  # pyright: ignore
