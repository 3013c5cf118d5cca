"""
Queue lags and saturation of the database, as Prometheus gauges of the whole installation.

They live in tables that all processes share, so one worker measures them (leader election), with
a few cheap statements every 15 seconds. Only its /metrics has them; they vanish within a minute
after it stops, so a lag is never shown that nobody measures.
"""

import asyncio
from typing import LiteralString

import asyncpg
from prometheus_client.registry import REGISTRY

from gamekeeper.core.observability import loggers, metrics
from gamekeeper.core.observability.exposition import Measure, MeasureCollector
from gamekeeper.core.observability.log_throttle import LogThrottle
from gamekeeper.core.tasks import pause
from gamekeeper.db import leader, retention
from gamekeeper.db.database import Database, Writer
from gamekeeper.db.leader import Duty
from gamekeeper.db.paging.orderings import ORDERINGS
from gamekeeper.events.webhooks import deliveries
from gamekeeper.ledger import unlinked
from gamekeeper.operations.mail_jobs import MAIL_JOBS

MEASURE_SECONDS = 15
LIFETIME = 4 * MEASURE_SECONDS
MOST_COUNTED = 100_000
"""Rows of a backlog that are counted: the rest would only make a bad day worse."""

JOBS = [*MAIL_JOBS, deliveries.TEST]

DUTY = Duty(
    name="lags",
    lock=0x6C616773,  # "lags"
    session={
        "statement_timeout": "5000",
        "default_transaction_read_only": "on",
        # With many monthly partitions, planning takes longer than execution.
        "plan_cache_mode": "force_generic_plan",
    },
)

MEASURES = {
    "gamekeeper_jobs_waiting": Measure("Queued jobs, including retries.", "kind"),
    "gamekeeper_jobs_oldest_seconds": Measure("Age of the oldest queued job.", "kind"),
    "gamekeeper_chain_unlinked_actions": Measure(
        f"Actions not in the hash chain yet; counted up to {unlinked.MOST_COUNTED:,}."
    ),
    "gamekeeper_chain_lag_seconds": Measure("Age of the oldest of them."),
    "gamekeeper_webhooks": Measure("Webhooks: working, failing or off.", "state"),
    "gamekeeper_webhook_failing_seconds": Measure("How long the first of them has been failing."),
    "gamekeeper_webhook_deliveries_waiting": Measure("Deliveries waiting for a retry."),
    "gamekeeper_list_deltas": Measure("Changes not yet included in page counts.", "list"),
    "gamekeeper_economy_unfolded_postings": Measure(
        f"Postings not yet included in the economy totals; counted up to {MOST_COUNTED:,}."
    ),
    "gamekeeper_action_counts_behind": Measure("Actions not yet included in the hourly counts."),
    "gamekeeper_servers": Measure("Game servers: alive, or lost within a day.", "state"),
    "gamekeeper_players_online": Measure("Characters on servers with a lease."),
    "gamekeeper_database_connections": Measure("Connections to PostgreSQL, of all databases."),
    "gamekeeper_database_connections_max": Measure("Connections that PostgreSQL allows."),
    "gamekeeper_database_lock_waiters": Measure("Connections waiting for a lock."),
    "gamekeeper_database_oldest_transaction_seconds": Measure("Age of the oldest transaction."),
    "gamekeeper_database_size_bytes": Measure("Size of the database."),
}

log = loggers.get_logger()
Values = dict[str, list[tuple[str, float]]]


async def follow(database: Database, stop: asyncio.Event) -> None:
    """Measure until `stop`, while this process is the leader."""
    collector = MeasureCollector(MEASURES, LIFETIME)
    REGISTRY.register(collector)
    try:
        await leader.lead(
            database.settings,
            DUTY,
            lambda connection: _measure_until(database, connection, collector, stop),
            stop,
        )
    finally:
        REGISTRY.unregister(collector)


async def _measure_until(
    database: Database,
    connection: asyncpg.Connection,
    collector: MeasureCollector,
    stop: asyncio.Event,
) -> None:
    throttle = LogThrottle()
    try:
        while not stop.is_set():
            collector.update(await measure(connection, database, throttle))
            await retention.measure(database.reader)
            await pause(stop, MEASURE_SECONDS)
    finally:
        # From now on another process measures.
        collector.update({})
        metrics.RETENTION_OVERDUE.clear()


async def measure(
    connection: asyncpg.Connection, database: Database, throttle: LogThrottle
) -> Values:
    """All measures; without those whose statement failed."""
    values: Values = {}
    for sql, args in STATEMENTS:
        try:
            _add(values, await connection.fetch(sql, *args))
        except asyncpg.PostgresError as fault:
            if connection.is_closed():
                raise
            if throttle.is_due(type(fault).__name__):
                log.warning("lag_unmeasured", fault=type(fault).__name__, reason=str(fault))
    async with connection.transaction():
        if backlog := await unlinked.backlog(Writer(connection, database.settings)):
            values["gamekeeper_chain_unlinked_actions"] = [("", backlog.actions)]
            values["gamekeeper_chain_lag_seconds"] = [("", backlog.seconds)]
    return values


