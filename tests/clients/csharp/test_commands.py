"""Commands to a game server in C#: each carried out at most once, and answered once."""

import pytest

from tests.clients.csharp.conftest import Play
from tests.clients.proxies import Proxy
from tests.make import make_player

pytestmark = pytest.mark.engines


async def test_a_kick_is_carried_out_and_answered(play: Play, direct, database, proxy: Proxy):
    ana = str(await make_player(database))
    async with play() as game:
        game.tell("online", players=[ana])
        await game.hear("PlayerJoined")
        kick = await direct.commands.send(ana, "kick", text="Enough.")
        kill = await direct.commands.send(ana, "kill")
        done = await direct.commands.get(kick["Id"], wait=30)
        failed = await direct.commands.get(kill["Id"], wait=30)
        heard = await game.hear("Command", 2)
    assert (done["State"], done["Answer"]) == ("done", "done")
    assert (failed["State"], failed["Answer"]) == ("failed", "It is immortal.")
    assert [(command["kind"], command["player"], command["again"]) for command in heard] == [
        ("kick", ana, False),
        ("kill", ana, False),
    ]
    assert heard[0]["payload"] == {"Text": "Enough."}


async def test_lost_answers_do_not_repeat_a_command(play: Play, direct, database, proxy: Proxy):
    ana = str(await make_player(database))
    async with play(timeout=3) as game:
        game.tell("online", players=[ana])
        await game.hear("PlayerJoined")
        for number in range(5):
            proxy.swallow = 2
            sent = await direct.commands.send(ana, "message", text=f"{number}")
            done = await direct.commands.get(sent["Id"], wait=30)
            while done["State"] in ("waiting", "delivered"):
                done = await direct.commands.get(sent["Id"], wait=30)
            assert done["State"] == "done"
    assert [one["payload"]["Text"] for one in game.heard("Command")] == list("01234")


async def test_what_a_crash_interrupted_is_said_and_not_repeated(play: Play, direct, database):
    ana = str(await make_player(database))
    async with play() as first:
        first.tell("online", players=[ana])
        await first.hear("PlayerJoined")
        sent = await direct.commands.send(ana, "custom", payload={"hold": True}, seconds=600)
        await first.hear("Command")
        await first.kill()
    async with play() as second:
        second.tell("online", players=[ana])
        await second.hear("PlayerJoined")
        done = await direct.commands.get(sent["Id"], wait=30)
    assert done["State"] == "failed"
    assert "may have been done" in done["Answer"]
    assert not second.heard("Command")


async def test_a_clean_stop_says_what_was_not_done(play: Play, direct, database):
    ana = str(await make_player(database))
    async with play() as game:
        game.tell("online", players=[ana])
        await game.hear("PlayerJoined")
        game.tell("sleep", seconds=5)
        game.tell("stop", seconds=20)
        sent = await direct.commands.send(ana, "message", text="Hello")
        await game.hear("stopped", all=True)
        done = await direct.commands.get(sent["Id"], wait=1)
    assert (done["State"], done["Answer"]) == ("failed", "The server stopped before it did this.")
    assert not game.heard("Command")
