"""
Load shedding: an adaptive concurrency limit (AIMD); callers over it hear 503 at once.

The more are inside, the longer each waits. So the room grows while those who leave
were served soon, and shrinks while most of them were not; nobody sets it, and it
follows what the machine and PostgreSQL can do at the moment. Who finds it full is
turned away at once, with a word on when to come again: better than to be answered
when nobody listens any more. Merged lists are the queue; there is no other.
"""

from collections.abc import Awaitable, Callable
from itertools import cycle
from math import inf
from secrets import token_hex
from time import monotonic
from typing import TypeVar

import msgspec
import structlog

from gamekeeper.core import metrics
from gamekeeper.core.errors import Failure, Unavailable

TARGET_LATENCY = 0.1
"""Seconds within which half of those inside should be answered."""

MIN_LIMIT = 64
"""Fewer than these make short lists, and merging is what makes us fast."""

MAX_LIMIT = 4096
INITIAL_LIMIT = 256
WINDOW = 0.1

LOW = 0.8
"""What share of the room lists may fill, which can wait; the rest is for gifts and tokens."""

BODY_ARRIVED = 1.25
"""The same for those who were let in and whose bodies took a moment to arrive."""

ALWAYS = inf
"""For what must be heard when all is full, or waits itself and would only take up room."""

T = TypeVar("T")

log = structlog.get_logger()


class ConcurrencyLimiter:
    """The room of one process."""

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
        """Whether one more may come in; who may not is counted."""
        if self.in_flight < self.limit * priority:
            return True
        self._rejected += 1
        if self._clock() - self._since >= WINDOW:
            self._adjust()
        return False

    async def run(self, work: Awaitable[T]) -> T:
        """Do `work`, for somebody who is inside meanwhile."""
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
        """Widen or narrow the room by what was seen since the last look."""
        if self._slow > self._fast:
            self.limit = max(MIN_LIMIT, self.limit * 0.8)
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
"""Not the same for all, or all would come again together."""


class Overloaded(Unavailable):
    """Too many are calling at the moment; try again shortly."""

    code = Unavailable.code

    def __init__(self) -> None:
        super().__init__()
        self.headers = [("Retry-After", next(_retry_after))]


def overloaded_response() -> tuple[list[tuple[bytes, bytes]], bytes]:
    """Headers and body for those turned away at the door; cheap, for there may be many."""
    name = token_hex(16).encode()
    headers = [(b"x-request-id", name), (b"retry-after", next(_retry_after).encode()), *_headers]
    return headers, b"%s%s%s" % (_before, name, _after)


_said = msgspec.json.encode(Failure.of(Overloaded(), "*"))
_before, _, _after = _said.partition(b"*")
_headers = [
    (b"content-type", b"application/json; charset=utf-8"),
    (b"content-length", b"%d" % (len(_said) + 31)),
    (b"cache-control", b"no-store"),
    (b"x-content-type-options", b"nosniff"),
]
