"""Order endpoints: store, list, assign and refund orders; disputes, receipts, claims by code."""

from datetime import datetime
from typing import Annotated
from uuid import UUID

from msgspec import Meta, structs

from gamekeeper.api.path_parameters import ShopName, ShopOrderId
from gamekeeper.auth.principal import Principal
from gamekeeper.auth.secrets import Vault
from gamekeeper.core.errors import Forbidden, TooManyRequests
from gamekeeper.core.schemas import Body, Query
from gamekeeper.db.database import Database, Reader
from gamekeeper.db.operations import AuditContext
from gamekeeper.http.routing import Routes
from gamekeeper.orders import changes, content, intake, lists, presentation, receipts
from gamekeeper.orders.changes import (
    DisputeChange,
    OrderClaimed,
    OrderReceiver,
    Refund,
    UnknownClaimCode,
)
from gamekeeper.orders.content import (
    MAX_ITEM_KINDS,
    MAX_LINES,
    Content,
    InvalidOrder,
    OrderedItem,
    OrderedLine,
)
from gamekeeper.orders.intake import OrderDiffers, OrdersNeedNoLimits
from gamekeeper.orders.lists import OrderFilter, Orders
from gamekeeper.orders.receipts import Receipt
from gamekeeper.orders.records import Order, OrderNotFound, OrderState, Verdict
from gamekeeper.players.lookup import PlayerNotFound
from gamekeeper.users.lookup import UserNotFound, find_user_id

routes = Routes("/api/v1/orders")
own = Routes("/api/v1/me/orders")

READ = "orders.read"
MANAGE = "orders.manage"


class ClaimNeedsAccount(Forbidden):
    """An API key cannot claim orders. Use the token or session of an account."""

    cacheable = False


class OrderQuery(Query, frozen=True):
    shop: str | None = None
    """Only orders of this shop."""
    order: str | None = None
    """Only orders with this id of a shop."""
    user: str | None = None
    """Only orders that this account receives or paid, by name or id."""
    state: OrderState | None = None
    """`expected`, `unclaimed`, `waiting`, `delivered`, `disputed` or `refunded`."""
    cursor: UUID | None = None
    """The cursor of the next page: `Next` of the previous response."""
    limit: int = 50
    """The page size, 1 to 100; values out of range are clamped."""


@routes.get("", READ, raises=(UserNotFound,))
async def list_orders(reader: Reader, query: OrderQuery) -> Orders:
    """The orders that match, newest first, without claim codes."""
    user = await find_user_id(reader, query.user) if query.user else None
    wanted = OrderFilter(shop=query.shop, order_id=query.order, state=query.state, user_id=user)
    return await lists.list_orders(reader, wanted, query.cursor, query.limit)


class OrderItemBody(Body, frozen=True):
    item_id: UUID
    """The item's id."""
    quantity: int = 1
    """How many, 1 to 1,000,000."""


class OrderLineBody(Body, frozen=True):
    product: str | None = None
    """The shop's id of the product; its items are those of `/shops/{shop}/products`."""
    items: Annotated[list[OrderItemBody], Meta(max_length=MAX_ITEM_KINDS)] | None = None
    """The items themselves, instead of a product."""
    quantity: int = 1
    """How often the product, or the items, were bought: 1 to 1,000,000."""


class PutOrder(Body, frozen=True):
    lines: Annotated[list[OrderLineBody], Meta(max_length=MAX_LINES)]
    """The products or items, 1 to 50 lines."""
    account: str | None = None
    """The account that receives it, by name or id; its character that was played last gets it."""
    character: str | None = None
    """The character that receives it, by name or id; instead of an account."""
    buyer: str | None = None
    """The account that paid, by name or id, if it is known."""
    amount: str | None = None
    """The amount paid, such as `12.50`. It is stored for receipts and reconciliation."""
    currency: str | None = None
    """Three capital letters, such as `EUR`."""
    paid_at: datetime | None = None
    """When it was paid; for reconciliation by period."""


@routes.put(
    "/{shop}/{order_id}",
    MANAGE,
    raises=(InvalidOrder, OrderDiffers, OrdersNeedNoLimits),
    step_up=True,
    takes_key=False,
)
async def put_order(
    database: Database,
    vault: Vault,
    by: AuditContext,
    shop: ShopName,
    order_id: ShopOrderId,
    body: PutOrder,
) -> Order:
    """
    Store a paid order and deliver it, once for ever.

    Each line becomes a letter in the mailbox of its receiver. The same order again gets the same
    answer and delivers nothing twice; other content under the same id is refused. Without a
    known receiver the order is `unclaimed`, and `ClaimCode` is for the buyer. A line of an unknown
    product waits until the product exists.
    """
    sent = Content(
        account=body.account,
        character=body.character,
        buyer=body.buyer,
        lines=tuple(_line(line) for line in body.lines),
        amount=content.amount_of(body.amount),
        currency=body.currency,
        paid_at=body.paid_at,
    )
    # No stored reply: it would have the claim code in plaintext, and the order's id is key enough.
    unkeyed = structs.replace(by, key=None)
    stored = await intake.put(database, vault, unkeyed, shop, order_id, sent)
    return await presentation.shown(database.reader, stored, vault)


