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
from gamekeeper.events import records as events
from gamekeeper.events.records import UnknownKind
from gamekeeper.events.webhooks import deliveries, management, records, signatures, targets
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
from gamekeeper.events.webhooks.targets import ForbiddenTarget, InvalidWebhookUrl
from gamekeeper.http.routing import Routes

routes = Routes("/api/v1/webhooks", roles=("webhooks",))

ALL = "*"
HEAR = "events.read"


class CreateWebhook(Body, frozen=True):
    url: str
    """
    Where to send events: https, port 443 or 8443, nothing inside a private network unless the
    operator allows the host.
    """
    kinds: str | None = None
    """Only events of these kinds, with commas; without it all."""


class ChangeWebhook(Body, frozen=True):
    url: str | None = None
    """Another address, which is tried at once."""
    kinds: str | None = None
    """Other kinds, with commas; `*` for all."""
    enabled: bool | None = None
    """Whether anything is sent. Switched on, it goes on where it stood."""


class ReplayDeliveries(Body, frozen=True):
    delivery: UUID | None = None
    """The delivery whose event is to be sent again."""
    from_: datetime | None = None
    """Send again what happened at this instant or later; `to` too."""
    to: datetime | None = None
    """The last instant."""


class DeliveryPaging(Query, frozen=True):
    cursor: UUID | None = None
    """Go on where a list ended: the `Next` of its answer."""
    limit: int = 50
    """How many, 1 to 100; out of range, the nearest is taken."""


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
    """Have events sent to an address; the secret that signs them is in this answer only."""
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
    """The webhooks that the caller made, all of them for a manager, oldest first."""
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
    Change its address or kinds, or switch it off or on; what is left out stays as it is.

    A manager who gives it another address, or switches on one whose owner is gone, becomes
    its owner. With `url`, or to switch it on, a browser session must have verified its second
    factor within ten minutes.
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
    """Remove it, and what was kept of its deliveries."""
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
    Give it a new secret; for a day everything is signed with the old one too.

    Only the owner is shown a secret, so a manager who asks for one becomes the owner.
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
    """Have a test sent to it, at once; the delivery tells what came of it."""
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
    """Have events sent once more: those of one delivery, or all it wants of a span of time."""
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
    """What was sent to it and what came back, newest first."""
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
    """One delivery, with what is sent: masked for a caller who may not see addresses."""
    return await deliveries.find_delivery(reader, id, Viewer.of(caller), delivery_id)


def _without_secret(webhook: Webhook) -> NewlyKeyed:
    return NewlyKeyed(**structs.asdict(webhook), secret=None)


def _kinds(text: str | None) -> tuple[str, ...] | None:
    kinds = None if text == ALL else events.kinds(text)
    return None if kinds is None else tuple(sorted(kinds))
