"""The examples, as processes of their own, on a real server."""

import asyncio
import json
import os
import re
import signal
import sqlite3
import subprocess
import sys
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from uuid import UUID, uuid4

import pytest
from gamekeeper_client import AsyncGamekeeper

from gamekeeper.db.database import Database
from gamekeeper.moderation import sanctions
from gamekeeper.moderation.sanctions import Imposition, Lifting
from tests import processes
from tests.deadlines import PATIENCE
from tests.make import BY, make_class, make_item, make_player, make_spell, make_user

pytestmark = pytest.mark.deploy

ROOT = Path(__file__).parents[2]
CLIENT = ROOT / "clients/python/src"
README = ROOT / "clients/python/README.md"
NOTES = ".gamekeeper-examples"


def start(example: str, key: str, folder: Path, *arguments: str) -> subprocess.Popen[str]:
    environment = os.environ | {
        "GAMEKEEPER_CLIENT_KEY": key,
        "HOME": str(folder),
        "PYTHONPATH": str(CLIENT),
        "PYTHONUNBUFFERED": "1",
        "PYTHONWARNINGS": "error",
    }
    return processes.start(
        [sys.executable, str(ROOT / "examples" / example), *arguments],
        env=environment,
        cwd=folder,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )


async def run(example: str, key: str, folder: Path, *arguments: str) -> str:
    process = start(example, key, folder, *arguments)
    try:
        said, _ = await asyncio.to_thread(process.communicate, timeout=PATIENCE)
    finally:
        processes.kill(process)
    assert process.returncode == 0, said
    return said


async def run_wrong(example: str, key: str, folder: Path, *arguments: str) -> str:
    process = start(example, key, folder, *arguments)
    said, _ = await asyncio.to_thread(process.communicate, timeout=PATIENCE)
    assert process.returncode != 0, said
    assert "Traceback" not in said
    return said


EXAMPLES = ["bot.py", "game_server.py", "shop.py"]


@pytest.mark.parametrize("example", EXAMPLES)
async def test_mistakes_are_answered_in_a_sentence(example, url, tmp_path):
    assert "usage: " in await run_wrong(example, "gk_x", tmp_path)
    assert "set GAMEKEEPER_CLIENT_KEY" in await run_wrong(example, "", tmp_path, url)
    assert "Unauthorized: 401" in await run_wrong(example, "gk_wrong", tmp_path, url)
    assert {path.name for path in tmp_path.iterdir()} <= {NOTES}, "nothing is left where it ran"


async def test_a_game_server_runs_its_loop_and_is_gone_when_it_ends(
    url, key, client, database, tmp_path
):
    coin = await make_item(database, "Coin", inventory_stack=1000)
    heroes = [await make_player(database, f"Hero {number}") for number in range(3)]
    await client.players.give(heroes[0], coin)
    said = await run("game_server.py", key, tmp_path, url, "--ticks", "30", "--seconds", "0")
    assert "30 ticks" in said
    assert "0 unsent" in said
    gained = [(await client.players.get(hero))["Exp"] for hero in heroes]
    levels = [(await client.players.get(hero))["Level"] for hero in heroes]
    assert sum(gained) == 300 or max(levels) > 1
    assert (await client.players.online_count())["onlineCount"] == 0
    [server] = [server async for server in client.servers.all()]
    assert (server["Name"], server["Alive"]) == ("Example realm", False)
    assert "3 characters play on Example realm" in said
    assert list(tmp_path.iterdir()) == [], "nothing is left on the machine"


