"""
Transfers: which items a character handed on to others, to whom, when, in which transaction.

Items have no identity, except bags: of two equal potions nobody can say which one was handed on.
So this tells what flowed, by the ledger, and not where one potion is.
"""

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from datetime import datetime
from typing import Any, LiteralString
from uuid import UUID

from msgspec import Struct

from gamekeeper.core.schemas import Record
from gamekeeper.db.database import Queryable
from gamekeeper.ledger.guild_moves import find_guild_moves
from gamekeeper.ledger.places import IS_TRANSFER, Against
from gamekeeper.ledger.transactions import MovedItems, Trades
from gamekeeper.players.lookup import ItemOwner, owners_of

MAX_TRANSFERS = 100
"""The most transfers in one answer, the newest ones."""


class HandedOn(Record, frozen=True):
    """Items that a character gave to others in one transaction, or to a guild's bank."""

    item_id: UUID
    stat_buffs: list[int]
    bag_id: UUID | None
    quantity: int
    at: datetime
    """RFC 3339."""
    action_id: UUID
    """The action of the character."""
    transaction_id: UUID | None
    """The transaction to look at, or to undo; null for a deposit."""
    to: list[ItemOwner]
    """One, unless several received the same item in the same transaction."""


class Sent(Struct, frozen=True):
    """A transfer before names are known."""

    at: datetime
    seq: int
    """The number of the giver's last posting in it."""
    moved: MovedItems
    transaction_id: UUID | None
    guild_id: UUID | None
    """The guild on one of the sides."""
    receivers: list[UUID]

    @property
    def id(self) -> UUID:
        return self.transaction_id or self.moved.action_id


async def sent(reader: Queryable, rows: Sequence[Any]) -> list[Sent]:
    """The transfers of which some rows of `OUTGOING` are the giving side."""
    if not rows:
        return []
    times = [row["at"] for row in rows]
    span = min(times), max(times)
    trades = await Trades.of(reader, _xids(rows, "move"), *span)
    guild_moves = await find_guild_moves(reader, _xids(rows, "guild"), *span)
    found: list[Sent] = []
    for row in rows:
        moved, when = MovedItems.of(row), (row["at"], row["seq"])
        if move := guild_moves.get(moved.action_id):
            other = [move.other_side(moved.player_id)]
            found.append(Sent(*when, moved, None, move.guild_id, other))
        elif transaction := trades.transaction(moved.action_id):
            others = trades.counterparties(moved.action_id, moved)
            found.append(Sent(*when, moved, transaction, None, others))
    return found


def _xids(rows: Sequence[Any], against: Against) -> list[str]:
    return [row["xid"] for row in rows if row["against"] == against]


OUTGOING: LiteralString = """
    player_id, action_id, xid::text AS xid, max(at) AS at, max(seq) AS seq, item_id, stat_buffs,
    bag_id, against, sum(quantity)::bigint AS quantity
"""
"""The columns for `sent`, grouped by `GROUPED`, of groups whose sum is negative."""

GROUPED: LiteralString = "player_id, action_id, xid, item_id, stat_buffs, bag_id, against"


async def handed_on(
    reader: Queryable, player: UUID, after: int, items: Collection[UUID]
) -> list[HandedOn]:
    """What a character handed on after the posting with this number, newest first."""
    rows = await reader.rows(
        f"""
        SELECT {OUTGOING}
          FROM postings
         WHERE player_id = $1 AND seq > $2 AND {IS_TRANSFER}
           AND item_id = ANY($3)
         GROUP BY {GROUPED}
        HAVING sum(quantity) < 0
         ORDER BY max(seq) DESC
         LIMIT $4
        """,
        player,
        after,
        list(items),
        MAX_TRANSFERS,
    )
    return [transfer.handed_on for transfer in await _shown(reader, await sent(reader, rows))]


class Transferred(Struct, frozen=True):
    """A transfer, and the number of the giver's last posting in it."""

    seq: int
    handed_on: HandedOn


async def handed_on_by_each(
    reader: Queryable, after: Mapping[tuple[UUID, UUID], int], most: int
) -> dict[tuple[UUID, UUID], list[Transferred]]:
    """
    What characters handed on of an item, for each pair of both, newest first.

    `after` is the number of a posting of the character; at most `most` later transfers of each
    pair are found.
    """
    rows = await reader.rows(
        f"""
        SELECT latest.*
          FROM unnest($1::uuid[], $2::uuid[], $3::bigint[]) AS wanted (giver, item, after)
         CROSS JOIN LATERAL (
               SELECT {OUTGOING}
                 FROM postings
                WHERE player_id = wanted.giver AND seq > wanted.after AND {IS_TRANSFER}
                  AND item_id = wanted.item
                GROUP BY {GROUPED}
               HAVING sum(quantity) < 0
                ORDER BY max(seq) DESC
                LIMIT $4) AS latest
         ORDER BY latest.seq DESC
        """,
        [player for player, _ in after],
        [item for _, item in after],
        list(after.values()),
        most,
    )
    found: dict[tuple[UUID, UUID], list[Transferred]] = defaultdict(list)
    transfers = await sent(reader, rows)
    for transfer, shown in zip(transfers, await _shown(reader, transfers), strict=True):
        found[transfer.moved.player_id, transfer.moved.item_id].append(shown)
    return found


async def _shown(reader: Queryable, found: Sequence[Sent]) -> list[Transferred]:
    """Transfers with the names of their receivers."""
    owners = await owners_of(
        reader,
        (receiver for transfer in found for receiver in transfer.receivers),
        {transfer.guild_id for transfer in found if transfer.guild_id},
    )
    return [
        Transferred(
            transfer.seq,
            HandedOn(
                item_id=transfer.moved.item_id,
                stat_buffs=list(transfer.moved.stat_buffs),
                bag_id=transfer.moved.bag_id,
                quantity=-transfer.moved.quantity,
                at=transfer.at,
                action_id=transfer.moved.action_id,
                transaction_id=transfer.transaction_id,
                to=[owners[receiver] for receiver in transfer.receivers],
            ),
        )
        for transfer in found
    ]
