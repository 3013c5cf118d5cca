"""Products of shops: which items one of each delivers."""

from collections.abc import Collection, Sequence
from typing import Any, LiteralString
from uuid import UUID

import msgspec
from msgspec import structs

from gamekeeper.core.errors import Conflict, Invalid, Problem
from gamekeeper.core.schemas import Page, Window
from gamekeeper.db.database import Queryable, Reader, Writer
from gamekeeper.db.operations import Command, operation
from gamekeeper.ledger import actions
from gamekeeper.ledger.actions import Action, Kind
from gamekeeper.orders import content
from gamekeeper.orders.content import OrderedItem
from gamekeeper.orders.records import Product, ProductItem, ProductNotFound

MAX_PRODUCTS = 10_000
MAX_NAME_LENGTH = 100


class InvalidProduct(Invalid):
    """A product's id has 1 to 128 letters, digits, '.', '_', ':' or '-'."""


class TooManyProducts(Conflict):
    """There are already 10,000 products. Delete one first."""

    cacheable = False


class ProductChange(Command, frozen=True, kw_only=True):
    """A product as it shall be from now on; delivered lines stay as they are."""

    shop: str
    product: str
    name: str
    items: tuple[OrderedItem, ...]


class ProductRemoval(Command, frozen=True, kw_only=True):
    shop: str
    product: str


COLUMNS: LiteralString = "shop, product, name, items, changed_at, changed_by_name"


async def list_products(reader: Reader, window: Window, shop: str | None) -> Page[Product]:
    """A page of the products, by shop and id."""
    if shop is not None and "\0" in shop:
        return Page.of([], 0, window)
    rows = await reader.rows(
        f"""
        SELECT {COLUMNS} FROM shop_products WHERE $1::text IS NULL OR shop = $1
         ORDER BY shop, product LIMIT $2 OFFSET $3
        """,
        shop,
        window.shown,
        window.offset,
    )
    total = await reader.value(
        "SELECT count(*) FROM shop_products WHERE $1::text IS NULL OR shop = $1", shop
    )
    return Page.of([_product(row) for row in rows], total, window)


async def find_product(reader: Queryable, shop: str, product: str) -> Product:
    found = await _find(reader, shop, product)
    if found is None:
        raise ProductNotFound
    return found


async def _find(reader: Queryable, shop: str, product: str) -> Product | None:
    if "\0" in shop + product:
        return None
    rows = await reader.rows(
        f"SELECT {COLUMNS} FROM shop_products WHERE shop = $1 AND product = $2", shop, product
    )
    return _product(rows[0]) if rows else None


def _product(row: Any) -> Product:
    items = [
        ProductItem(item_id=UUID(item["item_id"]), quantity=item["quantity"])
        for item in row["items"]
    ]
    return Product(
        shop=row["shop"],
        product=row["product"],
        name=row["name"],
        items=items,
        changed_at=row["changed_at"],
        changed_by_name=row["changed_by_name"],
    )


async def definitions(
    reader: Queryable, wanted: Collection[tuple[str, str]]
) -> dict[tuple[str, str], Product]:
    """The products of these shops and ids that exist."""
    rows = await reader.rows(
        f"""
        SELECT {COLUMNS} FROM shop_products
         WHERE (shop, product) IN (SELECT * FROM unnest($1::text[], $2::text[]))
        """,
        [shop for shop, _ in wanted],
        [product for _, product in wanted],
    )
    return {(row["shop"], row["product"]): _product(row) for row in rows}


@operation
async def change(writer: Writer, commands: Sequence[ProductChange]) -> list[Product | Problem]:
    """Create products, or replace those of the same ids. The worker delivers lines that waited."""
    return [await _changed(writer, command) for command in commands]


async def _changed(writer: Writer, command: ProductChange) -> Product | Problem:
    if refused := await _refusal(writer, command):
        return refused
    # One lock for all products: two new ones at once must not exceed the limit together.
    await writer.run("SELECT pg_advisory_xact_lock(66, 0)")
    before = await _find(writer, command.shop, command.product)
    if before is None and await writer.value("SELECT count(*) FROM shop_products") >= MAX_PRODUCTS:
        return TooManyProducts()
    await writer.run(
        """
        INSERT INTO shop_products (shop, product, name, items, changed_by_name)
        VALUES ($1, $2, $3, $4, $5)
        ON CONFLICT (shop, product) DO UPDATE
           SET name = excluded.name, items = excluded.items, changed_at = now(),
               changed_by_name = excluded.changed_by_name
        """,
        command.shop,
        command.product,
        command.name,
        msgspec.json.encode(command.items).decode(),
        command.by.name,
    )
    # Its waiting lines are tried next, whatever was tried in between.
    await writer.run(
        """
        UPDATE order_lines SET tried_at = NULL
          FROM orders
         WHERE orders.id = order_lines.order_id AND order_lines.state = 'waiting'
           AND shop = $1 AND product = $2
        """,
        command.shop,
        command.product,
    )
    after = await find_product(writer, command.shop, command.product)
    await _record(writer, "products.change", command, before, after)
    return after


async def _refusal(writer: Writer, command: ProductChange) -> Problem | None:
    if not content.SHOP.fullmatch(command.shop):
        return InvalidProduct(
            "A shop's name has 1 to 32 lower-case letters, digits, '-' or '_'.", field="shop"
        )
    if not content.PRODUCT.fullmatch(command.product):
        return InvalidProduct(field="product")
    if not 1 <= len(command.name) <= MAX_NAME_LENGTH or not command.name.isprintable():
        return InvalidProduct("'name' must be one line of 1 to 100 characters.", field="name")
    if not command.items:
        return InvalidProduct("A product needs at least one item.", field="items")
    if refused := content.items_refusal(command.items, InvalidProduct, "items"):
        return refused
    wanted = [item.item_id for item in command.items]
    known = await writer.value("SELECT count(*) FROM items WHERE id = ANY($1)", wanted)
    return None if known == len(wanted) else InvalidProduct("No item has that id.", field="items")


@operation
async def remove(writer: Writer, commands: Sequence[ProductRemoval]) -> list[Product | Problem]:
    """Delete products. Orders of a deleted product wait until it exists again."""
    return [await _removed(writer, command) for command in commands]


async def _removed(writer: Writer, command: ProductRemoval) -> Product | Problem:
    await writer.run("SELECT pg_advisory_xact_lock(66, 0)")
    before = await _find(writer, command.shop, command.product)
    if before is None:
        return ProductNotFound()
    await writer.run(
        "DELETE FROM shop_products WHERE shop = $1 AND product = $2",
        command.shop,
        command.product,
    )
    await _record(writer, "products.remove", command, before, None)
    return before


async def _record(
    writer: Writer, kind: Kind, command: Command, before: Product | None, after: Product | None
) -> None:
    states = [product and _facts(product) for product in (before, after)]
    action = Action(kind=kind, by=command.by, before=states[0], after=states[1])
    await actions.record(writer, [action])


def _facts(product: Product) -> dict[str, Any]:
    items = [structs.asdict(item) for item in product.items]
    return {"shop": product.shop, "product": product.product, "name": product.name, "items": items}
