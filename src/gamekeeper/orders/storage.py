"""The rows of orders: locked by their address, read and written."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from decimal import Decimal
from typing import Any, LiteralString, Protocol
from uuid import UUID

import msgspec
from msgspec import Struct

from gamekeeper.core import ids
from gamekeeper.db.database import Queryable, Writer
from gamekeeper.orders.content import Content, OrderedItem, OrderedLine, address_refusal
from gamekeeper.orders.records import LineState, OrderState, Verdict


class Address(Protocol):
    """A command about an order."""

    @property
    def shop(self) -> str: ...

    @property
    def order_id(self) -> str: ...


class StoredOrderLine(Struct, kw_only=True):
    order_id: UUID
    number: int
    product: str | None
    items: tuple[OrderedItem, ...]
    quantity: int
    state: LineState = "waiting"
    reason: str | None = None
    delivered: tuple[OrderedItem, ...] | None = None
    player_id: UUID | None = None
    letter_id: UUID | None = None
    delivered_at: datetime | None = None
    ended_at: datetime | None = None


class StoredOrder(Struct, kw_only=True):
    """An order as it is in memory while its row is locked."""

    id: UUID
    shop: str
    order_id: str
    state: OrderState
    account_ref: str | None
    character_ref: str | None
    buyer_ref: str | None
    content_tag: bytes | None
    user_id: UUID | None
    player_id: UUID | None
    buyer_id: UUID | None
    claim_hash: bytes | None
    amount: Decimal | None
    currency: str | None
    dispute: Verdict | None
    refunded_lines: list[int] | None
    is_refunded: bool
    paid_at: datetime | None
    created_at: datetime
    lines: list[StoredOrderLine] = []

    @property
    def content(self) -> Content:
        """What the shop sent, as far as it is still stored."""
        return Content(
            account=self.account_ref,
            character=self.character_ref,
            buyer=self.buyer_ref,
            lines=tuple(
                OrderedLine(product=line.product, items=line.items, quantity=line.quantity)
                for line in self.lines
            ),
            amount=self.amount,
            currency=self.currency,
        )

    @property
    def waits(self) -> list[StoredOrderLine]:
        return [line for line in self.lines if line.state == "waiting"]

    def has_receiver(self) -> bool:
        return self.user_id is not None


COLUMNS: LiteralString = """
    id, shop, order_id, state, account_ref, character_ref, buyer_ref, content_tag, user_id,
    player_id, buyer_id, claim_hash, amount, currency, dispute, refunded_lines, is_refunded,
    paid_at, created_at
"""
LINE_COLUMNS: LiteralString = """
    order_id, number, product, items, quantity, state, reason, delivered, player_id, letter_id,
    delivered_at, ended_at
