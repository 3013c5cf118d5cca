"""The content of an order as the shop sends it: checked, and compared when it is sent again."""

import re
from datetime import datetime
from decimal import Decimal
from uuid import UUID

import msgspec
from msgspec import Struct

from gamekeeper.core.errors import Invalid, Problem
from gamekeeper.core.names import LONGEST_KEY

SHOP = re.compile(r"[a-z0-9][a-z0-9_-]{0,31}")
ORDER_ID = re.compile(r"[A-Za-z0-9._:-]{1,128}")
PRODUCT = re.compile(r"[A-Za-z0-9._:-]{1,128}")
AMOUNT = re.compile(r"[0-9]{1,12}(\.[0-9]{1,4})?")
CURRENCY = re.compile(r"[A-Z]{3}")

MAX_LINES = 50
MAX_ITEM_KINDS = 10
"""Items of one line or product: the most that one letter holds."""
MAX_QUANTITY = 1_000_000


class InvalidOrder(Invalid):
    """The order is not valid."""


class OrderedItem(Struct, frozen=True, kw_only=True):
    item_id: UUID
    quantity: int


class OrderedLine(Struct, frozen=True, kw_only=True):
    """A product of the shop, or items of the game, some number of times."""

    product: str | None = None
    items: tuple[OrderedItem, ...] = ()
    quantity: int = 1


class Content(Struct, frozen=True, kw_only=True):
    """What was bought, for whom, and by whom, as the shop names them."""

    account: str | None = None
    """The account that receives it, by name or id."""
    character: str | None = None
    """The character that receives it, by name or id; instead of an account."""
    buyer: str | None = None
    """The account that paid, by name or id; another than the receiver's for a gift."""
    lines: tuple[OrderedLine, ...]
    amount: Decimal | None = None
    currency: str | None = None
    paid_at: datetime | None = None

    @property
    def canonical(self) -> str:
        """The same text for the same content; `paid_at` is no part of it: retries vary it."""
        amount = None if self.amount is None else f"{self.amount.normalize():f}"
        who = [self.account, self.character, self.buyer]
        return msgspec.json.encode([who, self.lines, amount, self.currency]).decode()


def amount_of(text: str | None) -> Decimal | None:
    """The amount that a text says; raises InvalidOrder."""
    if text is None:
        return None
    if not AMOUNT.fullmatch(text):
        raise InvalidOrder("'amount' must be a decimal number such as 12.50.", field="amount")
    return Decimal(text)


def refusal(shop: str, order_id: str, content: Content) -> Problem | None:
    """Why this cannot be stored as an order, or None."""
    if refused := address_refusal(shop, order_id):
        return refused
    if content.account is not None and content.character is not None:
        return InvalidOrder("Send 'account' or 'character', not both.", field="character")
    for field in ("account", "character", "buyer"):
        name: str | None = getattr(content, field)
        if name is not None and (not 1 <= len(name) <= LONGEST_KEY or "\0" in name):
            return InvalidOrder(f"'{field}' must have 1 to {LONGEST_KEY} characters.", field=field)
    if content.currency is not None and not CURRENCY.fullmatch(content.currency):
        return InvalidOrder("'currency' must be three capital letters.", field="currency")
    if not 1 <= len(content.lines) <= MAX_LINES:
        return InvalidOrder(f"An order has 1 to {MAX_LINES} lines.", field="lines")
    return next(filter(None, map(_line_refusal, content.lines)), None)


def address_refusal(shop: str, order_id: str) -> Problem | None:
    """Why no order can have this address, or None."""
    if not SHOP.fullmatch(shop):
        return InvalidOrder(
            "A shop's name has 1 to 32 lower-case letters, digits, '-' or '_'.", field="shop"
        )
    if not ORDER_ID.fullmatch(order_id):
        return InvalidOrder(
            "An order's id has 1 to 128 letters, digits, '.', '_', ':' or '-'.", field="orderid"
        )
    return None


def _line_refusal(line: OrderedLine) -> Problem | None:
    if (line.product is None) == (not line.items):
        return InvalidOrder("Each line needs 'product' or 'items'.", field="lines")
    if line.product is not None and not PRODUCT.fullmatch(line.product):
        return InvalidOrder(
            "A product's id has 1 to 128 letters, digits, '.', '_', ':' or '-'.", field="lines"
        )
    if not 1 <= line.quantity <= MAX_QUANTITY:
        return InvalidOrder(f"'quantity' must be 1 to {MAX_QUANTITY:,}.", field="lines")
    return items_refusal(line.items, InvalidOrder, "lines")


def items_refusal(
    items: tuple[OrderedItem, ...], problem: type[Invalid], field: str
) -> Problem | None:
    """Why these items cannot be delivered by one letter, or None."""
    if len(items) > MAX_ITEM_KINDS:
        return problem(f"At most {MAX_ITEM_KINDS} items are allowed.", field=field)
    if len({item.item_id for item in items}) < len(items):
        return problem("Name each item once, with its quantity.", field=field)
    if any(not 1 <= item.quantity <= MAX_QUANTITY for item in items):
        return problem(f"'quantity' must be 1 to {MAX_QUANTITY:,}.", field=field)
    return None


def differences(stored: Content, sent: Content) -> list[str]:
    """The fields in which another content was sent for the same order."""
    found = [
        field
        for field in ("account", "character", "buyer")
        if getattr(stored, field) != getattr(sent, field)
    ]
    if stored.lines != sent.lines:
        found.append("lines")
    return found + [
        field for field in ("amount", "currency") if getattr(stored, field) != getattr(sent, field)
    ]
