"""A game server that registers, stays alive, and sends each transaction once."""

import asyncio
import time
from collections.abc import Callable
from contextlib import aclosing
from types import SimpleNamespace
from uuid import uuid4

import pytest
from gamekeeper_client import (
    APIError,
    AsyncGamekeeper,
    AsyncGameServer,
    Fenced,
    Gamekeeper,
    GameServer,
    RetryPolicy,
    Unreachable,
    game_server_state,
    moves,
)
from gamekeeper_client.logs import SaidMessage
from gamekeeper_client.records import Lease

from gamekeeper.db.database import Database
from tests.clients.proxies import proxying
from tests.deadlines import PATIENCE
from tests.make import make_class, make_item, make_player, make_user, make_variable


async def held(client: AsyncGamekeeper, player: object) -> int:
    return sum(slot["Quantity"] for slot in await client.players.inventory(str(player)))


async def test_what_is_queued_is_done_once_however_often_answers_are_lost(client, proxy, database):
    ana, potion = await make_player(database), await make_item(database)
    async with AsyncGameServer(client, "Lossy") as server:
        await server.join(ana)
        assert (await client.players.get(ana))["Online"]
        for _ in range(150):
            server.queue(moves.items(potion, 1, to=str(ana)))
        proxy.swallow = 3
        outcomes = await server.flush()
        assert [outcome["Status"] for outcome in outcomes] == [200] * 150
        assert server.pending == []
    assert await held(client, ana) == 150
    assert not (await client.players.get(ana))["Online"]


async def test_a_character_is_created_saved_and_deleted_by_its_server(client, database):
    owner, knight = await make_user(database), await make_class(database)
    async with AsyncGameServer(client, "Cradle") as server:
        made = await server.create(owner, "Newborn", knight, map_name="The gate", x=1)
        await server.join(made["Id"])
        server.save(made["Id"], x=7, vitals=[5, 6], equipment=[-1, 2])
        [outcome] = await server.flush()
        sheet = await client.players.sheet(made["Id"])
        with pytest.raises(APIError) as refusal:
            await client.players.delete(made["Id"])
        gone = await server.delete(made["Id"], reason="a test")
        with pytest.raises(APIError) as missing:
            await client.players.get(made["Id"])

    assert (made["Name"], made["MapName"], made["X"]) == ("Newborn", "The gate", 1)
    assert outcome["Status"] == 200
    assert (sheet["X"], sheet["Vitals"], sheet["Equipment"]) == (7, [5, 6], [-1, 2])
    assert refusal.value.code == "player_online"
    assert gone["Name"] == "Newborn"
    assert missing.value.status == 404


def test_a_server_that_was_replaced_creates_and_deletes_nothing(url, key):
    with Gamekeeper(url, key) as client:
        known = client.players.page(page_size=1)["Values"]
        with GameServer(client, "Twice") as server:
            client.servers.register("Twice", id=server.lease["Id"])
            with pytest.raises(Fenced):
                server.delete(known[0]["Id"] if known else "nobody")
            with pytest.raises(Fenced):
                server.create("nobody", "Ghost", "00000000-0000-0000-0000-000000000001")


async def test_a_server_hears_of_those_who_are_on_it(client, database):
    ana, ben = await make_player(database), await make_player(database)
    potion = await make_item(database)
    async with AsyncGameServer(client, "Listening") as server:
        place = (await client.events.page("latest"))["Next"]
        await server.join(ana)
        for player in (ana, ben, ana):
            await client.players.give(player, potion)
        async with asyncio.timeout(PATIENCE), aclosing(server.events(place)) as events:
            heard = [await anext(events) for _ in range(2)]
    assert [event["PlayerId"] for event in heard] == [str(ana)] * 2
    assert [event["Seq"] for event in heard] == [place + 1, place + 3]


async def test_what_could_not_be_sent_stays_and_another_process_sends_it(url, key, database):
    """The first was done, but nobody heard of it; the second process cannot know, and need not."""
    ana, potion = await make_player(database), await make_item(database)
    little = RetryPolicy(attempts=1)
    async with AsyncGamekeeper(url, key) as direct, proxying(url) as proxy:
        async with AsyncGamekeeper(proxy.url, key, retries=little) as cut:
            server = AsyncGameServer(cut, "Handed on")
            await server.__aenter__()
            await server.join(ana)
            server.queue(moves.items(potion, 5, to=str(ana)))
            proxy.swallow = 1
            with pytest.raises(Unreachable):
                await server.flush()
            journal = server.pending
            assert len(journal) == 1
            assert server._heart is not None
            server._heart.cancel()
        async with AsyncGameServer(direct, "Handed on", pending=journal) as successor:
            await successor.join(ana)
            [outcome] = await successor.flush()
            assert (outcome["Status"], outcome["Replayed"]) == (200, True)
        assert await held(direct, ana) == 5


async def test_one_that_cannot_be_read_does_not_keep_the_others(client, database):
    ana, potion = await make_player(database), await make_item(database)
    async with AsyncGameServer(client, "Mixed") as server:
        await server.join(ana)
        for number in range(9):
            server.queue(moves.items(potion, 1, to=str(ana)), key=f"good {number}")
            if number == 4:
                server.queue({"do": "dance"}, key="bad")
        outcomes = await server.flush()
    assert [outcome["Key"] for outcome in outcomes if outcome["Status"] != 200] == ["bad"]
    assert [outcome["Failure"] and outcome["Failure"]["Code"] for outcome in outcomes][
        5
    ] == "invalid_body"
    assert await held(client, ana) == 9


