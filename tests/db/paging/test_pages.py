"""Every page equals the one that OFFSET cuts, and every total a count, whatever happened before."""

import asyncio
import random

import pytest

from gamekeeper.core.schemas import SortDirection, Window
from gamekeeper.db.migrate import migrate
from gamekeeper.db.paging import pages, rebalance
from gamekeeper.db.paging.orderings import ONLINE, ORDERINGS, PLAYERS, RANK, USERS, by_name, by_rank
from gamekeeper.db.paging.verify import check
from gamekeeper.players import roster
from gamekeeper.servers import session_expiry
from gamekeeper.users import accounts
from tests.db.paging.world import SMALL, World, compare, fold, instant, shape


@pytest.fixture
async def world(database) -> World:
    return await World(database).make()


@pytest.mark.parametrize("seed", [1, 2, 3])
@pytest.mark.torture
async def test_pages_equal_offset_through_random_changes_and_folds(database, settings, seed):
    world = await World(database, seed).make()
    dice = random.Random(seed)
    for _ in range(30):
        await world.step()
        if dice.random() < 0.4:
            only = dice.sample(ORDERINGS, dice.randint(1, len(ORDERINGS)))
            await fold(settings, only=only)
        async with instant(database) as reader:
            for listing in ORDERINGS:
                await compare(reader, dice, listing, windows=5)
    for listing in ORDERINGS:
        assert (await check(settings, listing)).wrong == []


async def test_who_is_online_equals_offset_however_many_servers_are_dead(world, settings, database):
    """None, some and all of them; with what was noted since the last fold, and without."""
    dice = random.Random(7)
    await world.create(300)
    for number in range(5):
        await world.join(await world.some(60), number)
    await fold(settings)
    for number in range(5):
        async with instant(database) as reader:
            await compare(reader, dice, ONLINE, windows=12)
        if number % 2:
            await world.join(await world.some(20), 4)
            await world.leave(await world.some(20))
        await world.die(number)
    async with instant(database) as reader:
        await compare(reader, dice, ONLINE)
        assert await reader.value("SELECT count(*) FROM presences") > 100
    await world.come_back(2)
    await world.join(await world.some(50), 2)
    await fold(settings)
    async with instant(database) as reader:
        await compare(reader, dice, ONLINE, windows=12)
    assert (await check(settings, ONLINE)).wrong == []


async def test_an_empty_list_has_an_empty_first_page(database):
    for direction in SortDirection:
        page = await roster.ranked(database.reader, Window.of(0, 5), None, direction)
        assert (page.total, page.values) == (0, [])
        page = await roster.ranked(database.reader, Window.of(7, 5), None, direction)
        assert (page.total, page.page, page.values) == (0, 7, [])
    page = await accounts.list_users(database.reader, Window.of(0, 5), None, sees_emails=True)
    assert (page.total, page.values) == (0, [])


@pytest.mark.torture
async def test_a_tree_grows_with_its_list_and_shrinks_with_it(world, settings, database):
    """Every node but a lone one stays within its bounds, all the way up and down."""
    dice = random.Random(5)
    assert await shape(database, RANK) == [1, 1, 1]
    await _follow(world.create, [1, 3, 9, 30, 100, 500], settings, database, dice)
    buckets, branches, tops = await shape(database, RANK)
    assert buckets > 100
    assert branches > 20
    assert tops > 2
    await _follow(world.remove, [450, 120, 50, 15, 5, 100], settings, database, dice)
    assert await pages.total(database.reader, RANK) == 0
    for listing in ORDERINGS:
        assert await shape(database, listing) == [1, 1, 1]


async def _follow(move, counts, settings, database, dice) -> None:
    for count in counts:
        await move(count)
        await fold(settings)
        async with instant(database) as reader:
            for listing in ORDERINGS:
                await compare(reader, dice, listing)
        for listing in ORDERINGS:
            assert (await check(settings, listing)).wrong == []
            await _within_bounds(database, listing)


async def _within_bounds(database, listing) -> None:
    rows = await database.reader.rows(
        "SELECT count FROM list_nodes WHERE list = $1 AND height = 0", listing.name
    )
    counts = [row["count"] for row in rows]
    assert max(counts) <= 2 * SMALL.bucket
    assert len(counts) == 1 or min(counts) >= SMALL.bucket / 4


