"""
A character's timeline: its actions from the audit log, newest first, with their postings.

The sanctions of its account are among them: they explain why it could not play.
`changes` compares the holdings at two instants, per item and place: it shows what is
missing, before the timeline shows why.
"""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from itertools import chain
from typing import Any
from uuid import UUID

from msgspec import UNSET, UnsetType, field, structs

from gamekeeper.core.schemas import Record
from gamekeeper.db.database import Reader
from gamekeeper.history import as_of
from gamekeeper.history.as_of import Where
from gamekeeper.history.entry_names import EntryNames, state_names
from gamekeeper.ledger import audit_log
from gamekeeper.ledger.audit_log import Entry, Filters
from gamekeeper.ledger.transactions import MovedItems, Trades
from gamekeeper.players import display_names
from gamekeeper.players.lookup import Party, find_player_id, names_of, parties

POSTING_SKEW = timedelta(days=1)
"""The times of an action and its postings, in one transaction, never differ by more."""


class Posting(Record, frozen=True):
    """A change of one item in a slot; negative for a loss."""

    seq: int
    """The character's own count of postings, without gaps."""
    place: Where
    inside: UUID | None
    """Which bag, if the place is one."""
    slot: int
    item_id: UUID
    quantity: int
    """The change in quantity; negative for a loss."""
    against: str
    """
    The source or destination: `grant`, `removal`, `refund`, `import`, `demo`, `undo`, `restore`,
    `move` or `guild`.
    """
    held_before: int
    held_after: int
    stat_buffs: list[int]
    bag_id: UUID | None
    """The bag that was in the slot, if any."""
    counterparties: list[Party] = field(default_factory=list)
    """
    The other side of a transaction: one, unless several characters gave or received the same
    item in it.
    """
    item_name: str | UnsetType = UNSET
    """With `names`: the item's name."""


class Event(Entry, frozen=True, kw_only=True):
    """One action, and every item it moved."""

    postings: list[Posting]
    """Every slot that changed, in order."""


class Timeline(Record, frozen=True):
    """Part of a character's timeline, newest first."""

    values: list[Event]
    next: str | None
    """The `cursor` of the next page; null on the last page."""
    catalog_names: dict[str, str] | UnsetType = UNSET
    """With `names`: the names of spells, variables and classes in the states, by id."""


async def events(reader: Reader, key: str, cursor: str | None, limit: int) -> Timeline:
    """A page of a player's actions, newest first, from the cursor on."""
    player = await find_player_id(reader, key)
    user = await reader.value("SELECT user_id FROM players WHERE id = $1", player)
    about = [Filters(player_id=player), Filters(user_id=user, account_sanctions=True)]
    page = await audit_log.list_actions_of_any(reader, about, cursor, limit)
    return Timeline(values=await with_postings(reader, page.values), next=page.next)


async def with_postings(reader: Reader, entries: Sequence[Entry]) -> list[Event]:
    """Actions with their postings, found by transaction id (xid), which has an index."""
    if not entries:
        return []
    ids, times = [entry.id for entry in entries], [entry.at for entry in entries]
    written = await transaction_ids(reader, entries)
    rows = await reader.rows(
        """
        SELECT player_id, action_id, seq, place, inside, slot, item_id, quantity, against,
               held_before, held_after, stat_buffs, bag_id
          FROM postings
         WHERE player_id = ANY($1) AND xid = ANY($2::text[]::xid8[]) AND action_id = ANY($3)
           AND at BETWEEN $4 AND $5
         ORDER BY player_id, seq
        """,
        list({entry.player_id for entry in entries if entry.player_id}),
        list(set(written.values())),
        ids,
        # Partition pruning: only the months in question are scanned.
        min(times) - POSTING_SKEW,
        max(times) + POSTING_SKEW,
    )
    moving = {row["action_id"] for row in rows if row["against"] == "move"}
    xids = [xid for action, xid in written.items() if action in moving]
    trades = await Trades.of(reader, xids, min(times), max(times)) if xids else Trades({})
    found = await _postings(reader, rows, trades)
    return [Event(**structs.asdict(entry), postings=found[entry.id]) for entry in entries]


