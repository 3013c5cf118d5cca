"""
Stripe: webhooks about Checkout sessions, refunds and disputes.

All events of one payment name its PaymentIntent, which is the order's id; a session without a
payment has its own id. Events come in any order, and a completed session may still be unpaid:
then `checkout.session.async_payment_succeeded` follows. An event has no line items, so the
session's metadata names them: `products` is `gems:2,mount`, or `product` and `quantity`.
"""

from collections.abc import Mapping
from decimal import Decimal
from typing import Any

from gamekeeper.orders.content import MAX_LINES, Content, OrderedLine
from gamekeeper.orders.records import Verdict
from gamekeeper.orders.shops.events import Disputed, Paid, Refunded, ShopEvent
from gamekeeper.orders.shops.payloads import (
    currency_of,
    instant_of,
    name_at,
    object_at,
    product_of,
    quantity_of,
    required,
    text_at,
)

PAID = ("paid", "no_payment_required")
VERDICTS: Mapping[str, Verdict] = {"won": "won", "warning_closed": "won", "lost": "lost"}
NO_MINOR_UNIT = frozenset(
    {"BIF", "CLP", "DJF", "GNF", "JPY", "KMF", "KRW", "MGA", "PYG", "RWF", "UGX", "VND", "VUV"}
    | {"XAF", "XOF", "XPF"}
)
"""Currencies whose amounts Stripe sends in whole units; all others come in hundredths."""


def read(event: Mapping[str, Any]) -> ShopEvent | None:
    """The event, or None if it is of a kind that changes no order."""
    kind, found = text_at(event, "type"), object_at(event, "data", "object")
    match kind:
        case "checkout.session.completed" | "checkout.session.async_payment_succeeded":
            if text_at(found, "payment_status") not in PAID:
                return None
            return Paid(_order_id(found), _content(found))
        case "charge.refunded":
            # Stripe does not say which lines a partial refund is for: staff refund those.
            if found.get("refunded") is not True:
                return None
            return Refunded(_payment(found))
        case "charge.dispute.created":
            return Disputed(_payment(found), "open")
        case "charge.dispute.closed":
            verdict = VERDICTS.get(text_at(found, "status") or "")
            return Disputed(_payment(found), verdict) if verdict else None
        case _:
            return None


def _order_id(session: Mapping[str, Any]) -> str:
    return text_at(session, "payment_intent") or required(session, "id")


def _payment(charge: Mapping[str, Any]) -> str:
    """The PaymentIntent of a charge or a dispute; of old charges without one, the charge."""
    return text_at(charge, "payment_intent") or text_at(charge, "charge") or required(charge, "id")


def _content(session: Mapping[str, Any]) -> Content:
    metadata = object_at(session, "metadata")
    character = name_at(metadata, "character")
    currency = currency_of(session.get("currency"))
    return Content(
        account=None if character else name_at(session, "client_reference_id"),
        character=character,
        buyer=name_at(metadata, "buyer"),
        lines=_lines(session, metadata),
        amount=_amount(session.get("amount_total"), currency),
        currency=currency,
        paid_at=instant_of(session.get("created")),
    )


def _lines(session: Mapping[str, Any], metadata: Mapping[str, Any]) -> tuple[OrderedLine, ...]:
    listed = text_at(metadata, "products", 500)
    if listed is None:
        product = text_at(metadata, "product") or text_at(session, "payment_link")
        return (OrderedLine(product=product_of(product), quantity=_number(metadata)),)
    pairs = [part.strip().partition(":") for part in listed.split(",")][:MAX_LINES]
    return tuple(
        OrderedLine(
            product=product_of(product), quantity=quantity_of(int(count) if _fits(count) else 1)
        )
        for product, _, count in pairs
    )


def _number(metadata: Mapping[str, Any]) -> int:
    text = text_at(metadata, "quantity") or ""
    return quantity_of(int(text)) if _fits(text) else 1


def _fits(text: str) -> bool:
    return text.isascii() and text.isdecimal() and len(text) <= 9


def _amount(value: Any, currency: str | None) -> Decimal | None:
    if not isinstance(value, int) or isinstance(value, bool) or not 0 <= value < 10**12:
        return None
    return Decimal(value) if currency in NO_MINOR_UNIT else Decimal(value) / 100
