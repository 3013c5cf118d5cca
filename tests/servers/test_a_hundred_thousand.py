"""
A hundred thousand players on two hundred game servers, half of which die.

Takes minutes, so it is not part of CI: `just slow tests/servers/test_a_hundred_thousand.py`.
"""

import asyncio
import itertools
import statistics
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager
from uuid import UUID, uuid4

import httpx2
import pytest

from gamekeeper.auth import keys
from gamekeeper.core.settings import Hidden, Settings
from gamekeeper.db.database import Database
from gamekeeper.db.migrate import migrate
from tests import processes
from tests.databases import SERVER, admin
from tests.make import BY
from tests.server import environment, serving
from tests.servers.game_server import GameServer

SERVERS = 200
EACH = 500
SAMPLES = 40
LIMIT_MS = 20
PATHS = ("/count", "", "?pageSize=100", "?page={middle}", "?page={last}")

Times = dict[str, list[float]]

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
async def settings() -> AsyncIterator[Settings]:
    name = f"gamekeeper_servers_{uuid4().hex[:12]}"
    await admin(f"CREATE DATABASE {name}")
    settings = Settings(database_url=Hidden(SERVER.format(name)))
    await migrate(settings)
    command = [sys.executable, "-m", "gamekeeper", "demo", "--players", str(SERVERS * EACH)]
    subprocess.run(command, env=environment(settings), check=True, stderr=subprocess.DEVNULL)
    yield settings
    await admin(f"DROP DATABASE {name} WITH (FORCE)")


class Fleet:
    """Two hundred game servers, each with its own players and its own heart."""

    def __init__(self, client: httpx2.AsyncClient, players: list[UUID]) -> None:
        self._client = client
        self._shares = [players[n * EACH : (n + 1) * EACH] for n in range(SERVERS)]
        self._hearts: dict[UUID, asyncio.Task[None]] = {}
        self.beats: list[float] = []
        self.servers: list[GameServer] = []

    async def storm(self) -> None:
        """All register and let all their players join, sixteen servers at a time."""
        gate = asyncio.Semaphore(16)

        async def one(number: int) -> GameServer:
            async with gate:
                server = await GameServer.register(self._client, f"Realm {number}")
                self._hearts[server.id] = asyncio.create_task(self._beat(server))
                await server.join(*self._shares[number])
                return server

        self.servers = list(await asyncio.gather(*(one(number) for number in range(SERVERS))))

    async def _beat(self, server: GameServer) -> None:
        while True:
            await asyncio.sleep(10)
            begun = time.perf_counter()
            answer = await server.say("heartbeat")
            self.beats.append((time.perf_counter() - begun) * 1000)
            assert answer.status_code == 200, answer.text

    def kill_half(self) -> set[str]:
        """Every second one says nothing any more; who plays on the others."""
        for server in self.servers[::2]:
            self._hearts[server.id].cancel()
        return {str(player) for share in self._shares[1::2] for player in share}

    def faults(self) -> list[BaseException]:
        """What ended hearts that nobody stopped."""
        ended = [heart for heart in self._hearts.values() if heart.done() and not heart.cancelled()]
        return [fault for heart in ended if (fault := heart.exception())]

    def stop(self) -> None:
        for heart in self._hearts.values():
            heart.cancel()


async def test_half_of_two_hundred_servers_die_and_exactly_their_players_are_offline(
    settings, tmp_path
):
    async with Database.open(settings) as database:
        key = await keys.create.one(database, keys.NewKey(by=BY, name="fleet"))
        rows = await database.reader.rows("SELECT id FROM players ORDER BY id")
    headers = {"Authorization": f"Bearer {key}"}
    with (
        working(settings),
        serving(settings, tmp_path / "log", GAMEKEEPER_LOG_LEVEL="error") as (url, _),
    ):
        limits = httpx2.Limits(max_connections=32)
        async with httpx2.AsyncClient(
            base_url=url, headers=headers, timeout=60, limits=limits
        ) as client:
            fleet = Fleet(client, [row["id"] for row in rows])
            try:
                await _played(client, fleet)
            finally:
                fleet.stop()


@contextmanager
def working(settings: Settings) -> Iterator[None]:
    """A worker, as there is one wherever the service runs: it folds, and ends dead sessions."""
    command = [sys.executable, "-m", "gamekeeper", "worker"]
    with processes.running(command, env=environment(settings), stderr=subprocess.DEVNULL):
        yield


async def _played(client: httpx2.AsyncClient, fleet: Fleet) -> None:
    begun = time.monotonic()
    await fleet.storm()
    seconds = time.monotonic() - begun
    print(f"\n{SERVERS * EACH:,} joined in {seconds:.1f} s: {SERVERS * EACH / seconds:,.0f}/s")
    assert await _count(client) == SERVERS * EACH
    await asyncio.sleep(15)
    alive = await _taken(client, SERVERS * EACH)
    print(f"{statistics.median(fleet.beats):8.1f} ms  a heartbeat, of {len(fleet.beats)}")

    living = fleet.kill_half()
    died = time.monotonic()
    meanwhile: Times = {}
    while (count := await _count(client)) > len(living):
        assert time.monotonic() - died < 31, f"{count - len(living)} too many are still online"
        if count < SERVERS * EACH:
            await _look(client, len(living), meanwhile)
    print(f"{count:,} online {time.monotonic() - died:.1f} s after half of the servers died")
    _tell("while they died", meanwhile)
    after = await _taken(client, len(living))
    assert await _everybody(client) == living
    await asyncio.sleep(12)
    assert await _count(client) == len(living)
    assert fleet.faults() == []
    for times in (alive, meanwhile, after):
        assert [path for path in PATHS if statistics.median(times[path]) >= LIMIT_MS] == []


async def _count(client: httpx2.AsyncClient) -> int:
    return (await client.get("/api/v1/players/online/count")).json()["onlineCount"]


async def _taken(client: httpx2.AsyncClient, online: int) -> Times:
    """What each call takes, all of them in turn, while the hearts beat."""
    times: Times = {}
    for _ in range(SAMPLES):
        await _look(client, online, times)
    _tell(f"{online:,} online", times)
    return times


async def _look(client: httpx2.AsyncClient, online: int, times: Times) -> None:
    for path in PATHS:
        asked = path.format(middle=online // 10, last=online // 5 - 1)
        begun = time.perf_counter()
        answer = await client.get(f"/api/v1/players/online{asked}")
        times.setdefault(path, []).append((time.perf_counter() - begun) * 1000)
        assert answer.status_code == 200


def _tell(when: str, times: Times) -> None:
    print(f"{when}, of {len(times[''])}: median and worst")
    for path, taken in times.items():
        middle, worst = statistics.median(taken), max(taken)
        print(f"{middle:8.1f} {worst:8.1f} ms  GET /api/v1/players/online{path}")


async def _everybody(client: httpx2.AsyncClient) -> set[str]:
    """Who is online, page by page."""
    found: set[str] = set()
    for page in itertools.count():
        answer = await client.get(f"/api/v1/players/online?pageSize=100&page={page}")
        if not (values := answer.json()["Values"]):
            return found
        found |= {player["Id"] for player in values}
    raise AssertionError
