"""Alerts: what an operator should mend, with a code, a sentence and what it is about."""

from collections.abc import Awaitable, Callable
from datetime import datetime
from typing import Any, Literal
from uuid import UUID

from msgspec import Struct

from gamekeeper.auth.principal import Principal
from gamekeeper.core.schemas import Instant, Record
from gamekeeper.db.database import Reader
from gamekeeper.events.webhooks import records as webhooks
from gamekeeper.events.webhooks.owners import Viewer
from gamekeeper.ledger import verifications

MAX_ALERTS = 20
"""Alerts of one kind."""

WORKER_MINUTES = 5
CHAIN_SECONDS = 60
FAILING_MINUTES = 5
LEASE_HOURS = 24
UNVERIFIED_DAYS = 8
"""Somebody who verifies weekly may be a day late."""
VERIFY = "gamekeeper actions verify"

Target = Literal["worker", "chain", "webhook", "server"]


class Alert(Record, frozen=True):
    """A problem that needs attention, and its subject."""

    code: str
    """
    `worker_stopped`, `chain_lagging`, `chain_unverified`, `chain_breached`, `webhook_failing`,
    `webhook_off` or `lease_lost`.
    """
    message: str
    since: Instant | None
    """The start; null if unknown."""
    target: Target
    """The subject: `worker`, `chain`, `webhook` or `server`."""
    target_id: UUID | None = None
    """The id of the webhook or server."""
    target_name: str | None = None
    """The URL of the webhook, or the name of the server."""


async def worker_stopped(reader: Reader, _: Principal) -> list[Alert]:
    """A worker samples every minute who is online; without samples none runs, or it is stuck."""
    [row] = await reader.rows(
        """
        SELECT max(at) AS at,
               coalesce(max(at) < statement_timestamp() - make_interval(mins => $1), true) AS late
          FROM online_counts WHERE span = 'minute'
        """,
        WORKER_MINUTES,
    )
    if not row["late"]:
        return []
    message = (
        "No worker is running: mails, webhooks, events and totals are delayed. "
        "Start one: gamekeeper worker"
    )
    return [Alert(code="worker_stopped", message=message, since=row["at"], target="worker")]


async def chain_lagging(reader: Reader, _: Principal) -> list[Alert]:
    """The newest action that should have been linked by now is not."""
    rows = await reader.rows(
        """
        SELECT at FROM (SELECT id, at FROM actions
                         WHERE at BETWEEN statement_timestamp() - interval '1 day'
                                      AND statement_timestamp() - make_interval(secs => $1)
                         ORDER BY id DESC LIMIT 1) AS newest
         WHERE NOT EXISTS (SELECT FROM chain WHERE action_id = newest.id)
        """,
        CHAIN_SECONDS,
    )
    message = "Actions are not linked into the chain, so they appear in no event and no webhook."
    return [
        Alert(code="chain_lagging", message=message, since=row["at"], target="chain")
        for row in rows
    ]


async def chain_unverified(reader: Reader, _: Principal) -> list[Alert]:
    """
    The chain was not verified for long, or something was found.

    Without any verification, it is as old as its first link.
    """
    last = await verifications.last_verification(reader)
    if last.breaches:
        message = f"The audit log was altered: {last.breaches:,} breaches. See: {VERIFY}"
        since = last.verified_at
        return [Alert(code="chain_breached", message=message, since=since, target="chain")]
    rows = await reader.rows(
        """
        SELECT since
          FROM (SELECT coalesce($1, (SELECT action_at FROM chain ORDER BY seq LIMIT 1)) AS since)
               AS verified
         WHERE since < statement_timestamp() - make_interval(days => $2)
        """,
        last.verified_at,
        UNVERIFIED_DAYS,
    )
    message = f"The audit log has not been verified for {UNVERIFIED_DAYS} days. Run: {VERIFY}"
    return [
        Alert(code="chain_unverified", message=message, since=row["since"], target="chain")
        for row in rows
    ]


async def webhooks_failing(reader: Reader, caller: Principal) -> list[Alert]:
    """The caller's own webhooks that do not arrive, of all for a manager."""
    found = await webhooks.list_webhooks(reader, Viewer.of(caller))
    now = await reader.value("SELECT now()")
    return [alert for hook in found.values if (alert := _of_webhook(hook, now))][:MAX_ALERTS]


def _of_webhook(hook: webhooks.Webhook, now: datetime) -> Alert | None:
    about: dict[str, Any] = {"target": "webhook", "target_id": hook.id, "target_name": hook.url}
    if hook.off_reason and not hook.enabled:
        message = f"A webhook is disabled: {hook.off_reason}."
        return Alert(code="webhook_off", message=message, since=hook.failing_since, **about)
    failing = hook.failing_since
    if failing and (now - failing).total_seconds() > FAILING_MINUTES * 60:
        message = "Deliveries to a webhook fail. See its deliveries."
        return Alert(code="webhook_failing", message=message, since=failing, **about)
    return None


async def leases_lost(reader: Reader, _: Principal) -> list[Alert]:
    """Game servers whose lease ran out in the last day without a farewell."""
    rows = await reader.rows(
        """
        SELECT id, name, lease_until
          FROM servers
         WHERE lease_until BETWEEN statement_timestamp() - make_interval(hours => $1)
                               AND statement_timestamp()
           AND NOT EXISTS (SELECT FROM actions
                            WHERE kind = 'servers.stop'
                              AND at BETWEEN lease_until - interval '1 minute'
                                         AND lease_until + interval '1 minute'
                              AND after ->> 'server_id' = servers.id::text)
         ORDER BY lease_until DESC, id
         LIMIT $2
        """,
        LEASE_HOURS,
        MAX_ALERTS,
    )
    return [
        Alert(
            code="lease_lost",
            message=f"The game server '{row['name']}' lost its lease; its players are offline.",
            since=row["lease_until"],
            target="server",
            target_id=row["id"],
            target_name=row["name"],
        )
        for row in rows
    ]


class AlertCheck(Struct, frozen=True):
    scope: str
    find: Callable[[Reader, Principal], Awaitable[list[Alert]]]


CHECKS = (
    AlertCheck("actions.read", worker_stopped),
    AlertCheck("actions.read", chain_lagging),
    AlertCheck("actions.read", chain_unverified),
    AlertCheck("webhooks", webhooks_failing),
    AlertCheck("players.read", leases_lost),
)
