"""PostgreSQL is stopped or frozen while it is used, and comes back."""

import asyncio
import signal
import time
from collections.abc import AsyncIterator
from pathlib import Path

import httpx2
import pytest

from gamekeeper.auth import keys
from gamekeeper.db.database import Database
from gamekeeper.db.migrate import migrate
from tests.clusters import Cluster, cluster
from tests.deadlines import PATIENCE
from tests.make import BY, make_item, make_player
from tests.server import serving

pytestmark = pytest.mark.torture

MAX_SECONDS = 3.0
BACK_WITHIN = 5.0

Answers = list[tuple[int, float, str | None]]
"""Status, seconds, and what a caller is told: Retry-After, or that the outcome is unknown."""


class World:
    """A server on a PostgreSQL of its own, and a few clients that never stop asking."""

    def __init__(self, postgres: Cluster, client: httpx2.AsyncClient, item: object) -> None:
        self.postgres = postgres
        self.client = client
        self.item = item
        self.answers: Answers = []
        self.gifts: list[int] = []

    async def ask(self, turn: int) -> None:
        begun = time.monotonic()
        if turn % 2:
            answer = await self.client.get("/api/v1/players/ana")
        else:
            body = {"itemid": str(self.item), "quantity": 1}
            answer = await self.client.post("/api/v1/players/ana/items/give", json=body)
            self.gifts.append(answer.status_code)
        taken = time.monotonic() - begun
        told = answer.headers.get("retry-after")
        if answer.status_code == 503 and answer.json()["Code"] == "outcome_unknown":
            told = told or "unknown"
        self.answers.append((answer.status_code, taken, told))

    async def keep_asking(self, stop: asyncio.Event) -> None:
        turn = 0
        while not stop.is_set():
            turn += 1
            await self.ask(turn)
            await asyncio.sleep(0.02)

    async def asked_during(self, fault, seconds: float) -> Answers:
        """What was answered from the moment of the fault on."""
        stop = asyncio.Event()
        clients = [asyncio.create_task(self.keep_asking(stop)) for _ in range(4)]
        await asyncio.sleep(0.5)
        self.answers.clear()
        await asyncio.to_thread(fault)
        await asyncio.sleep(seconds)
        stop.set()
        await asyncio.gather(*clients)
        return self.answers

    async def serves_again(self) -> float:
        """Seconds until every call succeeds again."""
        begun = time.monotonic()
        good = 0
        while good < 10:
            await self.ask(good)
            good = good + 1 if self.answers[-1][0] == 200 else 0
            assert time.monotonic() - begun < BACK_WITHIN, self.answers[-3:]
        return time.monotonic() - begun


@pytest.fixture(scope="module")
async def world(tmp_path_factory) -> AsyncIterator[World]:
    log: Path = tmp_path_factory.mktemp("faults") / "log"
    with cluster() as postgres:
        await migrate(postgres.settings)
        async with Database.open(postgres.settings) as database:
            key = await keys.create.one(database, keys.NewKey(by=BY, name="faults"))
            await make_player(database, "ana")
            item = await make_item(database, inventory_stack=1_000_000)
        with serving(postgres.settings, log) as (url, _):
            headers = {"Authorization": f"Bearer {key}"}
            async with httpx2.AsyncClient(
                base_url=url, headers=headers, timeout=PATIENCE
            ) as client:
                yield World(postgres, client, item)


def check(answers: Answers) -> None:
    """Only 200, and 503 with what to do; nobody waited longer than promised."""
    assert {status for status, _, _ in answers} <= {200, 503}
    assert any(status == 503 for status, _, _ in answers)
    assert {told for status, _, told in answers if status == 503} <= {"1", "unknown"}
    slowest = max(seconds for _, seconds, _ in answers)
    print(f"{len(answers)} answers, slowest {slowest:.2f} s")
    assert slowest < MAX_SECONDS


@pytest.mark.parametrize("mode", ["fast", "immediate"])
async def test_a_stopped_postgresql_is_503_and_then_served_again(world, mode):
    check(await world.asked_during(lambda: world.postgres.stop(mode), 2))

    world.postgres.start()
    print(f"serving again after {await world.serves_again():.2f} s")


async def test_a_frozen_postgresql_is_503_and_then_served_again(world):
    """Connections stay open and nothing answers: only our own clock ends that."""
    check(await world.asked_during(lambda: world.postgres.signal(signal.SIGSTOP), 5))

    world.postgres.signal(signal.SIGCONT)
    print(f"serving again after {await world.serves_again():.2f} s")


async def test_readiness_tells_that_the_database_is_away_and_liveness_does_not(world):
    world.postgres.stop("fast")
    assert (await world.client.get("/readyz")).status_code == 503
    assert (await world.client.get("/livez")).status_code == 200
    world.postgres.start()
    await world.serves_again()
    assert (await world.client.get("/readyz")).status_code == 200


async def test_nothing_acknowledged_is_lost_or_doubled(world):
    """Every gift answered with 200 is there once; of the others each may be there or not."""
    async with Database.open(world.postgres.settings) as database:
        held = "SELECT coalesce(sum(quantity), 0) FROM slots"
        before = await database.reader.value(held)
        world.gifts.clear()
        await world.asked_during(lambda: world.postgres.stop("immediate"), 1)
        world.postgres.start()
        await world.serves_again()
        given = await database.reader.value(held) - before

    acknowledged, unknown = world.gifts.count(200), world.gifts.count(503)
    assert acknowledged > 10
    assert acknowledged <= given <= acknowledged + unknown
