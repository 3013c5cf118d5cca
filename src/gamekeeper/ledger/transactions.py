"""
Transactions in the ledger: their actions, found by the transaction's id, and who traded with whom.

All actions of a transaction carry its id in their before or after state, where the hash chain
protects it. An index on that expression finds them; it is partial, so actions without a transaction
have no entry in it.

Who traded with whom follows from the postings against `move`. Of each kind of item, those
characters gave that have fewer after the transaction, and those received that have more.
"""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any, LiteralString, Protocol
from uuid import UUID

from msgspec import Struct

from gamekeeper.core.errors import NotFound
from gamekeeper.db.database import Queryable
from gamekeeper.ledger.audit_log import CLOCK_SKEW
from gamekeeper.ledger.places import IS_TRADE


class TransactionNotFound(NotFound):
    """No transaction has that id."""


MovedKind = tuple[UUID, tuple[int, ...], UUID | None]
"""An item, its stat buffs and, if it is a bag, which one."""


class Moved(Protocol):
    """What a posting says about who moved what."""

    @property
    def player_id(self) -> UUID: ...
    @property
    def item_id(self) -> UUID: ...
    @property
    def stat_buffs(self) -> tuple[int, ...]: ...
    @property
    def bag_id(self) -> UUID | None: ...
    @property
    def against(self) -> str: ...
    @property
    def quantity(self) -> int: ...


class MovedItems(Struct, frozen=True, kw_only=True):
    """A posting against `move`, or the sum of several of one action."""

    player_id: UUID
    action_id: UUID
    item_id: UUID
    stat_buffs: tuple[int, ...]
    bag_id: UUID | None
    quantity: int
    against: str = "move"

    @classmethod
    def of(cls, row: Any) -> "MovedItems":
        """From a row with these columns; `against` may be missing."""
        return cls(
            player_id=row["player_id"],
            action_id=row["action_id"],
            item_id=row["item_id"],
            stat_buffs=tuple(row["stat_buffs"]),
            bag_id=row["bag_id"],
            quantity=row["quantity"],
            against=row.get("against", "move"),
        )


def moved_kind(posting: Moved) -> MovedKind:
    return posting.item_id, posting.stat_buffs, posting.bag_id


class Flows:
    """What each character gave and received in one transaction, by its postings."""

    def __init__(self, postings: Iterable[Moved]) -> None:
        self._net: dict[MovedKind, Counter[UUID]] = defaultdict(Counter)
        for posting in postings:
            if posting.against == "move":
                self._net[moved_kind(posting)][posting.player_id] += posting.quantity

    def is_whole(self) -> bool:
        """Whether what came is what went: no posting of the transaction is missing."""
        return not any(net.total() for net in self._net.values())

    def counterparties(self, posting: Moved) -> list[UUID]:
        """
        The characters on the other side of a posting: those with the opposite balance.

        It is one, unless several gave or received the same kind in the same transaction.
        None if the items only changed places.
        """
        if posting.against != "move":
            return []
        net = self._net.get(moved_kind(posting), Counter())
        mine = net[posting.player_id]
        if mine * posting.quantity <= 0:
            return []
        return sorted(player for player, theirs in net.items() if theirs * mine < 0)

    def received(self, kind: MovedKind, givers: Collection[UUID]) -> list[tuple[UUID, int]]:
        """The other characters that have more of a kind after it, and how many more."""
        net = self._net.get(kind, Counter())
        return sorted(
            (player, more) for player, more in net.items() if more > 0 and player not in givers
        )


# The transaction of an action: in both of its states, if it has both. The index of migration 0050
# is on exactly this expression.
TRANSACTION: LiteralString = "coalesce(after ->> 'transaction', before ->> 'transaction')"


async def members(reader: Queryable, ids: Sequence[UUID]) -> dict[UUID, list[UUID]]:
    """The actions of each transaction, in the order of their ids; none if it is unknown."""
    rows = await reader.rows(MEMBERS, [str(transaction) for transaction in ids])
    return _by_transaction(rows)


# The second condition is that of the index, which a plan for any parameters needs.
MEMBERS: LiteralString = f"""
    SELECT id, {TRANSACTION} AS transaction
      FROM actions
     WHERE {TRANSACTION} = ANY($1::text[]) AND {TRANSACTION} IS NOT NULL
     ORDER BY id
"""


async def siblings(reader: Queryable, xids: Sequence[str]) -> dict[UUID, list[UUID]]:
    """The actions of every transaction that these database transactions wrote."""
    if not xids:
        return {}
    rows = await reader.rows(
        f"""
        SELECT id, {TRANSACTION} AS transaction
          FROM actions
         WHERE xid = ANY($1::text[]::xid8[]) AND {TRANSACTION} IS NOT NULL
         ORDER BY id
        """,
        sorted(set(xids)),
    )
    return _by_transaction(rows)


def _by_transaction(rows: Iterable[Mapping[str, Any]]) -> dict[UUID, list[UUID]]:
    found: dict[UUID, list[UUID]] = {}
    for row in rows:
        found.setdefault(UUID(row["transaction"]), []).append(row["id"])
    return found


class Trades:
    """The transactions that some database transactions wrote, and who traded with whom in them."""

    def __init__(
        self, members: Mapping[UUID, Sequence[UUID]], moved: Sequence[MovedItems] = ()
    ) -> None:
        self._transactions = {
            action: transaction for transaction, own in members.items() for action in own
        }
        grouped: dict[UUID, list[MovedItems]] = defaultdict(list)
        for moved_items in moved:
            if transaction := self._transactions.get(moved_items.action_id):
                grouped[transaction].append(moved_items)
        self._flows = {transaction: Flows(moves) for transaction, moves in grouped.items()}

    @classmethod
    async def of(
        cls, reader: Queryable, xids: Sequence[str], since: datetime, until: datetime
    ) -> "Trades":
        """Those of the database transactions `xids`, which ended between the two instants."""
        found = await siblings(reader, xids)
        if not found:
            return cls({})
        rows = await reader.rows(
            f"""
            SELECT player_id, action_id, item_id, stat_buffs, bag_id,
                   sum(quantity)::bigint AS quantity
              FROM postings
             WHERE xid = ANY($1::text[]::xid8[]) AND {IS_TRADE} AND at BETWEEN $2 AND $3
             GROUP BY player_id, action_id, item_id, stat_buffs, bag_id
            """,
            sorted(set(xids)),
            since - CLOCK_SKEW,
            until + CLOCK_SKEW,
        )
        return cls(found, [MovedItems.of(row) for row in rows])

    def transaction(self, action: UUID) -> UUID | None:
        return self._transactions.get(action)

    def counterparties(self, action: UUID, posting: Moved) -> list[UUID]:
        """The characters on the other side of a posting of `action`."""
        transaction = self._transactions.get(action)
        flows = self._flows.get(transaction) if transaction else None
        return flows.counterparties(posting) if flows else []
