"""A dump loaded on another server: there the sums are made anew, and are exact from then on."""

import asyncio
import os
import subprocess
from collections.abc import AsyncIterator

import asyncpg
import msgspec
import pytest

from gamekeeper import worker
from gamekeeper.cli.cluster import found
from gamekeeper.core.settings import Settings
from gamekeeper.db.database import Database, Writer
from gamekeeper.db.migrate import migrate
from gamekeeper.history.undo import execute
from gamekeeper.history.undo.execute import Undoing
from gamekeeper.ledger import chain, verify_chain
from gamekeeper.ledger.economy import maintenance, supply
from gamekeeper.ledger.economy.aggregates import OtherServer
from gamekeeper.ledger.verify_ledger import verify
from gamekeeper.players import items
from gamekeeper.players.items import Gift
from tests.cli.command import gamekeeper
from tests.clusters import Cluster, cluster
from tests.databases import drop_far_months
from tests.deadlines import PATIENCE
from tests.economy.worlds import World, beyond, compare, fold_all
from tests.make import BY

pytestmark = pytest.mark.deploy

AHEAD = 4000
"""Transactions that the old server has counted before anything happens there."""


@pytest.fixture(scope="module")
async def loaded() -> AsyncIterator[tuple[Cluster, World]]:
    """A young server with the dump of an older one, and the world as it was there."""
    with cluster() as new:
        with cluster() as old:
            there = await make_world(old.settings)
            move(old.settings, new.settings)
        yield new, there


async def make_world(settings: Settings) -> World:
    await migrate(settings)
    await drop_far_months(settings)
    await spend(settings, AHEAD)
    async with Database.open(settings) as database:
        world = await World(database, seed=3).make()
        for _ in range(15):
            await world.step()
        await fold_all(database, most=5)
        await chain.catch_up(database)
        for _ in range(10):
            await world.step()
    return world


@pytest.fixture
async def moved(loaded: tuple[Cluster, World]) -> AsyncIterator[World]:
    """The world on the young server; each test has a copy of that server, as young as it was."""
    server, there = loaded
    with cluster(of=server) as copy:
        copy.promote()
        async with Database.open(copy.settings) as database:
            world = World(database, seed=4)
            world.players, world.items = there.players, there.items
            yield world


async def spend(settings: Settings, transactions: int) -> None:
    """Let the server count so many transactions."""
    connection = await asyncpg.connect(settings.database_url)
    await connection.execute(
        f"""
        DO $$ BEGIN
            FOR number IN 1..{transactions} LOOP PERFORM pg_current_xact_id(); COMMIT; END LOOP;
        END $$
        """
    )
    await connection.close()


def move(old: Settings, new: Settings) -> None:
    dump = [found() / "pg_dump", old.database_url]
    load = ["psql", "--quiet", "--single-transaction", "-v", "ON_ERROR_STOP=1", new.database_url]
    text = subprocess.run(dump, capture_output=True, check=True).stdout
    # In the target the schema is there already, and may stay as it is.
    text = text.replace(b"CREATE SCHEMA public;", b"")
    subprocess.run(load, input=text, check=True, stdout=subprocess.DEVNULL, env=dict(os.environ))


async def number(database: Database) -> int:
    """The next transaction of the server."""
    return int(await database.reader.value("SELECT pg_snapshot_xmax(pg_current_snapshot())::text"))


async def numbers(database: Database) -> tuple[int, int]:
    """The first and the last transaction that any posting claims."""
    [row] = await database.reader.rows(
        """
        SELECT (SELECT xid::text::bigint FROM postings ORDER BY xid LIMIT 1),
               (SELECT xid::text::bigint FROM postings ORDER BY xid DESC LIMIT 1)
        """
    )
    return row[0], row[1]


