"""
Transfers: which items a character handed on to others, to whom, when, in which transaction.

Items have no identity, except bags: of two equal potions nobody can say which one was handed on.
So this tells what flowed, by the ledger, and not where one potion is.
"""

from collections.abc import Collection
from datetime import datetime
from uuid import UUID

from gamekeeper.core.schemas import Record
from gamekeeper.db.database import Queryable
from gamekeeper.ledger.transactions import MovedItems, Trades
from gamekeeper.players.lookup import Party, names_of, parties

MOST = 100
"""The most transfers in one answer, the newest ones."""


class HandedOn(Record, frozen=True):
    """So many of one item that a character handed on in one transaction."""

    item_id: UUID
    stat_buffs: list[int]
    bag_id: UUID | None
    quantity: int
    at: datetime
    transaction_id: UUID
    to: list[Party]
    """One, unless several received the same item in the same transaction."""


async def handed_on(
    reader: Queryable, player: UUID, after: int, items: Collection[UUID]
) -> list[HandedOn]:
    """What a character handed on after the posting with this number, newest first."""
    rows = await reader.rows(
        """
        SELECT player_id, action_id, xid::text AS xid, max(at) AS at, item_id, stat_buffs, bag_id,
               sum(quantity)::int AS quantity
          FROM postings
         WHERE player_id = $1 AND seq > $2 AND against = 'move'
           AND item_id = ANY($3)
         GROUP BY player_id, action_id, xid, item_id, stat_buffs, bag_id
        HAVING sum(quantity) < 0
         ORDER BY max(seq) DESC
         LIMIT $4
        """,
        player,
        after,
        list(items),
        MOST,
    )
    if not rows:
        return []
    times = [row["at"] for row in rows]
    trades = await Trades.of(reader, [row["xid"] for row in rows], min(times), max(times))
    moves = [MovedItems.of(row) for row in rows]
    others = [trades.counterparties(move.action_id, move) for move in moves]
    names = await names_of(reader, (one for players in others for one in players))
    return [
        HandedOn(
            item_id=move.item_id,
            stat_buffs=list(move.stat_buffs),
            bag_id=move.bag_id,
            quantity=-move.quantity,
            at=at,
            transaction_id=transaction,
            to=parties(names, players),
        )
        for move, at, players in zip(moves, times, others, strict=True)
        if (transaction := trades.transaction(move.action_id))
    ]
