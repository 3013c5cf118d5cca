"""Orders as they are shown: with names of accounts and characters, and claims of letters."""

from collections.abc import Mapping, Sequence
from typing import Any
from uuid import UUID

from msgspec import Struct, structs

from gamekeeper.auth.secrets import Vault
from gamekeeper.db.database import Reader
from gamekeeper.orders import codes
from gamekeeper.orders.content import OrderedItem
from gamekeeper.orders.records import Order, OrderLine, ProductItem
from gamekeeper.orders.storage import StoredOrder, StoredOrderLine
from gamekeeper.players.lookup import names_of
from gamekeeper.users.lookup import names_of_users


class OrderNames(Struct, frozen=True):
    """The names and letters of some orders."""

    users: Mapping[UUID, str]
    players: Mapping[UUID, str]
    letters: Mapping[UUID, Any]
    """The rows of letters by id; those that retention deleted are missing."""

    def claimed_at(self, line: StoredOrderLine) -> Any | None:
        """When the items of a line were claimed, or None."""
        letter = self.letters.get(line.letter_id) if line.letter_id else None
        return letter["ended_at"] if letter and letter["state"] == "claimed" else None

    def read_at(self, line: StoredOrderLine) -> Any | None:
        """When the letter of a line was read, or None."""
        letter = self.letters.get(line.letter_id) if line.letter_id else None
        return letter["read_at"] if letter else None


async def names_of_orders(reader: Reader, orders: Sequence[StoredOrder]) -> OrderNames:
    """The names of all accounts and characters of these orders, and their letters."""
    lines = [line for order in orders for line in order.lines if line.letter_id]
    users = {user for order in orders for user in (order.user_id, order.buyer_id) if user}
    players = {order.player_id for order in orders} | {line.player_id for line in lines}
    rows = await reader.rows(
        """
        SELECT id, state, read_at, ended_at FROM letters
         WHERE (player_id, id) IN (SELECT * FROM unnest($1::uuid[], $2::uuid[]))
        """,
        [line.player_id for line in lines],
        [line.letter_id for line in lines],
    )
    return OrderNames(
        users=await names_of_users(reader, users),
        players=await names_of(reader, filter(None, players)),
        letters={row["id"]: row for row in rows},
    )


async def shown(reader: Reader, order: StoredOrder, vault: Vault | None = None) -> Order:
    """An order as it is shown; with `vault` also the code of one that is unclaimed."""
    [only] = await shown_all(reader, [order], vault)
    return only


async def shown_all(
    reader: Reader, orders: Sequence[StoredOrder], vault: Vault | None = None
) -> list[Order]:
    """Orders as they are shown, with three reads for all of them."""
    names = await names_of_orders(reader, orders)
    return [_order(order, names, vault) for order in orders]


def for_player(order: Order, user: UUID) -> Order:
    """
    The order for an account that receives it or paid.

    Names of other accounts are private, and so is the price of a gift.
    """
    is_buyer = order.buyer_id == user
    is_gift = order.buyer_id is not None and not is_buyer
    return structs.replace(
        order,
        user_name=order.user_name if order.user_id == user else None,
        buyer_name=order.buyer_name if is_buyer else None,
        claim_code=order.claim_code if is_buyer else None,
        amount=None if is_gift else order.amount,
        currency=None if is_gift else order.currency,
    )


def _order(order: StoredOrder, names: OrderNames, vault: Vault | None) -> Order:
    code = None
    if vault is not None and order.claim_hash is not None and not order.has_receiver():
        code = codes.find(vault, order.shop, order.order_id, order.claim_hash)
    return Order(
        id=order.id,
        shop=order.shop,
        order_id=order.order_id,
        state=order.state,
        user_id=order.user_id,
        user_name=names.users.get(order.user_id) if order.user_id else None,
        player_id=order.player_id,
        player_name=names.players.get(order.player_id) if order.player_id else None,
        buyer_id=order.buyer_id,
        buyer_name=names.users.get(order.buyer_id) if order.buyer_id else None,
        receiver=order.character_ref or order.account_ref,
        amount=None if order.amount is None else f"{order.amount:f}",
        currency=order.currency,
        dispute=order.dispute,
        is_refunded=order.is_refunded,
        lines=[_line(line, names) for line in order.lines],
        claim_code=code,
        paid_at=order.paid_at,
        created_at=order.created_at,
    )


def _line(line: StoredOrderLine, names: OrderNames) -> OrderLine:
    return OrderLine(
        number=line.number,
        product=line.product,
        quantity=line.quantity,
        items=_items(line.items),
        state=line.state,
        reason=line.reason,
        delivered=_items(line.delivered or ()),
        player_id=line.player_id,
        player_name=names.players.get(line.player_id) if line.player_id else None,
        letter_id=line.letter_id,
        delivered_at=line.delivered_at,
        claimed_at=names.claimed_at(line),
        ended_at=line.ended_at,
    )


def _items(items: tuple[OrderedItem, ...]) -> list[ProductItem]:
    return [ProductItem(item_id=item.item_id, quantity=item.quantity) for item in items]
