"""Two roles: one owns, one serves, and the one that serves cannot alter history."""

import asyncio
from collections.abc import AsyncIterator
from uuid import UUID, uuid4

import asyncpg
import httpx2
import pytest

from gamekeeper import privileges, worker
from gamekeeper.access import keys
from gamekeeper.app import App
from gamekeeper.database import Database
from gamekeeper.ledger import chain
from gamekeeper.ledger.verifying import verify
from gamekeeper.lists import folding, pages
from gamekeeper.lists.checking import check
from gamekeeper.lists.listings import RANK
from gamekeeper.migrate import migrate
from gamekeeper.players import items
from gamekeeper.players.items import Gift
from gamekeeper.privileges import OwnRole, UnknownRole
from gamekeeper.settings import Hidden, Settings
from tests import serving as processes
from tests.conftest import SERVER, admin
from tests.make import BY, make_item, make_player


@pytest.fixture
async def serving(settings: Settings) -> AsyncIterator[Settings]:
    """The settings of a role of the test's own, which was let serve."""
    role = f"gamekeeper_test_{uuid4().hex[:12]}"
    await admin(f"CREATE ROLE {role} LOGIN")
    await migrate(settings, role)
    name = settings.database_url.rpartition("/")[2]
    url = SERVER.format(name).replace("//postgres@", f"//{role}@")
    yield Settings(database_url=Hidden(url))
    connection = await asyncpg.connect(settings.database_url)
    await connection.execute(f"DROP OWNED BY {role}; DROP ROLE {role}")
    await connection.close()


async def world(settings: Settings) -> tuple[UUID, UUID]:
    async with Database.open(settings) as database:
        ana, potion = await make_player(database, "ana"), await make_item(database)
        gift = Gift(by=BY, player=str(ana), item_id=potion, quantity=12)
        await items.give.one(database, gift)
    return ana, potion


FORBIDDEN = [
    "UPDATE postings SET quantity = 1, held_after = held_before + 1",
    "DELETE FROM postings",
    "TRUNCATE postings",
    "UPDATE actions SET actor = 'system'",
    "DELETE FROM actions",
    "TRUNCATE actions",
    "UPDATE chain SET hash = hash",
    "DELETE FROM chain",
    "TRUNCATE chain",
    "DELETE FROM postings_2026_11",
    "UPDATE actions_2026_11 SET reason = 'no reason'",
    "TRUNCATE actions_2027_01",
    "DROP TABLE postings_2026_11",
    "ALTER TABLE postings DETACH PARTITION postings_2026_11",
    "ALTER TABLE actions DROP COLUMN reason",
    "CREATE RULE forget AS ON INSERT TO actions DO INSTEAD NOTHING",
    "SET session_replication_role = replica",
    "INSERT INTO migrations (name) VALUES ('9999_nothing')",
    "DELETE FROM migrations",
]


@pytest.mark.parametrize("sql", FORBIDDEN)
async def test_who_serves_cannot_alter_history(settings, serving, sql):
    await world(settings)
    connection = await asyncpg.connect(serving.database_url)
    try:
        with pytest.raises(asyncpg.InsufficientPrivilegeError):
            await connection.execute(sql)
    finally:
        await connection.close()
    assert (await verify(settings)).breach is None


async def test_who_serves_can_do_everything_else(settings, serving):
    """A gift, its replay, a taking, the chain and the proof, all as that role."""
    ana, potion = await world(settings)
    async with Database.open(settings) as owned:
        key = await keys.create.one(owned, keys.NewKey(by=BY, name="tests"))
    app = App(serving)
    await app.start()
    async with httpx2.AsyncClient(
        transport=httpx2.ASGITransport(app),  # pyright: ignore[reportArgumentType]
        base_url="http://gamekeeper",
        headers={"Authorization": f"Bearer {key}", "Idempotency-Key": "one"},
    ) as client:
        path = f"/api/v1/players/{ana}/items"
        body = {"itemid": str(potion), "quantity": 3}
        given = await client.post(f"{path}/give", json=body)
        again = await client.post(f"{path}/give", json=body)
        taken = await client.post(f"{path}/take", json=body, headers={"Idempotency-Key": "two"})
        ready = await client.get("/readyz")
    await app.stop()

    assert given.json()["quantity"]["total"] == 15
    assert again.content == given.content
    assert again.headers["Idempotency-Replayed"] == "true"
    assert taken.status_code == 200
    assert ready.json() == {"status": "ready", "history": "append-only", "replica": "none"}
    await linked(serving)
    assert (await verify(serving)).breach is None


