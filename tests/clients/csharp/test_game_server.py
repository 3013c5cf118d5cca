"""A game server in C#: its lease, who is on it, and each gift exactly once."""

import asyncio
from pathlib import Path
from uuid import UUID, uuid4

import pytest
from gamekeeper_client import AsyncGamekeeper

from gamekeeper.auth import keys
from gamekeeper.db.database import Database
from tests.clients.csharp.conftest import Play
from tests.clients.csharp.games import playing
from tests.clients.proxies import Proxy, proxying
from tests.deadlines import until
from tests.make import BY, make_item, make_player
from tests.server import serving

pytestmark = pytest.mark.engines

SHORT = {"GAMEKEEPER_LEASE_SECONDS": "3", "GAMEKEEPER_HEARTBEAT_SECONDS": "1"}


async def coin(database: Database) -> UUID:
    return await make_item(database, "Coin", inventory_stack=1_000_000)


async def held(client: AsyncGamekeeper, player: object) -> int:
    return sum(slot["Quantity"] for slot in await client.players.inventory(str(player)))


async def is_online(client: AsyncGamekeeper, player: object) -> bool:
    return (await client.players.get(str(player)))["Online"]


async def test_who_comes_joins_and_who_goes_leaves(play: Play, direct, database):
    ana, ben = [await make_player(database) for _ in range(2)]
    nobody = "00000000-0000-4000-8000-00000000dead"
    async with play() as game:
        game.tell("online", players=[ana, ben, nobody])
        game.tell("bank", players=[ana])
        await game.hear("PlayerJoined", 2)
        [refused] = await game.hear("JoinRefused")
        await until(lambda: _in_bank(direct, ana), "the bank window is open")
        game.tell("online", players=[ben])
        await until(lambda: is_offline(direct, ana), "ana left")
        assert await is_online(direct, ben)
        stopped = await game.stop()
    assert refused["player"] == nobody
    assert stopped["all"]
    assert not await is_online(direct, ben), "a clean stop does not wait for the lease to end"


async def _in_bank(client: AsyncGamekeeper, player: object) -> bool:
    return (await client.players.get(str(player)))["InBank"]


async def is_offline(client: AsyncGamekeeper, player: object) -> bool:
    return not await is_online(client, player)


async def test_more_than_a_thousand_join_in_batches(play: Play, direct, database):
    """The service refuses more at once. Most of these it does not know, and says so of each."""
    ana, strangers = await make_player(database), [uuid4() for _ in range(1_004)]
    async with play() as game:
        game.tell("online", players=[*strangers, ana])
        await game.hear("JoinRefused", 1_004, code="unknown")
        await game.hear("PlayerJoined", player=str(ana))
        game.tell("online", players=strangers)
        await until(lambda: is_offline(direct, ana), "ana left")
    assert len(game.heard("JoinRefused")) == 1_004, "nobody is asked for twice"


async def test_a_thousand_gifts_through_a_bad_line_arrive_once_each(
    play: Play, direct, database, proxy: Proxy
):
    """Connections break all the time, with the answer on its way or before the request."""
    ana, gold = await make_player(database), await coin(database)
    async with play(timeout=5) as game:
        game.tell("online", players=[ana])
        await game.hear("PlayerJoined")
        breaking = asyncio.create_task(_break(proxy))
        for _ in range(20):
            game.tell("give", player=ana, item=gold, times=50)
            await asyncio.sleep(0.1)
        outcomes = await game.hear("Outcome", 1_000)
        await breaking
        stopped = await game.stop()
    assert {outcome["status"] for outcome in outcomes} == {200}
    assert len({outcome["key"] for outcome in outcomes}) == len(outcomes) == 1_000
    assert any(outcome["replayed"] for outcome in outcomes), "no answer was lost: nothing was tried"
    assert await held(direct, ana) == 1_000
    assert stopped["all"]
    assert stopped["longest"] < 1_000, "the game's thread waited for something"


async def _break(proxy: Proxy) -> None:
    for _ in range(10):
        proxy.swallow = 1
        await asyncio.sleep(0.5)
        await proxy.cut()
        await asyncio.sleep(0.5)


