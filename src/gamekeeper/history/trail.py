"""
The trail of items: by which hands they went, and who has them now.

Only bags have an identity, so the trail of a bag is exact. Any other item is a kind and a
number: of two equal potions nobody can say which one was handed on. Its trail tells flows: to
whom a character handed such items since an instant, to whom those handed such items after
that, and so on, and how many of them each of these characters holds now.
"""

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any, LiteralString
from uuid import UUID

from msgspec import Struct

from gamekeeper.core.schemas import Record
from gamekeeper.db.database import Reader
from gamekeeper.ledger import retention
from gamekeeper.ledger.transactions import MovedItems, Trades
from gamekeeper.players.lookup import Party, find_player_id, names_of, parties
from gamekeeper.players.rules import BagNotFound

MOST = 200
"""The most transfers in one answer."""
HANDS = 8
"""How many hands an item is followed through."""
SKEW = timedelta(milliseconds=100)
"""The times of two characters' postings in one database transaction differ by less."""


class Transfer(Record, frozen=True):
    """So many items that went from one character to another in one transaction."""

    at: datetime
    transaction_id: UUID
    quantity: int
    stat_buffs: list[int]
    giver: Party
    receivers: list[Party]
    """One, unless several received the same item in the same transaction."""


class TrailHolder(Record, frozen=True):
    """How many such items a character on the trail holds now, in bags too."""

    player_id: UUID
    name: str | None
    quantity: int


class Trail(Record, frozen=True):
    is_exact: bool
    """Whether the very item was followed: true for bags, false for what is counted."""
    is_complete: bool
    """Whether all was followed; there are limits to the number of transfers and of hands."""
    transfers: list[Transfer]
    """Oldest first."""
    holders: list[TrailHolder]


class _Sent(Struct, frozen=True):
    """A transfer before names are known."""

    at: datetime
    transaction_id: UUID
    moved: MovedItems
    receivers: list[UUID]


async def of_bag(reader: Reader, bag: UUID) -> Trail:
    """Every transfer of a bag, and who has it now."""
    rows = await reader.rows(
        """
        SELECT player_id, action_id, xid::text AS xid, max(at) AS at, item_id, stat_buffs, bag_id,
               sum(quantity)::int AS quantity
          FROM postings
         WHERE bag_id = $1 AND against = 'move'
         GROUP BY player_id, action_id, xid, item_id, stat_buffs, bag_id
        HAVING sum(quantity) < 0
         ORDER BY max(at)
         LIMIT $2
        """,
        bag,
        MOST + 1,
    )
    owners = await reader.rows("SELECT player_id FROM bag_owners WHERE bag_id = $1", bag)
    if not rows and not owners and not await reader.rows(EVER, bag):
        raise BagNotFound
    sent = _in_order(one for one in await _sent(reader, rows[:MOST]) if one.receivers)
    return await _told(
        reader,
        sent,
        {row["player_id"]: 1 for row in owners},
        is_exact=True,
        is_complete=len(rows) <= MOST,
    )


EVER: LiteralString = "SELECT 1 FROM postings WHERE bag_id = $1 LIMIT 1"


async def of_item(reader: Reader, key: str, item: UUID, since: datetime) -> Trail:
    """Where items of a kind went that a character handed on since an instant."""
    start = await find_player_id(reader, key)
    found: dict[tuple[UUID, MovedItems], _Sent] = {}
    reached: dict[tuple[UUID, tuple[int, ...] | None], datetime] = {(start, None): since}
    frontier, hands = dict(reached), 0
    while frontier and hands < HANDS and len(found) < MOST:
        rows = await _outgoing(reader, item, frontier)
        sent = [one for one in await _sent(reader, rows) if one.receivers]
        frontier = {}
        for one in sent:
            if found.setdefault((one.transaction_id, one.moved), one) is one:
                for receiver in one.receivers:
                    hand = (receiver, one.moved.stat_buffs)
                    if hand not in reached or one.at - SKEW < reached[hand]:
                        reached[hand] = frontier[hand] = one.at - SKEW
        hands += 1
    await retention.check(reader, since)
    sent = _in_order(found.values())
    holders = await _held(reader, item, reached)
    is_complete = not frontier and len(sent) <= MOST
    return await _told(reader, sent[:MOST], holders, is_exact=False, is_complete=is_complete)


