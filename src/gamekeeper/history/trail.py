"""
The trail of items: by which hands they went, guild banks included, and who has them now.

Only bags have an identity, so the trail of a bag is exact. Any other item is a kind and a
number: of two equal potions nobody can say which one was handed on. Its trail tells flows: to
whom a character handed such items since an instant, to whom those handed such items after
that, and so on, and how many of them each of these characters holds now.
"""

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any, LiteralString
from uuid import UUID

from msgspec import structs

from gamekeeper.core.schemas import Record
from gamekeeper.db.database import Reader
from gamekeeper.history.transfers import GROUPED, OUTGOING, Sent, sent
from gamekeeper.ledger import retention
from gamekeeper.ledger.places import HELD, IS_TRANSFER
from gamekeeper.ledger.transactions import MovedItems
from gamekeeper.players.lookup import ItemOwner, find_player_id, owners_of
from gamekeeper.players.rules import BagNotFound

MAX_TRAIL = 200
"""The most transfers in one answer."""
HANDS = 8
"""How many hands an item is followed through."""
SKEW = timedelta(milliseconds=100)
"""The times of two characters' postings in one database transaction differ by less."""

Reached = Mapping[tuple[UUID, tuple[int, ...] | None], datetime]
"""Owners that such items came to, with the stat buffs (None: any), and since when."""


class Transfer(Record, frozen=True):
    """A quantity of items that went from one owner to another."""

    at: datetime
    """RFC 3339."""
    action_id: UUID
    """The action of the giver."""
    transaction_id: UUID | None
    """Null for a deposit into a guild's bank, and for a withdrawal."""
    quantity: int
    stat_buffs: list[int]
    giver: ItemOwner
    receivers: list[ItemOwner]
    """One, unless several received the same item in the same transaction."""


class TrailHolder(Record, frozen=True):
    """The quantity that an owner on the trail holds now, including bags."""

    player_id: UUID | None
    """Null for a guild."""
    guild_id: UUID | None
    """Null for a character."""
    name: str | None
    quantity: int
    """In the inventory, the bank and bags together, or in the guild's bank."""


class Trail(Record, frozen=True):
    """The transfers of an item, and its current holders."""

    is_exact: bool
    """
    Whether the very item was followed: true for bags. Other items are counted and have no
    identity, so their trail is one of flows.
    """
    is_complete: bool
    """Whether all was followed: at most 200 transfers, through 8 hands."""
    transfers: list[Transfer]
    """Oldest first."""
    holders: list[TrailHolder]


async def of_bag(reader: Reader, bag: UUID) -> Trail:
    """Every transfer of a bag, and who has it now."""
    rows = await reader.rows(
        f"""
        SELECT {OUTGOING}
          FROM postings
         WHERE bag_id = $1 AND {IS_TRANSFER}
         GROUP BY {GROUPED}
        HAVING sum(quantity) < 0
         ORDER BY max(at)
         LIMIT $2
        """,
        bag,
        MAX_TRAIL + 1,
    )
    owners = await reader.rows("SELECT player_id FROM bag_owners WHERE bag_id = $1", bag)
    if not rows and not owners and not await reader.rows(EVER, bag):
        raise BagNotFound
    found = _in_order(
        transfer for transfer in await sent(reader, rows[:MAX_TRAIL]) if transfer.receivers
    )
    return await _told(
        reader,
        found,
        {row["player_id"]: 1 for row in owners},
        is_exact=True,
        is_complete=len(rows) <= MAX_TRAIL,
    )


EVER: LiteralString = "SELECT 1 FROM postings WHERE bag_id = $1 LIMIT 1"


