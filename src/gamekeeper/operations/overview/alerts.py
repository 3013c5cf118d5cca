"""Alerts: what an operator should mend, with a code, a sentence and what it is about."""

from collections.abc import Awaitable, Callable
from datetime import datetime, timedelta
from typing import Any, Literal
from uuid import UUID

from msgspec import Struct

from gamekeeper.auth.principal import Principal
from gamekeeper.core.ids import NIL, id_at
from gamekeeper.core.schemas import Instant, Record
from gamekeeper.db.database import Reader
from gamekeeper.events.webhooks import records as webhooks
from gamekeeper.events.webhooks.owners import Viewer
from gamekeeper.operations.overview.state import GameState

MAX_ALERTS = 20
"""Alerts of one kind."""

WORKER_LATE = timedelta(minutes=5)
FAILING_MINUTES = 5
LEASE_HOURS = 24
UNVERIFIED_DAYS = 8
"""Somebody who verifies weekly may be a day late."""
VERIFY = "gamekeeper actions verify"

Target = Literal["worker", "chain", "webhook", "server", "item", "economy"]


class Alert(Record, frozen=True):
    """A problem that needs attention, and its subject."""

    code: str
    """
    `worker_stopped`, `chain_lagging`, `chain_unverified`, `chain_breached`, `webhook_failing`,
    `webhook_off`, `lease_lost`, `unusual_increase` or `rule_exceeded`.
    """
    message: str
    since: Instant | None
    """The start; null if unknown."""
    target: Target
    """The subject: `worker`, `chain`, `webhook`, `server`, `item` or `economy`."""
    target_id: UUID | None = None
    """The id of the webhook, server or item."""
    target_name: str | None = None
    """The URL of the webhook, or the name of the server or item."""


def worker_stopped(state: GameState) -> list[Alert]:
    """A worker samples every minute who is online; without samples none runs, or it is stuck."""
    if state.sampled_at and state.at - state.sampled_at <= WORKER_LATE:
        return []
    message = (
        "No worker is running: mails, webhooks, events and totals are delayed. "
        "Start one: gamekeeper worker"
    )
    return [Alert(code="worker_stopped", message=message, since=state.sampled_at, target="worker")]


def chain_lagging(state: GameState) -> list[Alert]:
    """The newest action that should have been linked by now is not."""
    if state.unlinked_at is None:
        return []
    message = "Actions are not linked into the chain, so they appear in no event and no webhook."
    return [Alert(code="chain_lagging", message=message, since=state.unlinked_at, target="chain")]


def chain_unverified(state: GameState) -> list[Alert]:
    """
    The chain was not verified for long, or something was found.

    Without any verification, it is as old as its first link.
    """
    if state.breaches:
        message = f"The audit log was altered: {state.breaches:,} breaches. See: {VERIFY}"
        since = state.verified_at
        return [Alert(code="chain_breached", message=message, since=since, target="chain")]
    since = state.verified_at or state.first_link_at
    if since is None or state.at - since <= timedelta(days=UNVERIFIED_DAYS):
        return []
    message = f"The audit log has not been verified for {UNVERIFIED_DAYS} days. Run: {VERIFY}"
    return [Alert(code="chain_unverified", message=message, since=since, target="chain")]


async def _of_the_log(_: Reader, state: GameState, __: Principal) -> list[Alert]:
    return worker_stopped(state) + chain_lagging(state) + chain_unverified(state)


async def webhooks_failing(reader: Reader, state: GameState, caller: Principal) -> list[Alert]:
    """The caller's own webhooks that do not arrive, of all for a manager."""
    found = await webhooks.list_webhooks(reader, Viewer.of(caller))
    return [alert for hook in found.values if (alert := _of_webhook(hook, state.at))][:MAX_ALERTS]


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


async def leases_lost(reader: Reader, state: GameState, _: Principal) -> list[Alert]:
    """Game servers whose lease ran out in the last day without a farewell."""
    rows = await reader.rows(
        """
        SELECT id, name, lease_until
          FROM servers
         WHERE lease_until BETWEEN statement_timestamp() - make_interval(hours => $1)
                               AND statement_timestamp()
           AND NOT EXISTS (SELECT FROM actions
                            WHERE (kind, id) >= ('servers.stop', $3)
                              AND (kind, id) <= ('servers.stop',
                                                 'ffffffff-ffff-ffff-ffff-ffffffffffff')
                              AND at BETWEEN lease_until - interval '1 minute'
                                         AND lease_until + interval '1 minute'
                              AND after ->> 'server_id' = servers.id::text)
         ORDER BY lease_until DESC, id
         LIMIT $2
        """,
        LEASE_HOURS,
        MAX_ALERTS,
        # Rows are compared, so that the index of kinds finds the stops of these hours only.
        id_at(NIL, state.at - timedelta(hours=LEASE_HOURS + 1)),
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


async def open_findings(_: Reader, state: GameState, __: Principal) -> list[Alert]:
    """Open findings, the newest first; they are read with the state."""
    return [_of_finding(finding) for finding in state.findings or []]


def _of_finding(finding: dict[str, Any]) -> Alert:
    name, quantity = finding["item_name"], finding["quantity"]
    what = f"{quantity:,} {finding['measure']}"
    if finding["rule"]:
        code = "rule_exceeded"
        message = f"The economy rule '{finding['rule']}' was exceeded: {what}."
    else:
        code = "unusual_increase"
        about = f"{name or 'deleted item'}: {what}" if finding["item_id"] else f"{what} created"
        message = f"{about}, usually {finding['usual']:,} in this hour of the week."
    return Alert(
        code=code,
        message=message,
        since=datetime.fromisoformat(finding["began_at"]),
        target="item" if finding["item_id"] else "economy",
        target_id=UUID(finding["item_id"]) if finding["item_id"] else None,
        target_name=name,
    )


class AlertCheck(Struct, frozen=True):
    scope: str
    find: Callable[[Reader, GameState, Principal], Awaitable[list[Alert]]]


CHECKS = (
    AlertCheck("actions.read", _of_the_log),
    AlertCheck("webhooks", webhooks_failing),
    AlertCheck("players.read", leases_lost),
    AlertCheck("economy.read", open_findings),
)
