"""Who waits for a command, or for its answer, is woken when it comes."""

import asyncio
from collections.abc import AsyncIterator, Awaitable
from contextlib import asynccontextmanager
from time import monotonic
from uuid import uuid4

import httpx2
import pytest

from gamekeeper.api import long_poll
from gamekeeper.app import App
from gamekeeper.auth import authenticator, keys
from tests.commands.orders import Orders, answer, code, fetch, fetched_ids
from tests.deadlines import PATIENCE
from tests.make import BY
from tests.servers.game_server import GameServer


@pytest.fixture(autouse=True)
def nobody_polls(monkeypatch):
    """So that only a ring can wake anybody in time."""
    monkeypatch.setattr(long_poll, "POLL_SECONDS", 600.0)


@asynccontextmanager
async def another_process(settings, client) -> AsyncIterator[httpx2.AsyncClient]:
    """A second application on the same database, with connections of its own."""
    app = App(settings)
    await app.start()
    async with httpx2.AsyncClient(
        transport=httpx2.ASGITransport(app), base_url="http://two", headers=client.headers
    ) as other:
        yield other
    await app.stop()


async def begun(database) -> None:
    """Wait until somebody listens for rings."""
    async with asyncio.timeout(PATIENCE):
        while not await database.reader.value(
            "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()"
            " AND query LIKE 'LISTEN%gamekeeper_commands%'"
        ):
            await asyncio.sleep(0.02)


async def test_a_waiting_server_gets_a_command_at_once(settings, client, database, realm, ana):
    """Also one that was sent to another process of the service."""
    waiting = asyncio.create_task(fetched_ids(realm, wait=30))
    await begun(database)

    async with another_process(settings, client) as other:
        sent = await Orders(other).send(ana)

    async with asyncio.timeout(PATIENCE):
        assert await waiting == [sent["Id"]]


async def test_who_asks_learns_the_answer_at_once(settings, client, database, orders, realm, ana):
    sent = await orders.send(ana)
    waiting = asyncio.create_task(orders.find(sent, wait=30))
    await begun(database)

    await fetch(realm)
    await answer(realm, sent, text="gone")

    async with asyncio.timeout(PATIENCE):
        found = await waiting
    assert (found["State"], found["Answer"]) == ("done", "gone")


async def test_a_wait_ends_when_its_time_is_over(client, orders, realm, ana):
    sent = await orders.send(ana, seconds=60)
    idle = await GameServer.register(client, "Idle")

    async def timed(wait: Awaitable[object]) -> tuple[object, bool]:
        begun = monotonic()
        return await wait, 1 <= monotonic() - begun < PATIENCE

    fetched, found = await asyncio.gather(
        timed(fetch(idle, wait=1)), timed(orders.find(sent, wait=1))
    )
    assert fetched == ([], True)
    assert (found[0]["State"], found[1]) == ("waiting", True)


async def test_what_is_settled_is_not_waited_for(orders, realm, ana):
    sent = await orders.send(ana)
    await fetch(realm)
    await answer(realm, sent)

    async with asyncio.timeout(PATIENCE):
        assert (await orders.find(sent, wait=30))["State"] == "done"


async def test_a_server_that_is_replaced_while_it_waits_is_told(
    client, database, orders, realm, ana, monkeypatch
):
    monkeypatch.setattr(long_poll, "POLL_SECONDS", 0.1)
    waiting = asyncio.create_task(realm.say("commands/fetch", wait=30))
    await begun(database)

    await GameServer.register(client)

    async with asyncio.timeout(PATIENCE):
        assert code(await waiting) == (409, "fenced")


async def test_a_revoked_key_does_not_wait_any_longer(client, database, monkeypatch):
    monkeypatch.setattr(long_poll, "POLL_SECONDS", 0.1)
    monkeypatch.setattr(authenticator, "REMEMBERED_SECONDS", 0.2)
    key = await keys.create.one(database, keys.NewKey(by=BY, name="doomed"))
    headers = {"Authorization": f"Bearer {key}"}
    lease = (await client.post("/api/v1/servers", json={"name": "A"}, headers=headers)).json()
    waiting = asyncio.create_task(
        client.post(
            f"/api/v1/servers/{lease['Id']}/commands/fetch",
            json={"fence": lease["Fence"], "wait": 30},
            headers=headers,
        )
    )
    await begun(database)

    await keys.revoke.one(database, keys.Revocation(by=BY, key="doomed"))

    async with asyncio.timeout(PATIENCE):
        assert (await waiting).status_code == 401


async def test_a_stopping_process_lets_everybody_go(settings, client, database, realm):
    app = App(settings)
    await app.start()
    async with httpx2.AsyncClient(
        transport=httpx2.ASGITransport(app), base_url="http://two", headers=client.headers
    ) as other:
        waiting = asyncio.create_task(
            other.post(
                f"/api/v1/servers/{realm.id}/commands/fetch",
                json={"fence": realm.fence, "wait": 30},
            )
        )
        await begun(database)
        app.end_waits()
        async with asyncio.timeout(PATIENCE):
            assert (await waiting).json() == {"Values": []}
    await app.stop()


async def test_a_lost_connection_is_replaced(client, database, orders, realm, ana):
    waiting = asyncio.create_task(fetched_ids(realm, wait=30))
    await begun(database)
    await database.write(
        lambda writer: writer.rows(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
            " WHERE datname = current_database() AND query LIKE 'LISTEN%'"
        )
    )

    sent = await orders.send(ana)

    async with asyncio.timeout(PATIENCE):
        assert await waiting == [sent["Id"]]


async def test_an_unknown_command_is_not_waited_for(client):
    answer = await client.get(f"/api/v1/commands/{uuid4()}?wait=30")

    assert code(answer) == (404, "command_not_found")


async def test_the_stream_of_a_server_tells_of_its_commands(client, database, orders, realm, ana):
    other = await GameServer.register(client, "Other")
    after = (await client.get("/api/v1/events?after=latest")).json()["Next"]
    to_ana, to_realm = await orders.send(ana), await orders.send_server(realm.id)
    to_other = await orders.send_server(other.id)
    last = await database.reader.value("SELECT count(*) FROM actions")

    async def told(server: GameServer) -> set[str]:
        seen: set[str] = set()
        place = after
        async with asyncio.timeout(PATIENCE):
            while place < last:
                path = f"/api/v1/events?server={server.id}&after={place}"
                page = (await client.get(path)).json()
                seen |= {event["After"]["command_id"] for event in page["Values"]}
                place = page["Next"]
                await asyncio.sleep(0.02)
        return seen

    assert await told(realm) == {to_ana["Id"], to_realm["Id"]}
    assert await told(other) == {to_other["Id"]}
