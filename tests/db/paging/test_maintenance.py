"""Folds beside writers and readers, interrupted ones, and lists counted anew while all goes on."""

import asyncio
import random
import re
from collections.abc import Awaitable, Callable
from pathlib import Path

import asyncpg
import pytest

import gamekeeper
from gamekeeper.core.errors import Unavailable
from gamekeeper.core.settings import Settings
from gamekeeper.db.paging import maintenance, pages
from gamekeeper.db.paging.orderings import ORDERINGS, RANK, USERS
from gamekeeper.db.paging.rebalance import USUAL, MiscountedList
from gamekeeper.db.paging.verify import check
from tests.db.paging.world import SMALL, World, compare, fold, instant, shape
from tests.deadlines import PATIENCE


@pytest.fixture
async def world(database) -> World:
    world = await World(database).make()
    await world.create(150)
    return world


MOST_REFUSED = 3


async def meanwhile(
    settings: Settings,
    world: World,
    work: Callable[[], Awaitable[object]],
    *,
    comparisons: int = 40,
) -> int:
    """Do `work` again and again while three write and two compare; how often it was done."""
    over = asyncio.Event()
    done = refused = 0

    async def repeat(move: Callable[[], Awaitable[object]]) -> None:
        nonlocal done, refused
        while not over.is_set():
            try:
                await move()
                done += move is work
            except Unavailable:
                # It waited for others' locks longer than a statement may last (503). A caller
                # tries again; what counts here is that the lists are right all the same.
                refused += 1
                assert refused <= MOST_REFUSED

    async def look(seed: int) -> None:
        dice = random.Random(seed)
        for _ in range(comparisons // 2):
            async with instant(world.database) as reader:
                for listing in ORDERINGS:
                    await compare(reader, dice, listing, windows=3)

    others = [asyncio.create_task(repeat(move)) for move in (work, *[world.step] * 3)]
    try:
        await asyncio.gather(look(1), look(2))
    finally:
        over.set()
        await asyncio.gather(*others)
    for listing in ORDERINGS:
        assert (await check(settings, listing)).wrong == []
    return done


@pytest.mark.torture
async def test_pages_are_exact_while_others_write_and_fold(world, settings):
    """Each page is compared with OFFSET at the same instant."""
    assert await meanwhile(settings, world, lambda: fold(settings)) > 3


@pytest.mark.torture
async def test_lists_are_counted_anew_while_others_write(world, settings):
    async def renew() -> None:
        for listing in ORDERINGS:
            await maintenance.rebuild_ordering(settings, listing, SMALL)

    assert await meanwhile(settings, world, renew, comparisons=20) > 1


async def test_a_fold_that_dies_has_done_nothing(world, settings, database):
    """Its connection ends while it waits for a row that somebody else holds."""
    await fold(settings)
    await world.step()
    await world.change(60)
    noted = await database.reader.value("SELECT count(*) FROM list_deltas")
    nodes = await database.reader.rows("SELECT * FROM list_nodes ORDER BY list, height, key")
    async with (
        maintenance.connected(settings) as connection,
        maintenance.connected(settings) as other,
        other.transaction(),
    ):
        await other.execute("SELECT FROM list_nodes WHERE height = 2 FOR UPDATE")
        folder = asyncio.create_task(_fold_rank(connection, settings))
        await _until_it_waits(other, connection)
        await other.execute("SELECT pg_terminate_backend($1)", connection.get_server_pid())
        with pytest.raises((asyncpg.PostgresError, asyncpg.InterfaceError, OSError)):
            await folder

    assert await database.reader.value("SELECT count(*) FROM list_deltas") == noted
    again = await database.reader.rows("SELECT * FROM list_nodes ORDER BY list, height, key")
    assert again == nodes
    async with instant(database) as reader:
        await compare(reader, random.Random(1), RANK)
    assert await fold(settings) == noted
    async with instant(database) as reader:
        await compare(reader, random.Random(1), RANK)


async def _fold_rank(connection: asyncpg.Connection, settings: Settings) -> None:
    async with maintenance.alone(connection, settings, RANK) as writer:
        assert writer
        await maintenance.fold(writer, RANK, SMALL)


async def _until_it_waits(other: asyncpg.Connection, connection: asyncpg.Connection) -> None:
    waits = "SELECT wait_event_type = 'Lock' FROM pg_stat_activity WHERE pid = $1"
    async with asyncio.timeout(PATIENCE):
        while not await other.fetchval(waits, connection.get_server_pid()):
            await asyncio.sleep(0.01)


async def test_only_one_folds_a_list_at_a_time(settings):
    async with maintenance.connected(settings) as one, maintenance.connected(settings) as other:
        async with maintenance.alone(one, settings, RANK) as writer:
            assert writer
            async with maintenance.alone(other, settings, RANK) as second:
                assert second is None
            async with maintenance.alone(other, settings, USERS) as another:
                assert another
        async with maintenance.alone(other, settings, RANK) as second:
            assert second


async def test_a_worker_folds_what_is_noted_and_cuts_it_up(world, settings, database):
    await world.create(2500)
    await world.change(50)

    await _follow_until(settings, database, "SELECT NOT EXISTS (SELECT FROM list_deltas)")

    assert (await shape(database, RANK))[0] == round(2650 / USUAL.bucket)
    for listing in ORDERINGS:
        assert (await check(settings, listing)).wrong == []


async def test_a_wrong_count_is_found_when_it_would_be_built_upon(world, settings, database):
    """Then nothing is folded; the worker counts that list anew."""
    await fold(settings)
    await database.write(
        lambda writer: writer.run(
            """
            UPDATE list_nodes SET count = count + 1
             WHERE list = 'rank' AND height = 0
            """
        )
    )
    await world.create(300)
    with pytest.raises(MiscountedList, match=r"'rank' has .* rows where its counts say"):
        await fold(settings)
    assert await pages.total(database.reader, USERS) == 1 + 75 + 150

    await world.create(1000)
    await _follow_until(settings, database, "SELECT NOT EXISTS (SELECT FROM list_deltas)")

    assert (await check(settings, RANK)).wrong == []


async def _follow_until(settings: Settings, database, sql: str) -> None:
    stop = asyncio.Event()
    follower = asyncio.create_task(maintenance.follow(settings, stop))
    try:
        async with asyncio.timeout(PATIENCE):
            while not await database.reader.value(sql):
                await asyncio.sleep(0.05)
    finally:
        stop.set()
        await follower


async def test_every_wrong_node_is_named(world, settings, database):
    await fold(settings)
    assert all([(await check(settings, listing)).wrong == [] for listing in ORDERINGS])
    row = await database.write(
        lambda writer: writer.rows(
            """
            UPDATE list_nodes SET count = count - 1
             WHERE list = 'users' AND height = 0 AND key = (
                   SELECT key FROM list_nodes WHERE list = 'users' AND height = 0
                    ORDER BY key OFFSET 3 LIMIT 1)
            RETURNING key, count
            """
        )
    )
    name, user = row[0]["key"][:-17].decode(), row[0]["key"][-16:].hex()

    bucket, above = (await check(settings, USERS)).wrong

    assert (bucket.height, bucket.kept, bucket.found) == (0, row[0]["count"], row[0]["count"] + 1)
    assert name in bucket.begins
    assert user in bucket.begins.replace("-", "")
    assert (above.height, above.kept) == (1, above.found + 1)
    assert (await check(settings, RANK)).wrong == []


async def test_a_row_that_nobody_noted_is_found(world, settings, database):
    """A script that writes past the operations, into a list and out of it."""
    await world.change(10)
    await database.write(
        lambda writer: writer.run(
            "UPDATE players SET exp = exp + 5 WHERE id = (SELECT id FROM players LIMIT 1)"
        )
    )
    await database.write(
        lambda writer: writer.run(
            "DELETE FROM players WHERE id = (SELECT id FROM players ORDER BY id DESC LIMIT 1)"
        )
    )

    assert (await check(settings, RANK)).wrong
    for listing in ORDERINGS:
        await maintenance.rebuild_ordering(settings, listing)
    for listing in ORDERINGS:
        assert (await check(settings, listing)).wrong == []


async def test_a_missing_first_node_is_found(world, settings, database):
    await fold(settings)
    await database.write(
        lambda writer: writer.run(
            "DELETE FROM list_nodes WHERE list = 'rank' AND height = 1 AND key = $1", RANK.lowest
        )
    )

    wrong = (await check(settings, RANK)).wrong

    assert (wrong[0].height, wrong[0].kept) == (1, None)


CHANGES = re.compile(
    r"(INSERT INTO|DELETE FROM|MERGE INTO) (players|users|presences)\b"
    r"|UPDATE (players|users)\b[^;]*?SET[^;]*?\b(name_key|level|exp) ="
    r"|UPDATE presences\b[^;]*?SET[^;]*?\blist_key =",
    re.IGNORECASE,
)


def test_whoever_changes_a_list_notes_it():
    """There are no triggers, so the statement stands beside its note."""
    house = Path(gamekeeper.__file__).parent
    changing = {file for file in house.rglob("*.py") if CHANGES.search(file.read_text())}
    assert {str(file.relative_to(house)) for file in changing} == {
        "players/archive.py",
        "players/characters.py",
        "players/name_changes.py",
        "players/presences.py",
        "players/progress.py",
        "servers/presence.py",
        "transfer/account_changes.py",
        "users/accounts.py",
        "users/name_changes.py",
    }
    assert all("await record_deltas(" in file.read_text() for file in changing)
