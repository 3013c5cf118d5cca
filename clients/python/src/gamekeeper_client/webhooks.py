"""Webhooks: events sent to addresses."""

from datetime import datetime

from gamekeeper_client.calls import (
    Cursor,
    Group,
    How,
    Id,
    Key,
    deletes,
    every,
    patches,
    posts,
    reads,
)
from gamekeeper_client.records import (
    Delivery,
    DeliveryShown,
    NewlyKeyed,
    Replayed,
    Webhook,
)
from gamekeeper_client.records import (
    Webhooks as WebhookList,
)


class Webhooks(Group[How]):
    """Events sent to addresses."""

    @posts("/api/v1/webhooks")
    def create(
        self, url: str, *, kinds: str | None = None, idempotency_key: Key = None
    ) -> NewlyKeyed:
        """
        Have events sent to an address; `kinds` with commas, or all.

        `Secret` is None if the first answer was lost and this one is a replay: then
        `renew_secret` gives another.
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
        kinds: str | None = None,
        enabled: bool | None = None,
        idempotency_key: Key = None,
    ) -> Webhook:
        """Change what is given (`kinds="*"`: all); the rest stays."""
        ...

    @deletes("/api/v1/webhooks/{webhook_id}")
    def remove(self, webhook_id: Id, *, idempotency_key: Key = None) -> Webhook:
        """Remove it."""
        ...

    @posts("/api/v1/webhooks/{webhook_id}/secret")
    def renew_secret(self, webhook_id: Id, *, idempotency_key: Key = None) -> NewlyKeyed:
        """A new secret; for a day everything is signed with both."""
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
    ) -> Replayed:
        """Send events again: of one delivery, or of a span of time."""
        ...

    @reads("/api/v1/webhooks/{webhook_id}/deliveries")
    def deliveries_page(
        self, webhook_id: Id, *, cursor: str | None = None, limit: int = 100
    ) -> Cursor[Delivery]:
        """A page of what was sent and what came back, newest first."""
        ...

    deliveries = every(deliveries_page)

    @reads("/api/v1/webhooks/{webhook_id}/deliveries/{delivery_id}")
    def delivery(self, webhook_id: Id, delivery_id: Id) -> DeliveryShown:
        """One delivery, with what was sent."""
        ...
