"""
Intake of orders: stored under the shop's own id, and delivered in the same transaction.

An order that was paid is never refused. Without a known receiver it waits for its claim code,
with an unknown product until that exists, and after a refund that came first it is stored and
never delivered. The same order again gets the same answer; another content is a conflict.
"""

from collections.abc import Sequence

from gamekeeper.auth.secrets import Vault
from gamekeeper.core.errors import Conflict, Forbidden, Problem
from gamekeeper.db.database import Database, Writer
from gamekeeper.db.operations import AuditContext, Command, operation
from gamekeeper.ledger import actions
from gamekeeper.ledger.actions import Action
from gamekeeper.orders import codes, content, delivery, receivers, states, storage
from gamekeeper.orders.content import Content
from gamekeeper.orders.storage import StoredOrder


class OrderDiffers(Conflict):
    """The order was sent before with other content."""


class OrdersNeedNoLimits(Forbidden):
    """Callers with limits cannot create orders: orders do not count against limits."""

    cacheable = False


class NewOrder(Command, frozen=True, kw_only=True):
    shop: str
    order_id: str
    content: Content
    tags: tuple[bytes, ...]
    """Keyed hashes of the content under all keys, that of the current key first."""
    claim_hash: bytes

    def __repr__(self) -> str:
        return f"NewOrder({self.shop}/{self.order_id})"


def new_order(vault: Vault, by: AuditContext, shop: str, order_id: str, sent: Content) -> NewOrder:
    """The command that stores an order; raises InvalidOrder or OrdersNeedNoLimits."""
    if refused := content.refusal(shop, order_id, sent):
        raise refused
    if by.allowance is not None:
        raise OrdersNeedNoLimits
    code = codes.codes_of(vault, shop, order_id)[0]
    return NewOrder(
        by=by,
        shop=shop,
        order_id=order_id,
        content=sent,
        tags=tuple(vault.hmacs(f"order:{shop}/{order_id}:{sent.canonical}")),
        claim_hash=codes.hashes_of(vault, code)[0],
    )


async def put(
    database: Database, vault: Vault, by: AuditContext, shop: str, order_id: str, sent: Content
) -> StoredOrder:
    """Store an order, or find the same one; deliver what can be delivered."""
    return await receive.one(database, new_order(vault, by, shop, order_id, sent))


# Not batched: it locks its order before its characters, and must wait for both.
@operation
async def receive(writer: Writer, commands: Sequence[NewOrder]) -> list[StoredOrder | Problem]:
    """Store orders and deliver them, each once."""
    return [await _received(writer, command) for command in commands]


async def _received(writer: Writer, command: NewOrder) -> StoredOrder | Problem:
    order = await storage.lock_or_create(writer, command)
    is_new = order.content_tag is None
    if is_new:
        states.receive(order, command.content, command.tags[0])
        await receivers.identify(writer, order)
        if not order.has_receiver():
            order.claim_hash = command.claim_hash
    elif order.content_tag not in command.tags:
        return _difference(order, command)
    elif not order.waits:
        # Shops repeat what was delivered long ago: then nothing is written.
        return order
    # Also if it is not new: a repeat is a good moment to try again.
    await delivery.deliver(writer, command.by, [order])
    await storage.save(writer, order)
    if is_new:
        await actions.record(writer, [_action(command, order)])
    return order


def _difference(order: StoredOrder, command: NewOrder) -> OrderDiffers:
    found = content.differences(order.content, command.content)
    # After an erasure the names are gone, and only their keyed hash differs.
    fields = found or ["receiver or buyer"]
    return OrderDiffers(
        f"The order was sent before with other content: {', '.join(fields)}. "
        "Send a new order under a new id.",
        fields=fields,
    )


def _action(command: NewOrder, order: StoredOrder) -> Action:
    # Without the names that the shop sent: the log is never shortened.
    return Action(
        kind="orders.receive",
        by=command.by,
        user_id=order.user_id,
        after={
            "order": order.id,
            "shop": order.shop,
            "order_id": order.order_id,
            "state": order.state,
            "lines": len(order.lines),
            "buyer_id": order.buyer_id,
        },
    )