async def test_a_list_that_was_never_cut_up_is_exact_too(world, settings, database):
    """One bucket, with more rows than the fast way reaches."""
    await world.create(2500)
    await fold(settings, rebalance.Sizes(bucket=10**6, branch=64))
    assert await shape(database, RANK) == [1, 1, 1]

    async with instant(database) as reader:
        for listing in ORDERINGS:
            await compare(reader, random.Random(1), listing)


@pytest.mark.torture
async def test_a_page_is_exact_beyond_thousands_who_are_offline(world, settings, database):
    """Two on a server that lives, before and behind more than the farther way reaches."""
    await world.create(10_400)
    everybody = await database.reader.rows("SELECT player_id FROM presences ORDER BY list_key")
    await fold(settings, rebalance.USUAL)
    for number in range(5):
        await world.die(number)
    crowded = await database.reader.value("SELECT server_id FROM crowds WHERE online > 0")
    free = next(n for n in range(5) if world.servers[n].server_id != crowded)
    await world.come_back(free)
    ends = [everybody[0]["player_id"], everybody[-1]["player_id"]]
    await world.join(ends, free)

    async with instant(database) as reader:
        await compare(reader, random.Random(1), ONLINE)
    page = await roster.online(database.reader, Window.of(0, 5))
    assert [player.id for player in page.values] == ends


async def test_keys_are_the_same_in_python_and_in_postgresql(world, database):
    """And they compare as the columns do, and lead back to them."""
    await world.create(200)
    for listing in ORDERINGS:
        rows = await database.reader.rows(
            f"""
            SELECT *, key, ({listing.row.replace("{key}", "key")}) = ({listing.columns}) AS is_back
              FROM (SELECT *, {listing.key} AS key FROM {listing.table}) AS keyed
             ORDER BY {listing.columns}
            """
        )
        keys = [row["key"] for row in rows]
        assert keys == sorted(keys)
        assert listing.lowest < keys[0]
        assert all(row["is_back"] for row in rows)
        if listing is ONLINE:
            names = await database.reader.rows("SELECT id, name_key FROM players")
            key_of = {row["id"]: by_name(row["name_key"], row["id"]) for row in names}
            assert keys == [key_of[row["player_id"]] for row in rows]
            continue
        assert keys == [
            by_rank(row["level"], row["exp"], row["id"])
            if listing is RANK
            else by_name(row["name_key"], row["id"])
            for row in rows
        ]


async def test_a_page_is_one_statement(world, settings, database, statements):
    await world.create(100)
    await fold(settings)
    await world.change(30)
    window = Window.of(7, 5)

    with statements() as sent:
        await roster.ranked(database.reader, window, None, SortDirection.DESCENDING)
        await roster.list_players(database.reader, window, None)
        await accounts.list_users(database.reader, window, None, sees_emails=False)
        await pages.total(database.reader, PLAYERS)
        await pages.total(database.reader, USERS)

        await roster.online(database.reader, window)

    # One more for the play time of the accounts, whose characters may be stored elsewhere.
    assert len(sent) == 7


async def test_a_page_of_who_is_online_is_two_statements_while_a_server_is_dead(
    world, database, statements
):
    for number in range(5):
        await world.create(20)
        await world.die(number)

    with statements() as sent:
        await roster.online(database.reader, Window.of(2, 5))
    assert len(sent) == 2

    await session_expiry.sweep(database, asyncio.Event())
    with statements() as sent:
        await roster.online(database.reader, Window.of(2, 5))
    assert len(sent) == 1


@pytest.mark.usefixtures("schema_changes")
async def test_those_who_are_there_already_are_counted_by_the_migration(world, settings, database):
    await world.create(1300)

    async def work(writer) -> None:
        await writer.connection.execute(
            """
            DROP TABLE list_nodes, list_deltas;
            CREATE TABLE totals ();
            ALTER TABLE presences ADD COLUMN name_key text COLLATE "C";
            UPDATE presences SET name_key = players.name_key FROM players WHERE id = player_id;
            ALTER TABLE presences DROP COLUMN list_key;
            CREATE INDEX presences_server_idx ON presences (server_id);
            DELETE FROM migrations WHERE name IN ('0012_lists', '0016_online_list');
            """
        )

    await database.write(work)
    assert await migrate(settings) == ["0012_lists", "0016_online_list"]

    for listing in ORDERINGS:
        finding = await check(settings, listing)
        assert finding.wrong == []
        assert finding.buckets == -(-finding.total // rebalance.USUAL.bucket)
    async with instant(database) as reader:
        for listing in ORDERINGS:
            await compare(reader, random.Random(1), listing)
