"""Lists of orders by filters, and one order by its address."""

from typing import LiteralString
from uuid import UUID

from msgspec import Struct

from gamekeeper.auth.secrets import Vault
from gamekeeper.core.errors import InvalidQuery
from gamekeeper.core.schemas import LARGEST_PAGE, Record
from gamekeeper.db.database import Reader
from gamekeeper.orders import content, presentation, storage
from gamekeeper.orders.records import Order, OrderNotFound, OrderState
from gamekeeper.orders.storage import COLUMNS, StoredOrder


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


# All shops, by one lookup each: an order id without its shop is then found by the unique index of
# both, however many orders there are.
_OF_ANY_SHOP: LiteralString = """
    shop = ANY(ARRAY(
        WITH RECURSIVE shops AS (
            (SELECT shop FROM orders ORDER BY shop LIMIT 1)
            UNION ALL
            SELECT (SELECT later.shop FROM orders AS later WHERE later.shop > shops.shop
                     ORDER BY later.shop LIMIT 1)
              FROM shops WHERE shops.shop IS NOT NULL
        )
        SELECT shop FROM shops WHERE shop IS NOT NULL
    ))
"""
BY_ORDER_ID: LiteralString = f"order_id = $1 AND {_OF_ANY_SHOP}"
"""The condition of orders with an id, of all shops."""

# For each filter, the condition if it is given and if it is not: with one condition for both
# cases PostgreSQL would not use its indexes.
CONDITIONS: dict[str, tuple[LiteralString, LiteralString]] = {
    "shop": ("shop = $3", "$3::text IS NULL"),
    "order_id": (f"order_id = $4 AND {_OF_ANY_SHOP}", "$4::text IS NULL"),
    "state": ("state = $5", "$5::text IS NULL"),
    "user_id": ("(user_id = $6 OR buyer_id = $6)", "$6::uuid IS NULL"),
}


async def list_orders(
    reader: Reader,
    wanted: OrderFilter,
    cursor: UUID | None,
    limit: int,
    vault: Vault | None = None,
) -> Orders:
    """A page of the orders that match, newest first; with `vault`, with claim codes."""
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
    if not rows:
        return Orders(values=[], next=None)
    found = await storage.with_lines(reader, rows[:limit])
    more = found[-1].id if len(rows) > limit else None
    return Orders(values=await presentation.shown_all(reader, found, vault), next=more)


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
