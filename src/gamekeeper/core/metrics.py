"""
Prometheus metrics.

Each of several worker processes writes its counts to a shared directory, which
``serve`` creates. The process that is scraped adds them up.
"""

import asyncio
from functools import cache
from os import environ
from time import monotonic

from prometheus_client import (
    CONTENT_TYPE_LATEST,
    CollectorRegistry,
    Counter,
    Gauge,
    Histogram,
    generate_latest,
    multiprocess,
)
from prometheus_client.registry import REGISTRY

CONTENT_TYPE = CONTENT_TYPE_LATEST

REQUESTS = Counter("gamekeeper_requests", "Requests answered.", ["method", "route", "status"])
SECONDS = Histogram(
    "gamekeeper_request_seconds",
    "Time from the first byte of a request to the last of its answer.",
    ["route"],
    buckets=(0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10),
)
TURNED_AWAY = Counter("gamekeeper_turned_away", "Requests refused because too many were inside.")
ANONYMOUS_REFUSED = Counter(
    "gamekeeper_anonymous_refused",
    "Requests without a credential refused because too many came from one address or in all.",
)
RATE_LIMITED = Counter(
    "gamekeeper_rate_limited", "Requests refused by a rate limit (429).", ["class"]
)
RATE_LIMITER_FAILURES = Counter(
    "gamekeeper_rate_limiter_failures",
    "Times that Redis did not count in time, so that the process counted for itself.",
)
LOG_LINES_DROPPED = Counter(
    "gamekeeper_log_lines_dropped", "Lines of the log dropped because nobody took them."
)
HASHES = Counter("gamekeeper_password_hashes", "Argon2 evaluations.", ["kind"])
HASHING = Gauge(
    "gamekeeper_password_hashes_waiting",
    "Password checks running or waiting.",
    multiprocess_mode="livesum",
)
REPLICA_READS = Counter(
    "gamekeeper_replica_reads",
    "Statements that may go to the replica, by the server that answered.",
    ["server"],
)
REPLICA_LEFT = Counter(
    "gamekeeper_replica_left", "Times the replica was found unfit and left alone.", ["fault"]
)
KEY_USES_DROPPED = Counter(
    "gamekeeper_key_uses_dropped",
    "Uses of API keys and browser sessions that could not be noted in the database.",
)
RETENTION_OVERDUE = Gauge(
    "gamekeeper_retention_overdue_seconds",
    "For how long the oldest row of a table should have been deleted.",
    ["table"],
    multiprocess_mode="mostrecent",
)


METHODS = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})
"""Label values. HTTP allows any method name and a series is never dropped: the rest is `other`."""


def count(method: str, route: str, status: int, seconds: float) -> None:
    named = method if method in METHODS else "other"
    requests, took = _counters(named, route, int(status))
    requests.inc()
    took.observe(seconds)


@cache
def _counters(method: str, route: str, status: int) -> tuple[Counter, Histogram]:
    return REQUESTS.labels(method, route, str(status)), SECONDS.labels(route)


def registry() -> CollectorRegistry:
    """The registry that covers all processes of one `serve`."""
    if "PROMETHEUS_MULTIPROC_DIR" not in environ:
        return REGISTRY
    collected = CollectorRegistry()
    multiprocess.MultiProcessCollector(collected)
    return collected


FRESH_SECONDS = 0.5


class Exposition:
    """The text exposition, rendered in a thread and cached: at most two renderings a second."""

    def __init__(self) -> None:
        self._making: asyncio.Task[bytes] | None = None
        self._begun = 0.0

    async def text(self) -> bytes:
        if self._making is None or monotonic() - self._begun > FRESH_SECONDS:
            self._begun = monotonic()
            self._making = asyncio.create_task(asyncio.to_thread(_rendered))
        return await asyncio.shield(self._making)


def _rendered() -> bytes:
    return generate_latest(registry())
