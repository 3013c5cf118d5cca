"""
An operator's own shop: events in the form of our API, signed as our own webhooks are.

    {"type": "order.paid", "order": {"id": "1001", "account": "ana",
     "lines": [{"product": "gems", "quantity": 2}], "amount": "9.98", "currency": "EUR"}}

The other types are `order.refunded` (optionally with `lines`, the numbers of lines),
`order.dispute_opened`, `order.dispute_won` and `order.dispute_lost`.
"""

from collections.abc import Mapping
from typing import Any
from uuid import UUID

from gamekeeper.core.names import parse_guid
from gamekeeper.orders.content import Content, InvalidOrder, OrderedItem, OrderedLine
from gamekeeper.orders.records import Verdict
from gamekeeper.orders.shops.events import Disputed, Paid, Refunded, ShopEvent
from gamekeeper.orders.shops.payloads import (
    amount_of,
    currency_of,
    instant_of,
    name_at,
    object_at,
    objects_at,
    quantity_of,
    required,
    text_at,
)

DISPUTES: Mapping[str, Verdict] = {
    "order.dispute_opened": "open",
    "order.dispute_won": "won",
    "order.dispute_lost": "lost",
}


def read(event: Mapping[str, Any]) -> ShopEvent | None:
    """The event, or None if it is of a kind that changes no order."""
    kind, order = text_at(event, "type"), object_at(event, "order")
    if kind == "order.paid":
        return Paid(required(order, "id"), _content(order))
    if kind == "order.refunded":
        return Refunded(required(order, "id"), _numbers(order.get("lines")))
    if kind is not None and kind in DISPUTES:
        return Disputed(required(order, "id"), DISPUTES[kind])
    return None


def _numbers(listed: Any) -> tuple[int, ...] | None:
    if listed is None:
        return None
    if not isinstance(listed, list) or not all(type(number) is int for number in listed):
        raise InvalidOrder("'lines' must be a list of line numbers.", field="lines")
    return tuple(listed)


def _content(order: Mapping[str, Any]) -> Content:
    return Content(
        account=name_at(order, "account"),
        character=name_at(order, "character"),
        buyer=name_at(order, "buyer"),
        lines=tuple(map(_line, objects_at(order, "lines"))),
        amount=amount_of(order.get("amount")),
        currency=currency_of(order.get("currency")),
        paid_at=instant_of(order.get("paidAt")),
    )


def _line(line: Mapping[str, Any]) -> OrderedLine:
    return OrderedLine(
        product=text_at(line, "product"),
        items=tuple(map(_item, objects_at(line, "items"))),
        quantity=quantity_of(line.get("quantity")),
    )


def _item(item: Mapping[str, Any]) -> OrderedItem:
    return OrderedItem(item_id=_guid(item), quantity=quantity_of(item.get("quantity")))


def _guid(item: Mapping[str, Any]) -> UUID:
    found = parse_guid(required(item, "itemId"))
    if found is None:
        raise InvalidOrder("'itemId' must be the id of an item.", field="itemId")
    return found