async def test_killed_in_the_middle_the_next_process_sends_the_rest(
    play: Play, direct, database, proxy: Proxy
):
    ana, gold = await make_player(database), await coin(database)
    async with play() as first:
        first.tell("online", players=[ana])
        first.tell("give", player=ana, item=gold, times=1_000)
        await first.hear("written")
        await first.hear("Outcome", 200)
        proxy.swallow = 1
        await first.kill()
        known = len(first.heard("Outcome"))
    assert known < 1_000
    assert await held(direct, ana) < 1_000, "it was killed too late"
    async with play() as second:
        second.tell("online", players=[ana])
        await until(lambda: _holds(direct, ana, 1_000), "the rest was sent")
        outcomes = await second.hear("Outcome")
        assert (await second.stop())["all"]
        assert await held(direct, ana) == 1_000
    async with play() as third:
        third.tell("online", players=[ana])
        await third.hear("PlayerJoined")
        assert (await third.stop())["all"]
    assert not third.heard("Outcome")
    assert {outcome["status"] for outcome in outcomes} == {200}
    assert await held(direct, ana) == 1_000


async def _holds(client: AsyncGamekeeper, player: object, number: int) -> bool:
    return await held(client, player) >= number


async def test_what_is_left_waits_for_its_character(play: Play, direct, database):
    """The player comes back after the restart, not before it: so it is not refused meanwhile."""
    ana, ben, gold = await make_player(database), await make_player(database), await coin(database)
    async with play(url="http://127.0.0.1:1") as cut_off:
        cut_off.tell("give", player=ana, item=gold, key="waits")
        cut_off.tell("give", player=ben, item=gold, key="anywhere", anywhere=True)
        await cut_off.hear("written", 2)
        await cut_off.kill()
    async with play() as second:
        [anywhere] = await second.hear("Outcome")
        second.tell("online", players=[ben])
        await second.hear("PlayerJoined")
        assert await held(direct, ana) == 0
        second.tell("online", players=[ana, ben])
        await second.hear("Outcome", 2)
    assert (anywhere["key"], anywhere["status"]) == ("anywhere", 200)
    assert [one["key"] for one in second.heard("Outcome")] == ["anywhere", "waits"]
    assert (await held(direct, ana), await held(direct, ben)) == (1, 1)


async def test_what_waits_too_long_is_refused_and_said(play: Play, direct, database):
    ana, gold = await make_player(database), await coin(database)
    async with play(url="http://127.0.0.1:1") as cut_off:
        cut_off.tell("give", player=ana, item=gold)
        await cut_off.hear("written")
        await cut_off.kill()
    async with play(rejoin=1) as game:
        [outcome] = await game.hear("Outcome")
    assert outcome["fenced"]
    assert await held(direct, ana) == 0


async def test_the_last_deed_is_sent_before_its_character_leaves(play: Play, direct, database):
    ana, gold = await make_player(database), await coin(database)
    async with play() as game:
        await game.hear("LeaseTaken")
        for _ in range(30):
            game.tell("online", players=[ana])
            game.tell("give", player=ana, item=gold)
            game.tell("online", players=[])
        outcomes = await game.hear("Outcome", 30)
        assert (await game.stop())["all"]
    assert {outcome["status"] for outcome in outcomes} == {200}
    assert await held(direct, ana) == 30
    assert not await is_online(direct, ana)


async def test_after_a_stop_the_game_may_still_call(play: Play, database):
    ana, gold = await make_player(database), await coin(database)
    async with play() as game:
        await game.hear("LeaseTaken")
        assert (await game.stop())["all"]
        game.tell("online", players=[ana])
        game.tell("give", player=ana, item=gold)
        [fault] = await game.hear("fault")
        game.tell("stop")
        assert [one["all"] for one in await game.hear("stopped", 2)] == [True, True]
    assert fault["message"] == "The game server is not running."
    assert not game.heard("PlayerJoined")


async def test_refusals_have_their_types(play: Play, direct, database):
    ana, gold = await make_player(database), await coin(database)
    async with play() as game:
        game.tell("online", players=[ana])
        await game.hear("PlayerJoined")
        game.tell("give", player=ana, item=gold, take=True, key="takes")
        game.tell("give", player=ana, item=gold, seq=99, key="stale")
        game.tell("give", player=ana, item="00000000-0000-4000-8000-00000000dead", key="unknown")
        game.tell("give", player=ana, item=gold, key="good")
        await game.hear("Outcome", 4)
        game.tell("call", method="GET", path="/api/v1/players/nobody")
        game.tell("call", method="POST", path=f"/api/v1/servers/{ana}/heartbeat", body={"fence": 1})
        calls = await game.hear("called", 2)
    codes = {one["key"]: one["code"] for one in game.heard("Outcome")}
    assert codes == {
        "takes": "not_enough_items",
        "stale": "stale",
        "unknown": "unknown_item",
        "good": None,
    }
    assert [one["stale"] for one in game.heard("Outcome", key="stale")] == [True]
    assert {call["code"] for call in calls} == {"player_not_found", "server_not_found"}
    assert all(call["request"] for call in calls)
    assert await held(direct, ana) == 1


