"""
Recipients of a bulk undo: to whom the items went, and what of them comes back.

Items of a transaction went to the characters that had more of them after it. Items that were
used up, sold to the game, dropped or deposited went to nobody.
"""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from datetime import datetime
from typing import Protocol
from uuid import UUID

from msgspec import Struct

from gamekeeper.core.schemas import Record
from gamekeeper.db.database import Queryable
from gamekeeper.ledger.audit_log import CLOCK_SKEW
from gamekeeper.ledger.places import IS_TRADE
from gamekeeper.ledger.transactions import Flows, MovedItems, MovedKind, moved_kind, siblings
from gamekeeper.players.display_names import ITEMS
from gamekeeper.players.lookup import names_of


class UndoRecipientItem(Record, frozen=True):
    """The quantity of one item that a recipient received, and how much of it is returned."""

    item_id: UUID
    item_name: str
    """Empty if the catalog no longer has the item."""
    quantity: int
    """The quantity that the recipient received."""
    returned: int
    """The quantity that this undo returns."""


class UndoRecipient(Record, frozen=True):
    """A character that received items."""

    player_id: UUID | None
    """Null for items that were used up, sold, dropped or deposited."""
    name: str | None
    """Null if the character is erased, or without an id."""
    items: list[UndoRecipientItem]
    conflicts: list[UUID]
    """The actions not undone, or only in part; `Left` says why."""
    found: int
    """Actions and transactions; one with several recipients counts for each."""
    undone: int = 0
    partly: int = 0
    already_undone: int = 0
    left: int = 0


class ActionRef(Protocol):
    """The fields of an action that lead to its postings."""

    @property
    def id(self) -> UUID: ...
    @property
    def at(self) -> datetime: ...
    @property
    def xid(self) -> str: ...
    @property
    def kind(self) -> str: ...
    @property
    def transaction(self) -> UUID | None: ...


class Unit(Struct, frozen=True):
    """What was undone together, and what became of it."""

    actions: Sequence[ActionRef]
    became: str
    """The count that it adds to: `undone`, `partly`, `already_undone` or `left`."""
    returned: Mapping[UUID, int]
    """If it was partly undone: the quantity of each item returned."""


Gone = dict[UUID | None, Counter[MovedKind]]
"""How many of each kind went to whom."""


async def list_recipients(
    reader: Queryable, owners: Collection[UUID], units: Sequence[Unit]
) -> list[UndoRecipient]:
    """To whom items went, those with the most actions first; then what nobody received."""
    actions = [action for unit in units for action in unit.actions]
    if not actions:
        return []
    xids = sorted({action.xid for action in actions})
    members = await siblings(reader, xids)
    times = [action.at for action in actions]
    posted = await _posted(reader, owners, xids, min(times), max(times))
    sums: dict[UUID | None, _RecipientSum] = defaultdict(_RecipientSum)
    for unit in units:
        gone = _gone(owners, [*_postings(unit, members, posted)])
        if not gone and any(action.kind == "spells.forget" for action in unit.actions):
            gone = Gone({None: Counter()})
        for player, kinds in gone.items():
            sums[player].add(unit, kinds)
    names = await names_of(reader, (player for player in sums if player))
    items = {item for total in sums.values() for item in total.quantities}
    catalog = {row["id"]: row["name"] for row in await reader.rows(ITEMS, sorted(items))}
    found = [total.shown(player, names, catalog) for player, total in sums.items()]
    return sorted(
        found, key=lambda one: (one.player_id is None, -one.found, one.name or "", one.player_id)
    )


async def _posted(
    reader: Queryable,
    owners: Collection[UUID],
    xids: Sequence[str],
    since: datetime,
    until: datetime,
) -> dict[UUID, list[MovedItems]]:
    """What each action of these database transactions took from the owners or moved at all."""
    rows = await reader.rows(
        f"""
        SELECT player_id, action_id, item_id, stat_buffs, bag_id, against,
               sum(quantity)::bigint AS quantity
          FROM postings
         WHERE xid = ANY($1::text[]::xid8[]) AND at BETWEEN $2 AND $3
           AND (player_id = ANY($4) OR {IS_TRADE})
         GROUP BY player_id, action_id, item_id, stat_buffs, bag_id, against
        """,
        xids,
        since - CLOCK_SKEW,
        until + CLOCK_SKEW,
        list(owners),
    )
    found: dict[UUID, list[MovedItems]] = defaultdict(list)
    for row in rows:
        found[row["action_id"]].append(MovedItems.of(row))
    return found


def _postings(
    unit: Unit,
    members: Mapping[UUID, Sequence[UUID]],
    posted: Mapping[UUID, Sequence[MovedItems]],
) -> Iterator[MovedItems]:
    transaction = unit.actions[0].transaction
    ids = members.get(transaction, ()) if transaction else [action.id for action in unit.actions]
    for action in ids:
        yield from posted.get(action, ())


def _gone(owners: Collection[UUID], postings: Sequence[MovedItems]) -> Gone:
    """What left the owners together, by recipient; what they handed to each other stayed."""
    balance: Counter[MovedKind] = Counter()
    for posting in postings:
        if posting.player_id in owners:
            balance[moved_kind(posting)] += posting.quantity
    flows, gone = Flows(postings), Gone()
    for kind, quantity in balance.items():
        left = -quantity
        for player, received in flows.received(kind, owners) if left > 0 else ():
            share = min(left, received)
            left -= share
            if share:
                gone.setdefault(player, Counter())[kind] += share
        if left > 0:
            gone.setdefault(None, Counter())[kind] += left
    return gone


class _RecipientSum:
    """What went to one recipient in all units."""

    def __init__(self) -> None:
        self.quantities: Counter[UUID] = Counter()
        self._returned: Counter[UUID] = Counter()
        self._counts: Counter[str] = Counter()
        self._conflicts: list[UUID] = []

    def add(self, unit: Unit, kinds: Counter[MovedKind]) -> None:
        self._counts[unit.became] += 1
        if unit.became in ("left", "partly"):
            self._conflicts += [action.id for action in unit.actions]
        for (item, _, _), quantity in kinds.items():
            self.quantities[item] += quantity
            if unit.became == "undone":
                self._returned[item] += quantity
        for item, quantity in unit.returned.items():
            self._returned[item] += quantity

    def shown(
        self, player: UUID | None, names: Mapping[UUID, str], catalog: Mapping[UUID, str]
    ) -> UndoRecipient:
        return UndoRecipient(
            player_id=player,
            name=names.get(player) if player else None,
            found=self._counts.total(),
            **self._counts,
            items=[
                UndoRecipientItem(
                    item_id=item,
                    item_name=catalog.get(item, ""),
                    quantity=quantity,
                    returned=self._returned[item],
                )
                for item, quantity in self.quantities.most_common()
            ],
            conflicts=self._conflicts,
        )