async def transaction_ids(reader: Reader, entries: Sequence[Entry]) -> dict[UUID, str]:
    """The database transaction that wrote each action, by which its postings are found."""
    # No join with the postings: the bounds on `at` exclude the other months of both tables.
    times = [entry.at for entry in entries]
    rows = await reader.rows(
        "SELECT id, xid::text AS xid FROM actions WHERE id = ANY($1) AND at BETWEEN $2 AND $3",
        [entry.id for entry in entries],
        min(times),
        max(times),
    )
    return {row["id"]: row["xid"] for row in rows}


async def _postings(
    reader: Reader, rows: Sequence[Any], trades: Trades
) -> dict[UUID, list[Posting]]:
    """The postings of each action, each with its counterparties."""
    others = [trades.counterparties(row["action_id"], MovedItems.of(row)) for row in rows]
    names = await names_of(reader, chain.from_iterable(others))
    found: dict[UUID, list[Posting]] = defaultdict(list)
    for row, players in zip(rows, others, strict=True):
        about = dict(row)
        del about["player_id"]
        action = about.pop("action_id")
        found[action].append(Posting(**about, counterparties=parties(names, players)))
    return found


async def with_names(reader: Reader, page: Timeline, *, accounts: bool) -> Timeline:
    """The same timeline, with names beside ids; without `accounts`, none of an account."""
    names = await EntryNames.of(reader, page.values, moved_items(page.values))
    named = [names.beside(event, accounts=accounts) for event in page.values]
    return structs.replace(
        page,
        values=[with_moved_names(event, names.items) for event in named],
        catalog_names=await state_names(reader, page.values),
    )


def moved_items(events: Sequence[Event]) -> list[UUID]:
    """The items of all postings."""
    return [posting.item_id for event in events for posting in event.postings]


def with_moved_names(event: Event, names: Mapping[UUID, str]) -> Event:
    """The action with the names of items in its postings."""
    postings = [
        structs.replace(posting, item_name=names.get(posting.item_id, ""))
        for posting in event.postings
    ]
    return structs.replace(event, postings=postings)


class ItemChange(Record, frozen=True):
    """The quantity of one item in one place at two instants."""

    item_id: UUID
    place: Where
    before: int
    """The quantity at the first instant."""
    after: int
    """The quantity at the second instant."""
    change: int
    item_name: str | UnsetType = UNSET
    """With `names`: the item's name."""


class ItemChanges(Record, frozen=True):
    """The differences between the two instants."""

    values: list[ItemChange]


async def changes(reader: Reader, key: str, since: datetime, until: datetime) -> ItemChanges:
    """The difference of a player's holdings at two instants, per item and place."""
    player = await find_player_id(reader, key)
    before, after = await _counted(reader, player, since), await _counted(reader, player, until)
    return ItemChanges(
        values=[
            ItemChange(
                item_id=item,
                place=place,
                before=before[item, place],
                after=after[item, place],
                change=after[item, place] - before[item, place],
            )
            for item, place in sorted(before.keys() | after.keys())
            if before[item, place] != after[item, place]
        ]
    )


async def with_item_names(reader: Reader, changed: ItemChanges) -> ItemChanges:
    """The same changes, with the names of items beside their ids."""
    names = await display_names.item_names(reader, [change.item_id for change in changed.values])
    return ItemChanges(
        values=[
            structs.replace(change, item_name=names.get(change.item_id, ""))
            for change in changed.values
        ]
    )


async def _counted(reader: Reader, player: UUID, at: datetime) -> Counter[tuple[UUID, Where]]:
    counted: Counter[tuple[UUID, Where]] = Counter()
    for held in await as_of.held(reader.lookups, player, at):
        counted[held.item_id, held.place] += held.quantity
    return counted