def _add(values: Values, rows: list[asyncpg.Record]) -> None:
    """Each column is a measure, except `label`."""
    for row in rows:
        about = dict(row)
        label = about.pop("label", "")
        for name, value in about.items():
            values.setdefault(f"gamekeeper_{name}", []).append((label, value))


WAITING_JOBS: LiteralString = """
    SELECT kind AS label, count(job.id) AS jobs_waiting,
           coalesce(extract(epoch FROM now() - min(job.created)), 0)::float AS jobs_oldest_seconds
      FROM unnest($1::text[]) AS kind
      LEFT JOIN pgqueuer AS job ON job.entrypoint = kind AND job.status IN ('queued', 'picked')
     GROUP BY kind
"""
WEBHOOKS: LiteralString = """
    SELECT state AS label, count(webhook.id) AS webhooks
      FROM unnest(ARRAY['working', 'failing', 'off']) AS state
      LEFT JOIN webhooks AS webhook
             ON state = CASE WHEN NOT webhook.enabled THEN 'off'
                             WHEN webhook.failing_since IS NULL THEN 'working'
                             ELSE 'failing' END
     GROUP BY state
"""
DELIVERIES: LiteralString = """
    SELECT (SELECT coalesce(extract(epoch FROM now() - min(failing_since)), 0)::float
              FROM webhooks WHERE enabled) AS webhook_failing_seconds,
           (SELECT count(*) FROM webhook_deliveries
             WHERE state = 'waiting' AND seq IS NOT NULL) AS webhook_deliveries_waiting
"""
DELTAS: LiteralString = """
    SELECT name AS label,
           (SELECT count(*) FROM list_deltas WHERE list = name) AS list_deltas
      FROM unnest($1::text[]) AS name
"""
POSTINGS: LiteralString = """
    SELECT (SELECT count(*)
              FROM (SELECT FROM postings
                     WHERE xid >= horizon.xid AND xid < pg_snapshot_xmax(pg_current_snapshot())
                     LIMIT $1) AS unfolded) AS economy_unfolded_postings
      FROM economy_horizon AS horizon, pg_control_system()
     WHERE horizon.server = system_identifier
"""
COUNTS: LiteralString = """
    SELECT greatest(0, coalesce((SELECT max(seq) FROM chain), 0) - seq) AS action_counts_behind
      FROM action_counts_progress
"""
# A server that said farewell is not lost: its action is from the minute in which its lease ended.
SERVERS: LiteralString = """
    SELECT state AS label,
           (SELECT count(*)
              FROM servers
             WHERE CASE WHEN state = 'alive' THEN lease_until > statement_timestamp()
                   ELSE lease_until BETWEEN statement_timestamp() - interval '1 day'
                                        AND statement_timestamp()
                        AND NOT EXISTS (SELECT FROM actions
                                         WHERE kind = 'servers.stop'
                                           AND at BETWEEN lease_until - interval '1 minute'
                                                      AND lease_until + interval '1 minute'
                                           AND after ->> 'server_id' = servers.id::text)
                   END) AS servers
      FROM unnest(ARRAY['alive', 'lost']) AS state
"""
ONLINE: LiteralString = """
    SELECT coalesce(sum(online), 0)::int AS players_online
      FROM crowds JOIN servers ON servers.id = server_id
     WHERE lease_until > statement_timestamp()
"""
# Of other roles' connections PostgreSQL tells only that they are there.
DATABASE: LiteralString = """
    SELECT count(*) AS database_connections,
           current_setting('max_connections')::int AS database_connections_max,
           count(*) FILTER (WHERE wait_event_type = 'Lock') AS database_lock_waiters,
           greatest(0, coalesce(extract(epoch FROM clock_timestamp() - min(xact_start)
                                FILTER (WHERE pid <> pg_backend_pid())), 0))::float
               AS database_oldest_transaction_seconds,
           pg_database_size(current_database()) AS database_size_bytes
      FROM pg_stat_activity
     WHERE backend_type = 'client backend'
"""

STATEMENTS: tuple[tuple[LiteralString, list[object]], ...] = (
    (WAITING_JOBS, [JOBS]),
    (WEBHOOKS, []),
    (DELIVERIES, []),
    (DELTAS, [[ordering.name for ordering in ORDERINGS]]),
    (POSTINGS, [MOST_COUNTED]),
    (COUNTS, []),
    (SERVERS, []),
    (ONLINE, []),
    (DATABASE, []),
)
