"""The counters of rate limits: in memory, in Redis, and while Redis is away."""

import asyncio
import json
import os
import re
import signal
import time
import tracemalloc
from collections import Counter
from pathlib import Path

import httpx2
import pytest
from redis.asyncio import Redis

from gamekeeper.auth import keys
from gamekeeper.core.rates import Rate
from gamekeeper.http import rate_counters
from gamekeeper.http.rate_counters import MOST_BUCKETS, REFUSED, LocalCounter, SharedCounter
from tests.deadlines import PATIENCE
from tests.http.test_load_shedding import Clock
from tests.make import BY
from tests.redis import serving_redis
from tests.server import free_port, serving

HOURLY = Rate.of("read", 20, 3600)
READ = "/api/v1/players/online/count"
FAILURES = re.compile(r"^gamekeeper_rate_limiter_failures_total (\S+)$", re.MULTILINE)


# --- in memory ----------------------------------------------------------------


def test_a_bucket_is_spent_at_once_and_fills_steadily():
    clock = Clock()
    counter, rate = LocalCounter(clock), Rate.of("read", 10, 60)
    assert [counter.take("a", rate)[0] for _ in range(12)] == [*range(9, -1, -1), REFUSED, REFUSED]
    assert counter.take("a", rate)[1] == pytest.approx(6, abs=0.01)
    clock.now += 6
    assert [counter.take("a", rate)[0] for _ in range(2)] == [0, REFUSED]
    clock.now += 600
    assert counter.take("a", rate) == (9, pytest.approx(6, abs=0.01))


@pytest.mark.parametrize("amount", [1, 3, 7, 600, 20_000])
@pytest.mark.parametrize("seconds", [1, 60, 86_400])
def test_the_count_is_exact_whatever_the_fraction(amount, seconds):
    counter, rate = LocalCounter(Clock()), Rate.of("read", amount, seconds)
    assert sum(counter.take("a", rate)[0] != REFUSED for _ in range(amount + 5)) == amount


def test_in_the_long_run_the_rate_is_kept():
    clock, passed = Clock(), 0
    counter, rate = LocalCounter(clock), Rate.of("read", 30, 60)
    for _ in range(6000):
        passed += counter.take("a", rate)[0] != REFUSED
        clock.now += 0.1
    assert passed == pytest.approx(30 + 600 / 60 * 30, abs=2)


@pytest.mark.torture
def test_a_hundred_thousand_addresses_take_bounded_memory_and_time():
    counter, rate = LocalCounter(), Rate.of("public", 1200, 60)
    begun = time.process_time()
    tracemalloc.start()
    for number in range(100_000):
        counter.take(f"public:@198.51.{number >> 8}.{number & 255}", rate)
    taken, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert len(counter) <= MOST_BUCKETS
    assert taken < 16 * 2**20
    assert time.process_time() - begun < 10


def test_those_seen_longest_ago_are_forgotten_and_those_seen_since_are_not():
    counter = LocalCounter(Clock(), most=4)
    rate = Rate.of("read", 2, 60)
    for bucket in "abca":
        counter.take(bucket, rate)
    # `b` was not seen since the second generation began.
    counter.take("d", rate)
    assert [counter.take(bucket, rate)[0] for bucket in "acd"] == [REFUSED, 0, 0]
    assert counter.take("b", rate)[0] == 1
    assert len(counter) <= 4


# --- in Redis -----------------------------------------------------------------


@pytest.fixture
def redis_port(tmp_path: Path):
    port = free_port()
    with serving_redis(tmp_path, port):
        yield port


@pytest.fixture
def patient(monkeypatch) -> None:
    """For exact counts: a busy machine may take longer than 50 ms, and then they are not."""
    monkeypatch.setattr(rate_counters, "LONGEST_WAIT", PATIENCE)


@pytest.mark.engines
async def test_of_fifty_at_once_in_two_counters_exactly_the_limit_passes(redis_port, patient):
    url = f"redis://127.0.0.1:{redis_port}/0"
    first, second = [SharedCounter(url, LocalCounter()) for _ in range(2)]
    calls = [counter.take("a", HOURLY) for counter in (first, second) for _ in range(50)]
    calls += [counter.take("b", HOURLY) for counter in (first, second) for _ in range(5)]
    counted = await asyncio.gather(*calls)
    passed = [left for left, _ in counted[:100] if left != REFUSED]
    assert len(passed) == HOURLY.amount
    assert all(0 < wait <= 3600 for left, wait in counted[:100] if left == REFUSED)
    assert [left for left, _ in counted[100:]].count(REFUSED) == 0
    assert min(left for left, _ in counted[100:]) == 10
    await first.close()
    await second.close()


@pytest.mark.engines
async def test_a_call_for_more_than_the_limit_gets_what_is_left(redis_port, patient):
    counter = SharedCounter(f"redis://127.0.0.1:{redis_port}/0", LocalCounter())
    rate = Rate.of("read", 3, 3600)
    assert (await counter.take("a", rate))[0] == 2
    counted = await asyncio.gather(*(counter.take("a", rate) for _ in range(30)))
    assert Counter(left for left, _ in counted) == {1: 1, 0: 1, REFUSED: 28}
    await counter.close()


@pytest.mark.engines
async def test_a_large_limit_is_kept_within_a_twentieth_and_redis_is_asked_seldom(
    redis_port, patient
):
    url = f"redis://127.0.0.1:{redis_port}/0"
    counters = [SharedCounter(url, LocalCounter()) for _ in range(2)]
    rate, passed = Rate.of("read", 3000, 3600), 0
    for number in range(4000):
        passed += (await counters[number % 2].take("a", rate))[0] != REFUSED
    assert rate.amount <= passed <= rate.amount * 1.05
    # The thousand that were refused, and the last that passed, were asked for one by one.
    async with Redis.from_url(url) as redis:
        stats = await redis.info("commandstats")
    assert stats["cmdstat_evalsha"]["calls"] < 4000
    for counter in counters:
        await counter.close()


