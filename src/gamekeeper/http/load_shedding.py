"""
Load shedding: an adaptive concurrency limit (AIMD); requests over it get 503 at once.

The more requests are in flight, the longer each takes. So the limit grows while most
requests are fast and shrinks while most are slow; it needs no setting, and follows the
capacity of the machine and PostgreSQL at the moment. A request over the limit is
rejected at once, with Retry-After: better than a response after the client has given
up. Batches are the only queue.
"""

from collections.abc import Awaitable, Callable
from itertools import cycle
from math import inf
from secrets import token_hex
from time import monotonic
from typing import TypeVar

import msgspec
import structlog

from gamekeeper.core.errors import Failure, Unavailable
from gamekeeper.core.observability import metrics

TARGET_LATENCY = 0.1
"""Seconds within which half of the requests in flight should be answered."""

MIN_LIMIT = 64
"""Fewer requests make small batches, and batching is what makes the service fast."""

MAX_LIMIT = 4096
INITIAL_LIMIT = 256
WINDOW = 0.1

LOW = 0.8
"""Priority of lists, which can wait: their share of the limit; the rest is for gifts and tokens."""

BODY_ARRIVED = 1.25
"""The factor for requests that were admitted before their bodies arrived."""

ALWAYS = inf
"""For requests that must work under overload, or that only wait and would hold a slot."""

T = TypeVar("T")

log = structlog.get_logger()


class ConcurrencyLimiter:
    """The adaptive concurrency limit of one process."""

    def __init__(self, clock: Callable[[], float] = monotonic) -> None:
        self._clock = clock
        self.limit = float(INITIAL_LIMIT)
        self.in_flight = 0
        self._fast = 0
        self._slow = 0
        self._rejected = 0
        self._overloaded = False
        self._since = clock()

    def has_capacity(self, priority: float) -> bool:
        """Whether one more request is admitted; rejections are counted."""
        if self.in_flight < self.limit * priority:
            return True
        self._rejected += 1
        if self._clock() - self._since >= WINDOW:
            self._adjust()
        return False

    async def run(self, work: Awaitable[T]) -> T:
        """Do `work`, counted as in flight, and measure its latency."""
        self.in_flight += 1
        begun = self._clock()
        try:
            return await work
        finally:
            now = self._clock()
            self._record(now - begun)
            if now - self._since >= WINDOW:
                self._adjust()

    def _record(self, seconds: float) -> None:
        self.in_flight -= 1
        if seconds <= TARGET_LATENCY:
            self._fast += 1
        else:
            self._slow += 1

    def _adjust(self) -> None:
        """Raise or lower the limit by the latencies and rejections of the last window."""
        # Down faster than up: an overloaded server delays all requests, a low limit rejects some.
        if self._slow > self._fast:
            self.limit = max(MIN_LIMIT, self.limit * 0.8)
        # Only after rejections: without them the limit was not reached, and proves nothing.
        elif self._rejected:
            self.limit = min(MAX_LIMIT, self.limit * 1.05)
        if self._rejected:
            metrics.TURNED_AWAY.inc(self._rejected)
            if not self._overloaded:
                log.warning("overloaded", limit=int(self.limit))
        self._overloaded = self._rejected > 0
        self._fast = self._slow = self._rejected = 0
        self._since = self._clock()


_retry_after = cycle(("1", "2", "3"))
"""Jitter, or all clients would retry together."""


class Overloaded(Unavailable):
    """The service is overloaded. Try again shortly."""

    code = Unavailable.code

    def __init__(self) -> None:
        super().__init__()
        self.headers = [("Retry-After", next(_retry_after))]


def overloaded_response() -> tuple[list[tuple[bytes, bytes]], bytes]:
    """Headers and body of a rejection; cheap, because there may be many."""
    name = token_hex(16).encode()
    headers = [(b"x-request-id", name), (b"retry-after", next(_retry_after).encode()), *_headers]
    return headers, b"%s%s%s" % (_before, name, _after)


_said = msgspec.json.encode(Failure.of(Overloaded(), "*"))
_before, _, _after = _said.partition(b"*")
_headers = [
    (b"content-type", b"application/json; charset=utf-8"),
    # The id has 32 characters, in the place of one asterisk.
    (b"content-length", b"%d" % (len(_said) + 31)),
    (b"cache-control", b"no-store"),
    (b"x-content-type-options", b"nosniff"),
]
