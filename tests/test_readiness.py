"""A database that takes no changes: reads go on, changes are 503, and `/readyz` tells."""

import asyncio
from collections.abc import AsyncIterator

import httpx2
import pytest
from msgspec import Struct

from gamekeeper.api import health
from gamekeeper.auth import keys
from gamekeeper.db.database import Database
from gamekeeper.db.migrate import migrate
from gamekeeper.events import feed
from tests.clusters import Cluster, cluster
from tests.in_process import in_process
from tests.make import BY, make_item, make_player, make_user

pytestmark = pytest.mark.deploy

READS = [
    "/api/v1/players",
    "/api/v1/players/ana",
    "/api/v1/players/ana/items",
    "/api/v1/players/rank",
    "/api/v1/players/online",
    "/api/v1/users",
    "/api/v1/actions",
    "/api/v1/servers",
    "/api/v1/events?after=latest",
]


class Primary(Struct):
    server: Cluster
    key: str
    potion: str


class World(Struct):
    standby: Cluster
    client: httpx2.AsyncClient
    potion: str


@pytest.fixture(scope="module")
async def primary() -> AsyncIterator[Primary]:
    with cluster() as server:
        await migrate(server.settings)
        async with Database.open(server.settings) as database:
            key = await keys.create.one(database, keys.NewKey(by=BY, name="tests"))
            await make_player(database, "ana", user=await make_user(database, "owner"))
            potion = await make_item(database)
        yield Primary(server, str(key), str(potion))


@pytest.fixture
async def world(primary: Primary) -> AsyncIterator[World]:
    """The service, pointed at a server in recovery, as it is after a failover gone wrong."""
    headers = {"Authorization": f"Bearer {primary.key}"}
    with cluster(of=primary.server) as standby:
        async with in_process(standby.settings, headers=headers) as client:
            yield World(standby, client, primary.potion)


async def test_on_a_standby_server_reads_go_on_and_changes_are_not_now(world, monkeypatch):
    """The key was never used before, so its use cannot be noted; nobody hears of that."""
    client = world.client
    gift = {"itemid": world.potion, "quantity": 1}
    # Events cannot be numbered there, so a stream waits this long before it starts.
    monkeypatch.setattr(feed, "START_SECONDS", 0.1)

    reads = {path: (await client.get(path)).status_code for path in READS}
    changes = [
        await client.post("/api/v1/players/ana/items/give", json=gift),
        await client.post("/api/v1/servers", json={"name": "Realm"}),
        await client.post("/api/v1/users/owner/password/validate", json={"password": "0" * 64}),
        await client.post(
            "/api/oauth/token",
            json={"grant_type": "password", "username": "owner", "password": "0" * 64},
        ),
        await client.post("/api/oauth/revoke", json={"token": "x"}),
    ]
    ready = await client.get("/readyz")

    assert reads == dict.fromkeys(READS, 200)
    assert [answer.status_code for answer in changes[:4]] == [503] * 4
    assert {answer.headers["retry-after"] for answer in changes[:4]} == {"1"}
    assert changes[4].status_code != 500
    assert ready.status_code == 503
    assert ready.json()["Message"] == "The database is a standby server and accepts no changes."


async def test_once_it_is_promoted_all_is_well(world):
    world.standby.promote()

    async with asyncio.timeout(30):
        while (await world.client.get("/readyz")).status_code != 200:
            await asyncio.sleep(0.02)
    gift = {"itemid": world.potion, "quantity": 1}
    answer = await world.client.post("/api/v1/players/ana/items/give", json=gift)
    assert answer.status_code == 200


FULL = """
    CREATE FUNCTION disk_full() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN RAISE EXCEPTION 'could not extend file' USING ERRCODE = '53100'; END $$
"""


@pytest.fixture
async def full(schema_changes: None, database: Database):
    """Every table that grows fails as it does on a full disk; its owner can make room."""
    grows = ("actions", "replies")

    async def fill(writer) -> None:
        await writer.run(FULL)
        for table in grows:
            await writer.run(
                f"CREATE TRIGGER full_disk BEFORE INSERT ON {table}"
                " FOR EACH ROW EXECUTE FUNCTION disk_full()"
            )

    async def make_room(writer) -> None:
        await writer.run("DROP FUNCTION disk_full CASCADE")

    await database.write(fill)
    return lambda: database.write(make_room)


async def test_with_a_full_disk_nobody_is_sent_here_until_there_is_room(
    client, database, full, monkeypatch
):
    """However long it lasts, and although nobody who was sent away changes anything."""
    monkeypatch.setattr(health, "PROBE_SECONDS", 0.05)
    ana = await make_player(database)
    potion = await make_item(database)
    gift = {"itemid": str(potion), "quantity": 1}
    assert (await client.get("/readyz")).status_code == 200

    given = await client.post(f"/api/v1/players/{ana}/items/give", json=gift)
    refused = []
    for _ in range(5):
        refused.append((await client.get("/readyz")).status_code)
        await asyncio.sleep(0.06)
    await full()
    later = await client.get("/readyz")

    assert given.status_code == 503
    assert refused == [503] * 5
    assert later.status_code == 200
    assert (await client.post(f"/api/v1/players/{ana}/items/give", json=gift)).status_code == 200
    assert await database.reader.value("SELECT count(*) FROM replies") == 0
