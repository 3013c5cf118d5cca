"""Webhook endpoints: create, change and remove webhooks; deliveries, test and replay."""

from datetime import datetime
from uuid import UUID

from msgspec import structs

from gamekeeper.api import step_up
from gamekeeper.api.path_parameters import DeliveryId, WebhookId
from gamekeeper.auth.authorisation import StepUpRequired
from gamekeeper.auth.principal import Principal
from gamekeeper.auth.secrets import Vault
from gamekeeper.core import ids
from gamekeeper.core.schemas import Body, Query
from gamekeeper.core.settings import Settings
from gamekeeper.db.database import Database, Reader
from gamekeeper.db.operations import AuditContext
from gamekeeper.egress import targets
from gamekeeper.egress.targets import ForbiddenTarget, InvalidWebhookUrl
from gamekeeper.events import records as events
from gamekeeper.events.records import UnknownKind
from gamekeeper.events.webhooks import deliveries, management, records, signatures
from gamekeeper.events.webhooks.deliveries import (
    Deliveries,
    Delivery,
    DeliveryNotFound,
    DeliveryShown,
    InvalidReplay,
    Replayed,
    TooManyTests,
    WebhookOff,
)
from gamekeeper.events.webhooks.management import TooManyWebhooks
from gamekeeper.events.webhooks.owners import Viewer
from gamekeeper.events.webhooks.records import NewlyKeyed, Webhook, WebhookNotFound, Webhooks
from gamekeeper.http.routing import Routes

routes = Routes("/api/v1/webhooks", roles=("webhooks",))

ALL = "*"
HEAR = "events.read"


class CreateWebhook(Body, frozen=True):
    url: str
    """
    The URL to send events to: https, port 443 or 8443, not in a private network unless the
    operator allows the host.
    """
    kinds: str | None = None
    """Only events of these kinds, separated by commas; by default all."""


class ChangeWebhook(Body, frozen=True):
    url: str | None = None
    """The new URL, which is tried at once."""
    kinds: str | None = None
    """The new kinds, separated by commas; `*` for all."""
    enabled: bool | None = None
    """Whether events are sent. When enabled again, it continues where it stopped."""


class ReplayDeliveries(Body, frozen=True):
    delivery: UUID | None = None
    """The delivery to send again."""
    from_: datetime | None = None
    """Send events from this instant on again; needs `to`."""
    to: datetime | None = None
    """The last instant."""


class DeliveryPaging(Query, frozen=True):
    cursor: UUID | None = None
    """The cursor of the next page: `Next` of the previous response."""
    limit: int = 50
    """The page size, 1 to 100; values out of range are clamped."""


# The owner reads the events at the target, so this needs the scope that reading events needs.
@routes.post(
    "",
    HEAR,
    raises=(InvalidWebhookUrl, ForbiddenTarget, UnknownKind, TooManyWebhooks),
    step_up=True,
)
async def create_webhook(
    database: Database,
    vault: Vault,
    settings: Settings,
    caller: Principal,
    by: AuditContext,
    body: CreateWebhook,
) -> NewlyKeyed:
    """Create a webhook; its signing secret is only in this response."""
    await targets.check(targets.parse(settings, body.url))
    id_, secret = ids.new_id(), signatures.new_secret()
    order = management.NewWebhook(
        by=by,
        id=id_,
        viewer=Viewer.of(caller),
        url=body.url,
        kinds=_kinds(body.kinds),
        sealed=vault.encrypt(f"webhook {id_}", secret),
    )
    # The reply is stored under its idempotency key without the secret: never in plaintext.
    made = await management.create.one(database, order, _without_secret)
    return structs.replace(made, secret=str(secret))


@routes.get("")
async def list_webhooks(reader: Reader, caller: Principal) -> Webhooks:
    """Your webhooks, or all webhooks for a manager, oldest first."""
    return await records.list_webhooks(reader, Viewer.of(caller))


@routes.get("/{id}", raises=(WebhookNotFound,))
async def get_webhook(reader: Reader, caller: Principal, id: WebhookId) -> Webhook:  # noqa: A002
    """One webhook, by its id."""
    return await records.find_webhook(reader, id, Viewer.of(caller))


