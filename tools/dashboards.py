"""
Writes the Grafana dashboards: `python tools/dashboards.py`.

A dashboard is a list of rows of panels. Here they are short enough to read and to review; the
JSON that Grafana wants repeats the same forty lines for each of them.
"""

import json
from pathlib import Path
from typing import Any

from msgspec import Struct

FOLDER = Path(__file__).parents[1] / "deploy/observability/grafana/dashboards"
SOURCE = {"type": "prometheus", "uid": "${datasource}"}
HEIGHT = 8
WIDTH = 24
WAITS = 'route!~".*/(events|commands|chat).*"'
"""Without the routes whose requests wait on purpose."""
FAILED = 'gamekeeper_requests_total{status=~"5.."}'


class Panel(Struct, frozen=True):
    title: str
    about: str
    unit: str
    queries: dict[str, str]
    """PromQL by legend."""
    kind: str = "timeseries"


class PanelRow(Struct, frozen=True):
    title: str
    panels: list[Panel]


def rate(metric: str, by: str = "") -> str:
    return f"sum{f' by ({by})' if by else ''} (rate({metric}[$__rate_interval]))"


def quantile(share: float, metric: str, by: str = "", where: str = "") -> str:
    labels = f"le, {by}" if by else "le"
    bucket = f"{metric}_bucket{{{where}}}" if where else f"{metric}_bucket"
    return f"histogram_quantile({share}, {rate(bucket, labels)})"


def top(number: int, query: str) -> str:
    return f"topk({number}, {query})"


OVERVIEW = [
    PanelRow(
        "Golden signals",
        [
            Panel(
                "Requests",
                "Answered requests per second, by status.",
                "reqps",
                {"{{status}}": rate("gamekeeper_requests_total", "status")},
            ),
            Panel(
                "Errors",
                "Share of answers that are 5xx.",
                "percentunit",
                {"5xx": f"({rate(FAILED)} or vector(0)) / {rate('gamekeeper_requests_total')}"},
            ),
            Panel(
                "Latency",
                "From the first byte of a request to the last of its answer; without the routes "
                "whose requests wait on purpose.",
                "s",
                {
                    f"p{share * 100:g}": quantile(share, "gamekeeper_request_seconds", "", WAITS)
                    for share in (0.5, 0.95, 0.99)
                },
            ),
            Panel(
                "Saturation",
                "1 means full: requests in flight of the limit of load shedding, connections of "
                "the pools, connections of PostgreSQL.",
                "percentunit",
                {
                    "in flight": "sum(gamekeeper_requests_in_flight) "
                    "/ sum(gamekeeper_concurrency_limit)",
                    "pool {{pool}}": "sum by (pool) (gamekeeper_pool_connections_in_use) "
                    "/ sum by (pool) (gamekeeper_pool_connections_max)",
                    "PostgreSQL": "max(gamekeeper_database_connections) "
                    "/ max(gamekeeper_database_connections_max)",
                },
            ),
        ],
    ),
    PanelRow(
        "Game",
        [
            Panel(
                "Players online",
                "Characters on game servers with a lease.",
                "none",
                {"online": "max(gamekeeper_players_online)"},
            ),
            Panel(
                "Game servers",
                "With a lease, and those that lost it within a day without a farewell.",
                "none",
                {"{{state}}": "max by (state) (gamekeeper_servers)"},
            ),
            Panel(
                "Changes",
                "Actions per second: each change of a character, an account or a setting is one.",
                "ops",
                {"actions": rate("gamekeeper_chain_linked_actions_total")},
            ),
        ],
    ),
    PanelRow(
        "Routes",
        [
            Panel(
                "Busiest routes",
                "Requests per second.",
                "reqps",
                {"{{route}}": top(10, rate("gamekeeper_requests_total", "route"))},
            ),
            Panel(
                "Slowest routes",
                "95th percentile.",
                "s",
                {"{{route}}": top(10, quantile(0.95, "gamekeeper_request_seconds", "route"))},
            ),
            Panel(
                "Failing routes",
                "Answers 5xx per second.",
                "reqps",
                {"{{route}} {{status}}": rate(FAILED, "route, status")},
            ),
            Panel(
                "Turned away",
                "Requests refused by load shedding and by the limits for callers without a "
                "credential; they are not among the answered ones.",
                "reqps",
                {
                    "overload": rate("gamekeeper_turned_away_total"),
                    "anonymous": rate("gamekeeper_anonymous_refused_total"),
                },
            ),
        ],
    ),
    PanelRow(
        "Lags",
        [
            Panel(
                "Waiting for",
                "Age of the oldest action outside of the chain, and of the oldest job.",
                "s",
                {
                    "chain": "max(gamekeeper_chain_lag_seconds)",
                    "{{kind}}": "max by (kind) (gamekeeper_jobs_oldest_seconds)",
                },
            ),
            Panel(
                "Behind",
                "Events that the slowest webhook and the slowest stream have still to get.",
                "none",
                {
                    "webhooks": "max(gamekeeper_webhook_events_behind)",
                    "streams": "max(gamekeeper_event_stream_events_behind)",
                },
            ),
            Panel(
                "Not counted yet",
                "Changes that wait to be folded into page counts, sums and counts by hour.",
                "none",
                {
                    "list {{list}}": "max by (list) (gamekeeper_list_deltas)",
                    "economy": "max(gamekeeper_economy_unfolded_postings)",
                    "actions": "max(gamekeeper_action_counts_behind)",
                },
            ),
            Panel(
                "Retention overdue",
                "By how long the deletion of a table's oldest expired row is late.",
                "s",
                {"{{table}}": "max by (table) (gamekeeper_retention_overdue_seconds)"},
            ),
        ],
    ),
]