async def _outgoing(
    reader: Reader, item: UUID, frontier: Mapping[tuple[UUID, tuple[int, ...] | None], datetime]
) -> list[Any]:
    """What each of some characters handed on after it came to them; null buffs: any."""
    return await reader.rows(
        """
        SELECT player_id, action_id, xid::text AS xid, max(at) AS at, item_id, stat_buffs, bag_id,
               sum(quantity)::int AS quantity
          FROM unnest($1::uuid[], $2::text[], $3::timestamptz[]) AS hand (player, buffs, since)
          JOIN postings ON player_id = player AND at >= since
                       AND stat_buffs::text = coalesce(buffs, stat_buffs::text)
         WHERE item_id = $4 AND against = 'move'
         GROUP BY player_id, action_id, xid, item_id, stat_buffs, bag_id
        HAVING sum(quantity) < 0
         ORDER BY max(at)
         LIMIT $5
        """,
        [player for player, _ in frontier],
        [buffs and f"{{{','.join(map(str, buffs))}}}" for _, buffs in frontier],
        list(frontier.values()),
        item,
        MOST + 1,
    )


async def _sent(reader: Reader, rows: Sequence[Any]) -> list[_Sent]:
    if not rows:
        return []
    times = [row["at"] for row in rows]
    trades = await Trades.of(reader, [row["xid"] for row in rows], min(times), max(times))
    moves = [MovedItems.of(row) for row in rows]
    return [
        _Sent(at, transaction, move, trades.counterparties(move.action_id, move))
        for at, move in zip(times, moves, strict=True)
        if (transaction := trades.transaction(move.action_id))
    ]


def _in_order(sent: Iterable[_Sent]) -> list[_Sent]:
    """By id, because all transactions of one call have the same time."""
    return sorted(sent, key=lambda one: one.transaction_id)


async def _held(
    reader: Reader, item: UUID, reached: Mapping[tuple[UUID, tuple[int, ...] | None], datetime]
) -> dict[UUID, int]:
    """How many of the kinds that came to each character it holds now; of the first one, all."""
    rows = await reader.rows(
        """
        SELECT player_id, stat_buffs, sum(quantity)::int AS quantity
          FROM (SELECT player_id, item_id, stat_buffs, quantity FROM slots
                 WHERE player_id = ANY($1)
                UNION ALL
                SELECT player_id, item_id, stat_buffs, quantity FROM bag_slots
                 WHERE player_id = ANY($1)) AS everywhere
         WHERE item_id = $2
         GROUP BY player_id, stat_buffs
        """,
        list({player for player, _ in reached}),
        item,
    )
    held: dict[UUID, int] = {}
    for row in rows:
        player = row["player_id"]
        if (player, None) in reached or (player, tuple(row["stat_buffs"])) in reached:
            held[player] = held.get(player, 0) + row["quantity"]
    return held


async def _told(
    reader: Reader,
    sent: Sequence[_Sent],
    holders: Mapping[UUID, int],
    *,
    is_exact: bool,
    is_complete: bool,
) -> Trail:
    hands = {player for one in sent for player in (one.moved.player_id, *one.receivers)}
    names = await names_of(reader, {*hands, *holders})
    return Trail(
        is_exact=is_exact,
        is_complete=is_complete,
        transfers=[
            Transfer(
                at=one.at,
                transaction_id=one.transaction_id,
                quantity=-one.moved.quantity,
                stat_buffs=list(one.moved.stat_buffs),
                giver=Party(player_id=one.moved.player_id, name=names.get(one.moved.player_id)),
                receivers=parties(names, one.receivers),
            )
            for one in sent
        ],
        holders=[
            TrailHolder(player_id=player, name=names.get(player), quantity=quantity)
            for player, quantity in sorted(holders.items(), key=lambda held: -held[1])
        ],
    )
