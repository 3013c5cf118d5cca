"""
Changes of orders: refunds, disputes, and a receiver for an unclaimed one.

Shops report them in any order and more than once, also before the order itself. So each is
remembered at the order's address, and what was reported before changes nothing.
"""

from collections.abc import Sequence
from uuid import UUID

from gamekeeper.auth import login_throttle
from gamekeeper.auth.secrets import Vault
from gamekeeper.core.errors import Conflict, NotFound, Problem
from gamekeeper.db.database import Database, Writer
from gamekeeper.db.operations import AuditContext, Command, operation
from gamekeeper.ledger import actions
from gamekeeper.ledger.actions import Action, Kind
from gamekeeper.orders import codes, content, delivery, receivers, returns, states, storage
from gamekeeper.orders.records import OrderNotFound, Verdict
from gamekeeper.orders.storage import StoredOrder
from gamekeeper.players.lookup import find_player_ids, unknown


class OrderClaimed(Conflict):
    """The order already has a receiver."""


class UnknownClaimCode(NotFound):
    """No order has this code, or it was claimed. Check the code."""


class OrderChange(Command, frozen=True, kw_only=True):
    shop: str
    order_id: str


class Refund(OrderChange, frozen=True, kw_only=True):
    lines: tuple[int, ...] | None = None
    """The numbers of the lines, from 1; None: all."""


class DisputeChange(OrderChange, frozen=True, kw_only=True):
    verdict: Verdict


class OrderReceiver(OrderChange, frozen=True, kw_only=True):
    character: str


class Claim(Command, frozen=True, kw_only=True):
    """An account claims an order with its code."""

    user_id: UUID
    hashes: tuple[bytes, ...]
    """Keyed hashes of the code under all keys."""
    character: str | None = None
    """One of its characters; None: the one that was played last."""

    def __repr__(self) -> str:
        return f"Claim({self.user_id})"


@operation
async def refund(writer: Writer, commands: Sequence[Refund]) -> list[StoredOrder | Problem]:
    """Refund orders or some of their lines: whole lines are taken back, or said to be lost."""
    return [await _refunded(writer, command) for command in commands]


async def _refunded(writer: Writer, command: Refund) -> StoredOrder | Problem:
    if refused := content.address_refusal(command.shop, command.order_id):
        return refused
    order = await storage.lock_or_create(writer, command)
    is_new = states.note_refund(order, command.lines)
    # A repeat writes nothing, unless it finds items that were lost before.
    if is_new or states.to_refund(order, command.lines):
        await _end(writer, command, order, command.lines)
    return order


async def _end(
    writer: Writer, command: OrderChange, order: StoredOrder, numbers: Sequence[int] | None
) -> None:
    before = order.state
    lines = states.to_refund(order, numbers)
    await returns.take_back(writer, command.by, order, lines)
    order.state = states.state_of(order)
    await storage.save(writer, order)
    if lines or before != order.state:
        await _record(writer, "orders.refund", command.by, order)


@operation
async def dispute(writer: Writer, commands: Sequence[DisputeChange]) -> list[StoredOrder | Problem]:
    """Open, win or lose disputes. An open one holds the order's letters; a lost one is a refund."""
    return [await _disputed(writer, command) for command in commands]


async def _disputed(writer: Writer, command: DisputeChange) -> StoredOrder | Problem:
    if refused := content.address_refusal(command.shop, command.order_id):
        return refused
    order = await storage.lock_or_create(writer, command)
    if not states.dispute(order, command.verdict):
        return order
    if command.verdict == "lost":
        states.note_refund(order, None)
        await _end(writer, command, order, None)
    else:
        # Won: what waited for the verdict is delivered.
        await delivery.deliver(writer, command.by, [order])
        await storage.save(writer, order)
    await _record(writer, "orders.dispute", command.by, order)
    return order


@operation
async def assign(writer: Writer, commands: Sequence[OrderReceiver]) -> list[StoredOrder | Problem]:
    """Give unclaimed orders a receiver, and deliver them."""
    return [await _assigned(writer, command) for command in commands]


async def _assigned(writer: Writer, command: OrderReceiver) -> StoredOrder | Problem:
    order = await storage.lock(writer, command)
    if order is None:
        return OrderNotFound()
    [player] = await find_player_ids(writer, [command.character])
    if player is None:
        return unknown(command.character)
    if order.has_receiver():
        return order if order.player_id == player else OrderClaimed()
    await receivers.assign(writer, order, player)
    await _receive(writer, command.by, order)
    return order


async def claim(
    database: Database,
    vault: Vault,
    by: AuditContext,
    user: UUID,
    typed: str,
    character: str | None,
) -> StoredOrder:
    """Claim an order with a code; each attempt is charged to the account and the address."""
    code = codes.parse(typed)
    address = f"order:{login_throttle.from_address(by.address)}"
    subjects = [address, f"order_account:{user}"]
    await database.write(lambda writer: login_throttle.charge_all(writer, subjects))
    if code is None:
        raise UnknownClaimCode
    hashes = tuple(codes.hashes_of(vault, code))
    order = await redeem.one(
        database, Claim(by=by, user_id=user, hashes=hashes, character=character)
    )
    await database.write(lambda writer: _refund_attempt(writer, subjects))
    return order


async def _refund_attempt(writer: Writer, subjects: Sequence[str]) -> None:
    for subject in subjects:
        await login_throttle.refund(writer, subject)


@operation
async def redeem(writer: Writer, commands: Sequence[Claim]) -> list[StoredOrder | Problem]:
    """Give the orders with these codes to the accounts that have them, and deliver them."""
    return [await _redeemed(writer, command) for command in commands]


async def _redeemed(writer: Writer, command: Claim) -> StoredOrder | Problem:
    found = await writer.rows(
        "SELECT id FROM orders WHERE claim_hash = ANY($1)", list(command.hashes)
    )
    order = await storage.lock_by_id(writer, found[0]["id"]) if found else None
    if order is None or order.user_id not in (None, command.user_id):
        return UnknownClaimCode()
    if order.has_receiver():
        return order
    order.user_id = command.user_id
    if command.character is not None:
        player = await _own_character(writer, command)
        if player is None:
            return unknown(command.character)
        order.player_id = player
    await _receive(writer, command.by, order)
    return order


async def _own_character(writer: Writer, command: Claim) -> UUID | None:
    [player] = await find_player_ids(writer, [command.character or ""])
    return await writer.value(
        "SELECT id FROM players WHERE id = $1 AND user_id = $2", player, command.user_id
    )


async def _receive(writer: Writer, by: AuditContext, order: StoredOrder) -> None:
    await delivery.deliver(writer, by, [order])
    await storage.save(writer, order)
    await _record(writer, "orders.assign", by, order)


async def _record(writer: Writer, kind: Kind, by: AuditContext, order: StoredOrder) -> None:
    about = {
        "order": order.id,
        "shop": order.shop,
        "order_id": order.order_id,
        "state": order.state,
        "dispute": order.dispute,
        "lines": {str(line.number): line.state for line in order.lines},
    }
    action = Action(kind=kind, by=by, user_id=order.user_id, after=about)
    await actions.record(writer, [action])
