"""Descriptions and examples for the OpenAPI document: webhook operations."""

from datetime import UTC, datetime
from uuid import UUID

from msgspec import structs

from gamekeeper.events.webhooks.deliveries import Deliveries, Delivery, DeliveryShown, Replayed
from gamekeeper.events.webhooks.records import NewlyKeyed, Webhook, Webhooks
from gamekeeper.http.openapi import Example

HOOK = UUID("019cede4-2c33-7d55-9e70-5f9b1d3c6e0a")
SENT = UUID("019cede5-3d44-7e66-8f81-60ac2e4d7f0b")
SEQ = 81_207

WEBHOOK = Webhook(
    id=HOOK,
    url="https://hooks.example.com/gamekeeper",
    kinds=["items.give", "items.take"],
    enabled=True,
    off_reason=None,
    failing_since=None,
    retry_at=None,
    old_secret_until=None,
    created_at=datetime(2026, 3, 14, 18, 0, tzinfo=UTC),
    owner="key:019cede0-77aa-7b10-8c3e-2f6a94d1b0c5",
    owner_name="shop",
)
KEYED = NewlyKeyed(**structs.asdict(WEBHOOK), secret="whsec_...")  # noqa: S106
DELIVERY = Delivery(
    id=SENT,
    message_id=f"evt_{SEQ}",
    seq=SEQ,
    kind="items.give",
    state="delivered",
    attempts=1,
    tried_at=datetime(2026, 3, 14, 18, 22, 5, 300_000, tzinfo=UTC),
    status=200,
    answer="ok",
    fault=None,
)
TEST = structs.replace(
    DELIVERY,
    message_id=f"test_{SENT}",
    seq=None,
    kind="webhooks.test",
    state="waiting",
    attempts=0,
    tried_at=None,
    status=None,
    answer=None,
)
PAYLOAD = {
    "type": "items.give",
    "timestamp": "2026-03-14T18:22:05.120000Z",
    "data": {"Kind": "items.give", "Seq": SEQ},
}
NEW = {"url": WEBHOOK.url, "kinds": "items.give,items.take"}
SPAN = {"from": "2026-03-14T18:00:00Z", "to": "2026-03-14T19:00:00Z"}

EXAMPLES = {
    "create_webhook": Example(body=NEW, answer=KEYED),
    "list_webhooks": Example(answer=Webhooks(values=[WEBHOOK])),
    "get_webhook": Example(answer=WEBHOOK),
    "change_webhook": Example(body={"kinds": "items.give,items.take"}, answer=WEBHOOK),
    "remove_webhook": Example(answer=WEBHOOK),
    "renew_webhook_secret": Example(answer=KEYED),
    "test_webhook": Example(answer=TEST),
    "replay_deliveries": Example(body=SPAN, answer=Replayed(count=41, complete=True)),
    "list_deliveries": Example(answer=Deliveries(values=[DELIVERY], next=SENT)),
    "get_delivery": Example(answer=DeliveryShown(**structs.asdict(DELIVERY), payload=PAYLOAD)),
}