INTERNALS = [
    PanelRow(
        "Pools",
        [
            Panel(
                "Connections in use",
                "By pool, of all processes.",
                "none",
                {
                    "{{pool}}": "sum by (pool) (gamekeeper_pool_connections_in_use)",
                    "{{pool}} max": "sum by (pool) (gamekeeper_pool_connections_max)",
                },
            ),
            Panel(
                "Wait for a connection",
                "95th percentile, by pool.",
                "s",
                {"{{pool}}": quantile(0.95, "gamekeeper_pool_wait_seconds", "pool")},
            ),
            Panel(
                "In flight",
                "Requests that load shedding counts, and its limit.",
                "none",
                {
                    "in flight": "sum(gamekeeper_requests_in_flight)",
                    "limit": "sum(gamekeeper_concurrency_limit)",
                },
            ),
        ],
    ),
    PanelRow(
        "Operations",
        [
            Panel(
                "Calls",
                "Operations and queries per second, the ten busiest.",
                "ops",
                {"{{operation}}": top(10, rate("gamekeeper_operation_calls_total", "operation"))},
            ),
            Panel(
                "Outcomes",
                "Calls per second: done, refused (the caller's fault), unavailable, failed (ours).",
                "ops",
                {"{{outcome}}": rate("gamekeeper_operation_calls_total", "outcome")},
            ),
            Panel(
                "Batch size",
                "Mean number of calls in one batch: it grows with the load.",
                "none",
                {
                    "{{operation}}": top(
                        10,
                        f"{rate('gamekeeper_batch_size_sum', 'operation')} "
                        f"/ {rate('gamekeeper_batch_size_count', 'operation')}",
                    )
                },
            ),
            Panel(
                "Time of a batch",
                "95th percentile, the ten slowest.",
                "s",
                {"{{operation}}": top(10, quantile(0.95, "gamekeeper_batch_seconds", "operation"))},
            ),
            Panel(
                "Wait for a batch",
                "95th percentile of the wait behind the batches before, the ten longest.",
                "s",
                {
                    "{{operation}}": top(
                        10, quantile(0.95, "gamekeeper_batch_wait_seconds", "operation")
                    )
                },
            ),
        ],
    ),
    PanelRow(
        "PostgreSQL",
        [
            Panel(
                "Commits",
                "Per second.",
                "ops",
                {"commits": rate("gamekeeper_commit_seconds_count")},
            ),
            Panel(
                "Time of COMMIT",
                "What the disk of PostgreSQL takes.",
                "s",
                {
                    f"p{share * 100:g}": quantile(share, "gamekeeper_commit_seconds")
                    for share in (0.5, 0.99)
                },
            ),
            Panel(
                "Lock waits",
                "Commands that waited for rows locked by others, per second.",
                "ops",
                {"{{operation}}": rate("gamekeeper_lock_waits_total", "operation")},
            ),
            Panel(
                "Retries",
                "Transactions begun again after a conflict, per second.",
                "ops",
                {"{{reason}}": rate("gamekeeper_transaction_retries_total", "reason")},
            ),
            Panel(
                "Faults",
                "PostgreSQL away, full or busy, per second.",
                "ops",
                {"{{fault}}": rate("gamekeeper_database_faults_total", "fault")},
            ),
            Panel(
                "Connections that wait for a lock",
                "Of all processes, at the moment of measuring.",
                "none",
                {"waiters": "max(gamekeeper_database_lock_waiters)"},
            ),
            Panel(
                "Oldest transaction",
                "A transaction that stays open holds up VACUUM and the sums of the economy.",
                "s",
                {"age": "max(gamekeeper_database_oldest_transaction_seconds)"},
            ),
            Panel(
                "Size",
                "Of the database.",
                "bytes",
                {"size": "max(gamekeeper_database_size_bytes)"},
            ),
        ],
    ),
    PanelRow(
        "Leaders and webhooks",
        [
            Panel(
                "Leaders",
                "Processes that perform a duty: one of each.",
                "none",
                {"{{duty}}": "sum by (duty) (gamekeeper_leader)"},
            ),
            Panel(
                "Chain backlog",
                "Actions that wait to be linked.",
                "none",
                {"actions": "max(gamekeeper_chain_unlinked_actions)"},
            ),
            Panel(
                "Webhooks",
                "By state.",
                "none",
                {"{{state}}": "max by (state) (gamekeeper_webhooks)"},
            ),
            Panel(
                "Deliveries",
                "Attempts per second.",
                "ops",
                {"{{outcome}}": rate("gamekeeper_webhook_deliveries_total", "outcome")},
            ),
            Panel(
                "Time of a delivery",
                "95th percentile.",
                "s",
                {"p95": quantile(0.95, "gamekeeper_webhook_delivery_seconds")},
            ),
            Panel(
                "Failing webhooks",
                "For how long the first of them has failed, and deliveries that wait for a retry.",
                "none",
                {
                    "seconds": "max(gamekeeper_webhook_failing_seconds)",
                    "deliveries": "max(gamekeeper_webhook_deliveries_waiting)",
                },
            ),
        ],
    ),
    PanelRow(
        "Mail, events, passwords, replica",
        [
            Panel(
                "Jobs waiting",
                "By kind.",
                "none",
                {"{{kind}}": "max by (kind) (gamekeeper_jobs_waiting)"},
            ),
            Panel(
                "Mails",
                "Attempts per second, by how they ended.",
                "ops",
                {"{{outcome}}": rate("gamekeeper_mails_total", "outcome")},
            ),
            Panel(
                "Event streams",
                "Open streams.",
                "none",
                {"streams": "sum(gamekeeper_event_streams)"},
            ),
            Panel(
                "Password hashes",
                "Argon2 evaluations per second, by kind; decoy: for accounts that do not exist.",
                "ops",
                {"{{kind}}": rate("gamekeeper_password_hashes_total", "kind")},
            ),
            Panel(
                "Password queue",
                "Checks that run or wait.",
                "none",
                {"waiting": "sum(gamekeeper_password_hashes_waiting)"},
            ),
            Panel(
                "Wait for a password check",
                "95th percentile.",
                "s",
                {"p95": quantile(0.95, "gamekeeper_password_hash_wait_seconds")},
            ),
            Panel(
                "Replica reads",
                "Statements per second that may go to the replica, by the server that answered.",
                "ops",
                {"{{server}}": rate("gamekeeper_replica_reads_total", "server")},
            ),
            Panel(
                "Replica",
                "1 if all processes read from it.",
                "none",
                {"{{server}}": "min by (server) (gamekeeper_replica_in_use)"},
            ),
            Panel(
                "Replica lag",
                "WAL not replayed yet.",
                "bytes",
                {"{{server}}": "max by (server) (gamekeeper_replica_lag_bytes)"},
            ),
            Panel(
                "Replica left",
                "How often a process stopped reading from it, per second.",
                "ops",
                {"{{fault}}": rate("gamekeeper_replica_left_total", "fault")},
            ),
            Panel(
                "Dropped",
                "Lines of the log, and uses of credentials, that were not recorded, per second.",
                "ops",
                {
                    "log lines": rate("gamekeeper_log_lines_dropped_total"),
                    "key uses": rate("gamekeeper_key_uses_dropped_total"),
                },
            ),
            Panel(
                "Versions",
                "Processes that are scraped, by version.",
                "none",
                {"{{job}} {{version}}": "count by (job, version) (gamekeeper_build_info)"},
            ),
        ],
    ),
]


