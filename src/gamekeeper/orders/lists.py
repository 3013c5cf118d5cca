"""Lists of orders, and one order as it is shown."""

from typing import LiteralString
from uuid import UUID

from msgspec import Struct

from gamekeeper.auth.secrets import Vault
from gamekeeper.core.errors import InvalidQuery
from gamekeeper.core.schemas import LARGEST_PAGE, Record
from gamekeeper.db.database import Reader
from gamekeeper.orders import codes, content, storage
from gamekeeper.orders.content import OrderedItem
from gamekeeper.orders.records import Order, OrderLine, OrderNotFound, OrderState, ProductItem
from gamekeeper.orders.storage import COLUMNS, StoredOrder, StoredOrderLine


class Orders(Record, frozen=True):
    values: list[Order]
    next: UUID | None
    """The cursor of the next page; null: that was the last."""


class OrderFilter(Struct, frozen=True, kw_only=True):
    """Filters on orders; None: any value."""

    shop: str | None = None
    order_id: str | None = None
    state: OrderState | None = None
    user_id: UUID | None = None
    """The account that receives it, or paid."""


# For each filter, the condition if it is given and if it is not: with one condition for both
# cases PostgreSQL would not use its indexes.
CONDITIONS: dict[str, tuple[LiteralString, LiteralString]] = {
    "shop": ("shop = $3", "$3::text IS NULL"),
    "order_id": ("order_id = $4", "$4::text IS NULL"),
    "state": ("state = $5", "$5::text IS NULL"),
    "user_id": ("(user_id = $6 OR buyer_id = $6)", "$6::uuid IS NULL"),
}


async def list_orders(
    reader: Reader, wanted: OrderFilter, cursor: UUID | None, limit: int
) -> Orders:
    """A page of the orders that match, newest first."""
    if cursor and not await reader.value("SELECT count(*) FROM orders WHERE id = $1", cursor):
        raise InvalidQuery("'cursor' must be the 'Next' of a response.", field="cursor")
    limit = max(1, min(LARGEST_PAGE, limit))
    given = [getattr(wanted, name) for name in CONDITIONS]
    conditions: list[LiteralString] = [
        when[value is None] for when, value in zip(CONDITIONS.values(), given, strict=True)
    ]
    conditions.append("id < $1" if cursor else "$1::uuid IS NULL")
    matching: LiteralString = " AND ".join(conditions)
    rows = await reader.rows(
        f"SELECT {COLUMNS} FROM orders WHERE {matching} ORDER BY id DESC LIMIT $2",
        cursor,
        limit + 1,
        *given,
    )
    found = await storage.with_lines(reader, rows[:limit])
    more = found[-1].id if len(rows) > limit else None
    return Orders(values=[shown(order) for order in found], next=more)


async def find_order(reader: Reader, shop: str, order_id: str) -> StoredOrder:
    """One order by its address."""
    if content.address_refusal(shop, order_id):
        raise OrderNotFound
    rows = await reader.rows(
        f"SELECT {COLUMNS} FROM orders WHERE shop = $1 AND order_id = $2", shop, order_id
    )
    if not rows:
        raise OrderNotFound
    [found] = await storage.with_lines(reader, rows)
    return found


def shown(order: StoredOrder, vault: Vault | None = None) -> Order:
    """An order as it is shown; with `vault` also the code of one that is unclaimed."""
    code = None
    if vault is not None and order.claim_hash is not None and not order.has_receiver():
        code = codes.find(vault, order.shop, order.order_id, order.claim_hash)
    return Order(
        id=order.id,
        shop=order.shop,
        order_id=order.order_id,
        state=order.state,
        user_id=order.user_id,
        player_id=order.player_id,
        buyer_id=order.buyer_id,
        receiver=order.character_ref or order.account_ref,
        amount=None if order.amount is None else f"{order.amount:f}",
        currency=order.currency,
        dispute=order.dispute,
        is_refunded=order.is_refunded,
        lines=[_line(line) for line in order.lines],
        claim_code=code,
        paid_at=order.paid_at,
        created_at=order.created_at,
    )


def _line(line: StoredOrderLine) -> OrderLine:
    return OrderLine(
        number=line.number,
        product=line.product,
        quantity=line.quantity,
        items=_items(line.items),
        state=line.state,
        reason=line.reason,
        delivered=_items(line.delivered or ()),
        player_id=line.player_id,
        letter_id=line.letter_id,
        delivered_at=line.delivered_at,
        ended_at=line.ended_at,
    )


def _items(items: tuple[OrderedItem, ...]) -> list[ProductItem]:
    return [ProductItem(item_id=item.item_id, quantity=item.quantity) for item in items]
