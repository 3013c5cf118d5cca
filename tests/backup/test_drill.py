"""
The drill: a live world is backed up, destroyed and restored, and its clients go on.

They send all their requests again with the keys they had. What was in the backup is not done
twice, what was lost is done again: so everybody has exactly what was asked for.
"""

import asyncio
import itertools
import json
import signal
import subprocess
import sys
from collections.abc import Iterable, Iterator
from uuid import UUID, uuid4

import asyncpg
import httpx2
import pytest

from gamekeeper.core.settings import Settings
from gamekeeper.db.database import Database
from gamekeeper.ledger import verify_chain, verify_ledger
from tests import processes
from tests.backup.world import empty
from tests.cli.command import gamekeeper
from tests.databases import admin, name_of
from tests.deadlines import PATIENCE
from tests.ledger.chains import link
from tests.server import environment, serving

pytestmark = pytest.mark.deploy

CLIENTS = 4
BEFORE, AFTER = 30, 30
"""Gifts that there must be before the backup begins, and after it has ended."""


class Load:
    """Clients that give coins, each gift under a key of its own."""

    def __init__(self, url: str, key: str, gifts: Iterable[dict[str, object]]) -> None:
        self.done: list[dict[str, object]] = []
        self._todo = iter(gifts)
        self._url, self._headers = url, {"Authorization": f"Bearer {key}"}
        self._stop = asyncio.Event()

    async def run(self) -> None:
        async with httpx2.AsyncClient(base_url=self._url, timeout=PATIENCE) as client:
            await asyncio.gather(*(self._client(client) for _ in range(CLIENTS)))

    async def _client(self, client: httpx2.AsyncClient) -> None:
        while not self._stop.is_set() and (gift := next(self._todo, None)):
            assert (await give(client, gift, self._headers)).status_code == 200
            self.done.append(gift)
            # A backup takes long on a busy machine, and all of these are sent again.
            await asyncio.sleep(0.03)

    async def came_to(self, number: int) -> None:
        async with asyncio.timeout(PATIENCE):
            while len(self.done) < number:
                await asyncio.sleep(0.02)

    def stop(self) -> None:
        self._stop.set()


def endless(item: UUID, players: list[UUID]) -> Iterator[dict[str, object]]:
    for player in itertools.cycle(players):
        yield {"player": player, "item": item, "key": uuid4().hex}


async def give(
    client: httpx2.AsyncClient, gift: dict[str, object], headers: dict[str, str]
) -> httpx2.Response:
    return await client.post(
        f"/api/v1/players/{gift['player']}/items/give",
        json={"itemid": str(gift["item"]), "quantity": 1, "bankoverflow": True},
        headers=headers | {"Idempotency-Key": str(gift["key"])},
    )


async def held(settings: Settings, item: UUID) -> dict[UUID, int]:
    async with Database.open(settings) as database:
        rows = await database.reader.rows(
            "SELECT player_id, sum(quantity)::int FROM slots WHERE item_id = $1 GROUP BY 1", item
        )
    return {row[0]: row[1] for row in rows}


async def new_item(settings: Settings) -> tuple[UUID, list[UUID]]:
    """The coin, which stacks high, and some who have room for it."""
    async with Database.open(settings) as database:
        reader = database.reader
        item = await reader.value("SELECT id FROM items WHERE name = 'Gold Coin'")
        rows = await reader.rows("SELECT id FROM players ORDER BY level, id LIMIT 8")
    return item, [row["id"] for row in rows]


def run(settings: Settings, *words: str) -> str:
    done = gamekeeper(settings, *words)
    assert done.returncode == 0, done.stderr + done.stdout
    return done.stdout


@pytest.mark.usefixtures("schema_changes")
async def test_clients_go_on_after_a_restore(settings, tmp_path):
    run(settings, "demo", "--players", "40")
    keys = {name: run(settings, "keys", "create", name).split()[0] for name in ("game", "bot")}
    item, players = await new_item(settings)
    before = await held(settings, item)

    hosts = {"GAMEKEEPER_WEBHOOK_HOSTS": "127.0.0.1:*"}
    with serving(settings, tmp_path / "log", **hosts) as (url, _):
        load = Load(url, keys["game"], endless(item, players))
        await _hook(url, keys["game"])
        loading = asyncio.create_task(load.run())
        await load.came_to(BEFORE)
        made = json.loads(await asyncio.to_thread(run, settings, "backup", str(tmp_path), "--json"))
        given = len(load.done)
        await load.came_to(given + AFTER)
        load.stop()
        await loading
        heard = await _newest(url, keys["game"])
    shared = made["manifest"]["figures"]["chain"]["seq"]
    assert heard > shared + AFTER
    await admin(f"DROP DATABASE {name_of(settings)} WITH (FORCE)", _again(settings))

    async with empty() as target:
        words = ("restore", made["directory"], "--keep-keys", "game", "--json")
        done = json.loads(await asyncio.to_thread(run, target, *words))
        in_backup = sum((await held(target, item)).values()) - sum(before.values())
        assert BEFORE <= in_backup < len(load.done), "the backup was made during the load"
        assert done["steps"]["webhooks_paused"] == 1

        with serving(target, tmp_path / "log of the second") as (url, _):
            await _told(url, keys["game"], heard, shared, done["steps"]["first_event"])
            await _refused(url, keys["bot"])
            await Load(url, keys["game"], load.done).run()
        assert await held(target, item) == _wanted(before, load.done)
        async with Database.open(target) as database:
            await link(database)
        assert (await verify_ledger.verify(target)).breach is None
        assert (await verify_chain.find(target)).total == 0


