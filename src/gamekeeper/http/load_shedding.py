"""
How many may be inside at a time: as many as are answered soon.

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

SOON = 0.1
"""Seconds within which half of those inside should be answered."""

FEWEST = 64
"""Fewer than these make short lists, and merging is what makes us fast."""

MOST = 4096
AT_FIRST = 256
WINDOW = 0.1

LAST = 0.8
"""What share of the room lists may fill, which can wait; the rest is for gifts and tokens."""

ARRIVED = 1.25
"""The same for those who were let in and whose bodies took a moment to arrive."""

ALWAYS = inf
"""For what must be heard when all is full, or waits itself and would only take up room."""

T = TypeVar("T")

log = structlog.get_logger()


class Gate:
    """The room of one process."""

    def __init__(self, clock: Callable[[], float] = monotonic) -> None:
        self._clock = clock
        self.room = float(AT_FIRST)
        self.inside = 0
        self._soon = 0
        self._late = 0
        self._away = 0
        self._crowded = False
        self._since = clock()

    def admits(self, share: float) -> bool:
        """Whether one more may come in; who may not is counted."""
        if self.inside < self.room * share:
            return True
        self._away += 1
        if self._clock() - self._since >= WINDOW:
            self._look()
        return False

    async def through(self, work: Awaitable[T]) -> T:
        """Do `work`, for somebody who is inside meanwhile."""
        self.inside += 1
        begun = self._clock()
        try:
            return await work
        finally:
            now = self._clock()
            self._left(now - begun)
            if now - self._since >= WINDOW:
                self._look()

    def _left(self, seconds: float) -> None:
        self.inside -= 1
        if seconds <= SOON:
            self._soon += 1
        else:
            self._late += 1

    def _look(self) -> None:
        """Widen or narrow the room by what was seen since the last look."""
        if self._late > self._soon:
            self.room = max(FEWEST, self.room * 0.8)
        elif self._away:
            self.room = min(MOST, self.room * 1.05)
        if self._away:
            metrics.TURNED_AWAY.inc(self._away)
            if not self._crowded:
                log.warning("crowded", room=int(self.room))
        self._crowded = self._away > 0
        self._soon = self._late = self._away = 0
        self._since = self._clock()


_waits = cycle(("1", "2", "3"))
"""Not the same for all, or all would come again together."""


class Crowded(Unavailable):
    """Too many are calling at the moment; try again shortly."""

    code = Unavailable.code

    def __init__(self) -> None:
        super().__init__()
        self.headers = [("Retry-After", next(_waits))]


def refusal() -> tuple[list[tuple[bytes, bytes]], bytes]:
    """Headers and body for those turned away at the door; cheap, for there may be many."""
    name = token_hex(16).encode()
    headers = [(b"x-request-id", name), (b"retry-after", next(_waits).encode()), *_headers]
    return headers, b"%s%s%s" % (_before, name, _after)


_said = msgspec.json.encode(Failure.of(Crowded(), "*"))
_before, _, _after = _said.partition(b"*")
_headers = [
    (b"content-type", b"application/json; charset=utf-8"),
    (b"content-length", b"%d" % (len(_said) + 31)),
    (b"cache-control", b"no-store"),
    (b"x-content-type-options", b"nosniff"),
]