async def test_a_game_server_reports_a_banned_character_once_and_plays_without_it(
    url, key, client, database, tmp_path
):
    await make_player(database, "Ab Banned", user=await make_user(database, "banned"))
    hero = await make_player(database, "Ac Hero")
    await client.players.give(hero, await make_item(database))
    order = Imposition(by=BY, kind="ban", user="banned", message="No bots.")
    ban = await sanctions.impose.one(database, order)

    said = await run(
        *("game_server.py", key, tmp_path, url, "--ticks", "10", "--seconds", "0"),
        *("--players", "2", "--name", "Strict"),
    )
    # The other tests play with the first characters of the same world.
    await sanctions.lift.one(database, Lifting(by=BY, sanction=ban.code, reason="over"))

    assert said.count("Ab Banned cannot join: banned permanently. No bots.") == 1
    assert "1 characters play on Strict" in said
    assert "10 ticks, 0 refused, 0 unsent" in said
    assert "fenced" not in said


async def test_a_game_server_reports_its_progress(url, key, client, database, tmp_path):
    await client.players.give(await make_player(database, "Patient"), await make_item(database))

    said = await run(
        *("game_server.py", key, tmp_path, url, "--ticks", "7", "--seconds", "1"),
        *("--players", "1", "--name", "Patient"),
    )

    assert re.search(r"^tick [4-7] of 7: \d+ transactions, 0 refused$", said, re.MULTILINE)


async def test_a_game_server_leaves_the_journal_of_another_world_alone(
    url, key, client, database, tmp_path
):
    """It was left by a world that is gone; its transactions would do harm in this one."""
    hero, coin = await make_player(database, "Native"), await make_item(database)
    await client.players.give(hero, coin)
    foreign = tmp_path / NOTES / f"{uuid4()}.json"
    foreign.parent.mkdir()
    gift = {"itemid": str(coin), "quantity": 500, "to": {"player": str(hero)}}
    foreign.write_text(json.dumps([{"key": str(uuid4()), "moves": [{"kind": "items", **gift}]}]))
    before = foreign.read_text()

    said = await run(
        *("game_server.py", key, tmp_path, url, "--ticks", "1", "--seconds", "0"),
        *("--players", "1", "--name", "Another"),
    )

    assert "1 ticks, 0 refused, 0 unsent" in said
    assert (foreign.read_text(), list(foreign.parent.iterdir())) == (before, [foreign])


async def test_a_game_server_enlists_a_recruit_and_sends_it_home(
    url, key, client, database, tmp_path
):
    owner, knight = await make_user(database, "sergeant"), await make_class(database)
    await client.players.give(await make_player(database, "Hero"), await make_item(database))
    said = await run(
        *("game_server.py", key, tmp_path, url, "--ticks", "20", "--seconds", "0"),
        *("--players", "1", "--account", str(owner), "--class-id", str(knight)),
    )

    assert "goes home" in said
    assert "0 unsent" in said
    assert await client.users.players(owner) == []
    kinds = [action["Kind"] async for action in client.actions.all()]
    assert kinds.count("players.sheet") >= 10
    assert {"players.create", "players.delete"} <= set(kinds)


async def test_a_game_server_obeys_a_kick_and_a_message(url, key, client, database, tmp_path):
    hero = await make_player(database, "Aalto")
    await client.players.give(hero, await make_item(database))
    game = start(
        *("game_server.py", key, tmp_path, url, "--ticks", "100000", "--seconds", "0.05"),
        *("--name", "Obedient", "--players", "1"),
    )
    try:
        async with asyncio.timeout(PATIENCE):
            while not (await client.players.get(hero)).online:
                await asyncio.sleep(0.1)
        said = await client.commands.send(hero, "message", text="Time to go.")
        kicked = await client.commands.send(hero, "kick", text="Bye")
        said, kicked = [await client.commands.get(one.id, wait=20) for one in (said, kicked)]
        assert not (await client.players.get(hero)).online
    finally:
        processes.kill(game)
    printed, _ = game.communicate()
    assert (said.state, kicked.state, kicked.answer) == ("done", "done", "Bye: 0 are left.")
    assert f"to {hero}: Time to go." in printed
    assert f"kicked: {hero}" in printed


