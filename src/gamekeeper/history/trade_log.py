"""
The trade log: which characters exchanged items, what each gave and what it got.

A trade is a transaction in which items went from one character to another. Of one character it
has two sides; without a filter each trade is one row.
"""

from collections.abc import Sequence
from typing import Any, LiteralString
from uuid import UUID

from msgspec import Struct

from gamekeeper.core.schemas import Instant, Page, Record, SortDirection, Window
from gamekeeper.db.database import Reader
from gamekeeper.ledger.audit_log import CLOCK_SKEW
from gamekeeper.ledger.places import IS_TRADE
from gamekeeper.players.lookup import names_of
from gamekeeper.users.lookup import names_of_users

MAX_ACTIONS = 10_000
"""An answer looks at so many actions, the newest ones; pages have numbers."""


class TradedItem(Record, frozen=True):
    """A quantity of an item."""

    item_id: UUID
    quantity: int
    bag_id: UUID | None
    stat_buffs: list[int]


class Trade(Record, frozen=True):
    """Items that went from one character to another, from the view of one of them."""

    id: UUID
    trade_id: UUID
    """The transaction."""
    user_id: UUID | None
    player_id: UUID
    ip: str
    """Always empty: trades are reported by the game."""
    time_stamp: Instant
    target_id: UUID | None
    """The other character; the first one, if there were several."""
    items: list[TradedItem]
    """The items that this character gave."""
    target_items: list[TradedItem]
    """The items that it received."""
    username: str
    player_name: str
    target_name: str


class _Side(Struct, frozen=True):
    """One side of a trade."""

    id: UUID
    at: Instant
    xid: str
    player_id: UUID
    trade: UUID
    target_id: UUID
    target_name: str


async def list_trades(
    reader: Reader, players: Sequence[UUID] | None, window: Window, direction: SortDirection
) -> Page[Trade]:
    """A page of the trades of these characters, or of all, as the newest actions tell."""
    given = None if players is None else list(players)
    newest: LiteralString = (
        f"{SIDES} AND $1::uuid[] IS NULL" if given is None else f"{SIDES} AND player_id = ANY($1)"
    )
    # Of all trades one side is enough: that of the first action.
    once: LiteralString = "DISTINCT ON (trade)" if given is None else ""
    found: LiteralString = f"""
        SELECT {once} id, at, xid, player_id, trade, target_id, target_name
          FROM ({newest} ORDER BY id DESC LIMIT $2) AS newest
         WHERE target_id IS NOT NULL
    """
    if given is None:
        found = f"{found} ORDER BY trade, id"
    total: int = await reader.value(f"SELECT count(*) FROM ({found}) AS found", given, MAX_ACTIONS)
    order: LiteralString = "id" if direction is SortDirection.ASCENDING else "id DESC"
    sides = await reader.all(
        _Side,
        f"SELECT * FROM ({found}) AS found ORDER BY {order} LIMIT $3 OFFSET $4",
        given,
        MAX_ACTIONS,
        window.shown,
        min(window.offset, MAX_ACTIONS),
    )
    return Page.of(await _trades(reader, sides), total, window)


SIDES: LiteralString = """
    SELECT id, at, xid::text AS xid, player_id, (after ->> 'transaction')::uuid AS trade,
           (after #>> '{counterparties,0,player_id}')::uuid AS target_id,
           after #>> '{counterparties,0,name}' AS target_name
      FROM actions
     WHERE kind = 'items.move'
"""


async def _trades(reader: Reader, sides: Sequence[_Side]) -> list[Trade]:
    if not sides:
        return []
    moved = await _moved(reader, sides)
    players = await names_of(reader, (side.player_id for side in sides))
    users = await owners_of(reader, [side.player_id for side in sides])
    names = await names_of_users(reader, users.values())
    return [
        Trade(
            id=side.id,
            trade_id=side.trade,
            user_id=users.get(side.player_id),
            player_id=side.player_id,
            ip="",
            time_stamp=side.at,
            target_id=side.target_id,
            items=[_item(row) for row in moved.get(side.id, ()) if row["quantity"] < 0],
            target_items=[_item(row) for row in moved.get(side.id, ()) if row["quantity"] > 0],
            username=names.get(users[side.player_id], "") if side.player_id in users else "",
            player_name=players.get(side.player_id, ""),
            target_name=side.target_name,
        )
        for side in sides
    ]


async def owners_of(reader: Reader, players: Sequence[UUID]) -> dict[UUID, UUID]:
    """The accounts of characters, deleted ones included."""
    rows = await reader.rows(
        """
        SELECT id AS player_id, user_id FROM players WHERE id = ANY($1)
        UNION ALL
        SELECT player_id, user_id FROM deleted_players WHERE player_id = ANY($1)
        """,
        list(set(players)),
    )
    return {row["player_id"]: row["user_id"] for row in rows}


async def _moved(reader: Reader, sides: Sequence[_Side]) -> dict[UUID, list[Any]]:
    """What each action moved: less than zero is what its character gave."""
    times = [side.at for side in sides]
    rows = await reader.rows(
        f"""
        SELECT action_id, item_id, stat_buffs, bag_id, sum(quantity)::bigint AS quantity
          FROM postings
         WHERE xid = ANY($1::text[]::xid8[]) AND {IS_TRADE} AND at BETWEEN $2 AND $3
         GROUP BY action_id, item_id, stat_buffs, bag_id
        HAVING sum(quantity) <> 0
         ORDER BY item_id, stat_buffs, bag_id
        """,
        sorted({side.xid for side in sides}),
        min(times) - CLOCK_SKEW,
        max(times) + CLOCK_SKEW,
    )
    found: dict[UUID, list[Any]] = {}
    for row in rows:
        found.setdefault(row["action_id"], []).append(row)
    return found


def _item(row: Any) -> TradedItem:
    return TradedItem(
        item_id=row["item_id"],
        quantity=abs(row["quantity"]),
        bag_id=row["bag_id"],
        stat_buffs=list(row["stat_buffs"]),
    )
