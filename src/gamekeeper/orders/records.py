"""Orders and products as they are shown."""

from typing import Literal
from uuid import UUID

from gamekeeper.core.errors import NotFound
from gamekeeper.core.schemas import Instant, Record

OrderState = Literal["expected", "unclaimed", "waiting", "delivered", "disputed", "refunded"]
LineState = Literal["waiting", "delivered", "cancelled", "returned", "lost"]
Verdict = Literal["open", "won", "lost"]


class OrderNotFound(NotFound):
    """No order has that shop and id."""


class ProductNotFound(NotFound):
    """No product of this shop has that id."""


class ProductItem(Record, frozen=True):
    item_id: UUID
    quantity: int


class Product(Record, frozen=True):
    """A product of a shop, and the items that one of it delivers."""

    shop: str
    product: str
    name: str
    """The name in the subject of the letter."""
    items: list[ProductItem]
    changed_at: Instant
    changed_by_name: str


class OrderLine(Record, frozen=True):
    number: int
    """From 1, in the order they were sent."""
    product: str | None
    """The product; null if the line names items."""
    quantity: int
    items: list[ProductItem]
    """The items that the line names, for each of its quantity; empty if it names a product."""
    state: LineState
    """
    `waiting`: not delivered yet; `delivered`; `cancelled`: refunded before it was delivered;
    `returned`: refunded and taken back; `lost`: refunded, but the items are no longer there.
    """
    reason: str | None
    """
    Why it waits: `no_receiver`, `no_character`, `unknown_product`, `unknown_item`, `disputed`,
    `too_many_items` or `mailbox_full`. Of a lost line, what was not found: `claimed_and_gone`,
    `character_deleted` or `letter_gone`.
    """
    delivered: list[ProductItem]
    """The items that were delivered."""
    player_id: UUID | None
    """The character that received it."""
    player_name: str | None
    """Its name; null until the line is delivered, and after an erasure."""
    letter_id: UUID | None
    """The letter that delivered it."""
    delivered_at: Instant | None
    claimed_at: Instant | None
    """When the items were claimed from the letter; null before, and once the letter is gone."""
    ended_at: Instant | None
    """When it was refunded."""


class Order(Record, frozen=True):
    """An order of a shop, and what became of each line."""

    id: UUID
    shop: str
    order_id: str
    """The shop's own id of the order."""
    state: OrderState
    """
    `expected`: only a dispute is known; `unclaimed`: no receiver is known; `waiting`: at least
    one line is not delivered; `delivered`; `disputed`: nothing can be claimed; `refunded`.
    """
    user_id: UUID | None
    """The account that receives it; null until that is known."""
    user_name: str | None
    """Its name; null if it no longer exists."""
    player_id: UUID | None
    """The character that was named; null: the one played last."""
    player_name: str | None
    """Its name; null after an erasure."""
    buyer_id: UUID | None
    """The account that paid, if the shop named one that exists."""
    buyer_name: str | None
    """Its name; null if it no longer exists."""
    receiver: str | None
    """The receiver as the shop named it; null after an erasure."""
    amount: str | None
    """A decimal number, as the shop sent it. It is stored, and never computed with."""
    currency: str | None
    dispute: Verdict | None
    is_refunded: bool
    """Whether the whole order was refunded."""
    lines: list[OrderLine]
    claim_code: str | None
    """
    The code with which any account can claim the order, while it is unclaimed; null without the
    scope `orders.manage`.
    """
    paid_at: Instant | None
    created_at: Instant