async def test_the_economy_is_exact_again_whatever_the_transactions_are_called(moved):
    """The new server's transactions come to the numbers of the old ones, and pass them."""
    database = moved.database
    first, last = await numbers(database)
    assert await number(database) < first
    with pytest.raises(OtherServer):
        await supply.find_item_economy(database.reader, moved.items[0], 30)

    assert await database.write(maintenance.fold) > 0
    await compare(database.reader, moved)

    await spend(database.settings, first - await number(database) - 5)
    looks = 0
    while await number(database) <= last + 5:
        await moved.step()
        await compare(database.reader, moved)
        if looks % 3 == 0:
            await database.write(lambda writer: maintenance.fold(writer, 2))
            await compare(database.reader, moved)
        looks += 1
    assert looks > 5

    await fold_all(database)
    await compare(database.reader, moved)
    assert (await verify(database.settings)).breach is None


async def test_what_is_under_way_during_the_count_is_added_once(moved):
    """A gift that began before the count and ends after it, and one in between."""
    database, late = moved.database, asyncio.Event()

    async def slow(writer: Writer) -> None:
        gift = Gift(by=BY, player=str(moved.players[1]), item_id=moved.items[0], quantity=5)
        await items.give(writer, [gift])
        await late.wait()

    waiting = asyncio.create_task(database.write(slow))
    await asyncio.sleep(0.2)
    await moved.give(moved.players[2], moved.items[0], 7)
    await database.write(maintenance.fold)
    await compare(database.reader, moved)

    late.set()
    await waiting
    await compare(database.reader, moved)
    assert await database.write(maintenance.fold) == 1
    await compare(database.reader, moved)


async def test_the_worker_sees_to_it(moved):
    stop = asyncio.Event()
    working = asyncio.create_task(worker.run(moved.database.settings, stop))
    try:
        async with asyncio.timeout(PATIENCE):
            while True:
                try:
                    await compare(moved.database.reader, moved)
                    break
                except OtherServer:
                    await asyncio.sleep(0.1)
    finally:
        stop.set()
        await working


async def test_the_command_does_the_same(moved):
    settings = moved.database.settings
    count = await moved.database.reader.value("SELECT count(*) FROM postings")

    for _ in range(2):
        answer = await asyncio.to_thread(gamekeeper, settings, "economy", "recount", "--json")
        assert answer.returncode == 0, answer.stderr
        assert msgspec.json.decode(answer.stdout)["postings"] == count
        await compare(moved.database.reader, moved)
    spoken = await asyncio.to_thread(gamekeeper, settings, "economy", "recount")
    assert spoken.stdout.startswith(f"Summed {count} postings in ")

    await moved.step()
    await compare(moved.database.reader, moved)
    await fold_all(moved.database)
    assert await beyond(moved.database) == 0


async def test_what_was_not_yet_linked_is_linked_on_the_other_server(moved):
    """Its transactions have yet to begin there; the chain does not wait for them."""
    database = moved.database
    await moved.step()

    async with asyncio.timeout(PATIENCE):
        while (await verify_chain.find(database.settings)).waiting:
            await chain.catch_up(database)

    report = await verify_chain.find(database.settings)
    assert (report.total, report.waiting) == (0, 0)
    assert report.links == await database.reader.value("SELECT count(*) FROM actions")


async def test_what_was_done_before_the_move_can_be_undone_after_it(moved):
    """Even if a transaction of the new server has the same number."""
    database = moved.database
    first, _ = await numbers(database)
    await database.write(maintenance.fold)
    await spend(database.settings, first - await number(database) - 3)
    for _ in range(5):
        await moved.give(moved.players[3], moved.items[1], 2)
    given = await database.reader.rows(
        """
        SELECT actions.id, sum(quantity) AS quantity
          FROM actions JOIN postings ON action_id = actions.id
         WHERE kind = 'items.give' AND actions.item_id = $1
         GROUP BY actions.id, actions.at ORDER BY actions.at DESC
        """,
        moved.items[1],
    )

    for row in given:
        undone = await execute.undo.one(database, Undoing(by=BY, action_id=row["id"], partial=True))
        assert -sum(change.quantity or 0 for change in undone.done) <= row["quantity"]

    assert (await verify(database.settings)).breach is None
    await compare(database.reader, moved)
