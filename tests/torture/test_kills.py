"""
The process is killed at every point where it hurts, and nothing is lost or doubled.

64 clients send gifts and takings under keys, one in ten on one hot character, one in
five twice at once; each repeats until it has heard a whole answer. `TORTURE_CALLS`,
`TORTURE_KILLS` and `TORTURE_DATABASE_KILLS` say how much; `just gate` raises them.
"""

import asyncio
import itertools
import os
import signal
import subprocess
import time
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any
from uuid import UUID

import asyncpg
import pytest

from gamekeeper.auth import keys
from gamekeeper.core import failpoints
from gamekeeper.core.settings import Settings
from gamekeeper.db.database import Database
from gamekeeper.db.migrate import migrate
from tests.clusters import Cluster, cluster
from tests.make import BY, make_item, make_player, make_user
from tests.torture import books
from tests.torture.service import Service
from tests.torture.swarm import Call, Swarm, calls

pytestmark = pytest.mark.torture

CALLS = int(os.environ.get("TORTURE_CALLS", "3000"))
KILLS = int(os.environ.get("TORTURE_KILLS", "5"))
DATABASE_KILLS = int(os.environ.get("TORTURE_DATABASE_KILLS", "1"))
CLIENTS = 64
CHARACTERS = 200


class Ground:
    """A database with characters in it, services over it, and what the clients will do."""

    def __init__(self, settings: Settings, log: Path, key: str, potion: UUID) -> None:
        self.settings = settings
        self.todo: list[Call] = []
        self.died: Counter[str] = Counter()
        self._log = log
        self._services = [Service(settings, log)]
        self._made = (key, potion)

    def ask(self, todo: list[Call]) -> Swarm:
        self.todo = todo
        self.swarm = Swarm(lambda: self._services[0].port, *self._made, todo)
        return self.swarm

    def faults(self) -> str:
        """What the services wrote about faults of their own."""
        lines = self._log.read_text().splitlines()
        return "\n".join(line.replace("\\n", "\n") for line in lines if "exception" in line)[-5000:]

    def close(self) -> None:
        for service in self._services:
            service.kill()

    async def kill_in_turn(self, kills: int) -> None:
        """
        Have the service die at one point after the other; the last one lives.

        The next one is started while the one before still serves, so that the time
        goes into calls and not into starting.
        """
        share = max(5, len(self.todo) // (kills + 4))
        # Callers in flight are merged: all points but the last are reached once for a list.
        times = dict.fromkeys(failpoints.NAMES, max(5, share // CLIENTS)) | {
            "after_first_byte": share
        }
        names = list(itertools.islice(itertools.cycle(failpoints.NAMES), kills))
        points = [*(f"{name}:kill:{times[name]}" for name in names), ""]
        await self._services[0].start(points[0])
        for name, following in zip(names, points[1:], strict=True):
            self._services.append(Service(self.settings, self._log))
            await self._services[1].start(following)
            while not self._services[0].died:
                assert len(self.swarm.answers) < len(self.todo), f"never came to {name}"
                await asyncio.sleep(0.01)
            self._services.pop(0).kill()
            self.died[name] += 1

    async def kill_postgresql(self, postgres: Cluster, kills: int) -> None:
        """All its processes at once, evenly over the run; it recovers from its log."""
        for number in range(kills):
            while len(self.swarm.answers) < len(self.todo) * (2 * number + 1) // (2 * kills):
                await asyncio.sleep(0.05)
            postgres.signal(signal.SIGKILL)
            await _started_again(postgres)
            self.died["postgresql"] += 1

    async def breaches(self) -> list[str]:
        """What does not hold of: each success is there once, and nothing else is."""
        connection = await asyncpg.connect(str(self.settings.database_url))
        try:
            players = sorted({call.player for call in self.todo})
            return [
                *await books.breaches(connection, players),
                *await self._miscounted(connection),
                *await self._unlike_the_slots(connection),
            ]
        finally:
            await connection.close()

    async def _miscounted(self, connection: Any) -> list[str]:
        done = {name for name, (status, _) in self.swarm.answers.items() if status == 200}
        rows = await connection.fetch(
            "SELECT request_id FROM actions WHERE kind IN ('items.give', 'items.take')"
        )
        found = Counter(row["request_id"] for row in rows)
        return [
            f"{name}: {found[name]} actions, answered {self.swarm.answers.get(name)}"
            for name in done | found.keys()
            if found[name] != (name in done)
        ]

    async def _unlike_the_slots(self, connection: Any) -> list[str]:
        held: Counter[UUID] = Counter()
        for call in self.todo:
            held[call.player] += call.change * (self.swarm.answers[call.id][0] == 200)
        rows = await connection.fetch("SELECT player_id, sum(quantity) FROM slots GROUP BY 1")
        there = Counter({row[0]: row[1] for row in rows})
        return [
            f"{player}: {there[player]} in slots, {held[player]} by what was answered"
            for player in held | there
            if there[player] != held[player]
        ]


async def _started_again(postgres: Cluster) -> None:
    """It does not start before the last of the killed has let go of the shared memory."""
    for _ in range(20):
        await asyncio.sleep(0.5)
        try:
            return await asyncio.to_thread(postgres.start)
        except subprocess.CalledProcessError:
            continue
    raise AssertionError("PostgreSQL did not start again")


@asynccontextmanager
async def ground(settings: Settings, log: Path) -> AsyncIterator[Ground]:
    async with Database.open(settings) as database:
        key = await keys.create.one(database, keys.NewKey(by=BY, name="torture"))
        potion = await make_item(database, inventory_stack=2**31 - 1)
        owner = await make_user(database)
        hot, *others = [await make_player(database, user=owner) for _ in range(CHARACTERS + 1)]
    place = Ground(settings, log, str(key), potion)
    place.ask(calls(CALLS, hot, others, seed=CALLS))
    try:
        yield place
    finally:
        place.close()


@pytest.fixture
def postgres():
    with cluster() as made:
        yield made


async def test_whatever_was_answered_happened_once_and_is_answered_the_same_again(
    postgres: Cluster, tmp_path: Path
):
    await migrate(postgres.settings)
    async with ground(postgres.settings, tmp_path / "log") as place:
        begun = time.monotonic()
        await asyncio.gather(
            place.swarm.run(CLIENTS),
            place.kill_in_turn(KILLS),
            place.kill_postgresql(postgres, DATABASE_KILLS),
            _progress(place),
        )
        seconds = time.monotonic() - begun
        print(f"\n{CALLS:,} calls in {seconds:.0f} s, killed {dict(place.died)}")
        print("\n".join(f"{many:10,} {what}" for what, many in sorted(place.swarm.heard.items())))

        assert {status for status, _ in place.swarm.answers.values()} <= {200, 409}, place.faults()
        assert place.swarm.unequal == []
        assert await place.breaches() == []
        assert await place.swarm.again(place.todo) == []
        assert await place.breaches() == []
    assert place.died.total() == KILLS + DATABASE_KILLS
    if len(failpoints.NAMES) <= KILLS:
        assert place.swarm.heard["answers cut off in the middle"] > 0


async def _progress(place: Ground) -> None:
    """A line for every twentieth part of a long run."""
    shown = 0
    while (done := len(place.swarm.answers)) < place.swarm.total:
        if place.swarm.total > 50_000 and done * 20 // place.swarm.total > shown:
            shown = done * 20 // place.swarm.total
            print(f"{done:,} of {place.swarm.total:,}, {place.died.total()} kills", flush=True)
        await asyncio.sleep(0.2)
