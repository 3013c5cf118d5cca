"""
Delivery of orders: each line is one letter, with its items, in the mailbox of its receiver.

The letter, its postings and the state of the line are written in one transaction, under the lock
of the order's row: a line is delivered once, however often and from wherever it is sent. Limits and
economy rules do not apply: what is paid is paid.
"""

from collections.abc import Collection, Mapping, Sequence
from datetime import timedelta
from uuid import UUID

from msgspec import Struct

from gamekeeper.catalog.items import UnknownItem
from gamekeeper.core.errors import Problem
from gamekeeper.db.database import Writer
from gamekeeper.db.operations import AuditContext
from gamekeeper.orders import products, receivers, states
from gamekeeper.orders.content import MAX_ITEM_KINDS, OrderedItem
from gamekeeper.orders.records import Product
from gamekeeper.orders.storage import StoredOrder, StoredOrderLine
from gamekeeper.players.mailbox import rows
from gamekeeper.players.mailbox.drafts import Draft
from gamekeeper.players.mailbox.letters import Letters, MailboxFull
from gamekeeper.players.mailbox.records import Letter, LetterItem, LetterSender
from gamekeeper.players.rules import MAX_HELD
from gamekeeper.players.state import Needs, State

LIFETIME = timedelta(days=36_500)
"""What was paid for does not expire."""

REASONS: Mapping[type[Problem], str] = {UnknownItem: "unknown_item", MailboxFull: "mailbox_full"}


class Parcel(Struct, frozen=True):
    """A line that is ready, with the items of its letter."""

    order: StoredOrder
    line: StoredOrderLine
    player_id: UUID
    title: str
    items: tuple[LetterItem, ...]


async def deliver(writer: Writer, by: AuditContext, orders: Collection[StoredOrder]) -> None:
    """Deliver the lines of locked orders that wait and can be; the others say why they wait."""
    waiting = [order for order in orders if order.waits]
    if waiting:
        parcels = await _pack(writer, waiting)
        await _send(writer, by, parcels)
    for order in orders:
        order.state = states.state_of(order)


async def _pack(writer: Writer, orders: Sequence[StoredOrder]) -> list[Parcel]:
    named = {(order.shop, line.product) for order in orders for line in order.waits if line.product}
    known = await products.definitions(writer, named) if named else {}
    characters = await receivers.characters_for(writer, [o for o in orders if o.has_receiver()])
    parcels: list[Parcel] = []
    for order in orders:
        for line in order.waits:
            product = known.get((order.shop, line.product)) if line.product else None
            items = _items(line, product)
            line.reason = _obstacle(order, line, items, characters)
            if line.reason is None and items is not None:
                title = product.name if product else f"Order {order.order_id}"
                parcels.append(Parcel(order, line, characters[order.id], title, items))
    return parcels


def _items(line: StoredOrderLine, product: Product | None) -> tuple[LetterItem, ...] | None:
    """The items of a line, or None if its product is not known."""
    if line.product is not None and product is None:
        return None
    each = product.items if product else line.items
    return tuple(
        LetterItem(item_id=item.item_id, quantity=item.quantity * line.quantity) for item in each
    )


def _obstacle(
    order: StoredOrder,
    line: StoredOrderLine,
    items: Sequence[LetterItem] | None,
    characters: Mapping[UUID, UUID],
) -> str | None:
    """Why a line must wait, or None."""
    if order.dispute == "open":
        return "disputed"
    if not order.has_receiver():
        return "no_receiver"
    if items is None:
        return "unknown_product"
    if len(items) > MAX_ITEM_KINDS or any(item.quantity > MAX_HELD for item in items):
        return "too_many_items"
    return None if order.id in characters else "no_character"


async def _send(writer: Writer, by: AuditContext, parcels: Sequence[Parcel]) -> None:
    if not parcels:
        return
    needs = Needs(items={item.item_id for parcel in parcels for item in parcel.items})
    state = await State.lock(writer, [str(parcel.player_id) for parcel in parcels], needs)
    letters = Letters(
        state, await state.load_letters(writer, ()), await rows.sizes(writer, state.players)
    )
    for parcel in parcels:
        # Without `by`: limits do not hold what was paid for.
        sent = state.attempt(lambda parcel=parcel: _letter(state, letters, by, parcel))
        if isinstance(sent, Problem):
            parcel.line.reason = REASONS.get(type(sent), "too_many_items")
        else:
            _note(parcel.line, sent)
    await state.save(writer)


def _letter(state: State, letters: Letters, by: AuditContext, parcel: Parcel) -> Letter:
    player = state.player(str(parcel.player_id))
    draft = Draft(
        sender=LetterSender(kind="shop", name=parcel.order.shop),
        subject=parcel.title,
        items=parcel.items,
        lifetime=LIFETIME,
    )
    return letters.send(by, player, draft)


def _note(line: StoredOrderLine, letter: Letter) -> None:
    line.state, line.reason = "delivered", None
    line.player_id, line.letter_id = letter.player_id, letter.id
    line.delivered_at = letter.sent_at
    # Bags are stacks of their own: together they are what was ordered.
    counts: dict[UUID, int] = {}
    for item in letter.attached:
        counts[item.item_id] = counts.get(item.item_id, 0) + item.quantity
    line.delivered = tuple(
        OrderedItem(item_id=item, quantity=quantity) for item, quantity in counts.items()
    )