async def test_who_is_replaced_stops_and_does_not_fight(play: Play, direct, database, tmp_path):
    ana, gold = await make_player(database), await coin(database)
    async with play() as first:
        first.tell("online", players=[ana])
        await first.hear("PlayerJoined")
        async with play(journal=tmp_path / "other") as second:
            await second.hear("LeaseTaken")
            second.tell("online", players=[ana])
            await second.hear("PlayerJoined")
            first.tell("give", player=ana, item=gold)
            [lost] = await first.hear("LeaseLost")
            assert lost["replaced"]
            second.tell("give", player=ana, item=gold)
            await second.hear("Outcome", status=200)
            await asyncio.sleep(2)
            assert len(first.heard("LeaseTaken")) == len(second.heard("LeaseTaken")) == 1
            assert not second.heard("LeaseLost")
            assert not first.heard("Outcome")
            first.tell("takeover")
            await first.hear("LeaseTaken", 2)
            await first.hear("PlayerJoined", 2)
            await first.hear("Outcome", status=200)
            second.tell("give", player=ana, item=gold)
            await second.hear("LeaseLost", replaced=True)
    assert await held(direct, ana) == 2


async def test_the_service_is_away_for_longer_than_a_lease(
    program: Path, settings, key, database, tmp_path
):
    """It registers and lets everybody join again by itself; what was queued meanwhile is sent."""
    ana, gold = await make_player(database), await coin(database)
    with serving(settings, tmp_path / "log", **SHORT) as (url, _):
        async with (
            proxying(url) as proxy,
            AsyncGamekeeper(url, key) as direct,
            playing(
                program, url=proxy.url, key=key, name="Away", journal=tmp_path / "journal"
            ) as game,
        ):
            game.tell("online", players=[ana])
            await game.hear("PlayerJoined")
            await asyncio.sleep(4)
            assert not game.heard("LeaseLost"), "heartbeats keep it alive beyond its lease"
            target, proxy.target = proxy.target, "http://127.0.0.1:1"
            await proxy.cut()
            game.tell("give", player=ana, item=gold, times=5)
            [lost] = await game.hear("LeaseLost")
            assert not lost["replaced"]
            proxy.target = target
            await game.hear("LeaseTaken", 2)
            await game.hear("Outcome", 5, status=200)
            assert (await game.stop())["all"]
            assert await held(direct, ana) == 5


async def test_a_frozen_process_whose_lease_ended_goes_on(
    program: Path, settings, key, database, tmp_path
):
    """Its own clock may say nothing of it: the service says fenced, and nobody has replaced it."""
    ana, gold = await make_player(database), await coin(database)
    with serving(settings, tmp_path / "log", **SHORT) as (url, _):
        async with (
            AsyncGamekeeper(url, key) as direct,
            playing(program, url=url, key=key, name="Frozen", journal=tmp_path / "journal") as game,
        ):
            game.tell("online", players=[ana])
            await game.hear("PlayerJoined")
            game.process.send_signal(19)
            await asyncio.sleep(4)
            game.process.send_signal(18)
            await game.hear("LeaseTaken", 2)
            assert not game.heard("LeaseLost", replaced=True)
            game.tell("give", player=ana, item=gold)
            await game.hear("Outcome", status=200)
            assert await held(direct, ana) == 1


async def test_a_line_that_is_open_and_dead_is_given_up(play: Play, direct, database, proxy: Proxy):
    """Nothing is closed and nothing comes: only the clock tells."""
    ana, gold = await make_player(database), await coin(database)
    async with play(timeout=1) as game:
        game.tell("online", players=[ana])
        await game.hear("PlayerJoined")
        proxy.silent = True
        game.tell("give", player=ana, item=gold, times=3)
        await game.hear("Trouble", what="send")
        proxy.silent = False
        outcomes = await game.hear("Outcome", 3, status=200)
        assert (await game.stop())["all"]
    assert any(outcome["replayed"] for outcome in outcomes)
    assert await held(direct, ana) == 3


async def test_who_may_send_little_waits_as_long_as_it_is_told(
    play: Play, direct, database, proxy: Proxy
):
    new = keys.NewKey(by=BY, name="slow", rates="write 2/second")
    slow = str(await keys.create.one(database, new))
    ana, gold = await make_player(database), await coin(database)
    async with play(key=slow) as game:
        game.tell("online", players=[ana])
        await game.hear("PlayerJoined")
        for number in range(10):
            game.tell("give", player=ana, item=gold, times=5)
            await game.hear("written", number + 1)
        await game.hear("Outcome", 50, status=200)
        assert any("429" in one["why"] for one in game.heard("Trouble")), "nothing was refused"
    assert await held(direct, ana) == 50
