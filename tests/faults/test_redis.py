"""Redis is slow, cut off or emptied: only rate limits use it, and requests go on."""

import time
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from redis.asyncio import Redis

from gamekeeper.core.rates import Rate
from gamekeeper.http.rate_counters import REFUSED, LocalCounter, SharedCounter
from tests.db.proxy import Proxy, proxy
from tests.redis import serving_redis
from tests.server import free_port

pytestmark = pytest.mark.engines

HOURLY = Rate.of("read", 20, 3600)


@pytest.fixture
async def network(tmp_path: Path) -> AsyncIterator[Proxy]:
    port = free_port()
    with serving_redis(tmp_path, port):
        async with proxy(port) as made:
            yield made


async def seconds_of_a_hundred(counter: SharedCounter) -> float:
    begun = time.monotonic()
    for number in range(100):
        assert (await counter.take(str(number), HOURLY))[0] != REFUSED
    return time.monotonic() - begun


@pytest.mark.parametrize("fault", ["slow", "cut", "one-way"])
async def test_a_redis_that_answers_too_late_costs_one_wait(network: Proxy, fault: str):
    counter = SharedCounter(f"redis://127.0.0.1:{network.port}/0", LocalCounter())
    await counter.take("first", HOURLY)
    if fault == "slow":
        network.delay_seconds = 0.1
    else:
        network.silence(requests=fault == "cut")

    taken = await seconds_of_a_hundred(counter)

    network.delay_seconds = 0
    network.resume()
    await counter.close()
    # A wait of 50 ms, and one more each second; a hundred would be five seconds.
    assert taken < 1


async def test_an_emptied_redis_grants_at_most_one_budget_more(network: Proxy):
    url = f"redis://127.0.0.1:{network.port}/0"
    counter = SharedCounter(url, LocalCounter())
    passed = 0
    for attempt in range(4 * HOURLY.amount):
        passed += (await counter.take("a", HOURLY))[0] != REFUSED
        if attempt == 2 * HOURLY.amount:
            async with Redis.from_url(url) as redis:
                await redis.flushall()
    await counter.close()
    assert HOURLY.amount <= passed <= 2 * HOURLY.amount
