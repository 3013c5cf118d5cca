"""
Counters of rate limits: in the memory of this process, or in Redis for all processes.

In memory, a token bucket (GCRA): one number for each caller, a microsecond for each request. The
memory of the library `limits` looks at all its callers for each request of one, so it is used
for Redis only (docs/decisions/0043-rate-limits.md).

In Redis, a sliding window. Requests of one caller that wait at the same time are charged by one
call (batching). Far from a large limit a process lets a twentieth of what is left pass before it
asks again, and charges that then; a limit below 1,000 is exact.

A Redis that is away or slow must not make the service so: after 50 ms the process counts for
itself, for a second, and then asks again (circuit breaker).
"""

import asyncio
from collections import OrderedDict
from collections.abc import Callable
from time import monotonic, time
from typing import Any, cast

import structlog
from msgspec import Struct

from gamekeeper.core import tasks
from gamekeeper.core.observability import metrics
from gamekeeper.core.rates import Rate

MOST_BUCKETS = 50_000
"""Callers and addresses that are counted in memory; then those seen longest ago are forgotten."""

LONGEST_WAIT = 0.05
"""Seconds in which Redis must answer."""

OPEN_SECONDS = 1.0
"""How long a Redis that failed is left alone."""

SHARE = 20
"""One part in so many of what is left, and of the window, passes before Redis is asked again."""

EXACT_BELOW = 1000
"""Smaller limits are charged request by request."""

CONNECTIONS = 8
PREFIX = "gamekeeper"
ROUNDING = 1e-3

REFUSED = -1

Counted = tuple[int, float]
"""How many requests are left, or REFUSED; and in how many seconds there is one more."""

log = structlog.get_logger()


class LocalCounter:
    """
    A token bucket for each caller (GCRA), stored as the time at which it is full again.

    In two generations: when the young one has half of the most, the old one is forgotten, with
    those who were not seen since. That is cheaper than to keep all of them in order (LRU).
    """

    def __init__(self, clock: Callable[[], float] = monotonic, most: int = MOST_BUCKETS) -> None:
        self._clock = clock
        self._most_young = most // 2
        self._young: dict[str, float] = {}
        self._old: dict[str, float] = {}

    def __len__(self) -> int:
        return len(self._young) + len(self._old)

    def charge(self, bucket: str, rate: Rate) -> float:
        """Charge one request; returns how many are left, negative if it exceeds the rate."""
        now = self._clock()
        young = self._young
        full_at = max(now, young.get(bucket) or self._old.get(bucket, now)) + rate.each
        left = (now + rate.seconds - full_at) / rate.each + ROUNDING
        # A refused request is not charged: a client that retries too often still gets its rate.
        if left >= 0:
            if len(young) >= self._most_young and bucket not in young:
                self._old, self._young = young, {}
            self._young[bucket] = full_at
        return left

    def take(self, bucket: str, rate: Rate) -> Counted:
        """The same, as it is counted in Redis."""
        left = self.charge(bucket, rate)
        if left < 0:
            return REFUSED, -left * rate.each
        return int(left), (int(left) + 1 - left) * rate.each


class Headroom(Struct):
    """What a process may let pass of a bucket before it asks Redis again."""

    spare: int = 0
    until: float = 0.0
    owed: int = 0
    """Requests that passed and were not charged yet."""
    left: int = 0
    wait: float = 0.0


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
            # No retries: a request must not wait for a Redis that is away. See the circuit breaker.
            retry=Retry(NoBackoff(), 0),
        )
        storage = RedisStorage(
            url, implementation="redispy", key_prefix=PREFIX, connection_pool=cast(Any, self._pool)
        )
        self._window = SlidingWindowCounterRateLimiter(storage)
        self._lines: dict[str, list[asyncio.Future[Counted]]] = {}
        self._headrooms: OrderedDict[str, Headroom] = OrderedDict()
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
        headroom = self._headrooms.get(bucket)
        if headroom is not None and headroom.spare > 0 and monotonic() < headroom.until:
            headroom.spare -= 1
            headroom.owed += 1
            headroom.left -= 1
            return headroom.left, headroom.wait
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
            for turn, count in zip(turns, counted, strict=True):
                if not turn.done():
                    turn.set_result(count)
        del self._lines[bucket]

    async def _counted(self, bucket: str, rate: Rate, count: int) -> list[Counted]:
        headroom = self._headrooms.pop(bucket, None) or Headroom()
        try:
            async with asyncio.timeout(LONGEST_WAIT):
                granted, left, wait = await self._charge(bucket, rate, headroom.owed + count)
        except Exception as fault:  # Whatever it is: requests must go on.
            self._note_failure(fault)
            return [self._fallback.take(bucket, rate) for _ in range(count)]
        if self._away:
            self._away = False
            log.info("rate_limiter_available")
        # What passed unasked is paid first, so fewer than these may be granted now.
        granted = max(0, granted - headroom.owed)
        self._leave(bucket, rate, left, wait)
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
        wait = stats.reset_time - time()
        # In the first millisecond of a window the library says that the wait is over.
        return granted, stats.remaining, wait if wait > 0 else rate.each

    def _leave(self, bucket: str, rate: Rate, left: int, wait: float) -> None:
        """Let some of what is left pass, if the limit is large, until Redis is asked again."""
        if rate.amount < EXACT_BELOW or left < SHARE:
            return
        until = monotonic() + rate.seconds / SHARE
        self._headrooms[bucket] = Headroom(left // SHARE, until, 0, left, wait)
        if len(self._headrooms) > MOST_BUCKETS:
            self._headrooms.popitem(last=False)

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
