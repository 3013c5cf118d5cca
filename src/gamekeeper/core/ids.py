"""Time-ordered unique ids: UUID version 7."""

import secrets
import time
from datetime import datetime
from threading import Lock
from uuid import UUID

NIL = UUID(int=0)
"""The all-zero guid, which Intersect writes where there is nothing."""


class _Clock:
    """A monotonic clock: milliseconds since 1970 and a counter within each."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._last = 0

    def tick(self) -> int:
        """74 bits: 48 of milliseconds, then a 26-bit counter that starts at random in each."""
        now = (time.time_ns() // 1_000_000) << 26 | secrets.randbits(25)
        with self._lock:
            self._last = max(now, self._last + 1)
            return self._last


_clock = _Clock()


def new_id() -> UUID:
    """A globally unique id that sorts after every id this process made before."""
    tick = _clock.tick()
    milliseconds, within = tick >> 26, tick & (2**26 - 1)
    high = milliseconds << 16 | 0x7 << 12 | within >> 14
    low = 0b10 << 62 | (within & (2**14 - 1)) << 48 | secrets.randbits(48)
    return UUID(int=high << 64 | low)


def milliseconds_of(id_: UUID) -> int:
    """When the id was made, in milliseconds since 1970."""
    return id_.int >> 80


def id_at(id_: UUID, at: datetime, later: int = 0) -> UUID:
    """The id as it would have been at another time, and `later` milliseconds after that."""
    then = round(at.timestamp() * 1000) + later
    return UUID(int=then << 80 | id_.int & (2**80 - 1))
