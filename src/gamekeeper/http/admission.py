"""
Admission control for anonymous callers: rate and concurrency limits per address.

The concurrency limit of `load_shedding` adapts to the latency of requests. A flood of
anonymous requests to a public route must not be able to lower it. So requests without a
valid credential are limited here, by rate and by concurrency, and never count in the
other limit or its measurement. An IPv6 network (/64) counts as one address.

A request over the rate is delayed, and refused only after the longest delay: a client
that loops on many connections then costs one refusal a second for each, instead of all
of our CPU.
"""

import asyncio
from collections import OrderedDict, deque
from collections.abc import Awaitable, Callable, Collection, Coroutine
from functools import lru_cache
from ipaddress import IPv6Address, ip_address, ip_network
from random import uniform
from time import monotonic
from typing import TypeVar

import structlog

from gamekeeper.core.observability import metrics
from gamekeeper.http import cookies
from gamekeeper.http.load_shedding import Overloaded

LONGEST_DELAY = 1.0
"""The most seconds that a request over its rate waits, for admission or for the refusal."""

BURST_SECONDS = 2
"""The burst: an idle address may send at once what its rate allows in this time."""

ADDRESSES = 8
"""All addresses together have this many times the rate of one."""

LOOKUPS = 4
"""Requests with an invalid credential have this many times the rate."""

MOST_DELAYED = 4096
"""The most delayed requests, of some kilobytes each; beyond this there is no delay."""

MOST_OUTGOING = 256
"""Requests of authenticated callers that wait for other services, in one process."""
MOST_OUTGOING_OF_CALLER = 64

MOST_SOURCES = 10_000
MOST_KNOWN = 10_000

MOST_DOWNLOADS = 256
"""Large responses to authenticated callers that one process sends at a time."""

KNOWN_SECONDS = 60.0
"""How long a credential counts as valid after its last successful check."""

T = TypeVar("T")

log = structlog.get_logger()


class SourceLimiter:
    """A concurrency limit: at most `most` at a time in all, and `of_one` from one source."""

    def __init__(self, most: int, of_one: int) -> None:
        self._most, self._of_one = most, of_one
        self._in_flight = 0
        self._in_flight_of: dict[str, int] = {}
        self._waiting: dict[str, deque[asyncio.Future[None]]] = {}

    def try_acquire(self, source: str) -> bool:
        """Take a slot if one is free; after True the caller must `release` it."""
        if not self._has_room(source):
            return False
        self._in_flight += 1
        self._in_flight_of[source] = self._in_flight_of.get(source, 0) + 1
        return True

    def release(self, source: str) -> None:
        self._in_flight -= 1
        self._in_flight_of[source] -= 1
        if not self._in_flight_of[source]:
            del self._in_flight_of[source]
        if self._waiting:
            self._wake()

    async def run(self, work: Awaitable[T], source: str) -> T:
        """Do `work` when a slot is free; Overloaded if that takes too long."""
        try:
            if not self.try_acquire(source):
                await self._wait(source)
        except (Overloaded, asyncio.CancelledError):
            # Otherwise Python warns of a coroutine that was never awaited.
            if isinstance(work, Coroutine):
                work.close()
            raise
        try:
            return await work
        finally:
            self.release(source)

    def _has_room(self, source: str) -> bool:
        return self._in_flight < self._most and self._in_flight_of.get(source, 0) < self._of_one

    async def _wait(self, source: str) -> None:
        turn = asyncio.get_running_loop().create_future()
        line = self._waiting.setdefault(source, deque())
        line.append(turn)
        try:
            async with asyncio.timeout(LONGEST_DELAY):
                await turn
        except (TimeoutError, asyncio.CancelledError) as ended:
            # The slot was assigned in the moment the wait ended: give it to the next.
            if turn.done() and not turn.cancelled():
                self.release(source)
            elif turn in line:
                line.remove(turn)
                self._forget(source)
            if isinstance(ended, TimeoutError):
                raise Overloaded from None
            raise

    def _wake(self) -> None:
        for source, line in list(self._waiting.items()):
            while line and self._has_room(source):
                turn = line.popleft()
                if not turn.done():
                    self.try_acquire(source)
                    turn.set_result(None)
            self._forget(source)
            if self._in_flight >= self._most:
                return

    def _forget(self, source: str) -> None:
        if not self._waiting.get(source, True):
            del self._waiting[source]


