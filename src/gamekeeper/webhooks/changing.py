"""Webhooks made, changed, given a new secret and removed; each of it is an action."""

from collections.abc import Sequence
from typing import Any, LiteralString
from uuid import UUID

from msgspec import field

from gamekeeper import ids
from gamekeeper.database import Writer
from gamekeeper.errors import Conflict, Problem
from gamekeeper.ledger import actions
from gamekeeper.ledger.actions import Action
from gamekeeper.operations import Order, operation
from gamekeeper.webhooks.records import COLUMNS, Webhook, missing

MOST = 1000
OVERLAP_HOURS = 24
CHANGED = "gamekeeper_webhooks"
"""Who listens to this channel hears that some webhook is no longer what it was."""


class TooManyWebhooks(Conflict):
    """There are as many webhooks as there may be; remove one."""


class NewWebhook(Order, frozen=True, kw_only=True):
    id: UUID = field(default_factory=ids.fresh)
    url: str
    kinds: tuple[str, ...] | None
    emails: bool
    sealed: str


class Change(Order, frozen=True, kw_only=True):
    """None: as it was."""

    webhook: UUID
    url: str | None = None
    kinds: tuple[str, ...] | None = None
    all_kinds: bool = False
    enabled: bool | None = None


class NewSecret(Order, frozen=True, kw_only=True):
    webhook: UUID
    sealed: str


class Removal(Order, frozen=True, kw_only=True):
    webhook: UUID


@operation
async def create(writer: Writer, orders: Sequence[NewWebhook]) -> list[Webhook | Problem]:
    """Make webhooks; each is told of what is done from now on."""
    outcomes: list[Webhook | Problem] = []
    there = await writer.value("SELECT count(*) FROM webhooks")
    for order in orders:
        if there + len(outcomes) >= MOST:
            outcomes.append(TooManyWebhooks())
            continue
        [made] = await writer.all(
            Webhook,
            f"""
            INSERT INTO webhooks (id, url, kinds, emails, secret, position)
            SELECT $1, $2, $3, $4, $5, coalesce(max(seq), 0) FROM chain
            RETURNING {COLUMNS}
            """,
            order.id,
            order.url,
            order.kinds,
            order.emails,
            order.sealed,
        )
        await _record(writer, "webhooks.create", order, None, _told(made))
        outcomes.append(made)
    return outcomes


@operation
async def change(writer: Writer, orders: Sequence[Change]) -> list[Webhook | Problem]:
    """Change where webhooks lead and what they are told; switched on again, they begin afresh."""
    return [await _changed(writer, order) for order in orders]


async def _changed(writer: Writer, order: Change) -> Webhook | Problem:
    before = await _locked(writer, order.webhook)
    if before is None:
        return missing(order.webhook)
    [after] = await writer.all(
        Webhook,
        CHANGE,
        order.webhook,
        order.url,
        order.kinds,
        order.all_kinds,
        order.enabled,
    )
    if _told(after) != _told(before):
        await _record(writer, "webhooks.change", order, _told(before), _told(after))
    return after


# A new address or a switch turned on is a reason to try at once what has failed.
CHANGE: LiteralString = f"""
    UPDATE webhooks
       SET url = coalesce($2, url),
           kinds = CASE WHEN $4 THEN NULL ELSE coalesce($3, kinds) END,
           enabled = coalesce($5, enabled),
           off_reason = CASE WHEN coalesce($5, enabled) THEN NULL
                             WHEN enabled THEN 'switched off' ELSE off_reason END,
           attempts = CASE WHEN $5 OR $2 IS NOT NULL THEN 0 ELSE attempts END,
           retry_at = CASE WHEN $5 OR $2 IS NOT NULL THEN NULL ELSE retry_at END,
           failing_since = CASE WHEN $5 OR $2 IS NOT NULL THEN NULL ELSE failing_since END
     WHERE id = $1
    RETURNING {COLUMNS}
"""


@operation
async def renew(writer: Writer, orders: Sequence[NewSecret]) -> list[Webhook | Problem]:
    """Give webhooks new secrets; the old ones sign too for a day, so that nobody is in a hurry."""
    outcomes: list[Webhook | Problem] = []
    for order in orders:
        renewed = await writer.one(
            Webhook,
            f"""
            UPDATE webhooks
               SET old_secret = secret, secret = $2,
                   old_until = now() + make_interval(hours => $3)
             WHERE id = $1
            RETURNING {COLUMNS}
            """,
            order.webhook,
            order.sealed,
            OVERLAP_HOURS,
        )
        if renewed:
            about = {"id": order.webhook, "secret": "renewed"}
            await _record(writer, "webhooks.change", order, None, about)
        outcomes.append(renewed or missing(order.webhook))
    return outcomes


@operation
async def remove(writer: Writer, orders: Sequence[Removal]) -> list[Webhook | Problem]:
    """Remove webhooks, and what was kept of their deliveries."""
    outcomes: list[Webhook | Problem] = []
    for order in orders:
        gone = await writer.one(
            Webhook, f"DELETE FROM webhooks WHERE id = $1 RETURNING {COLUMNS}", order.webhook
        )
        if gone:
            await _record(writer, "webhooks.remove", order, _told(gone), None)
        outcomes.append(gone or missing(order.webhook))
    return outcomes


async def _locked(writer: Writer, webhook: UUID) -> Webhook | None:
    return await writer.one(
        Webhook, f"SELECT {COLUMNS} FROM webhooks WHERE id = $1 FOR UPDATE", webhook
    )


def _told(webhook: Webhook) -> dict[str, Any]:
    return {
        "id": webhook.id,
        "url": webhook.url,
        "kinds": webhook.kinds,
        "enabled": webhook.enabled,
    }


async def _record(
    writer: Writer, kind: actions.Kind, order: Order, before: Any, after: Any
) -> None:
    await actions.record(writer, [Action(kind=kind, by=order.by, before=before, after=after)])
    await writer.run("SELECT pg_notify($1, '')", CHANGED)
