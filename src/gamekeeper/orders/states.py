"""The states of orders (a state machine): pure rules, without a database or a clock."""

from collections.abc import Collection, Sequence

from gamekeeper.orders.content import Content
from gamekeeper.orders.records import OrderState, Verdict
from gamekeeper.orders.storage import StoredOrder, StoredOrderLine

ENDED = ("cancelled", "returned", "lost")
"""The states of lines that were refunded."""


def state_of(order: StoredOrder) -> OrderState:
    """The state of an order, which follows from the rest of it."""
    if order.content_tag is None:
        if order.is_refunded:
            return "refunded"
        return "disputed" if order.dispute == "open" else "expected"
    if all(line.state in ENDED for line in order.lines):
        return "refunded"
    if order.dispute == "open":
        return "disputed"
    if not order.waits:
        return "delivered"
    return "waiting" if order.has_receiver() else "unclaimed"


def receive(order: StoredOrder, content: Content, tag: bytes) -> None:
    """Write the content of an order; refunds that came before it cancel their lines."""
    order.content_tag = tag
    order.account_ref, order.character_ref = content.account, content.character
    order.buyer_ref = content.buyer
    order.amount, order.currency = content.amount, content.currency
    order.paid_at = content.paid_at
    order.lines = [
        StoredOrderLine(
            order_id=order.id,
            number=number,
            product=line.product,
            items=line.items,
            quantity=line.quantity,
        )
        for number, line in enumerate(content.lines, 1)
    ]
    for line in to_refund(order, None if order.is_refunded else order.refunded_lines or ()):
        line.state = "cancelled"


def to_refund(order: StoredOrder, numbers: Collection[int] | None) -> Sequence[StoredOrderLine]:
    """
    The lines that a refund is about; None: all.

    Those that an earlier refund could not take back are among them: the items may be there again.
    """
    return [
        line
        for line in order.lines
        if (numbers is None or line.number in numbers)
        and line.state not in ("cancelled", "returned")
    ]


def note_refund(order: StoredOrder, numbers: Collection[int] | None) -> bool:
    """
    Remember a refund; returns whether it was unknown.

    One that comes before its order cancels the lines when that comes.
    """
    before = (order.is_refunded, order.refunded_lines)
    if numbers is None:
        order.is_refunded = True
    else:
        order.refunded_lines = sorted({*(order.refunded_lines or ()), *numbers})
    return before != (order.is_refunded, order.refunded_lines)


def dispute(order: StoredOrder, verdict: Verdict) -> bool:
    """
    Open or end the dispute of an order; returns whether that changed something.

    The first verdict is final: events come in any order, so an opening after it is late.
    """
    if order.dispute in ("won", "lost") or order.dispute == verdict:
        return False
    order.dispute = verdict
    return True