async def of_item(reader: Reader, key: str, item: UUID, since: datetime) -> Trail:
    """Where items of a kind went that a character handed on since an instant."""
    start = await find_player_id(reader, key)
    found: dict[tuple[UUID, MovedItems], Sent] = {}
    reached: dict[tuple[UUID, tuple[int, ...] | None], datetime] = {(start, None): since}
    frontier, hands = dict(reached), 0
    while frontier and hands < HANDS and len(found) < MAX_TRAIL:
        rows = await _outgoing(reader, item, frontier)
        transfers = [transfer for transfer in await sent(reader, rows) if transfer.receivers]
        frontier = {}
        for transfer in transfers:
            if found.setdefault((transfer.id, transfer.moved), transfer) is transfer:
                for receiver in transfer.receivers:
                    hand = (receiver, transfer.moved.stat_buffs)
                    if hand not in reached or transfer.at - SKEW < reached[hand]:
                        reached[hand] = frontier[hand] = transfer.at - SKEW
        hands += 1
    await retention.check(reader, since)
    transfers = _in_order(found.values())
    holders = await _held(reader, item, reached)
    is_complete = not frontier and len(transfers) <= MAX_TRAIL
    return await _told(
        reader, transfers[:MAX_TRAIL], holders, is_exact=False, is_complete=is_complete
    )


async def _outgoing(reader: Reader, item: UUID, frontier: Reached) -> list[Any]:
    """What each of some owners handed on after it came to them; null buffs: any."""
    return await reader.rows(
        f"""
        SELECT {OUTGOING}
          FROM unnest($1::uuid[], $2::text[], $3::timestamptz[]) AS hand (player, buffs, since)
          JOIN postings ON player_id = player AND at >= since
                       AND stat_buffs::text = coalesce(buffs, stat_buffs::text)
         WHERE item_id = $4 AND {IS_TRANSFER}
         GROUP BY {GROUPED}
        HAVING sum(quantity) < 0
         ORDER BY max(at)
         LIMIT $5
        """,
        *_hands(frontier),
        item,
        MAX_TRAIL + 1,
    )


def _hands(reached: Reached) -> tuple[list[UUID], list[str | None], list[datetime]]:
    """The owners, the buffs as PostgreSQL writes them, and the instants."""
    return (
        [owner for owner, _ in reached],
        [None if buffs is None else f"{{{','.join(map(str, buffs))}}}" for _, buffs in reached],
        list(reached.values()),
    )


def _in_order(transfers: Iterable[Sent]) -> list[Sent]:
    """By id, because all transactions of one call have the same time."""
    return sorted(transfers, key=lambda one: one.id)


async def _held(reader: Reader, item: UUID, reached: Reached) -> dict[UUID, int]:
    """How many of the kinds that came to each owner it holds now; of the first one, all."""
    rows = await reader.rows(
        f"""
        SELECT owner_id, stat_buffs, sum(quantity)::bigint AS quantity
          FROM ({HELD}) AS everywhere
         WHERE owner_id = ANY($1) AND item_id = $2
         GROUP BY owner_id, stat_buffs
        """,
        list({owner for owner, _ in reached}),
        item,
    )
    held: dict[UUID, int] = {}
    for row in rows:
        owner = row["owner_id"]
        if (owner, None) in reached or (owner, tuple(row["stat_buffs"])) in reached:
            held[owner] = held.get(owner, 0) + row["quantity"]
    return held


async def _told(
    reader: Reader,
    transfers: Sequence[Sent],
    holders: Mapping[UUID, int],
    *,
    is_exact: bool,
    is_complete: bool,
) -> Trail:
    hands = {
        owner for transfer in transfers for owner in (transfer.moved.player_id, *transfer.receivers)
    }
    guilds = {transfer.guild_id for transfer in transfers if transfer.guild_id}
    owners = await owners_of(reader, {*hands, *holders}, guilds)
    return Trail(
        is_exact=is_exact,
        is_complete=is_complete,
        transfers=[
            Transfer(
                at=transfer.at,
                action_id=transfer.moved.action_id,
                transaction_id=transfer.transaction_id,
                quantity=-transfer.moved.quantity,
                stat_buffs=list(transfer.moved.stat_buffs),
                giver=owners[transfer.moved.player_id],
                receivers=[owners[receiver] for receiver in transfer.receivers],
            )
            for transfer in transfers
        ],
        holders=[
            TrailHolder(**structs.asdict(owners[owner]), quantity=quantity)
            for owner, quantity in sorted(holders.items(), key=lambda held: -held[1])
        ],
    )
