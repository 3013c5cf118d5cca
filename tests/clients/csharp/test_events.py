"""Events of those who are on a game server in C#: none missed, none told twice."""

import asyncio
from pathlib import Path

import pytest
from gamekeeper_client import AsyncGamekeeper

from gamekeeper.db.database import Database
from tests.clients.csharp.conftest import Play
from tests.clients.csharp.games import Game
from tests.clients.proxies import Proxy
from tests.make import make_item, make_player

pytestmark = pytest.mark.engines


async def give(client: AsyncGamekeeper, player: object, item: object, number: int) -> None:
    for _ in range(number):
        await client.players.give(str(player), str(item))


def totals(game: Game) -> list[int]:
    return [one["total"] for one in game.heard("GameEvent")]


@pytest.mark.parametrize("long_poll", [False, True])
async def test_a_cut_line_loses_nothing(
    play: Play, direct, database: Database, proxy: Proxy, *, long_poll: bool
):
    ana, ben = await make_player(database), await make_player(database)
    gem = await make_item(database, "Gem", inventory_stack=1_000)
    async with play(longPoll=long_poll, kinds=["items.give"]) as game:
        game.tell("online", players=[ana])
        await game.hear("PlayerJoined")
        await give(direct, ana, gem, 5)
        await game.hear("GameEvent", 5)
        for _ in range(3):
            target, proxy.target = proxy.target, "http://127.0.0.1:1"
            await proxy.cut()
            await give(direct, ana, gem, 5)
            await give(direct, ben, gem, 1)
            proxy.target = target
            await give(direct, ana, gem, 5)
        await game.hear("GameEvent", 35)
        await asyncio.sleep(1)
    assert totals(game) == list(range(1, 36))


async def test_events_that_nobody_has_are_said(play: Play, direct, database: Database):
    """A place that was never reached: a backup was restored."""
    ana, gem = await make_player(database), await make_item(database)
    await give(direct, ana, gem, 1)
    async with play(eventsAfter=10**9, kinds=["items.give"]) as game:
        game.tell("online", players=[ana])
        await game.hear("PlayerJoined")
        [missed] = await game.hear("EventsMissed")
        await give(direct, ana, gem, 1)
        await game.hear("GameEvent", total=2)
    assert missed["code"] == "events_unknown"
    assert 0 < missed["next"] < 10**9


async def test_expired_events_are_said(play: Play, direct, database: Database):
    ana, gem = await make_player(database), await make_item(database)
    begin = (await direct.events.page("latest"))["Next"]
    await give(direct, ana, gem, 3)
    assert len((await direct.events.page(begin, wait=30, kinds="items.give"))["Values"]) > 0
    sql = "UPDATE chain SET action_at = action_at - interval '1000 days' WHERE seq <= $1"
    await database.write(lambda writer: writer.run(sql, begin + 1))
    async with play(eventsAfter=1, kinds=["items.give"]) as game:
        [missed] = await game.hear("EventsMissed")
    assert missed["code"] == "events_expired"
    assert missed["next"] >= begin + 1


def test_nothing_here_uses_the_clock_on_the_wall():
    """It may jump; a lease must not. Only a chat line says when it was sent."""
    library = Path(__file__).parents[3] / "clients/csharp/src"
    found = [file.name for file in library.glob("*.cs") if "DateTime" in file.read_text()]
    assert found == ["ChatLine.cs"]