@pytest.mark.engines
async def test_what_waits_for_redis_can_be_given_up(redis_port, patient):
    counter = SharedCounter(f"redis://127.0.0.1:{redis_port}/0", LocalCounter())
    leaving = [asyncio.create_task(counter.take("a", HOURLY)) for _ in range(5)]
    await asyncio.sleep(0)
    for task in leaving[1:]:
        task.cancel()
    told = await asyncio.gather(*leaving, return_exceptions=True)
    assert isinstance(told[0], tuple)
    assert (await counter.take("a", HOURLY))[0] >= 14
    assert counter._lines == {}
    await counter.close()


async def test_a_redis_that_is_not_there_costs_little_and_the_process_counts_for_itself():
    counter = SharedCounter(f"redis://127.0.0.1:{free_port()}/0", LocalCounter())
    counted = await asyncio.gather(*(counter.take("a", HOURLY) for _ in range(50)))
    assert sum(left != REFUSED for left, _ in counted) == HOURLY.amount
    begun = time.monotonic()
    for number in range(200):
        await counter.take(str(number), HOURLY)
    assert time.monotonic() - begun < 1
    await counter.close()


@pytest.mark.engines
async def test_a_frozen_redis_is_waited_for_once_and_then_left_alone(tmp_path):
    port = free_port()
    with serving_redis(tmp_path, port) as redis:
        counter = SharedCounter(f"redis://127.0.0.1:{port}/0", LocalCounter())
        await counter.take("a", HOURLY)
        redis.send_signal(signal.SIGSTOP)
        begun = time.monotonic()
        for number in range(100):
            assert (await counter.take(str(number), HOURLY))[0] != REFUSED
        # One wait of 50 ms; a hundred would be five seconds.
        assert time.monotonic() - begun < 1
        redis.send_signal(signal.SIGCONT)
        async with asyncio.timeout(PATIENCE):
            while counter._away:
                await asyncio.sleep(0.1)
                await counter.take("b", HOURLY)
        await counter.close()


# --- several processes --------------------------------------------------------


async def key_of(database, name: str) -> dict[str, str]:
    key = await keys.create.one(database, keys.NewKey(by=BY, name=name))
    return {"Authorization": f"Bearer {key}"}


def failures(url: str) -> float:
    found = FAILURES.search(httpx2.get(f"{url}/metrics", timeout=PATIENCE).text)
    return float(found[1]) if found else 0.0


@pytest.mark.engines
async def test_two_processes_share_one_budget(settings, database, tmp_path, redis_port):
    env = {
        "GAMEKEEPER_REDIS_URL": f"redis://127.0.0.1:{redis_port}/3",
        "GAMEKEEPER_KEY_RATE_LIMITS": "read 20/hour",
    }
    with (
        serving(settings, tmp_path / "one", **env) as (one, _),
        serving(settings, tmp_path / "two", **env) as (two, _),
    ):
        # A busy machine may be slower than 50 ms, and then a process counts for itself.
        for attempt in range(5):
            headers = await key_of(database, f"site{attempt}")
            before = failures(one) + failures(two)
            async with httpx2.AsyncClient(timeout=PATIENCE, headers=headers) as client:
                calls = [client.get(url + READ) for url in (one, two) for _ in range(25)]
                answers = await asyncio.gather(*calls)
            if failures(one) + failures(two) == before:
                break
        told = Counter(answer.status_code for answer in answers)
        assert told == {200: 20, 429: 30}


@pytest.mark.engines
async def test_requests_go_on_when_redis_is_killed_and_log_and_metric_say_so(
    settings, database, tmp_path
):
    port = free_port()
    log = tmp_path / "log"
    env = {
        "GAMEKEEPER_REDIS_URL": f"redis://127.0.0.1:{port}/0",
        # Below EXACT_BELOW: every request asks Redis, and so finds that it is gone.
        "GAMEKEEPER_KEY_RATE_LIMITS": "read 900/hour",
    }
    headers = await key_of(database, "site")
    with serving_redis(tmp_path, port) as redis, serving(settings, log, **env) as (url, _):
        async with httpx2.AsyncClient(base_url=url, timeout=PATIENCE, headers=headers) as client:
            told: Counter[int] = Counter()

            async def calls(count: int) -> None:
                for _ in range(count):
                    told[(await client.get(READ)).status_code] += 1

            calling = asyncio.gather(*(calls(40) for _ in range(8)))
            await asyncio.sleep(0.1)
            os.kill(redis.pid, signal.SIGKILL)
            await calling
            await calls(5)
            assert told == {200: 325}
            assert failures(url) >= 1
            with serving_redis(tmp_path, port):
                async with asyncio.timeout(PATIENCE):
                    while "rate_limiter_available" not in log.read_text():
                        await calls(1)
                        await asyncio.sleep(0.1)
    lines = [json.loads(line) for line in log.read_text().splitlines() if "rate_limiter_" in line]
    events = [line["event"] for line in lines]
    # Once when it goes, however many requests notice; a busy machine may add a pair before.
    assert events[-2:] == ["rate_limiter_unavailable", "rate_limiter_available"]
    assert events.count("rate_limiter_unavailable") == events.count("rate_limiter_available")
    assert lines[-2]["fault"]