class RateLimiter:
    """A rate limit for each source: a token bucket, stored as the time at which it is full."""

    def __init__(self, rate: float, clock: Callable[[], float] = monotonic) -> None:
        self._each = 1 / rate
        self._clock = clock
        self._full_at: dict[str, float] = {}

    def delay(self, source: str) -> float:
        """Seconds until one more request from `source` is within the rate."""
        return max(0.0, self._full_at.get(source, 0.0) - self._clock() - BURST_SECONDS)

    def charge(self, source: str) -> None:
        now = self._clock()
        if len(self._full_at) >= MOST_SOURCES and source not in self._full_at:
            self._full_at = {key: full for key, full in self._full_at.items() if full > now}
            if len(self._full_at) >= MOST_SOURCES:
                source = ""
        full = max(self._full_at.get(source, 0.0), now) + self._each
        # A cap on the debt, so that the limit ends soon after the flood does.
        self._full_at[source] = min(full, now + BURST_SECONDS + 2 * LONGEST_DELAY)


class AnonymousLimits:
    """The limits of all requests without a valid credential."""

    def __init__(self, rate: float) -> None:
        self.work = SourceLimiter(32, 8)
        """Requests to public routes in flight."""
        self.outgoing = SourceLimiter(64, 16)
        """Those that wait for another service."""
        self.lookups = SourceLimiter(512, 128)
        """Requests whose credential is being looked up."""
        self.downloads = SourceLimiter(64, 8)
        """Large responses that are being sent."""
        self._pace = RateLimiter(rate)
        self._pace_of_all = RateLimiter(rate * ADDRESSES)
        self._pace_of_health = RateLimiter(rate)
        self._pace_of_mistakes = RateLimiter(rate * LOOKUPS)
        self._known: OrderedDict[int, float] = OrderedDict()
        self._delayed = 0
        self._refused = 0
        self._logged_at = 0.0

    def is_known(self, credential: int) -> bool:
        """Whether this credential was valid within the last minute."""
        return self._known.get(credential, 0.0) > monotonic()

    def found_good(self, credential: int) -> None:
        self._known[credential] = monotonic() + KNOWN_SECONDS
        if len(self._known) > MOST_KNOWN:
            self._known.popitem(last=False)

    def found_bad(self, credential: int, source: str) -> None:
        """Forget the credential, and charge its source."""
        self._known.pop(credential, None)
        self._pace_of_mistakes.charge(source)

    async def admits(self, source: str) -> bool:
        """Whether a request is admitted, after a delay if its source exceeds the rate."""
        delay = max(self._pace.delay(source), self._pace_of_all.delay(""))
        if delay <= LONGEST_DELAY:
            self._pace.charge(source)
            self._pace_of_all.charge("")
        return await self._admits_after(delay, source)

    async def admits_lookup(self, source: str) -> bool:
        """The same for a request with a credential: only sources of invalid ones are delayed."""
        return await self._admits_after(self._pace_of_mistakes.delay(source), source)

    async def delay_health_check(self, source: str) -> None:
        """Delay a health check if there are many; it is never refused."""
        delay = self._pace_of_health.delay(source)
        self._pace_of_health.charge(source)
        if delay:
            await self._pause(min(delay, LONGEST_DELAY))

    async def _admits_after(self, delay: float, source: str) -> bool:
        if delay <= 0:
            return True
        if delay <= LONGEST_DELAY:
            await self._pause(delay)
            return True
        # Jitter, or all would retry at the same moment.
        await self._pause(LONGEST_DELAY * uniform(0.5, 1.5))  # noqa: S311
        self._note_refusal(source)
        return False

    async def _pause(self, seconds: float) -> None:
        if self._delayed < MOST_DELAYED:
            self._delayed += 1
            try:
                await asyncio.sleep(seconds)
            finally:
                self._delayed -= 1

    def _note_refusal(self, source: str) -> None:
        metrics.ANONYMOUS_REFUSED.inc()
        self._refused += 1
        now = monotonic()
        if now - self._logged_at > 1:
            log.warning("anonymous_requests_refused", count=self._refused, address=source)
            self._refused, self._logged_at = 0, now


def credential_of(headers: Collection[tuple[bytes, bytes]]) -> int:
    """A hash that stands for the Authorization header, or else the session cookie; 0 if none."""
    for name, value in headers:
        if name == b"authorization":
            return hash(value)
    return cookies.hash_of(headers)


@lru_cache(maxsize=4096)
def source_of(address: str) -> str:
    """The key of the limits: the IPv4 address, or the IPv6 network (/64) of one customer."""
    try:
        parsed = ip_address(address)
    except ValueError:
        return address or "unknown"
    if not isinstance(parsed, IPv6Address):
        return address
    if parsed.ipv4_mapped:
        return str(parsed.ipv4_mapped)
    return str(ip_network((parsed.packed[:8] + bytes(8), 64)))
