"""Too many at once: those who come in are answered soon, the rest hear at once that it is full."""

import asyncio
from collections import deque
from collections.abc import AsyncIterator
from statistics import median

import asyncpg
import httpx2
import pytest
from msgspec import structs

from gamekeeper.auth import keys
from gamekeeper.core.settings import Settings
from gamekeeper.db.database import Database
from gamekeeper.http.load_shedding import (
    ALWAYS,
    INITIAL_LIMIT,
    LOW,
    MIN_LIMIT,
    TARGET_LATENCY,
    ConcurrencyLimiter,
)
from tests.in_process import in_process
from tests.make import BY, make_player


class Clock:
    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


class House:
    """A gate, and a service behind it that answers `speed` callers a second, one by one."""

    def __init__(self, speed: float) -> None:
        self.clock = Clock()
        self.gate = ConcurrencyLimiter(self.clock)
        self.speed = speed
        self.inside: deque[tuple[asyncio.Future[None], asyncio.Task[None]]] = deque()

    async def __aenter__(self) -> "House":
        return self

    async def __aexit__(self, *_: object) -> None:
        while self.inside:
            await self.answer()
        assert self.gate.in_flight == 0

    async def fill(self, share: float = 1.0) -> None:
        while self.gate.has_capacity(share):
            answer = asyncio.get_running_loop().create_future()
            self.inside.append((answer, asyncio.create_task(self.gate.run(answer))))
            await asyncio.sleep(0)

    async def answer(self) -> None:
        answer, caller = self.inside.popleft()
        answer.set_result(None)
        await caller

    async def besieged(self, seconds: float) -> None:
        """All the time, more want to come in than can."""
        until = self.clock.now + seconds
        while self.clock.now < until:
            await self.fill()
            self.clock.now += 1 / self.speed
            await self.answer()


async def test_the_room_becomes_what_can_be_answered_soon():
    async with House(speed=5_000) as house:
        await house.besieged(5)
        wait = house.gate.in_flight / house.speed
    assert 0.7 * TARGET_LATENCY < wait < 1.3 * TARGET_LATENCY


async def test_the_room_follows_the_service():
    async with House(speed=2_000) as house:
        await house.besieged(5)
        usual = house.gate.limit
        house.speed = 1_000
        await house.besieged(5)
        slow = house.gate.limit
        house.speed = 4_000
        await house.besieged(5)
        fast = house.gate.limit
    assert slow < 0.7 * usual
    assert fast > 1.5 * usual


async def test_the_room_is_never_too_small_to_merge():
    async with House(speed=10) as house:
        await house.besieged(60)
        assert house.gate.limit == MIN_LIMIT


async def test_lists_leave_room_for_gifts():
    async with House(speed=1_000) as house:
        await house.fill(LOW)
        assert house.gate.in_flight < INITIAL_LIMIT
        assert house.gate.has_capacity(1.0)


async def test_who_must_be_heard_is_heard_when_all_is_full():
    async with House(speed=1_000) as house:
        await house.fill()
        assert not house.gate.has_capacity(1.0)
        assert house.gate.has_capacity(ALWAYS)


async def test_who_fails_has_left_too():
    async def fail() -> None:
        raise RuntimeError

    gate = ConcurrencyLimiter()
    with pytest.raises(RuntimeError):
        await gate.run(fail())
    assert gate.in_flight == 0


@pytest.fixture
async def client(settings: Settings, database: Database) -> AsyncIterator[httpx2.AsyncClient]:
    """The application, with connections of its own, whose statements may take one second."""
    key = await keys.create.one(database, keys.NewKey(by=BY, name="crowd"))
    headers = {"Authorization": f"Bearer {key}"}
    async with in_process(structs.replace(settings, statement_seconds=1), None, headers) as client:
        yield client


@pytest.mark.torture
async def test_beyond_the_room_callers_hear_so_at_once(settings, database, client):
    """The database stands still; as many wait for it as there is room for, and no more."""
    await make_player(database, "ana")
    blocker = await asyncpg.connect(str(settings.database_url))
    assert (await client.get("/api/v1/players/ana")).status_code == 200
    async with blocker.transaction():
        await blocker.execute("LOCK TABLE players IN ACCESS EXCLUSIVE MODE")
        asked = [client.get("/api/v1/players/ana") for _ in range(2 * INITIAL_LIMIT)]
        answers = await asyncio.gather(*asked)
        alive = await client.get("/livez")
    assert (await client.get("/api/v1/players/ana")).status_code == 200
    counted = (await client.get("/metrics")).text
    await blocker.close()

    assert alive.status_code == 200
    assert all(answer.status_code == 503 for answer in answers)
    away = [
        answer
        for answer in answers
        if answer.json()["Message"].startswith("The service is overloaded")
    ]
    waited = [answer.elapsed for answer in answers if answer not in away]
    assert len(away) > INITIAL_LIMIT // 2
    assert waited
    assert median(answer.elapsed for answer in away) < median(waited)
    assert all(answer.json()["Code"] == "unavailable" for answer in away)
    assert all(answer.json()["RequestId"] == answer.headers["X-Request-Id"] for answer in away)
    assert {answer.headers["Retry-After"] for answer in away} == {"1", "2", "3"}
    assert "gamekeeper_turned_away_total" in counted
