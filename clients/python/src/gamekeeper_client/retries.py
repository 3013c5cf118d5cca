"""How often a call is tried, and how long it waits in between."""

import math
from dataclasses import dataclass
from random import SystemRandom
from time import monotonic

import httpx2

from gamekeeper_client.errors import Unreachable, refusal

NEVER_SENT = (httpx2.ConnectError, httpx2.ConnectTimeout, httpx2.PoolTimeout)
HOPELESS = (httpx2.UnsupportedProtocol, httpx2.LocalProtocolError)
NOT_NOW = (429, 502, 503, 504)
DICE = SystemRandom()


@dataclass(frozen=True)
class RetryPolicy:
    """Until when a call is tried again: whichever of `attempts` and `seconds` ends first."""

    attempts: float = 6
    seconds: float = 30.0
    first_pause: float = 0.1
    longest_pause: float = 5.0


FOREVER = RetryPolicy(attempts=math.inf, seconds=math.inf, first_pause=1.0, longest_pause=15.0)
"""For listeners: when a server restarts they do not all come back in the same instant."""


class Retries:
    """
    The attempts of one call.

    What may be done `once` only, because no idempotency key protects it, is tried again
    if it certainly was not done: it was never sent, or there were too many calls.
    """

    def __init__(self, patience: RetryPolicy, *, once: bool = False) -> None:
        self._patience = patience
        self._once = once
        self.begin_anew()

    def begin_anew(self) -> None:
        self._made = 0
        self._ends = monotonic() + self._patience.seconds

    @property
    def left(self) -> float:
        """Seconds; never nothing at all, so that every call is tried."""
        return max(0.1, self._ends - monotonic())

    def after_fault(self, fault: httpx2.TransportError) -> float:
        """The pause after which to try again."""
        certain = isinstance(fault, NEVER_SENT)
        hopeless = isinstance(fault, HOPELESS) or (self._once and not certain)
        pause = self.pause()
        if hopeless or pause is None:
            raise Unreachable(self._made, fault) from fault
        return pause

    def after_answer(self, response: httpx2.Response) -> float | None:
        """The pause after which to try again; None if this is the answer, whatever it says."""
        if not self._is_passing(response):
            return None
        asked = response.headers.get("retry-after", "")
        return self.pause(float(asked) if asked.isascii() and asked.isdigit() else 0.0)

    def _is_passing(self, response: httpx2.Response) -> bool:
        if self._once:
            return response.status_code == 429
        if response.status_code == 409:
            return refusal(response).code == "still_running"
        return response.status_code in NOT_NOW

    def pause(self, asked: float = 0.0) -> float | None:
        """How long to wait, at random so that callers do not come in step; None: no more."""
        longest = self._patience.longest_pause
        doubled = self._patience.first_pause * 2 ** min(self._made, 30)
        self._made += 1
        pause = asked + DICE.uniform(0, min(longest, doubled))
        too_late = monotonic() + pause > self._ends
        return None if too_late or self._made >= self._patience.attempts else pause
