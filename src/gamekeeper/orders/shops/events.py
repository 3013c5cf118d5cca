"""The events of shops, as the adapters read them."""

from msgspec import Struct

from gamekeeper.orders.content import Content
from gamekeeper.orders.records import Verdict


class Paid(Struct, frozen=True):
    """An order was paid."""

    order_id: str
    content: Content


class Refunded(Struct, frozen=True):
    """An order, or some of its lines, was refunded."""

    order_id: str
    lines: tuple[int, ...] | None = None
    """The numbers of the lines, from 1; None: all."""


class Disputed(Struct, frozen=True):
    """A dispute was opened, won or lost."""

    order_id: str
    verdict: Verdict


class Challenge(Struct, frozen=True):
    """A test of the address, which is answered with its id."""

    id: str


ShopEvent = Paid | Refunded | Disputed | Challenge
