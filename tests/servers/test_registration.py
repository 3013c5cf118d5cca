"""A server with any number of players registers again, stops or dies."""

import asyncio
import subprocess
import sys
import time
from collections.abc import AsyncIterator
from uuid import UUID, uuid4

import httpx2
import pytest

from gamekeeper.app import App
from gamekeeper.auth import keys
from gamekeeper.core.settings import Hidden, Settings
from gamekeeper.db.database import Database
from gamekeeper.db.migrate import migrate
from gamekeeper.db.paging.orderings import ONLINE
from gamekeeper.db.paging.verify import check
from gamekeeper.servers import registration, session_expiry
from tests.databases import SERVER, admin
from tests.make import BY, make_player, make_user
from tests.server import environment
from tests.servers.game_server import GameServer

PLAYERS = 30_000


@pytest.fixture
async def crowd(database, monkeypatch) -> list[UUID]:
    """More players than one transaction takes off a server."""
    monkeypatch.setattr(registration, "AT_ONCE", 4)
    owner = await make_user(database)
    return [await make_player(database, user=owner) for _ in range(11)]


async def left(database: Database) -> tuple[int, int, int]:
    """Who has a presence, how many sessions were written down, how many are counted."""
    [row] = await database.reader.rows(
        """
        SELECT (SELECT count(*) FROM presences), (SELECT count(*) FROM sessions),
               (SELECT coalesce(sum(online), 0) FROM crowds)
        """
    )
    return tuple(row.values())


async def test_sessions_of_many_end_when_their_server_registers_again(
    client, database, settings, crowd
):
    """In pieces, and the one before is fenced before the first."""
    before = await GameServer.register(client)
    await before.join(*crowd)

    after = await GameServer.register(client)

    assert after.id == before.id
    assert after.fence > before.fence
    assert (await before.say("heartbeat")).status_code == 409
    assert await left(database) == (0, 11, 0)
    assert (await check(settings, ONLINE)).wrong == []
    joined = await after.join(*crowd)
    assert len(joined["Values"]) == 11


async def test_several_who_register_again_at_once_leave_one(client, database, crowd):
    before = await GameServer.register(client)
    await before.join(*crowd)

    leases = await asyncio.gather(*(GameServer.register(client) for _ in range(5)))

    last = max(leases, key=lambda lease: lease.fence)
    said = [(await lease.say("heartbeat")).status_code for lease in leases]
    assert sorted(said) == [200, 409, 409, 409, 409]
    assert (await last.say("heartbeat")).status_code == 200
    assert await left(database) == (0, 11, 0)


async def test_a_registration_that_is_sent_again_is_the_same(client, database, crowd):
    """Though the first try of it only made room."""
    before = await GameServer.register(client)
    await before.join(*crowd)
    body, key = {"name": "Realm"}, {"Idempotency-Key": "again"}

    first = await client.post("/api/v1/servers", json=body, headers=key)
    second = await client.post("/api/v1/servers", json=body, headers=key)

    assert (first.status_code, second.content) == (200, first.content)
    assert await left(database) == (0, 11, 0)


async def test_a_server_with_many_stops_and_the_rest_is_swept(client, database, settings, crowd):
    server = await GameServer.register(client)
    await server.join(*crowd)

    assert (await server.say("stop")).status_code == 200

    online = (await client.get("/api/v1/players/online/count")).json()["onlineCount"]
    assert online == 0
    await session_expiry.sweep(database, asyncio.Event())
    assert await left(database) == (0, 11, 0)
    assert (await check(settings, ONLINE)).wrong == []


@pytest.fixture(scope="module")
async def large() -> AsyncIterator[Settings]:
    name = f"gamekeeper_large_{uuid4().hex[:12]}"
    await admin(f"CREATE DATABASE {name}")
    settings = Settings(database_url=Hidden(SERVER.format(name)))
    await migrate(settings)
    command = [sys.executable, "-m", "gamekeeper", "demo", "--players", str(PLAYERS)]
    subprocess.run(command, env=environment(settings), check=True, stderr=subprocess.DEVNULL)
    yield settings
    await admin(f"DROP DATABASE {name} WITH (FORCE)")


@pytest.mark.slow
@pytest.mark.parametrize("way", ["registers", "dies"])
async def test_thirty_thousand_on_one_server(large, way):
    app = App(large)
    await app.start()
    async with Database.open(large) as database:
        key = await keys.create.one(database, keys.NewKey(by=BY, name=way))
        rows = await database.reader.rows("SELECT id FROM players ORDER BY id")
        async with httpx2.AsyncClient(
            transport=httpx2.ASGITransport(app),
            base_url="http://gamekeeper",
            headers={"Authorization": f"Bearer {key}"},
            timeout=120,
        ) as client:
            server = await GameServer.register(client)
            for first in range(0, PLAYERS, 500):
                await server.join(*(row["id"] for row in rows[first : first + 500]))
                await server.say("heartbeat")
            begun = time.monotonic()
            if way == "registers":
                await GameServer.register(client)
            else:
                await _expired(database, server)
                listed = await client.get("/api/v1/players/online?pageSize=100")
                assert (listed.status_code, listed.json()["Total"]) == (200, 0)
                await session_expiry.sweep(database, asyncio.Event())
            print(f"\n{PLAYERS:,} players, it {way}: {time.monotonic() - begun:.1f} s")
        count = "SELECT count(*) FROM presences WHERE server_id = $1"
        assert await database.reader.value(count, server.id) == 0
    await app.stop()


async def _expired(database: Database, server: GameServer) -> None:
    await database.write(
        lambda writer: writer.run(
            "UPDATE servers SET lease_until = now() - interval '1 second' WHERE id = $1", server.id
        )
    )