"""


async def lock_or_create(writer: Writer, address: Address) -> StoredOrder:
    """Lock the row of an order; if it does not exist it is created, without content."""
    if found := await lock(writer, address):
        return found
    await writer.run(
        """
        INSERT INTO orders (id, shop, order_id, state) VALUES ($1, $2, $3, 'expected')
        ON CONFLICT (shop, order_id) DO NOTHING
        """,
        ids.new_id(),
        address.shop,
        address.order_id,
    )
    found = await lock(writer, address)
    assert found is not None
    return found


async def lock(writer: Writer, address: Address) -> StoredOrder | None:
    """Lock the row of an order, and read it with its lines; None if there is none."""
    # PostgreSQL refuses some characters that a path may contain, such as NUL.
    if address_refusal(address.shop, address.order_id):
        return None
    rows = await writer.rows(
        f"SELECT {COLUMNS} FROM orders WHERE shop = $1 AND order_id = $2 FOR UPDATE",
        address.shop,
        address.order_id,
    )
    found = await with_lines(writer, rows)
    return found[0] if found else None


async def lock_by_id(writer: Writer, order: UUID) -> StoredOrder | None:
    """Lock an order by our own id of it."""
    rows = await writer.rows(f"SELECT {COLUMNS} FROM orders WHERE id = $1 FOR UPDATE", order)
    found = await with_lines(writer, rows)
    return found[0] if found else None


async def lock_ids(writer: Writer, orders: Sequence[UUID]) -> list[StoredOrder]:
    """Lock these orders that no other transaction has locked."""
    rows = await writer.rows(
        f"SELECT {COLUMNS} FROM orders WHERE id = ANY($1) ORDER BY id FOR UPDATE SKIP LOCKED",
        list(orders),
    )
    return await with_lines(writer, rows)


async def with_lines(reader: Queryable, rows: Sequence[Mapping[str, Any]]) -> list[StoredOrder]:
    """The orders of these rows, with their lines."""
    lines = await reader.rows(
        f"""
        SELECT {LINE_COLUMNS} FROM order_lines WHERE order_id = ANY($1)
         ORDER BY order_id, number
        """,
        [row["id"] for row in rows],
    )
    by_order: dict[UUID, list[StoredOrderLine]] = {row["id"]: [] for row in rows}
    for line in lines:
        by_order[line["order_id"]].append(_line(line))
    return [StoredOrder(**row, lines=by_order[row["id"]]) for row in rows]


def _line(row: Mapping[str, Any]) -> StoredOrderLine:
    delivered = None if row["delivered"] is None else _items(row["delivered"])
    return StoredOrderLine(**dict(row) | {"items": _items(row["items"]), "delivered": delivered})


def _items(stored: Any) -> tuple[OrderedItem, ...]:
    return msgspec.convert(stored, tuple[OrderedItem, ...])


async def save(writer: Writer, *orders: StoredOrder) -> None:
    """Write these orders and their lines, all in two statements."""
    await writer.run(SAVE_ORDERS, _json([_order_fields(order) for order in orders]))
    lines = [line for order in orders for line in order.lines]
    await writer.run(SAVE_LINES, _json([_line_fields(line) for line in lines]))


def _order_fields(order: StoredOrder) -> dict[str, Any]:
    fields = {name: getattr(order, name) for name in StoredOrder.__struct_fields__}
    del fields["lines"], fields["created_at"]
    # jsonb has no bytes; `\x…` is PostgreSQL's own text of them.
    for name in ("content_tag", "claim_hash"):
        fields[name] = None if fields[name] is None else "\\x" + fields[name].hex()
    return fields


def _line_fields(line: StoredOrderLine) -> dict[str, Any]:
    return {name: getattr(line, name) for name in StoredOrderLine.__struct_fields__}


def _json(rows: list[dict[str, Any]]) -> str:
    return msgspec.json.encode(rows).decode()


SAVE_ORDERS: LiteralString = """
    UPDATE orders AS old
       SET state = new.state, account_ref = new.account_ref, character_ref = new.character_ref,
           buyer_ref = new.buyer_ref, content_tag = new.content_tag, user_id = new.user_id,
           player_id = new.player_id, buyer_id = new.buyer_id, claim_hash = new.claim_hash,
           amount = new.amount, currency = new.currency, dispute = new.dispute,
           refunded_lines = new.refunded_lines, is_refunded = new.is_refunded,
           paid_at = new.paid_at
      FROM jsonb_populate_recordset(NULL::orders, $1::jsonb) AS new
     WHERE old.id = new.id
"""
# What was delivered is written once: later changes keep it.
SAVE_LINES: LiteralString = """
    INSERT INTO order_lines AS old
           (order_id, number, product, items, quantity, state, reason, delivered, player_id,
            letter_id, delivered_at, ended_at, tried_at)
    SELECT order_id, number, product, items, quantity, state, reason,
           -- A JSON null is no list.
           CASE WHEN jsonb_typeof(delivered) = 'array' THEN delivered END,
           player_id, letter_id, delivered_at, ended_at, now()
      FROM jsonb_populate_recordset(NULL::order_lines, $1::jsonb)
    ON CONFLICT (order_id, number) DO UPDATE
       SET state = excluded.state, reason = excluded.reason, ended_at = excluded.ended_at,
           tried_at = excluded.tried_at,
           delivered = coalesce(old.delivered, excluded.delivered),
           player_id = coalesce(old.player_id, excluded.player_id),
           letter_id = coalesce(old.letter_id, excluded.letter_id),
           delivered_at = coalesce(old.delivered_at, excluded.delivered_at)
"""
