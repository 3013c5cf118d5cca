"""The receivers of orders: accounts and characters, by the names that shops send."""

from collections.abc import Mapping, Sequence
from uuid import UUID

from gamekeeper.db.database import Writer
from gamekeeper.orders.storage import StoredOrder
from gamekeeper.players import receivers
from gamekeeper.players.lookup import find_player_ids
from gamekeeper.players.receivers import WantedReceiver
from gamekeeper.users.lookup import find_user_ids


async def identify(writer: Writer, order: StoredOrder) -> None:
    """Find the accounts of the receiver and the buyer; unknown names leave it unclaimed."""
    [player] = await find_player_ids(writer, [order.character_ref or ""])
    [user, buyer] = await find_user_ids(writer, [order.account_ref or "", order.buyer_ref or ""])
    if order.character_ref and player:
        await assign(writer, order, player)
    elif order.account_ref:
        order.user_id = user
    if order.buyer_ref:
        order.buyer_id = buyer


async def assign(writer: Writer, order: StoredOrder, player: UUID) -> None:
    """Make a character the receiver of an order."""
    user = await writer.value("SELECT user_id FROM players WHERE id = $1", player)
    if user is not None:
        order.user_id, order.player_id = user, player


async def characters_for(writer: Writer, orders: Sequence[StoredOrder]) -> Mapping[UUID, UUID]:
    """The character that gets each order, by the order's id; absent if the account has none."""
    return await receivers.characters_for(
        writer, [WantedReceiver(order.id, order.user_id, order.player_id) for order in orders]
    )
