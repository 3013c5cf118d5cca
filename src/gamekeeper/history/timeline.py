"""
A character's timeline: its actions from the audit log, newest first, with their postings.

`changes` compares the holdings at two instants, per item and place: it shows what is
missing, before the timeline shows why.
"""

from collections import Counter, defaultdict
from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from msgspec import structs

from gamekeeper.core.schemas import Record
from gamekeeper.db.database import Reader
from gamekeeper.history import as_of
from gamekeeper.history.as_of import Where
from gamekeeper.ledger import audit_log
from gamekeeper.ledger.audit_log import Entry, Filters
from gamekeeper.players.lookup import find_player_id

APART = timedelta(days=1)
"""The times of an action and its postings, in one transaction, never differ by more."""


class Posting(Record, frozen=True):
    """So many of one item came into a slot, or went if negative."""

    seq: int
    place: Where
    inside: UUID | None
    slot: int
    item_id: UUID
    quantity: int
    against: str
    held_before: int
    held_after: int
    stat_buffs: list[int]
    bag_id: UUID | None


class Event(Entry, frozen=True, kw_only=True):
    """One action, and every item it moved."""

    postings: list[Posting]


class Timeline(Record, frozen=True):
    values: list[Event]
    next: str | None


async def events(reader: Reader, key: str, cursor: str | None, limit: int) -> Timeline:
    """A page of a player's actions, newest first, from the cursor on."""
    player = await find_player_id(reader, key)
    page = await audit_log.list_actions(reader, Filters(player_id=player), cursor, limit)
    postings = await _postings(reader, player, page.values)
    return Timeline(
        values=[
            Event(**structs.asdict(entry), postings=postings[entry.id]) for entry in page.values
        ],
        next=page.next,
    )


async def _postings(
    reader: Reader, player: UUID, entries: Sequence[Entry]
) -> dict[UUID, list[Posting]]:
    """The postings of actions, found by transaction id (xid), which has an index."""
    rows: Sequence[Any] = []
    if entries:
        ids, times = [entry.id for entry in entries], [entry.at for entry in entries]
        # Two queries, no join: actions and postings may be on different machines.
        written = await reader.rows(
            "SELECT xid::text AS xid FROM actions WHERE id = ANY($1) AND at BETWEEN $2 AND $3",
            ids,
            min(times),
            max(times),
        )
        rows = await reader.rows(
            """
            SELECT action_id, seq, place, inside, slot, item_id, quantity, against,
                   held_before, held_after, stat_buffs, bag_id
              FROM postings
             WHERE player_id = $1 AND xid = ANY($2::text[]::xid8[]) AND action_id = ANY($3)
               AND at BETWEEN $4 AND $5
             ORDER BY seq
            """,
            player,
            list({row["xid"] for row in written}),
            ids,
            # Partition pruning: only the months in question are scanned.
            min(times) - APART,
            max(times) + APART,
        )
    found: dict[UUID, list[Posting]] = defaultdict(list)
    for row in rows:
        about = dict(row)
        found[about.pop("action_id")].append(Posting(**about))
    return found


class ItemChange(Record, frozen=True):
    """How many of one item were held in one place at two instants."""

    item_id: UUID
    place: Where
    before: int
    after: int
    change: int


class ItemChanges(Record, frozen=True):
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


async def _counted(reader: Reader, player: UUID, at: datetime) -> Counter[tuple[UUID, Where]]:
    counted: Counter[tuple[UUID, Where]] = Counter()
    for held in await as_of.held(reader, player, at):
        counted[held.item_id, held.place] += held.quantity
    return counted
