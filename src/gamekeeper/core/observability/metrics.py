"""
Prometheus metrics: what each process counts.

Each of several worker processes writes its counts to a shared directory, which
``serve`` creates. The process that is scraped adds them up (`core.exposition`). A gauge says
by its `multiprocess_mode` how: what processes share is a sum, what is a lag is the largest.
"""

import asyncio
from asyncio import Future
from collections.abc import Callable, Iterable, Sequence
from functools import cache
from typing import Protocol

from prometheus_client import Counter, Gauge, Histogram

from gamekeeper.core.errors import Problem, Unavailable
from gamekeeper.core.observability import meters
from gamekeeper.core.observability.meters import Meter

LATENCIES = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10)

REQUESTS = Counter("gamekeeper_requests", "Requests answered.", ["method", "route", "status"])
SECONDS = Histogram(
    "gamekeeper_request_seconds",
    "Time from the first byte of a request to the last of its answer.",
    ["route"],
    buckets=LATENCIES,
)
TURNED_AWAY = Counter("gamekeeper_turned_away", "Requests refused by load shedding.")
ANONYMOUS_REFUSED = Counter(
    "gamekeeper_anonymous_refused",
    "Requests without a credential refused because of too many from one address or in total.",
)
RATE_LIMITED = Counter(
    "gamekeeper_rate_limited", "Requests refused by a rate limit (429).", ["class"]
)
RATE_LIMITER_FAILURES = Counter(
    "gamekeeper_rate_limiter_failures",
    "Times Redis did not answer in time, so the process counted on its own.",
)
LOG_LINES_DROPPED = Counter(
    "gamekeeper_log_lines_dropped", "Log lines dropped because the output was blocked or full."
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
    "gamekeeper_replica_left", "Times the replica was found unfit and taken out of use.", ["fault"]
)
KEY_USES_DROPPED = Counter(
    "gamekeeper_key_uses_dropped",
    "Uses of API keys and browser sessions that could not be recorded in the database.",
)
RETENTION_OVERDUE = Gauge(
    "gamekeeper_retention_overdue_seconds",
    "For how long the oldest row of a table should have been deleted.",
    ["table"],
    multiprocess_mode="mostrecent",
)
HASH_WAIT = Histogram(
    "gamekeeper_password_hash_wait_seconds",
    "Time a password check waited in the queue.",
    buckets=LATENCIES,
)

# ── Saturation ──

IN_FLIGHT = Gauge(
    "gamekeeper_requests_in_flight",
    "Requests in flight, as counted by load shedding.",
    multiprocess_mode="livesum",
)
CONCURRENCY_LIMIT = Gauge(
    "gamekeeper_concurrency_limit",
    "Current limit of requests in flight; further requests are refused.",
    multiprocess_mode="livesum",
)
POOL_IN_USE = Gauge(
    "gamekeeper_pool_connections_in_use",
    "Connections of a pool in use.",
    ["pool"],
    multiprocess_mode="livesum",
)
POOL_MOST = Gauge(
    "gamekeeper_pool_connections_max",
    "Connections that a pool may open.",
    ["pool"],
    multiprocess_mode="livesum",
)
POOL_WAIT = Histogram(
    "gamekeeper_pool_wait_seconds",
    "Time to get a connection from a pool, including failed attempts.",
    ["pool"],
    buckets=(0.0001, 0.00025, 0.0005, *LATENCIES[:-1]),
)

# ── The database ──

BATCH_SIZE = Histogram(
    "gamekeeper_batch_size",
    "Calls of an operation or query executed as one batch.",
    ["operation"],
    buckets=(1, 2, 4, 8, 16, 32, 64, 128, 256),
)
BATCH_SECONDS = Histogram(
    "gamekeeper_batch_seconds",
    "Time to execute one batch.",
    ["operation"],
    buckets=LATENCIES,
)
BATCH_WAIT = Histogram(
    "gamekeeper_batch_wait_seconds",
    "Time that the first call of a batch waited for earlier batches.",
    ["operation"],
    buckets=LATENCIES,
)
OUTCOMES = Counter(
    "gamekeeper_operation_calls",
    "Calls of an operation or query: done, refused, unavailable or failed.",
    ["operation", "outcome"],
)
LOCK_WAITS = Counter(
    "gamekeeper_lock_waits",
    "Commands of batches that waited for rows locked by other transactions.",
    ["operation"],
)
RETRIES = Counter(
    "gamekeeper_transaction_retries",
    "Transactions rolled back by a conflict and retried.",
    ["reason"],
)
COMMITS = Histogram("gamekeeper_commit_seconds", "Time that COMMIT took.", buckets=LATENCIES)
DATABASE_FAULTS = Counter(
    "gamekeeper_database_faults",
    "Statements and connections that failed because PostgreSQL was down, full or busy.",
    ["fault"],
)
REPLICA_IN_USE = Gauge(
    "gamekeeper_replica_in_use",
    "1 if all processes read from the replica, 0 if one of them does not.",
    ["server"],
    multiprocess_mode="livemin",
)
REPLICA_LAG = Gauge(
    "gamekeeper_replica_lag_bytes",
    "WAL that the replica had not replayed at the last comparison with the primary.",
    ["server"],
    multiprocess_mode="livemax",
)

