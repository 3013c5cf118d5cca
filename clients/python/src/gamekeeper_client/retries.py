"""Retries of calls: exponential backoff with jitter, limited by attempts and time."""

import logging
import math
from dataclasses import dataclass
from random import SystemRandom
from time import monotonic

import httpx2

from gamekeeper_client.errors import Unreachable, api_error, retry_after

NEVER_SENT = (httpx2.ConnectError, httpx2.ConnectTimeout, httpx2.PoolTimeout)
HOPELESS = (httpx2.UnsupportedProtocol, httpx2.LocalProtocolError)
NOT_NOW = (429, 502, 503, 504)
DICE = SystemRandom()
LOG = logging.getLogger("gamekeeper_client")


@dataclass(frozen=True)
class RetryPolicy:
    """The limits of retries: whichever of `attempts` and `seconds` is reached first."""

    attempts: float = 6
    seconds: float = 30.0
    first_pause: float = 0.1
    longest_pause: float = 5.0


FOREVER = RetryPolicy(attempts=math.inf, seconds=math.inf, first_pause=1.0, longest_pause=15.0)
"""For listeners: with jitter, so that after a restart they do not all reconnect at once."""


class Retries:
    """
    The attempts of one call.

    With `once`, because no idempotency key protects the call, it is retried only if it
    certainly was not executed: it was never sent, or was rate limited (429).
    """

    def __init__(self, policy: RetryPolicy, *, once: bool = False, about: str = "") -> None:
        self._policy = policy
        self._once = once
        self._about = about
        self.begin_anew()

    def begin_anew(self) -> None:
        self._made = 0
        self._ends = monotonic() + self._policy.seconds

    @property
    def left(self) -> float:
        """Seconds left; at least 0.1, so that every call is tried."""
        return max(0.1, self._ends - monotonic())

    def after_fault(self, fault: httpx2.TransportError) -> float:
        """The pause before the next attempt; raises `Unreachable` if there is none."""
        certain = isinstance(fault, NEVER_SENT)
        hopeless = isinstance(fault, HOPELESS) or (self._once and not certain)
        pause = self.pause()
        if hopeless or pause is None:
            raise Unreachable(self._made, fault) from fault
        self._log_retry(pause, f"{type(fault).__name__}: {fault}")
        return pause

    def after_answer(self, response: httpx2.Response) -> float | None:
        """The pause before the next attempt; None if this response is final."""
        status, request_id = response.status_code, response.headers.get("x-request-id", "")
        LOG.debug("%s: %d (request %s)", self._about, status, request_id)
        if not self._is_passing(response):
            return None
        pause = self.pause(retry_after(response) or 0.0)
        if pause is not None:
            self._log_retry(pause, f"{status} (request {request_id})")
        return pause

    def _log_retry(self, pause: float, why: str) -> None:
        LOG.info("%s: retry %d in %.2f s after %s", self._about, self._made, pause, why)

    def _is_passing(self, response: httpx2.Response) -> bool:
        if self._once:
            return response.status_code == 429
        if response.status_code == 409:
            return api_error(response).code == "still_running"
        return response.status_code in NOT_NOW

    def pause(self, asked: float = 0.0) -> float | None:
        """Backoff with jitter, so that callers do not retry in step; None: no attempts left."""
        longest = self._policy.longest_pause
        doubled = self._policy.first_pause * 2 ** min(self._made, 30)
        self._made += 1
        pause = asked + DICE.uniform(0, min(longest, doubled))
        too_late = monotonic() + pause > self._ends
        return None if too_late or self._made >= self._policy.attempts else pause