async def test_a_refused_transaction_is_an_outcome(client, database):
    ana, potion = await make_player(database), await make_item(database)
    karma = await make_variable(database)
    async with AsyncGameServer(client, "Refusing") as server:
        joined = await server.join(ana, "nobody")
        assert joined["Unknown"] == ["nobody"]
        server.queue(moves.items(potion, 1, from_=str(ana)))
        server.queue(moves.variable(str(ana), karma, 7), moves.progress(str(ana), gain=30))
        expected = [moves.Expected(player=str(ana), seq=99)]
        server.queue(moves.items(potion, 1, to=str(ana)), expected=expected)
        refused, done, stale = await server.flush()
        await server.bank(opened=[ana])
        assert (await client.players.get(ana))["InBank"]
    assert refused["Failure"]["Code"] == "not_enough_items"
    assert done["Done"]["Players"]
    assert stale["Failure"]["Code"] == "stale"
    assert (await client.players.get(ana))["Exp"] == 30


async def test_a_report_of_a_player_is_a_move(client, database):
    ana = await make_player(database, user=await make_user(database))
    ben = await make_player(database, user=await make_user(database))
    async with AsyncGameServer(client, "Reporting") as server:
        where = {"player": str(ana), "address": "198.51.100.30", "deviceid": "pc-30"}
        await server.join(ana, clients=[where])
        line = SaidMessage(id=str(uuid4()), playerid=str(ana), message="hello", channel="global")
        assert (await server.report_chat(line, line))["Stored"] == 1
        server.queue(moves.report(str(ana), str(ben), "spam", text="Ads."), key="report-1")
        server.queue(moves.report(str(ana), str(ana), "spam"))
        done, own = await server.flush()
    assert (done["Status"], own["Failure"] and own["Failure"]["Code"]) == (200, "own_report")
    found = await database.reader.rows("SELECT category, text FROM reports")
    assert [dict(row) for row in found] == [{"category": "spam", "text": "Ads."}]
    assert await database.reader.value("SELECT count(*) FROM user_devices") == 1


@pytest.fixture
def often(monkeypatch) -> None:
    """Heartbeats come more often than the service asks for."""
    monkeypatch.setattr(Lease, "heartbeat_seconds", 0.05)


@pytest.fixture
def later(monkeypatch) -> Callable[[float], None]:
    """Move the clock of game servers to an instant."""

    def move(instant: float) -> None:
        ahead = instant - time.monotonic()
        clock = SimpleNamespace(monotonic=lambda: time.monotonic() + ahead)
        monkeypatch.setattr(game_server_state, "time", clock)

    return move


async def renewed(server: AsyncGameServer | GameServer, database: Database) -> float:
    """Wait until heartbeats have renewed a lease, for both sides; an instant after its end."""
    name, beyond = server.name, server._ends + 0.1
    soon = "UPDATE servers SET lease_until = now() + interval '5 seconds' WHERE name = $1"
    left = "SELECT extract(epoch FROM lease_until - now()) FROM servers WHERE name = $1"
    await database.write(lambda writer: writer.run(soon, name))
    async with asyncio.timeout(PATIENCE):
        while server._ends < beyond + 0.1 or await database.reader.value(left, name) < 10:
            await asyncio.sleep(0.02)
    return beyond


async def test_who_is_replaced_hears_of_it_by_a_heartbeat(client, database, often, later):
    ana, potion = await make_player(database), await make_item(database)
    async with AsyncGameServer(client, "Contested") as old:
        await old.join(ana)
        later(await renewed(old, database))
        assert not old.fenced, "heartbeats keep it alive beyond its lease"
        later(time.monotonic())
        async with AsyncGameServer(client, "Contested") as new:
            await new.join(ana)
            await asyncio.wait_for(_until_fenced(old), PATIENCE)
            old.queue(moves.items(potion, 1, to=str(ana)))
            with pytest.raises(Fenced):
                await old.flush()
            assert len(old.pending) == 1
            assert not new.fenced
        old._pending.clear()
    assert await held(client, ana) == 0


async def _until_fenced(server: AsyncGameServer) -> None:
    while not server.fenced:
        await asyncio.sleep(0.02)


async def test_who_cannot_renew_its_lease_knows_without_being_told(client, proxy, later):
    async with AsyncGameServer(client, "Cut off") as server:
        proxy.target = "http://127.0.0.1:1"
        await proxy.cut()
        later(server._ends - 5)
        assert not server.fenced
        later(server._ends)
        assert server.fenced
        with pytest.raises(Fenced):
            await server.join("anybody")


async def test_a_game_server_with_a_thread(url, key, client, database, often, later):
    ana, potion = await make_player(database), await make_item(database)
    loop = asyncio.get_running_loop()

    def play() -> None:
        with Gamekeeper(url, key) as client, GameServer(client, "Threaded") as server:
            place = client.events.page("latest")["Next"]
            server.join(ana)
            later(asyncio.run_coroutine_threadsafe(renewed(server, database), loop).result())
            assert not server.fenced
            later(time.monotonic())
            server.queue(moves.items(potion, 2, to=str(ana)))
            server.flush()
            assert next(server.events(place))["PlayerId"] == str(ana)
            client.servers.register("Threaded")
            with pytest.raises(Fenced):
                server.leave(ana)
            assert server.fenced

    await asyncio.to_thread(play)
    assert await held(client, ana) == 2
