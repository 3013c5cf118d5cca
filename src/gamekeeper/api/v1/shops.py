"""Shop endpoints: products, reconciliation, and the webhooks that shops send."""

from datetime import datetime
from time import time
from typing import Annotated
from uuid import UUID

from msgspec import Meta, structs

from gamekeeper.api import audit_context
from gamekeeper.api.path_parameters import ProductId, ShopName
from gamekeeper.auth.secrets import Vault
from gamekeeper.core.schemas import LARGEST_PAGE, Body, Page, Paging, Reply
from gamekeeper.db.database import Database, Reader
from gamekeeper.db.operations import AuditContext
from gamekeeper.http.requests import Request
from gamekeeper.http.routing import Routes
from gamekeeper.orders import content, products, reconciliation
from gamekeeper.orders.content import MAX_ITEM_KINDS, InvalidOrder, OrderedItem
from gamekeeper.orders.intake import OrderDiffers, OrdersNeedNoLimits
from gamekeeper.orders.products import (
    InvalidProduct,
    ProductChange,
    ProductRemoval,
    TooManyProducts,
)
from gamekeeper.orders.reconciliation import (
    MAX_STATEMENT,
    PaidOrder,
    Reconciliation,
)
from gamekeeper.orders.records import Product, ProductNotFound
from gamekeeper.orders.shops import receiver
from gamekeeper.orders.shops.receiver import ShopDelivery, ShopNotFound, ShopSignatureInvalid

routes = Routes("/api/v1/shops")
public = Routes("/api/v1/shops", roles=None)

READ = "orders.read"
MANAGE = "orders.manage"
LARGEST_EVENT = 256 * 1024


class ProductQuery(Paging, frozen=True):
    page_size: int = LARGEST_PAGE


@routes.get("/{shop}/products", READ)
async def list_products(reader: Reader, shop: ShopName, query: ProductQuery) -> Page[Product]:
    """The products of a shop, by id."""
    return await products.list_products(reader, query.window, shop)


class ProductItemBody(Body, frozen=True):
    item_id: UUID
    """The item's id."""
    quantity: int = 1
    """How many of it one product delivers, 1 to 1,000,000."""


class PutProduct(Body, frozen=True):
    name: str
    """The subject of the letter that delivers it, at most 100 characters."""
    items: Annotated[list[ProductItemBody], Meta(max_length=MAX_ITEM_KINDS)]
    """The items that one product delivers, 1 to 10."""


@routes.put(
    "/{shop}/products/{product}",
    MANAGE,
    raises=(InvalidProduct, TooManyProducts, OrdersNeedNoLimits),
    step_up=True,
)
async def put_product(
    database: Database, by: AuditContext, shop: ShopName, product: ProductId, body: PutProduct
) -> Product:
    """
    Create a product, or replace it. Lines of orders that waited for it are delivered within a
    minute; lines that were delivered stay as they are.
    """
    if by.allowance is not None:
        raise OrdersNeedNoLimits
    items = tuple(OrderedItem(item_id=item.item_id, quantity=item.quantity) for item in body.items)
    command = ProductChange(by=by, shop=shop, product=product, name=body.name, items=items)
    return await products.change.one(database, command)


@routes.get("/{shop}/products/{product}", READ, raises=(ProductNotFound,))
async def get_product(reader: Reader, shop: ShopName, product: ProductId) -> Product:
    """One product."""
    return await products.find_product(reader, shop, product)


@routes.delete("/{shop}/products/{product}", MANAGE, raises=(ProductNotFound,), step_up=True)
async def remove_product(
    database: Database, by: AuditContext, shop: ShopName, product: ProductId
) -> Product:
    """Delete a product. Orders of it wait until it exists again."""
    return await products.remove.one(database, ProductRemoval(by=by, shop=shop, product=product))


class PaidOrderBody(Body, frozen=True):
    order_id: str
    """The shop's own id of the order."""
    amount: str | None = None
    """The amount, to be compared if it is sent."""
    currency: str | None = None
    """The currency, to be compared if it is sent."""
    refunded: bool = False
    """Whether the shop refunded the whole order."""


class ReconcileOrders(Body, frozen=True):
    orders: Annotated[list[PaidOrderBody], Meta(max_length=MAX_STATEMENT)]
    """The orders that the shop calls paid, at most 1,000."""
    since: datetime | None = None
    """The begin of the period; with `until`, stored orders of it that are not sent are `Extra`."""
    until: datetime | None = None
    """The end of the period."""


@routes.post("/{shop}/reconcile", READ, raises=(InvalidOrder,), takes_key=False)
async def reconcile_orders(reader: Reader, shop: ShopName, body: ReconcileOrders) -> Reconciliation:
    """Compare the shop's list of paid orders with those that are stored. Changes nothing."""
    paid = [
        PaidOrder(
            order_id=each.order_id,
            amount=content.amount_of(each.amount),
            currency=each.currency,
            is_refunded=each.refunded,
        )
        for each in body.orders
    ]
    return await reconciliation.reconcile(reader, shop, paid, body.since, body.until)


class ShopEventBody(Body, frozen=True):
    id: str | None = None
    """The event's id, if the shop sends one; the response repeats it."""
    type: str | None = None
    """The kind of the event. Unknown kinds are accepted and change nothing."""


class ReceivedShopEvent(Reply, frozen=True):
    id: str | None


@public.post(
    "/{shop}/events",
    raises=(
        *(ShopNotFound, ShopSignatureInvalid),
        *(InvalidOrder, OrderDiffers),
    ),
    largest=LARGEST_EVENT,
    keeps_body=True,
    takes_key=False,
)
async def receive_shop_event(
    database: Database, vault: Vault, request: Request, shop: ShopName, body: ShopEventBody
) -> ReceivedShopEvent:
    """
    The webhook of a shop: `tebex`, `stripe`, or one of your own, signed with its secret.

    Events may come more than once, late, and in any order.
    """
    delivery = ShopDelivery(
        shop=shop, headers=request.headers, raw=request.raw_body, payload=request.fields
    )
    event = receiver.verified(database.settings, delivery, time())
    by = structs.replace(
        audit_context.by_request(request), actor="system", name=f"shop {shop}", reason=None
    )
    await receiver.apply(database, vault, by, shop, event)
    return ReceivedShopEvent(id=body.id)
