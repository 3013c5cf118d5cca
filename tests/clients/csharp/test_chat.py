"""A game server in C#: its chat, reports of players, and where players are connected from."""

import asyncio
from datetime import timedelta
from uuid import UUID, uuid4

import pytest

from gamekeeper.db.database import Database
from gamekeeper.moderation import access_bans
from gamekeeper.moderation.access_bans import AccessImposition
from tests.clients.csharp.conftest import Play
from tests.clients.csharp.test_game_server import _break, is_online
from tests.clients.proxies import Proxy
from tests.deadlines import until
from tests.linked.rows import device_of
from tests.make import BY, make_player, make_user

pytestmark = pytest.mark.engines


async def stored(database: Database, player: UUID) -> list[str]:
    rows = await database.reader.rows(
        "SELECT message FROM chat_messages WHERE player_id = $1 ORDER BY said_at, message", player
    )
    return [row["message"] for row in rows]


async def test_chat_through_a_bad_line_arrives_once_each(play: Play, database, proxy: Proxy):
    ana = await make_player(database)
    said = [f"word {number:03}" for number in range(700)]
    async with play(timeout=5) as game:
        game.tell("online", players=[ana])
        await game.hear("PlayerJoined")
        breaking = asyncio.create_task(_break(proxy))
        for at in range(0, len(said), 35):
            game.tell("chat", player=ana, channel="global", messages=said[at : at + 35])
            await asyncio.sleep(0.2)
        await breaking
        stopped = await game.stop()

    assert sorted(await stored(database, ana)) == said
    assert stopped["longest"] < 1_000, "the game's thread waited for something"


async def test_a_report_keeps_the_chat_before_it(play: Play, database):
    """Chat goes first, so that the line that a player means is there when the report arrives."""
    ana = await make_player(database, user=await make_user(database))
    ben = await make_player(database, user=await make_user(database))
    async with play() as game:
        game.tell("online", players=[ana, ben])
        await game.hear("PlayerJoined", 2)
        game.tell("chat", player=ben, channel="global", messages=["hello", "you thief"])
        meant = (await game.hear("logged", 2))[1]["id"]
        about = {"player": ana, "reported": ben, "category": "harassment", "text": "He insults me."}
        game.tell("report", **about, messages=[meant], key="report-1")
        [outcome] = await game.hear("Outcome", key="report-1")
        await game.stop()

    assert outcome["status"] == 200
    [report] = await database.reader.rows("SELECT id, category, text FROM reports")
    assert (report["category"], report["text"]) == ("harassment", "He insults me.")
    frozen = await database.reader.rows(
        "SELECT message, message_id FROM report_excerpts WHERE report_id = $1 ORDER BY said_at",
        report["id"],
    )
    assert [row["message"] for row in frozen] == ["hello", "you thief"]
    assert str(frozen[1]["message_id"]) == meant


async def test_a_line_that_is_refused_does_not_keep_the_others(play: Play, database):
    ana = await make_player(database)
    async with play() as game:
        game.tell("online", players=[ana])
        await game.hear("PlayerJoined")
        game.tell("chat", player=ana, channel="global", messages=["first", "x" * 1001, "last"])
        [trouble] = await game.hear("Trouble", what="chat")
        stopped = await game.stop()

    assert "invalid_chat" in trouble["why"]
    assert stopped["all"]
    assert await stored(database, ana) == ["first", "last"]


async def test_without_a_service_the_oldest_lines_are_dropped(play: Play, database):
    ana = await make_player(database)
    async with play(url="http://127.0.0.1:1", mostChat=3) as cut_off:
        said = ["one", "two", "three", "four"]
        cut_off.tell("chat", player=ana, channel="global", messages=said)
        logged = await cut_off.hear("logged", 4)
        await cut_off.hear("Trouble", what="chat")
        await cut_off.kill()

    assert [line["kept"] for line in logged] == [True, True, True, False]


async def test_a_banned_device_is_kept_out_and_others_join(play: Play, direct, database):
    """Also after the lease was lost, and with a device id that the service would refuse."""
    ana, ben, cy = [await make_player(database) for _ in range(3)]
    ban = AccessImposition(
        by=BY, device=device_of(database, "pc-1"), reason="bots", duration=timedelta(days=1)
    )
    planned = await access_bans.impose.one(database, ban)
    assert planned.made
    async with play() as game:
        game.tell("client", player=ana, address="203.0.113.7", device="pc-1")
        game.tell("client", player=ben, address="fe80::1%eth0", device="a\nb")
        game.tell("client", player=cy, address="nowhere", device="x" * 129)
        game.tell("online", players=[ana, ben, cy])
        [refused] = await game.hear("JoinRefused")
        await game.hear("PlayerJoined", 2)
        await until(lambda: is_online(direct, cy), "cy joined")
        await game.stop()

    assert (refused["player"], refused["code"]) == (str(ana), planned.made.code)
    assert not await is_online(direct, ana)


async def test_where_a_player_is_connected_from_links_accounts(play: Play, database):
    ana, ben = [await make_player(database, user=await make_user(database)) for _ in range(2)]
    device = uuid4().hex
    async with play() as game:
        for player in (ana, ben):
            game.tell("client", player=player, address="198.51.100.20", device=device)
        game.tell("online", players=[ana, ben])
        await game.hear("PlayerJoined", 2)
        await game.stop()

    devices = await database.reader.value(
        "SELECT count(DISTINCT user_id) FROM user_devices WHERE device = $1",
        device_of(database, device),
    )
    assert devices == 2
    addresses = "SELECT count(*) FROM user_addresses WHERE address = '198.51.100.20'"
    assert await database.reader.value(addresses) == 2