async def linked(settings: Settings) -> None:
    """Wait for the chain: whoever writes on the same server, in any database, holds it up."""
    async with Database.open(settings) as database, asyncio.timeout(60):
        while await chain.catch_up(database) == 0:
            await asyncio.sleep(0.1)


async def test_a_table_made_later_can_be_added_to_but_not_altered(settings, serving):
    """Until migrate says that it may: so a new month of history is safe from its first day."""
    owner = await asyncpg.connect(settings.database_url)
    await owner.execute(
        "CREATE TABLE postings_2031_01 PARTITION OF postings "
        "FOR VALUES FROM ('2031-01-01Z') TO ('2031-02-01Z'); CREATE TABLE wishes (id int)"
    )
    connection = await asyncpg.connect(serving.database_url)
    try:
        await connection.execute("INSERT INTO wishes VALUES (1)")
        with pytest.raises(asyncpg.InsufficientPrivilegeError):
            await connection.execute("DELETE FROM wishes")

        await migrate(settings)

        await connection.execute("DELETE FROM wishes")
        with pytest.raises(asyncpg.InsufficientPrivilegeError):
            await connection.execute("DELETE FROM postings_2031_01")
    finally:
        await connection.close()
        await owner.close()


async def test_the_worker_works_as_that_role(settings, serving):
    """It links and adds up, which changes tables of its own; nothing else tells of a refusal."""
    ana, potion = await world(settings)
    stop = asyncio.Event()
    working = asyncio.create_task(worker.run(serving, stop))
    async with Database.open(settings) as database, asyncio.timeout(60):
        while not await database.reader.value(
            "SELECT EXISTS (SELECT FROM chain) AND EXISTS (SELECT FROM item_holdings)"
        ):
            await asyncio.sleep(0.1)
        held = await database.reader.value(
            "SELECT quantity FROM item_holdings WHERE player_id = $1 AND item_id = $2", ana, potion
        )
    stop.set()
    await working
    assert held == 12


async def test_serving_as_the_owner_is_said_in_the_log(settings, serving, tmp_path):
    for log, role in ((tmp_path / "owner", settings), (tmp_path / "app", serving)):
        with processes.serving(role, log):
            pass

    assert '"history can be altered"' in (tmp_path / "owner").read_text()
    assert "history can be altered" not in (tmp_path / "app").read_text()


async def test_one_role_works_too_and_says_what_that_means(settings, database, client):
    await world(settings)

    assert await privileges.is_alterable(database.reader)
    ready = await client.get("/readyz")
    assert ready.json() == {"status": "ready", "history": "alterable", "replica": "none"}


async def test_a_role_nobody_made_is_refused(settings):
    with pytest.raises(UnknownRole, match="CREATE ROLE nobody_made_me LOGIN"):
        await migrate(settings, "nobody_made_me")


async def test_the_owner_cannot_be_the_role_that_serves(settings):
    with pytest.raises(OwnRole):
        await migrate(settings, "postgres")


async def test_the_role_that_serves_keeps_the_lists_counted(settings, serving):
    """It may not VACUUM what it does not own, and does not try to."""
    async with Database.open(serving) as database:
        await make_player(database, "ana")
        stop = asyncio.Event()
        follower = asyncio.create_task(folding.follow(serving, stop))
        async with asyncio.timeout(20):
            while await database.reader.value("SELECT EXISTS (SELECT FROM list_deltas)"):
                await asyncio.sleep(0.05)
        stop.set()
        await follower
        assert await pages.total(database.reader, RANK) == 1
    assert await folding.renew(serving, RANK) == 1
    assert (await check(serving, RANK)).wrong == []
