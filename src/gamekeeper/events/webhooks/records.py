"""Webhook records as shown to callers. The secret is shown once, when it is created."""

from datetime import datetime
from typing import LiteralString
from uuid import UUID

from gamekeeper.core.errors import NotFound
from gamekeeper.core.schemas import Record
from gamekeeper.db.database import Queryable, Reader, Writer
from gamekeeper.events.webhooks.owners import FAULT, OWNED, Viewer


class WebhookNotFound(NotFound):
    """No webhook has that id."""


class Webhook(Record, frozen=True):
    id: UUID
    url: str
    kinds: list[str] | None
    """Null: all."""
    enabled: bool
    off_reason: str | None
    """
    Why it is disabled; `owner_revoked`, `owner_expired` or `owner_not_permitted` if its owner
    no longer has permission for it.
    """
    failing_since: datetime | None
    """The start of the current failures."""
    retry_at: datetime | None
    """The next attempt of the oldest failed delivery."""
    old_secret_until: datetime | None
    """The time until which the previous secret also signs."""
    created_at: datetime
    owner: str | None
    """
    The key or the staff member it belongs to, `key:<id>` or `user:<id>`; null: created
    before webhooks had owners.
    """
    owner_name: str | None
    """The name of the owner."""


class NewlyKeyed(Webhook, frozen=True, kw_only=True):
    """A webhook whose secret was made just now."""

    secret: str | None
    """
    Shown only once: `whsec_` and base64. Null if the request was already executed under its
    `Idempotency-Key`; then create a new one.
    """


class Webhooks(Record, frozen=True):
    values: list[Webhook]


COLUMNS: LiteralString = f"""
    webhooks.id, url, kinds, enabled AND {FAULT} IS NULL AS enabled,
    coalesce({FAULT}, off_reason) AS off_reason, failing_since, retry_at,
    CASE WHEN old_until > statement_timestamp() THEN old_until END AS old_secret_until, created_at,
    owner, coalesce(owner_name, staff_name) AS owner_name
"""


async def list_webhooks(reader: Reader, viewer: Viewer) -> Webhooks:
    """The viewer's own webhooks, all of them for a manager, oldest first."""
    found = await reader.all(
        Webhook,
        f"SELECT {COLUMNS} FROM {OWNED} WHERE $2 OR owner = $1 ORDER BY webhooks.id",
        viewer.actor,
        viewer.manages,
    )
    return Webhooks(values=found)


async def find_webhook(reader: Queryable, webhook: UUID, viewer: Viewer) -> Webhook:
    """A webhook; not found if the viewer may not see it."""
    found = await reader.one(
        Webhook, f"SELECT {COLUMNS} FROM {OWNED} WHERE webhooks.id = $1", webhook
    )
    if found is None or not viewer.may_touch(found.owner):
        raise missing(webhook)
    return found


async def locked(writer: Writer, webhook: UUID, viewer: Viewer) -> Webhook | None:
    """A webhook, locked until the commit; None if the viewer may not see it."""
    found = await writer.one(
        Webhook,
        f"SELECT {COLUMNS} FROM {OWNED} WHERE webhooks.id = $1 FOR UPDATE OF webhooks",
        webhook,
    )
    return found if found and viewer.may_touch(found.owner) else None


def missing(webhook: UUID) -> WebhookNotFound:
    return WebhookNotFound(f"No webhook with id '{webhook}'.")
