"""
Webhooks of shops: the signature is verified over the raw body, then the event is applied.

An event is applied before it is answered, and each one can come again or late: every change of an
order is remembered at its address (orders/changes.py), so no list of seen events is needed.
"""

from collections.abc import Callable, Mapping
from typing import Any

from msgspec import Struct

from gamekeeper.auth.secrets import Vault
from gamekeeper.core import shop_secrets
from gamekeeper.core.errors import Forbidden, NotFound
from gamekeeper.core.observability import loggers
from gamekeeper.core.settings import Settings
from gamekeeper.db.database import Database
from gamekeeper.db.operations import AuditContext
from gamekeeper.orders import changes, intake
from gamekeeper.orders.changes import DisputeChange, Refund
from gamekeeper.orders.shops import own, signatures, stripe, tebex
from gamekeeper.orders.shops.events import Disputed, Paid, Refunded, ShopEvent
from gamekeeper.orders.shops.signatures import Check

log = loggers.get_logger()


class ShopNotFound(NotFound):
    """No webhook is configured for this shop."""


class ShopSignatureInvalid(Forbidden):
    """The signature of the event is wrong or too old."""

    cacheable = False


class Adapter(Struct, frozen=True):
    is_signed: Check
    read: Callable[[Mapping[str, Any]], ShopEvent | None]


ADAPTERS: Mapping[str, Adapter] = {
    "tebex": Adapter(signatures.is_from_tebex, tebex.read),
    "stripe": Adapter(signatures.is_from_stripe, stripe.read),
}
OWN_SHOP = Adapter(signatures.is_from_own_shop, own.read)


class ShopDelivery(Struct, frozen=True, kw_only=True):
    """A webhook as it arrived."""

    shop: str
    headers: Mapping[str, str]
    raw: bytes
    payload: Mapping[str, Any]

    def __repr__(self) -> str:
        return f"ShopDelivery({self.shop})"


def verified(settings: Settings, delivery: ShopDelivery, now: float) -> ShopEvent | None:
    """The event of a webhook whose signature is right; None if its kind changes nothing."""
    secrets = shop_secrets.parse(
        settings.tebex_secrets, settings.stripe_secrets, settings.shop_secrets
    ).get(delivery.shop)
    if secrets is None:
        raise ShopNotFound
    adapter = ADAPTERS.get(delivery.shop, OWN_SHOP)
    if not adapter.is_signed(secrets, delivery.headers, delivery.raw, now):
        log.warning("shop_signature_invalid", shop=delivery.shop)
        raise ShopSignatureInvalid
    return adapter.read(delivery.payload)


async def apply(
    database: Database, vault: Vault, by: AuditContext, shop: str, event: ShopEvent | None
) -> None:
    """Make the change that an event reports; one that was made before changes nothing."""
    match event:
        case Paid(order_id, content):
            await intake.put(database, vault, by, shop, order_id, content)
        case Refunded(order_id, lines):
            command = Refund(by=by, shop=shop, order_id=order_id, lines=lines)
            await changes.refund.one(database, command)
        case Disputed(order_id, verdict):
            change = DisputeChange(by=by, shop=shop, order_id=order_id, verdict=verdict)
            await changes.dispute.one(database, change)
        case _:
            pass