def dashboard(uid: str, title: str, rows: list[PanelRow]) -> dict[str, Any]:
    panels: list[dict[str, Any]] = []
    y = 0
    for row in rows:
        place = {"x": 0, "y": y, "w": WIDTH, "h": 1}
        panels.append({"type": "row", "title": row.title, "gridPos": place, "panels": []})
        y += 1
        across = 4 if len(row.panels) % 4 == 0 else 3
        for number, panel in enumerate(row.panels):
            x = number % across * (WIDTH // across)
            place = {"x": x, "y": y + number // across * HEIGHT, "w": WIDTH // across, "h": HEIGHT}
            panels.append(_panel(panel, place))
        y += -(-len(row.panels) // across) * HEIGHT
    for number, panel in enumerate(panels, 1):
        panel["id"] = number
    return {
        "uid": uid,
        "title": title,
        "tags": ["gamekeeper"],
        "schemaVersion": 39,
        "version": 1,
        "editable": True,
        "graphTooltip": 1,
        "refresh": "30s",
        "time": {"from": "now-6h", "to": "now"},
        "timezone": "browser",
        "templating": {
            "list": [
                {
                    "name": "datasource",
                    "label": "Prometheus",
                    "type": "datasource",
                    "query": "prometheus",
                    "current": {},
                }
            ]
        },
        "links": [
            {
                "type": "dashboards",
                "title": "Gamekeeper",
                "tags": ["gamekeeper"],
                "asDropdown": False,
                "keepTime": True,
            }
        ],
        "panels": panels,
    }


def _panel(panel: Panel, place: dict[str, int]) -> dict[str, Any]:
    return {
        "type": panel.kind,
        "title": panel.title,
        "description": panel.about,
        "datasource": SOURCE,
        "gridPos": place,
        "fieldConfig": {
            "defaults": {
                "unit": panel.unit,
                "min": 0,
                "custom": {"fillOpacity": 8, "showPoints": "never", "lineWidth": 1},
            },
            "overrides": [],
        },
        "options": {
            "legend": {"displayMode": "list", "placement": "bottom", "showLegend": True},
            "tooltip": {"mode": "multi", "sort": "desc"},
        },
        "targets": [
            {"refId": chr(65 + number), "datasource": SOURCE, "expr": query, "legendFormat": legend}
            for number, (legend, query) in enumerate(panel.queries.items())
        ],
    }


DASHBOARDS = {
    "overview.json": dashboard("gamekeeper-overview", "Gamekeeper overview", OVERVIEW),
    "internals.json": dashboard("gamekeeper-internals", "Gamekeeper internals", INTERNALS),
}


def text(made: dict[str, Any]) -> str:
    return json.dumps(made, indent=2) + "\n"


if __name__ == "__main__":
    for name, made in DASHBOARDS.items():
        (FOLDER / name).write_text(text(made))
