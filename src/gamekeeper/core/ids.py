"""Ids in the order of time: UUID version 7."""

import secrets
import time
from threading import Lock
from uuid import UUID


class _Clock:
    """Milliseconds since 1970 and, within one, numbers that only grow."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._last = 0

    def tick(self) -> int:
        """74 bits of time: 48 of milliseconds, then 26 that begin at random in each."""
        now = (time.time_ns() // 1_000_000) << 26 | secrets.randbits(25)
        with self._lock:
            self._last = max(now, self._last + 1)
            return self._last


_clock = _Clock()


def new_id() -> UUID:
    """An id later than every one this process made before it, and like no other anywhere."""
    tick = _clock.tick()
    milliseconds, within = tick >> 26, tick & (2**26 - 1)
    high = milliseconds << 16 | 0x7 << 12 | within >> 14
    low = 0b10 << 62 | (within & (2**14 - 1)) << 48 | secrets.randbits(48)
    return UUID(int=high << 64 | low)