async def test_a_game_server_that_is_killed_does_everything_once(
    url, key, client, database, tmp_path
):
    """What is in its journal was done or not, nobody knows; the next process sends it all."""
    arguments = ("--seconds", "0", "--name", "Killed", "--players", "3")
    game = start("game_server.py", key, tmp_path, url, "--ticks", "100000", *arguments)
    before = await slain(client)
    try:
        async with asyncio.timeout(PATIENCE):
            while await slain(client) < before + 10:
                await asyncio.sleep(0.1)
    finally:
        processes.kill(game)
    said, _ = game.communicate()
    assert "Traceback" not in said
    [journal] = (tmp_path / NOTES).glob("*.json")
    left = json.loads(journal.read_text())
    await asyncio.sleep(0.2)
    done = await slain(client)
    assert left

    await run("game_server.py", key, tmp_path, url, "--ticks", "0", *arguments)

    assert not journal.parent.exists(), "everything was sent"
    after = await slain(client)
    assert done <= after <= done + len(left)
    again = (await client.transactions.send(left))["Values"]
    assert all(one["Replayed"] for one in again)
    assert await slain(client) == after


async def slain(client: AsyncGamekeeper) -> int:
    return len([action async for action in client.actions.all(kind="players.progress")])


async def test_a_shop_that_crashed_before_its_note_delivers_once(
    url, key, client, proxy, database, tmp_path
):
    """Each order is tried three times: with a lost answer, after a crash, and for nothing."""
    ana, potion = await make_player(database, "Buyer"), await make_item(database)
    orders = tmp_path / "orders.sqlite"
    await run_wrong("shop.py", key, tmp_path, url, str(orders), "--order", "Buyer", "Nothing", "1")
    shop = sqlite3.connect(orders)
    with shop:
        shop.execute(
            "INSERT INTO orders (player, item, quantity) VALUES ('Buyer', ?, 5), ('Nobody', ?, 1)",
            (str(potion), str(potion)),
        )
    proxy.swallow = 1
    first = await run("shop.py", key, tmp_path, proxy.url, str(orders))
    assert re.fullmatch(r"order 1: delivered\norder 2: unclaimed: (\w{4}-?){3}\n", first)
    with shop:
        shop.execute("UPDATE orders SET state = 'paid' WHERE id = 1")
    assert await run("shop.py", key, tmp_path, url, str(orders)) == "order 1: delivered\n"
    idle = "nothing to deliver; --order adds an order\n"
    assert await run("shop.py", key, tmp_path, url, str(orders)) == idle
    shop.close()
    assert await held(database, ana) == 5
    [action] = [action async for action in client.actions.all(player=ana)]
    assert action["Kind"] == "mail.send"


async def test_a_shop_orders_and_delivers_at_its_first_run(url, key, client, database, tmp_path):
    """Another shop on the same game has keys of its own, though its numbers are the same."""
    await make_player(database, "Aaron")
    await make_item(database, "Small Potion")
    # The first run is for the first of all characters, and other tests made some here.
    first = await anext(client.players.all(limit=1))
    buyer = first.name
    before = await held(database, UUID(first.id))
    for shop in ("first", "second"):
        folder = tmp_path / shop
        folder.mkdir()
        said = await run("shop.py", key, folder, url)
        assert re.fullmatch(rf"ordered: 1 × [\w ]*Potion for {buyer}\norder 1: delivered\n", said)
    more = await run("shop.py", key, folder, url, "--order", buyer, "Small Potion", "3")
    assert more.endswith("order 2: delivered\n")
    assert await held(database, UUID(first.id)) == before + 5


async def held(database: Database, player: UUID) -> int:
    """The items in the letters of a character."""
    sql = "SELECT coalesce(sum(quantity), 0) FROM letter_slots WHERE player_id = $1"
    return await database.reader.value(sql, player)