@routes.patch(
    "/{id}",
    raises=(WebhookNotFound, InvalidWebhookUrl, ForbiddenTarget, UnknownKind, StepUpRequired),
)
async def change_webhook(
    database: Database,
    settings: Settings,
    caller: Principal,
    id: WebhookId,  # noqa: A002
    by: AuditContext,
    body: ChangeWebhook,
) -> Webhook:
    """
    Change the URL or kinds of a webhook, or disable or enable it; omitted fields do not change.

    A manager who changes the URL, or enables a webhook whose owner is gone, becomes its owner.
    To change `url` or to enable it, a browser session must have verified its second factor
    within ten minutes.
    """
    # Either may send events to a place where none are sent now; the rest needs no step-up, so
    # that a webhook can be switched off at once.
    if body.url is not None or body.enabled:
        step_up.require(caller, settings)
    if body.url is not None:
        await targets.check(targets.parse(settings, body.url))
    order = management.WebhookChange(
        by=by,
        viewer=Viewer.of(caller),
        webhook=id,
        url=body.url,
        kinds=_kinds(body.kinds),
        all_kinds=body.kinds == ALL,
        enabled=body.enabled,
    )
    return await management.change.one(database, order)


@routes.delete("/{id}", raises=(WebhookNotFound,))
async def remove_webhook(
    database: Database,
    caller: Principal,
    id: WebhookId,  # noqa: A002
    by: AuditContext,
) -> Webhook:
    """Delete a webhook and its deliveries."""
    order = management.Removal(by=by, viewer=Viewer.of(caller), webhook=id)
    return await management.remove.one(database, order)


@routes.post("/{id}/secret", raises=(WebhookNotFound,), step_up=True)
async def renew_webhook_secret(
    database: Database,
    vault: Vault,
    caller: Principal,
    id: WebhookId,  # noqa: A002
    by: AuditContext,
) -> NewlyKeyed:
    """
    Create a new secret; for a day deliveries are also signed with the old one.

    Only the owner sees a secret, so a manager who requests one becomes the owner.
    """
    secret = signatures.new_secret()
    sealed = vault.encrypt(f"webhook {id}", secret)
    order = management.NewSecret(by=by, viewer=Viewer.of(caller), webhook=id, sealed=sealed)
    renewed = await management.renew.one(database, order, _without_secret)
    return structs.replace(renewed, secret=str(secret))


@routes.post("/{id}/test", raises=(WebhookNotFound, WebhookOff, TooManyTests))
async def test_webhook(
    database: Database,
    caller: Principal,
    id: WebhookId,  # noqa: A002
    by: AuditContext,
) -> Delivery:
    """Send a test event at once; the delivery shows the result."""
    order = deliveries.Testing(by=by, viewer=Viewer.of(caller), webhook=id)
    return await deliveries.test.one(database, order)


@routes.post("/{id}/replay", raises=(WebhookNotFound, InvalidReplay, WebhookOff, DeliveryNotFound))
async def replay_deliveries(
    database: Database,
    caller: Principal,
    id: WebhookId,  # noqa: A002
    by: AuditContext,
    body: ReplayDeliveries,
) -> Replayed:
    """Send events again: one delivery, or all matching events in a time range."""
    if body.delivery is None and (body.from_ is None or body.to is None):
        raise InvalidReplay
    order = deliveries.Replay(
        by=by,
        viewer=Viewer.of(caller),
        webhook=id,
        delivery=body.delivery,
        since=body.from_,
        until=body.to,
    )
    return await deliveries.replay.one(database, order)


@routes.get("/{id}/deliveries", raises=(WebhookNotFound,))
async def list_deliveries(
    reader: Reader,
    caller: Principal,
    id: WebhookId,  # noqa: A002
    query: DeliveryPaging,
) -> Deliveries:
    """The deliveries of a webhook with their responses, newest first."""
    return await deliveries.list_deliveries(
        reader, id, Viewer.of(caller), query.cursor, query.limit
    )


@routes.get("/{id}/deliveries/{delivery_id}", HEAR, raises=(DeliveryNotFound,))
async def get_delivery(
    reader: Reader,
    caller: Principal,
    id: WebhookId,  # noqa: A002
    delivery_id: DeliveryId,
) -> DeliveryShown:
    """One delivery with its payload; masked for callers without access to email addresses."""
    return await deliveries.find_delivery(reader, id, Viewer.of(caller), delivery_id)


def _without_secret(webhook: Webhook) -> NewlyKeyed:
    return NewlyKeyed(**structs.asdict(webhook), secret=None)


def _kinds(text: str | None) -> tuple[str, ...] | None:
    kinds = None if text == ALL else events.kinds(text)
    return None if kinds is None else tuple(sorted(kinds))
