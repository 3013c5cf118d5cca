"""
Tebex: webhooks about payments.

The receiver is the account or the character that the basket has in its `custom` object: put it
there when you create the basket for a signed-in player. A typed username is not used, because
a typo would give the goods to a stranger; without `custom` the order waits for its claim code.
"""

from collections.abc import Mapping
from typing import Any

from gamekeeper.orders.content import MAX_LINES, Content, OrderedLine
from gamekeeper.orders.records import Verdict
from gamekeeper.orders.shops.events import Challenge, Disputed, Paid, Refunded, ShopEvent
from gamekeeper.orders.shops.payloads import (
    amount_of,
    currency_of,
    instant_of,
    name_at,
    object_at,
    objects_at,
    product_of,
    quantity_of,
    required,
    text_at,
)

DISPUTES: Mapping[str, Verdict] = {
    "payment.dispute.opened": "open",
    "payment.dispute.won": "won",
    "payment.dispute.lost": "lost",
}


def read(event: Mapping[str, Any]) -> ShopEvent | None:
    """The event, or None if it is of a kind that changes no order."""
    kind = text_at(event, "type")
    if kind == "validation.webhook":
        return Challenge(required(event, "id"))
    subject = object_at(event, "subject")
    if kind == "payment.completed":
        return Paid(required(subject, "transaction_id"), _content(subject))
    if kind == "payment.refunded":
        return Refunded(required(subject, "transaction_id"))
    if kind is not None and kind in DISPUTES:
        return Disputed(required(subject, "transaction_id"), DISPUTES[kind])
    return None


def _content(payment: Mapping[str, Any]) -> Content:
    custom = object_at(payment, "custom")
    price = object_at(payment, "price_paid") or object_at(payment, "price")
    character = name_at(custom, "character")
    lines = [
        OrderedLine(
            product=product_of(text_at(product, "id")),
            quantity=quantity_of(product.get("quantity")),
        )
        for product in objects_at(payment, "products")[:MAX_LINES]
    ]
    return Content(
        account=None if character else name_at(custom, "account"),
        character=character,
        buyer=name_at(custom, "buyer"),
        lines=tuple(lines) or (OrderedLine(product="unknown"),),
        amount=amount_of(price.get("amount")),
        currency=currency_of(price.get("currency")),
        paid_at=instant_of(payment.get("created_at")),
    )