async def test_a_shop_whose_key_is_wrong_keeps_its_orders(url, key, database, tmp_path):
    await make_player(database, "Aaron the second")
    orders = ("--order", "Aaron the second", "Large Potion", "1")
    await make_item(database, "Large Potion")
    await run("shop.py", key, tmp_path, url, *orders)
    shop = sqlite3.connect(tmp_path / NOTES / "orders.sqlite")
    with shop:
        shop.execute("UPDATE orders SET state = 'paid'")
    assert "Unauthorized" in await run_wrong("shop.py", "gk_wrong", tmp_path, url)
    assert shop.execute("SELECT state FROM orders").fetchall() == [("paid",)]
    shop.close()


async def test_the_quick_start_gives_a_potion(url, key, client, database, tmp_path):
    ana = await make_player(database, "First", level=99)
    gold = await make_item(database, "Gold Coin", inventory_stack=1000)
    await make_item(database, "Health Potion")
    await client.players.give(await make_player(database), gold, 1000)
    block = re.findall(r"```python\n(.*?)```", README.read_text(), re.DOTALL)[0]
    script = tmp_path / "quick_start.py"
    script.write_text(block.replace("http://127.0.0.1:8000", url).replace("gk_…", key))
    assert await run(str(script), key, tmp_path) == "First now has 5 Health Potion\n"
    [action] = [action async for action in client.actions.all(player=ana)]
    assert (action["Kind"], action["Reason"]) == ("items.give", "a good question")


class Channel(BaseHTTPRequestHandler):
    """A channel that takes messages as Discord does, and asks once to slow down."""

    messages: list[str]
    slow: bool

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        channel = type(self)
        if channel.slow:
            channel.slow = False
            self.send_response(429)
            self.send_header("Retry-After", "0.1")
        else:
            channel.messages.append(body["content"])
            self.send_response(204)
        self.end_headers()

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002
        pass


@pytest.fixture
def channel() -> Iterator[tuple[str, list[str]]]:
    messages: list[str] = []
    handler = type("Stub", (Channel,), {"messages": messages, "slow": True})
    server = HTTPServer(("127.0.0.1", 0), handler)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}/api/webhooks/1/secret", messages
    server.shutdown()
    thread.join()
    server.server_close()


async def test_a_bot_tells_everything_once_though_it_is_stopped_in_between(
    url, key, client, database, channel, tmp_path
):
    told, messages = channel
    ana, potion = await make_player(database, "Ana"), await make_item(database)
    spell = await make_spell(database)
    (tmp_path / NOTES).mkdir()
    (tmp_path / NOTES / "bot.place").write_text(str((await client.events.page("latest"))["Next"]))

    async def bot_until(number: int) -> None:
        bot = start("bot.py", key, tmp_path, url, told)
        try:
            async with asyncio.timeout(PATIENCE):
                while len(messages) < number:
                    assert bot.poll() is None, bot.stdout and bot.stdout.read()
                    await asyncio.sleep(0.05)
            await asyncio.sleep(0.3)
        finally:
            bot.kill()
            bot.communicate()

    await client.players.give(ana, potion)
    await bot_until(1)
    await client.players.teach(ana, spell)
    await client.players.take(ana, potion)
    await bot_until(3)
    assert messages == [
        "🎁 Ana was given Potion by contract.",
        "✨ Ana learned a spell.",
        "📦 Ana had to give Potion to contract.",
    ]


@pytest.mark.parametrize("example", ["bot.py", "game_server.py"])
async def test_ctrl_c_ends_it_quietly(example, url, key, client, database, tmp_path):
    ana, coin = await make_player(database), await make_item(database)
    await client.players.give(ana, coin)
    process = start(example, key, tmp_path, url)
    assert process.stdout is not None
    if example == "bot.py":
        assert "listening" in await asyncio.to_thread(process.stdout.readline)
    else:
        async with asyncio.timeout(PATIENCE):
            while not (await client.players.online_count())["onlineCount"]:
                await asyncio.sleep(0.1)
    process.send_signal(signal.SIGINT)
    said, _ = await asyncio.to_thread(process.communicate, timeout=PATIENCE)
    assert "stopped" in said
    assert "Traceback" not in said
