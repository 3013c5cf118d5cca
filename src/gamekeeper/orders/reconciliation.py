"""Reconciliation: the orders that a shop calls paid, compared with those that are stored."""

from collections.abc import Sequence
from datetime import datetime
from decimal import Decimal
from typing import Any

from msgspec import Struct

from gamekeeper.core.schemas import Record
from gamekeeper.db.database import Reader
from gamekeeper.orders import content

MAX_STATEMENT = 1000
MAX_EXTRA = 1000


class PaidOrder(Struct, frozen=True, kw_only=True):
    """An order that the shop calls paid."""

    order_id: str
    amount: Decimal | None = None
    currency: str | None = None
    is_refunded: bool = False


class OrderDifference(Record, frozen=True):
    order_id: str
    fields: list[str]
    """`amount`, `currency` or `refunded`."""


class Reconciliation(Record, frozen=True):
    missing: list[str]
    """Orders of the statement that are not stored. Send them."""
    extra: list[str]
    """Stored orders that the statement does not have, of its period; at most 1,000."""
    different: list[OrderDifference]
    undelivered: list[str]
    """Orders of the statement that are stored, and not delivered or refunded."""


async def reconcile(
    reader: Reader,
    shop: str,
    paid: Sequence[PaidOrder],
    since: datetime | None,
    until: datetime | None,
) -> Reconciliation:
    """Compare a statement of at most 1,000 orders; without a period no order is extra."""
    named = {order.order_id: order for order in paid}
    if refused := next(filter(None, (content.address_refusal(shop, each) for each in named)), None):
        raise refused
    rows = await reader.rows(
        """
        SELECT order_id, amount, currency, is_refunded, state FROM orders
         WHERE shop = $1 AND order_id = ANY($2) AND content_tag IS NOT NULL
        """,
        shop,
        list(named),
    )
    stored = {row["order_id"]: row for row in rows}
    different = [_difference(named[each], stored[each]) for each in named if each in stored]
    return Reconciliation(
        missing=[each for each in named if each not in stored],
        extra=await _extra(reader, shop, list(named), since, until),
        different=[each for each in different if each.fields],
        undelivered=[
            each
            for each in named
            if each in stored and stored[each]["state"] not in ("delivered", "refunded")
        ],
    )


def _difference(paid: PaidOrder, row: Any) -> OrderDifference:
    fields = [
        name
        for name in ("amount", "currency")
        if (sent := getattr(paid, name)) is not None and sent != row[name]
    ]
    if paid.is_refunded != row["is_refunded"]:
        fields.append("refunded")
    return OrderDifference(order_id=paid.order_id, fields=fields)


async def _extra(
    reader: Reader, shop: str, named: list[str], since: datetime | None, until: datetime | None
) -> list[str]:
    if since is None or until is None:
        return []
    rows = await reader.rows(
        """
        SELECT order_id FROM orders
         WHERE shop = $1 AND paid_at >= $2 AND paid_at < $3 AND order_id <> ALL($4)
         ORDER BY paid_at LIMIT $5
        """,
        shop,
        since,
        until,
        named,
        MAX_EXTRA,
    )
    return [row["order_id"] for row in rows]
