"""What was held before there was a ledger is opened by the migration that brings it up to date."""

import asyncio
from uuid import UUID, uuid4

import asyncpg
import pytest

from gamekeeper.core.settings import Settings
from gamekeeper.db import migrate as migrating
from gamekeeper.db.database import Database
from gamekeeper.db.migrate import migrate
from gamekeeper.db.schema_files import numbered
from gamekeeper.ledger import chain, verify_chain
from gamekeeper.ledger.economy import maintenance, supply
from gamekeeper.ledger.verify_ledger import verify
from gamekeeper.players import items
from gamekeeper.players.items import Gift
from tests.deadlines import PATIENCE
from tests.ledger.chains import link
from tests.make import BY, fill_slot, make_bag_item, make_item, make_player

pytestmark = pytest.mark.usefixtures("schema_changes")

LAST_BEFORE = 6
"""The last migration that knew of no ledger."""


async def before_the_ledger(settings: Settings, monkeypatch) -> None:
    """The database as the migrations before the ledger left it."""
    await _run(settings, "DROP SCHEMA public CASCADE; CREATE SCHEMA public")
    with monkeypatch.context() as patch:
        patch.setattr(migrating, "numbered", lambda: numbered()[:LAST_BEFORE])
        await migrate(settings)
    # Whoever makes players for tests notes them here, which came later.
    await _run(settings, "CREATE TABLE list_deltas (list text, key bytea, change smallint)")


async def upgrade(settings: Settings) -> list[str]:
    await _run(settings, "DROP TABLE list_deltas")
    return await migrate(settings)


async def _run(settings: Settings, sql: str) -> None:
    connection = await asyncpg.connect(settings.database_url)
    await connection.execute(sql)
    await connection.close()


async def hold(database: Database, player: UUID, potion: UUID) -> UUID:
    """Things in the inventory, in the bank, and in a bag."""
    satchel = await make_bag_item(database)
    await fill_slot(database, player, "inventory", 0, potion, 7)
    await fill_slot(database, player, "bank", 3, potion, 20, (1, 0, 0, 0, 2))
    bag = uuid4()

    async def work(writer) -> None:
        await writer.run("INSERT INTO bags VALUES ($1, $2, 4)", player, bag)
        await writer.run("INSERT INTO bag_owners VALUES ($2, $1)", player, bag)
        await writer.run(
            "INSERT INTO slots VALUES ($1, 'inventory', 9, $2, 1, '{0,0,0,0,0}', $3)",
            *(player, satchel, bag),
        )
        await writer.run("INSERT INTO bag_slots VALUES ($1, $2, 2, $3, 5)", player, bag, potion)

    await database.write(work)
    return bag


async def give(database: Database, player: UUID, item: UUID, quantity: int) -> None:
    await items.give.one(database, Gift(by=BY, player=str(player), item_id=item, quantity=quantity))


async def test_an_older_database_is_opened_under_one_action(settings, monkeypatch):
    await before_the_ledger(settings, monkeypatch)
    async with Database.open(settings) as database:
        players = [await make_player(database) for _ in range(3)]
        potion = await make_item(database)
        bag = await hold(database, players[0], potion)
        await hold(database, players[1], potion)

        assert "0010_openings" in await upgrade(settings)

        proof = await verify(settings)
        assert (proof.breach, proof.postings) == (None, 8)
        [action] = await database.reader.rows("SELECT * FROM actions")
        assert (action["kind"], action["actor"]) == ("ledger.open", "system")
        assert action["after"] == {"players": 2, "postings": 8}
        assert action["id"].version == 7
        assert abs(int(action["id"].hex[:12], 16) - action["at"].timestamp() * 1000) < 2
        rows = await database.reader.rows(
            """
            SELECT seq, place, inside, slot, quantity, against, action_id = $2 AS is_ours
              FROM postings WHERE player_id = $1 ORDER BY seq
            """,
            players[0],
            action["id"],
        )
        assert [tuple(row) for row in rows] == [
            (1, "inventory", None, 0, 7, "import", True),
            (2, "inventory", None, 9, 1, "import", True),
            (3, "bank", None, 3, 20, "import", True),
            (4, "bag", bag, 2, 5, "import", True),
        ]

        for player in players:
            await give(database, player, potion, 4)
        assert (await verify(settings)).breach is None

        await link(database)
        assert (await verify_chain.find(settings)).total == 0
        await _run(settings, "UPDATE postings SET against = 'grant' WHERE against = 'import'")
        [found] = (await verify_chain.find(settings)).breaches
        assert (found.kind, found.action_id) == ("postings", action["id"])


async def test_what_was_opened_is_in_the_economy_and_in_the_chain(settings, monkeypatch):
    """More of it in one transaction than a fold takes at once."""
    await before_the_ledger(settings, monkeypatch)
    async with Database.open(settings) as database:
        player, potion = await make_player(database), await make_item(database)
        await hold(database, player, potion)
        await upgrade(settings)

        before = await supply.find_item_economy(database.reader, potion, 1)
        async with asyncio.timeout(PATIENCE):
            while not (folded := await database.write(lambda writer: maintenance.fold(writer, 1))):
                await asyncio.sleep(0.02)
            while not await chain.catch_up(database):
                await asyncio.sleep(0.02)

        assert folded == 4
        assert await supply.find_item_economy(database.reader, potion, 1) == before
        assert (before.inventories, before.banks, before.bags) == (7, 20, 5)
        assert [(flow.source, flow.came) for flow in before.flows] == [("import", 32)]


async def test_who_has_a_ledger_already_is_left_alone(settings, database):
    """The statement a second time: only whoever holds something and has no head is opened."""
    ana, bob = await make_player(database), await make_player(database)
    potion = await make_item(database)
    await give(database, ana, potion, 4)
    await hold(database, bob, potion)
    [openings] = [sql for name, sql in numbered() if name == "0010_openings"]

    connection = await asyncpg.connect(settings.database_url)
    for _ in range(2):
        await connection.execute(openings)
    await connection.close()

    assert (await verify(settings)).breach is None
    heads = await database.reader.rows("SELECT player_id, seq FROM ledger_heads")
    assert {row["player_id"]: row["seq"] for row in heads} == {ana: 1, bob: 4}
    opened = "SELECT count(*) FROM actions WHERE kind = 'ledger.open'"
    assert await database.reader.value(opened) == 1


async def test_a_fresh_database_has_nothing_to_open(settings, database):
    assert await database.reader.value("SELECT count(*) FROM actions") == 0
    assert await database.reader.value("SELECT count(*) FROM postings") == 0


WAITS = "SELECT EXISTS (SELECT FROM pg_stat_activity WHERE $1 = ANY(pg_blocking_pids(pid)))"


async def test_a_gift_meanwhile_goes_on_from_the_opening(settings, database):
    """It holds its player already, and must wait for the opening before it posts."""
    ana, potion = await make_player(database), await make_item(database)
    await fill_slot(database, ana, "inventory", 0, potion, 7)
    [openings] = [sql for name, sql in numbered() if name == "0010_openings"]
    connection = await asyncpg.connect(settings.database_url)

    async with connection.transaction():
        await connection.execute(openings)
        gift = asyncio.create_task(give(database, ana, potion, 2))
        async with asyncio.timeout(PATIENCE):
            while not await connection.fetchval(WAITS, connection.get_server_pid()):
                await asyncio.sleep(0.01)
        assert not gift.done()
    await gift
    await connection.close()

    assert (await verify(settings)).breach is None
    assert await database.reader.value("SELECT seq FROM ledger_heads") == 2