def _line(line: OrderLineBody) -> OrderedLine:
    items = tuple(
        OrderedItem(item_id=item.item_id, quantity=item.quantity) for item in line.items or ()
    )
    return OrderedLine(product=line.product, items=items, quantity=line.quantity)


@routes.get("/{shop}/{order_id}", READ, raises=(OrderNotFound,))
async def get_order(
    reader: Reader, vault: Vault, caller: Principal, shop: ShopName, order_id: ShopOrderId
) -> Order:
    """One order, by its shop and the shop's own id."""
    found = await lists.find_order(reader, shop, order_id)
    return await presentation.shown(reader, found, vault if caller.may(MANAGE) else None)


class RefundOrder(Body, frozen=True):
    lines: Annotated[list[int], Meta(max_length=MAX_LINES)] | None = None
    """The numbers of the lines; by default the whole order."""


@routes.post("/{shop}/{order_id}/refund", MANAGE, raises=(InvalidOrder,), takes_key=False)
async def refund_order(
    database: Database, by: AuditContext, shop: ShopName, order_id: ShopOrderId, body: RefundOrder
) -> Order:
    """
    Take back what a refunded order delivered: whole lines, from the letter or the character.

    A line whose items are no longer there is `lost`; refund it again to try again. A refund may
    come before its order, which is then stored and never delivered.
    """
    lines = None if body.lines is None else tuple(body.lines)
    command = Refund(by=by, shop=shop, order_id=order_id, lines=lines)
    changed = await changes.refund.one(database, command)
    return await presentation.shown(database.reader, changed)


class DisputeOrder(Body, frozen=True):
    state: Verdict
    """`open`, `won` or `lost`."""


@routes.post("/{shop}/{order_id}/dispute", MANAGE, raises=(InvalidOrder,), takes_key=False)
async def dispute_order(
    database: Database, by: AuditContext, shop: ShopName, order_id: ShopOrderId, body: DisputeOrder
) -> Order:
    """
    Record a dispute. An open one holds the order: its letters cannot be claimed, nothing is taken.

    `won` releases it, `lost` is a refund. The first verdict is final.
    """
    command = DisputeChange(by=by, shop=shop, order_id=order_id, verdict=body.state)
    changed = await changes.dispute.one(database, command)
    return await presentation.shown(database.reader, changed)


class AssignOrder(Body, frozen=True):
    character: str
    """The character that receives the order, by name or id."""


@routes.post(
    "/{shop}/{order_id}/assign",
    MANAGE,
    raises=(OrderNotFound, PlayerNotFound, OrderClaimed),
    takes_key=False,
)
async def assign_order(
    database: Database, by: AuditContext, shop: ShopName, order_id: ShopOrderId, body: AssignOrder
) -> Order:
    """Give an unclaimed order to a character, and deliver it."""
    command = OrderReceiver(by=by, shop=shop, order_id=order_id, character=body.character)
    changed = await changes.assign.one(database, command)
    return await presentation.shown(database.reader, changed)


@routes.get("/{shop}/{order_id}/receipt", READ, raises=(OrderNotFound,))
async def get_order_receipt(reader: Reader, shop: ShopName, order_id: ShopOrderId) -> Receipt:
    """The signed receipt of delivery, with the characters and times: evidence for a dispute."""
    return await receipts.receipt(reader, shop, order_id)


class MyOrderQuery(Query, frozen=True):
    cursor: UUID | None = None
    """The cursor of the next page: `Next` of the previous response."""
    limit: int = 20
    """The page size, 1 to 100; values out of range are clamped."""


@own.get("")
async def list_my_orders(
    reader: Reader, vault: Vault, caller: Principal, query: MyOrderQuery
) -> Orders:
    """
    The orders that your account receives or paid, newest first.

    `ClaimCode` is there for the orders that you paid and that are unclaimed. An API key has no
    account, and so no orders.
    """
    user = caller.user_id
    if user is None:
        return Orders(values=[], next=None)
    wanted = OrderFilter(user_id=user)
    found = await lists.list_orders(reader, wanted, query.cursor, query.limit, vault)
    mine = [presentation.for_player(order, user) for order in found.values]
    return Orders(values=mine, next=found.next)


class ClaimOrder(Body, frozen=True):
    code: str
    """The code `XXXX-XXXX-XXXX`; in any letter case, with or without hyphens."""
    character: str | None = None
    """Your character that receives it, by name or id; by default the one played last."""


@own.post(
    "/claim",
    raises=(UnknownClaimCode, PlayerNotFound, ClaimNeedsAccount, TooManyRequests),
    takes_key=False,
)
async def claim_my_order(
    database: Database, vault: Vault, caller: Principal, by: AuditContext, body: ClaimOrder
) -> Order:
    """Claim an order with its code, as the account that calls. Attempts are limited."""
    if caller.user_id is None:
        raise ClaimNeedsAccount
    found = await changes.claim(database, vault, by, caller.user_id, body.code, body.character)
    order = await presentation.shown(database.reader, found)
    return presentation.for_player(order, caller.user_id)
