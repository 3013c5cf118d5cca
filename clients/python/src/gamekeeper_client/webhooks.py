"""Webhook endpoints: events delivered to URLs."""

from collections.abc import Sequence
from datetime import datetime

from gamekeeper_client.calls import Group, How, Id, Key, deletes, every, patches, posts, reads
from gamekeeper_client.fields import Cursor
from gamekeeper_client.records import (
    Delivery,
    DeliveryDetail,
    ReplayResult,
    Webhook,
    WebhookWithSecret,
)
from gamekeeper_client.records import (
    Webhooks as WebhookList,
)

Kinds = str | Sequence[str] | None


class Webhooks(Group[How]):
    """Events delivered to URLs."""

    @posts("/api/v1/webhooks")
    def create(
        self, url: str, *, kinds: Kinds = None, idempotency_key: Key = None
    ) -> WebhookWithSecret:
        """
        Create a webhook for a URL; `kinds` is a list, default all.

        `secret` is None if the first answer was lost and this one is a replay: then
        call `renew_secret`.
        """
        ...

    @reads("/api/v1/webhooks")
    def list(self) -> WebhookList:
        """All webhooks."""
        ...

    @reads("/api/v1/webhooks/{webhook_id}")
    def get(self, webhook_id: Id) -> Webhook:
        """One webhook, and whether it works."""
        ...

    @patches("/api/v1/webhooks/{webhook_id}")
    def change(
        self,
        webhook_id: Id,
        *,
        url: str | None = None,
        kinds: Kinds = None,
        enabled: bool | None = None,
        idempotency_key: Key = None,
    ) -> Webhook:
        """Change the given fields (`kinds=["*"]`: all); the others stay."""
        ...

    @deletes("/api/v1/webhooks/{webhook_id}")
    def remove(self, webhook_id: Id, *, idempotency_key: Key = None) -> Webhook:
        """Remove it."""
        ...

    @posts("/api/v1/webhooks/{webhook_id}/secret")
    def renew_secret(self, webhook_id: Id, *, idempotency_key: Key = None) -> WebhookWithSecret:
        """Rotate the secret; for a day messages are signed with both."""
        ...

    @posts("/api/v1/webhooks/{webhook_id}/test")
    def test(self, webhook_id: Id, *, idempotency_key: Key = None) -> Delivery:
        """Send a test at once."""
        ...

    @posts("/api/v1/webhooks/{webhook_id}/replay")
    def replay(
        self,
        webhook_id: Id,
        *,
        delivery: Id | None = None,
        from_: datetime | None = None,
        to: datetime | None = None,
        idempotency_key: Key = None,
    ) -> ReplayResult:
        """Send events again (replay): of one delivery, or of a time range."""
        ...

    @reads("/api/v1/webhooks/{webhook_id}/deliveries")
    def deliveries_page(
        self, webhook_id: Id, *, cursor: str | None = None, limit: int | None = None
    ) -> Cursor[Delivery]:
        """A page of deliveries and their responses, newest first."""
        ...

    deliveries = every(deliveries_page)

    @reads("/api/v1/webhooks/{webhook_id}/deliveries/{delivery_id}")
    def delivery(self, webhook_id: Id, delivery_id: Id) -> DeliveryDetail:
        """One delivery, with its payload."""
        ...