# ── Background work ──

LEADER = Gauge(
    "gamekeeper_leader",
    "Processes that hold the leadership of a task; there should be one.",
    ["duty"],
    multiprocess_mode="livesum",
)
MAILS = Counter("gamekeeper_mails", "Attempts to send a mail, by outcome.", ["outcome"])
LINKED = Counter("gamekeeper_chain_linked_actions", "Actions linked into the hash chain.")
DELIVERIES = Counter(
    "gamekeeper_webhook_deliveries", "Attempts to deliver to a webhook.", ["outcome"]
)
DELIVERY_SECONDS = Histogram(
    "gamekeeper_webhook_delivery_seconds",
    "Time from the name lookup to the end of the response of a webhook's target.",
    buckets=(*LATENCIES[4:], 15),
)
WEBHOOKS_BEHIND = Gauge(
    "gamekeeper_webhook_events_behind",
    "Events that have not been matched to the slowest webhook yet, in the sending process.",
    multiprocess_mode="livemax",
)
STREAMS = Gauge("gamekeeper_event_streams", "Open event streams.", multiprocess_mode="livesum")
STREAMS_BEHIND = Gauge(
    "gamekeeper_event_stream_events_behind",
    "Events not sent yet to the slowest open stream.",
    multiprocess_mode="livemax",
)
BUILD = Gauge(
    "gamekeeper_build_info", "1, with the version.", ["version"], multiprocess_mode="livemax"
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


NOT_DONE = (Exception, Future)


class PrometheusMeter(Meter):
    """Counts what the database layer reports."""

    def connection_acquired(self, pool: str, seconds: float) -> None:
        _pool_wait(pool).observe(seconds)

    def batch_ended(
        self, operation: str, waited: float, seconds: float, outcomes: Sequence[object]
    ) -> None:
        size, took, wait, done = _batch(operation)
        size.observe(len(outcomes))
        took.observe(seconds)
        if waited:
            wait.observe(waited)
        others = [outcome for outcome in outcomes if isinstance(outcome, NOT_DONE)]
        if len(others) < len(outcomes):
            done.inc(len(outcomes) - len(others))
        for outcome in others:
            # A future waits for a lock, and is counted when it has been carried out.
            if isinstance(outcome, Exception):
                OUTCOMES.labels(operation, _outcome(outcome)).inc()

    def commands_locked(self, operation: str, commands: int) -> None:
        LOCK_WAITS.labels(operation).inc(commands)

    def transaction_retried(self, reason: str) -> None:
        RETRIES.labels(reason).inc()

    def transaction_committed(self, seconds: float) -> None:
        COMMITS.observe(seconds)

    def database_failed(self, fault: str) -> None:
        DATABASE_FAULTS.labels(fault).inc()

    def leader_changed(self, duty: str, *, leads: bool) -> None:
        LEADER.labels(duty).set(leads)

    def actions_linked(self, number: int) -> None:
        LINKED.inc(number)


@cache
def _pool_wait(pool: str) -> Histogram:
    return POOL_WAIT.labels(pool)


@cache
def _batch(operation: str) -> tuple[Histogram, Histogram, Histogram, Counter]:
    return (
        BATCH_SIZE.labels(operation),
        BATCH_SECONDS.labels(operation),
        BATCH_WAIT.labels(operation),
        OUTCOMES.labels(operation, "done"),
    )


def _outcome(outcome: Exception) -> str:
    if isinstance(outcome, Unavailable):
        return "unavailable"
    return "refused" if isinstance(outcome, Problem) else "failed"


# Only processes that are scraped import this module.
meters.report_to(PrometheusMeter())


SAMPLE_SECONDS = 1.0


class SampledPool(Protocol):
    @property
    def name(self) -> str: ...
    @property
    def in_use(self) -> int: ...
    @property
    def most(self) -> int: ...


class Sampler:
    """Sets gauges from the state of this process every second, so that no request has to."""

    def __init__(self) -> None:
        self._sources: list[tuple[Gauge, Callable[[], float]]] = []

    def watch(self, gauge: Gauge, read: Callable[[], float]) -> None:
        self._sources.append((gauge, read))

    def watch_pools(self, pools: Iterable[SampledPool]) -> None:
        for pool in pools:
            self.watch(POOL_IN_USE.labels(pool.name), lambda pool=pool: pool.in_use)
            self.watch(POOL_MOST.labels(pool.name), lambda pool=pool: pool.most)

    def sample(self) -> None:
        for gauge, read in self._sources:
            gauge.set(read())

    async def run(self) -> None:
        while True:
            self.sample()
            await asyncio.sleep(SAMPLE_SECONDS)
