"""What is shown of a webhook. Its secret is shown once, by whoever made it."""

from datetime import datetime
from typing import LiteralString
from uuid import UUID

from gamekeeper.database import Reader
from gamekeeper.errors import NotFound
from gamekeeper.shapes import Record


class WebhookNotFound(NotFound):
    """No webhook has that id."""


class Webhook(Record, frozen=True):
    id: UUID
    url: str
    kinds: list[str] | None
    enabled: bool
    off_reason: str | None
    failing_since: datetime | None
    retry_at: datetime | None
    old_secret_until: datetime | None
    created_at: datetime


class NewlyKeyed(Webhook, frozen=True, kw_only=True):
    """A webhook whose secret was made just now."""

    secret: str | None


class Webhooks(Record, frozen=True):
    values: list[Webhook]


COLUMNS: LiteralString = """
    id, url, kinds, enabled, off_reason, failing_since, retry_at,
    CASE WHEN old_until > now() THEN old_until END AS old_secret_until, created_at
"""


async def listed(reader: Reader) -> Webhooks:
    found = await reader.all(Webhook, f"SELECT {COLUMNS} FROM webhooks ORDER BY id")
    return Webhooks(values=found)


async def one(reader: Reader, webhook: UUID) -> Webhook:
    found = await reader.one(Webhook, f"SELECT {COLUMNS} FROM webhooks WHERE id = $1", webhook)
    if found is None:
        raise missing(webhook)
    return found


def missing(webhook: UUID) -> WebhookNotFound:
    return WebhookNotFound(f"No webhook with id '{webhook}'.")
