"""The plugin for an Intersect server, with stand-ins for the engine, on a real server."""

from collections.abc import AsyncIterator
from datetime import UTC, datetime
from pathlib import Path
from uuid import uuid4

import pytest
from gamekeeper_client import AsyncGamekeeper

from gamekeeper.db.database import Database
from tests.clients.csharp.games import ROOT, Game, compiled, playing
from tests.clients.csharp.test_game_server import is_offline, is_online
from tests.deadlines import until
from tests.make import make_player

pytestmark = pytest.mark.engines

HERE = Path(__file__).parent


@pytest.fixture(scope="session")
def engine(library: Path) -> Path:
    sources = [ROOT / "examples/intersect-plugin", HERE / "engine"]
    return compiled(library.with_name("engine.exe"), *sources, library=library)


@pytest.fixture
async def game(engine: Path, url: str, key: str, tmp_path: Path) -> AsyncIterator[Game]:
    wanted = {"url": url, "key": key, "name": tmp_path.name, "journal": tmp_path / "journal"}
    async with playing(engine, **wanted) as game:
        yield game


async def account(database: Database, player: object) -> str:
    sql = "SELECT user_id FROM players WHERE id = $1"
    return str(await database.reader.value(sql, player))


async def test_players_come_and_go_with_the_engine(game: Game, direct: AsyncGamekeeper, database):
    ana = await make_player(database)
    game.tell("login", player=ana)
    await until(lambda: is_online(direct, ana), "ana is online")
    game.tell("logout", player=ana)
    await until(lambda: is_offline(direct, ana), "ana left")
    game.tell("exit")
    await game.hear("stopped")


async def test_commands_are_carried_out_in_the_engine(game: Game, direct, database):
    ana, castle = str(await make_player(database)), str(uuid4())
    game.tell("login", player=ana)
    await until(lambda: is_online(direct, ana), "ana is online")
    sent = {
        "message": await direct.commands.send(ana, "message", text="Hello"),
        "warp": await direct.commands.send(ana, "warp", map_id=castle, x=3, y=4),
        "kill": await direct.commands.send(ana, "kill"),
        "custom": await direct.commands.send(ana, "custom", payload={"dance": True}),
        "kick": await direct.commands.send(ana, "kick", text="Enough."),
    }
    states = {}
    for kind, command in sent.items():
        done = await direct.commands.get(command["Id"], wait=30)
        states[kind] = (done["State"], done["Answer"])
    assert states == {
        "message": ("done", None),
        "warp": ("done", None),
        "kill": ("failed", "The game failed: InvalidOperationException."),
        "custom": ("failed", "This server does not know that custom command."),
        "kick": ("done", None),
    }
    assert [one["text"] for one in game.heard("send")] == ["Hello"]
    assert [one["text"] for one in game.heard("warp")] == [f"{castle} 3 4"]
    assert [one["text"] for one in game.heard("kick")] == ["Enough."]


async def test_what_the_shop_sold_waits_and_is_given_once(game: Game, direct, database):
    """The receipt is the answer to the command."""
    ana, sword = str(await make_player(database)), str(uuid4())
    order = {"deliver": {"item": sword, "quantity": 7}}
    first, second = [
        await direct.commands.send(
            ana, "custom", payload=order, when="next_join", idempotency_key=f"{ana}-{number}"
        )
        for number in range(2)
    ]
    again = await direct.commands.send(
        ana, "custom", payload=order, when="next_join", idempotency_key=f"{ana}-0"
    )
    assert again["Id"] == first["Id"], "the shop may ask twice"
    game.tell("login", player=ana)
    done = await direct.commands.get(first["Id"], wait=30)
    full = await direct.commands.get(second["Id"], wait=30)
    assert done["State"] == "done"
    assert (full["State"], full["Answer"]) == ("failed", "There is no room for it.")
    assert [one["text"] for one in game.heard("give")] == [f"{sword} 7"]


async def test_sanctions_reach_who_plays(game: Game, direct, database):
    ana = await make_player(database)
    user = await account(database, ana)
    game.tell("login", player=ana, account=user)
    await until(lambda: is_online(direct, ana), "ana is online")
    mutes = [
        await direct.sanctions.impose(
            user=user, kind="mute", reason="a test", message=f"No. {number}"
        )
        for number in range(2)
    ]
    await game.hear("mute", 2)
    for mute in mutes:
        assert not game.heard("unmute"), "the other one is still in force"
        await direct.sanctions.lift(mute["Id"], "a test")
    await game.hear("unmute")
    await direct.sanctions.impose(user=user, kind="ban", reason="a test", message="Goodbye.")
    await game.hear("kick")
    await until(lambda: is_offline(direct, ana), "ana left")
    game.tell("login", player=ana, account=user)
    await game.hear("kick", 2)
    assert [one["text"] for one in game.heard("mute")] == ["No. 0 for ever", "No. 1 for ever"]
    assert not await is_online(direct, ana)


async def test_who_is_muted_when_they_come_is_muted_in_the_engine(game: Game, direct, database):
    ana = await make_player(database)
    await direct.sanctions.impose(
        player=str(ana),
        kind="mute",
        reason="a test",
        message="Be quiet.",
        until=datetime(2099, 1, 1, tzinfo=UTC),
    )
    game.tell("login", player=ana)
    [mute] = await game.hear("mute")
    assert (mute["player"], mute["text"]) == (str(ana), "Be quiet. until 2099")
