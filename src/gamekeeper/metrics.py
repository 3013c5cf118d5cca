"""
What is counted about ourselves, for Prometheus.

With several worker processes each counts for itself in a shared directory, and
whichever is asked adds them up; ``serve`` makes that directory.
"""

from functools import cache
from os import environ

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


def count(method: str, route: str, status: int, seconds: float) -> None:
    requests, took = _counters(method, route, int(status))
    requests.inc()
    took.observe(seconds)


@cache
def _counters(method: str, route: str, status: int) -> tuple[Counter, Histogram]:
    return REQUESTS.labels(method, route, str(status)), SECONDS.labels(route)


def exposition() -> bytes:
    """Everything counted so far, in Prometheus' text format."""
    if "PROMETHEUS_MULTIPROC_DIR" not in environ:
        return generate_latest(REGISTRY)
    registry = CollectorRegistry()
    multiprocess.MultiProcessCollector(registry)
    return generate_latest(registry)
