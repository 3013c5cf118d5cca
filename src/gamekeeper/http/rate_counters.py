"""
Counters of rate limits: in the memory of this process, or in Redis for all processes.

In memory, a token bucket (GCRA): one number for each caller, a microsecond for each request. The
memory of the library `limits` looks at all its callers for each request of one, so it is used
for Redis only (docs/decisions/0043-rate-limits.md).

In Redis, a sliding window. Requests of one caller that wait at the same time are charged by one
call (batching). A Redis that is away or slow must not make the service so: after 50 ms the
process counts for itself, for a second, and then asks again (circuit breaker).
"""

import asyncio
from collections import OrderedDict
from collections.abc import Callable
from time import monotonic, time
from typing import Any, cast

import structlog

from gamekeeper.core import metrics, tasks
from gamekeeper.core.rates import Rate

MOST_BUCKETS = 50_000
"""Callers and addresses that are counted in memory; then the one seen longest ago is forgotten."""

LONGEST_WAIT = 0.05
"""Seconds in which Redis must answer."""

OPEN_SECONDS = 1.0
"""How long a Redis that failed is left alone."""

CONNECTIONS = 8
PREFIX = "gamekeeper"
ROUNDING = 1e-6

REFUSED = -1

Counted = tuple[int, float]
"""How many requests are left, or REFUSED; and in how many seconds there is one more."""

log = structlog.get_logger()


class LocalCounter:
    """A token bucket for each caller (GCRA), stored as the time at which it is full again."""

    def __init__(self, clock: Callable[[], float] = monotonic, most: int = MOST_BUCKETS) -> None:
        self._clock = clock
        self._most = most
        self._full_at: OrderedDict[str, float] = OrderedDict()

    def __len__(self) -> int:
        return len(self._full_at)

    def take(self, bucket: str, rate: Rate) -> Counted:
        """Charge one request, unless that would exceed the rate."""
        now = self._clock()
        each = rate.each
        owed = self._full_at.get(bucket, now) - now
        owed = owed + each if owed > 0 else each
        left = (rate.seconds - owed) / each + ROUNDING
        if left < 0:
            return REFUSED, -left * each
        self._full_at[bucket] = now + owed
        self._full_at.move_to_end(bucket)
        if len(self._full_at) > self._most:
            self._full_at.popitem(last=False)
        whole = int(left)
        return whole, (whole + 1 - left) * each


class SharedCounter:
    """Counts in Redis, for all processes together; in `fallback` while Redis is away."""

    def __init__(self, url: str, fallback: LocalCounter) -> None:
        # Imported here: they take a quarter of a second, and few operators have a Redis.
        from limits.aio.storage import RedisStorage
        from limits.aio.strategies import SlidingWindowCounterRateLimiter
        from redis.asyncio import BlockingConnectionPool
        from redis.asyncio.retry import Retry
        from redis.backoff import NoBackoff

        self._fallback = fallback
        self._pool = BlockingConnectionPool.from_url(
            url,
            max_connections=CONNECTIONS,
            timeout=LONGEST_WAIT,
            socket_timeout=LONGEST_WAIT,
            socket_connect_timeout=LONGEST_WAIT,
            retry=Retry(NoBackoff(), 0),
        )
        storage = RedisStorage(
            url, implementation="redispy", key_prefix=PREFIX, connection_pool=cast(Any, self._pool)
        )
        self._window = SlidingWindowCounterRateLimiter(storage)
        self._lines: dict[str, list[asyncio.Future[Counted]]] = {}
        self._charging: set[asyncio.Task[None]] = set()
        self._items: dict[tuple[int, int], Any] = {}
        self._away = False
        self._ask_again_at = 0.0

    async def close(self) -> None:
        await tasks.end(list(self._charging))
        await self._pool.disconnect()

    async def take(self, bucket: str, rate: Rate) -> Counted:
        """Charge one request, unless that would exceed the rate."""
        if not self._may_ask():
            return self._fallback.take(bucket, rate)
        turn: asyncio.Future[Counted] = asyncio.get_running_loop().create_future()
        line = self._lines.get(bucket)
        if line is not None:
            line.append(turn)
        else:
            self._lines[bucket] = line = [turn]
            charging = asyncio.create_task(self._charge_line(bucket, rate, line))
            self._charging.add(charging)
            charging.add_done_callback(self._charging.discard)
        return await turn

    async def _charge_line(
        self, bucket: str, rate: Rate, line: list[asyncio.Future[Counted]]
    ) -> None:
        """Charge all that wait by one call, then those that came meanwhile."""
        while line:
            turns = line[:]
            line.clear()
            counted = await self._counted(bucket, rate, len(turns))
            for turn, one in zip(turns, counted, strict=True):
                if not turn.done():
                    turn.set_result(one)
        del self._lines[bucket]

    async def _counted(self, bucket: str, rate: Rate, count: int) -> list[Counted]:
        try:
            async with asyncio.timeout(LONGEST_WAIT):
                granted, left, wait = await self._charge(bucket, rate, count)
        except Exception as fault:  # Whatever it is: requests must go on.
            self._note_failure(fault)
            return [self._fallback.take(bucket, rate) for _ in range(count)]
        if self._away:
            self._away = False
            log.info("rate_limiter_available")
        passed = [(left + granted - 1 - place, wait) for place in range(granted)]
        return passed + [(REFUSED, wait)] * (count - granted)

    async def _charge(self, bucket: str, rate: Rate, count: int) -> tuple[int, int, float]:
        """Charge `count` requests, or as many as are left; how many, what is left, and the wait."""
        item = self._item(rate)
        granted = count if await self._window.hit(item, bucket, cost=count) else 0
        stats = await self._window.get_window_stats(item, bucket)
        while not granted and stats.remaining > 0:
            # Another process may take them first: then fewer are left, until there are none.
            some = min(count, stats.remaining)
            granted = some if await self._window.hit(item, bucket, cost=some) else 0
            stats = await self._window.get_window_stats(item, bucket)
        return granted, stats.remaining, max(0.0, stats.reset_time - time())

    def _item(self, rate: Rate) -> Any:
        item = self._items.get((rate.amount, rate.seconds))
        if item is None:
            from limits import RateLimitItemPerSecond

            item = RateLimitItemPerSecond(rate.amount, rate.seconds, namespace="rate")
            self._items[rate.amount, rate.seconds] = item
        return item

    # ── The circuit breaker ──

    def _may_ask(self) -> bool:
        """Whether Redis is asked; of a Redis that failed, one request finds out if it is back."""
        if not self._away:
            return True
        now = monotonic()
        if now < self._ask_again_at:
            return False
        self._ask_again_at = now + OPEN_SECONDS
        return True

    def _note_failure(self, fault: Exception) -> None:
        metrics.RATE_LIMITER_FAILURES.inc()
        self._ask_again_at = monotonic() + OPEN_SECONDS
        if not self._away:
            self._away = True
            log.warning("rate_limiter_unavailable", fault=f"{type(fault).__name__}: {fault}")