def _again(settings: Settings) -> str:
    """The fixture drops it at the end; it is not what is restored into."""
    return f"CREATE DATABASE {name_of(settings)}"


def _wanted(before: dict[UUID, int], gifts: list[dict[str, object]]) -> dict[UUID, int]:
    wanted = dict(before)
    for gift in gifts:
        player = UUID(str(gift["player"]))
        wanted[player] = wanted.get(player, 0) + 1
    return wanted


async def _hook(url: str, key: str) -> None:
    async with httpx2.AsyncClient(base_url=url, timeout=PATIENCE) as client:
        answer = await client.post(
            "/api/v1/webhooks",
            json={"url": "http://127.0.0.1:9/hook"},
            headers={"Authorization": f"Bearer {key}"},
        )
    assert answer.status_code == 200, answer.text


async def _newest(url: str, key: str) -> int:
    """The number of the last event, after all of them have one."""
    last = -1
    async with httpx2.AsyncClient(base_url=url, timeout=PATIENCE) as client:
        while True:
            answer = await client.get(
                "/api/v1/events",
                params={"after": "latest"},
                headers={"Authorization": f"Bearer {key}"},
            )
            if last == (newest := answer.json()["Next"]):
                return newest
            last = newest
            await asyncio.sleep(0.5)


async def _told(url: str, key: str, heard: int, shared: int, first: int) -> None:
    """Who heard more than there is now is told, and goes on after what both have."""
    headers = {"Authorization": f"Bearer {key}", "Accept": "text/event-stream"}
    async with httpx2.AsyncClient(base_url=url, timeout=PATIENCE) as client:
        answer = await client.get("/api/v1/events", headers=headers | {"Last-Event-ID": f"{heard}"})
        assert (answer.status_code, answer.json()["Code"]) == (409, "events_unknown")
        assert answer.json()["Details"]["Shared"] == shared
        page = await client.get(
            "/api/v1/events",
            params={"after": shared},
            headers={"Authorization": f"Bearer {key}"},
        )
    events = page.json()["Values"]
    assert (events[0]["Kind"], events[0]["Seq"]) == ("database.restore", first)


async def _refused(url: str, key: str) -> None:
    async with httpx2.AsyncClient(base_url=url, timeout=PATIENCE) as client:
        answer = await client.get("/api/v1/players", headers={"Authorization": f"Bearer {key}"})
    assert answer.status_code == 401


async def test_the_commands_say_what_they_did(backup, target, tmp_path):
    shown = await asyncio.to_thread(
        gamekeeper, target, "restore", str(backup.directory), "--dry-run"
    )
    assert shown.returncode == 0, shown.stderr
    assert "is complete" in shown.stdout
    assert "is empty. Nothing was changed." in shown.stdout

    done = await asyncio.to_thread(gamekeeper, target, "restore", str(backup.directory))
    assert done.returncode == 0, done.stderr
    assert "30 characters" in done.stdout
    assert (
        "Create new API keys (gamekeeper keys create NAME) for: forgotten, website" in done.stdout
    )

    again = await asyncio.to_thread(
        gamekeeper, target, "restore", str(backup.directory), "--replace"
    )
    assert again.returncode == 1
    assert f"the database '{name_of(target)}'" in again.stderr
    assert "30 characters" in again.stderr
    assert "add --yes" in again.stderr

    where = tmp_path / "mine"
    saved = await asyncio.to_thread(gamekeeper, target, "backup", str(where))
    assert saved.returncode == 0, saved.stderr
    [made] = where.iterdir()
    assert str(made) in saved.stdout
    wrong = await asyncio.to_thread(gamekeeper, target, "restore", str(where), "--dry-run")
    assert wrong.returncode == 1
    assert f"is not a backup: it contains no manifest.json. The newest backup in it is {made}" in (
        wrong.stderr
    )


async def test_an_interrupted_backup_leaves_nothing(settings, database, tmp_path):
    """A lock holds pg_dump up; then somebody stops the command."""
    other = await asyncpg.connect(str(settings.database_url))
    command = [sys.executable, "-m", "gamekeeper", "backup", str(tmp_path / "mine")]
    pipe = subprocess.PIPE
    await other.execute("BEGIN; LOCK TABLE players IN ACCESS EXCLUSIVE MODE")
    process = processes.start(command, env=environment(settings), stderr=pipe, text=True)
    try:
        async with asyncio.timeout(PATIENCE):
            while not await database.reader.value(WAITS):
                await asyncio.sleep(0.05)
        process.send_signal(signal.SIGTERM)
        _, said = await asyncio.to_thread(process.communicate, timeout=PATIENCE)
    finally:
        processes.kill(process)
        await other.close()
    assert process.returncode == 1
    assert "no partial backup is left" in said
    assert list(tmp_path.iterdir()) == []
    assert not [line for line in processes.left().values() if "pg_dump" in line]


WAITS = """
    SELECT EXISTS (SELECT FROM pg_stat_activity
                    WHERE datname = current_database() AND application_name = 'pg_dump'
                      AND wait_event_type = 'Lock')
"""
