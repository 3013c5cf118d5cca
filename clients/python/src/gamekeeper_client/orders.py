"""Orders and products: the endpoints under /api/v1/orders, /api/v1/me/orders and /api/v1/shops."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from gamekeeper_client.calls import Group, How, Id, Key, deletes, every, posts, puts, reads
from gamekeeper_client.fields import Cursor, Page
from gamekeeper_client.records import Order, Product, Receipt, Reconciliation


class Orders(Group[How]):
    """Orders of shops: stored once, delivered to mailboxes, refunded, disputed."""

    @reads("/api/v1/orders")
    def page(
        self,
        *,
        shop: str | None = None,
        order: str | None = None,
        user: str | None = None,
        state: str | None = None,
        cursor: Id | None = None,
        limit: int = 100,
    ) -> Cursor[Order]:
        """A page of the orders that match, newest first."""
        ...

    all = every(page)

    @reads("/api/v1/orders/{shop}/{order_id}")
    def get(self, shop: str, order_id: str) -> Order:
        """One order; with `orders.manage` also the claim code of an unclaimed one."""
        ...

    @puts("/api/v1/orders/{shop}/{order_id}", keyed=False)
    def put(
        self,
        shop: str,
        order_id: str,
        lines: Sequence[Mapping[str, Any]],
        *,
        account: str | None = None,
        character: str | None = None,
        buyer: str | None = None,
        amount: str | None = None,
        currency: str | None = None,
        paid_at: datetime | None = None,
    ) -> Order:
        """
        Store a paid order and deliver it, once for ever: repeat it after any failure.

        Each line is `{"product": "gems", "quantity": 2}`, or has `items` instead of a product.
        """
        ...

    @posts("/api/v1/orders/{shop}/{order_id}/refund", keyed=False)
    def refund(self, shop: str, order_id: str, *, lines: Sequence[int] | None = None) -> Order:
        """Take back what an order, or some of its lines, delivered."""
        ...

    @posts("/api/v1/orders/{shop}/{order_id}/dispute", keyed=False)
    def dispute(self, shop: str, order_id: str, state: str) -> Order:
        """Record a dispute as `open`, `won` or `lost`."""
        ...

    @posts("/api/v1/orders/{shop}/{order_id}/assign", keyed=False)
    def assign(self, shop: str, order_id: str, character: str) -> Order:
        """Give an unclaimed order to a character."""
        ...

    @reads("/api/v1/orders/{shop}/{order_id}/receipt")
    def receipt(self, shop: str, order_id: str) -> Receipt:
        """The signed receipt of delivery."""
        ...

    @posts("/api/v1/me/orders/claim", keyed=False)
    def claim(self, code: str, *, character: str | None = None) -> Order:
        """Claim an order with its code, as the account whose token this client has."""
        ...


class Shops(Group[How]):
    """The products of shops, and reconciliation."""

    @reads("/api/v1/shops/{shop}/products")
    def products_page(
        self, shop: str, page: int = 0, page_size: int = 100, *, limit: int | None = None
    ) -> Page[Product]:
        """A page of the products of a shop."""
        ...

    products = every(products_page)

    @reads("/api/v1/shops/{shop}/products/{product}")
    def product(self, shop: str, product: str) -> Product:
        """One product."""
        ...

    @puts("/api/v1/shops/{shop}/products/{product}")
    def put_product(
        self,
        shop: str,
        product: str,
        name: str,
        items: Sequence[Mapping[str, Any]],
        *,
        idempotency_key: Key = None,
    ) -> Product:
        """Create or replace a product; each of its items is `{"itemid": …, "quantity": 1}`."""
        ...

    @deletes("/api/v1/shops/{shop}/products/{product}")
    def remove_product(self, shop: str, product: str, *, idempotency_key: Key = None) -> Product:
        """Delete a product."""
        ...

    @posts("/api/v1/shops/{shop}/reconcile", keyed=False)
    def reconcile(
        self,
        shop: str,
        orders: Sequence[Mapping[str, Any]],
        *,
        since: datetime | None = None,
        until: datetime | None = None,
    ) -> Reconciliation:
        """Compare the shop's list of paid orders, `{"orderid": …}`, with those that are stored."""
        ...
