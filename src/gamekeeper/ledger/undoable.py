"""
Undoable actions: their states, their postings, and whether they are undone.

Actions and postings are immutable, so they may be read before any lock is taken. Whether an
action is already undone may change, so it is read under the lock. An undo is an action too,
and may itself be undone (redo).
"""

from collections import defaultdict
from collections.abc import Sequence
from typing import Any
from uuid import UUID

from msgspec import Struct

from gamekeeper.db.database import Queryable
from gamekeeper.ledger.actions import LedgerPosting


class Undoable(Struct, frozen=True, kw_only=True):
    id: UUID
    kind: str
    player_id: UUID | None
    user_id: UUID | None
    item_id: UUID | None
    before: Any
    after: Any
    postings: list[LedgerPosting]

    @property
    def state(self) -> Any:
        """`after` or, if it is empty, `before`: the one that names the action's subject."""
        return self.after or self.before or {}

    @property
    def transaction_id(self) -> UUID | None:
        """The transaction that it is an action of, if any."""
        found = self.state.get("transaction")
        return UUID(found) if found else None

    @property
    def item_ids(self) -> list[UUID]:
        """The items that it posted or, if it posted none, that its states name."""
        if self.postings:
            return list(dict.fromkeys(posting.item_id for posting in self.postings))
        if self.item_id is not None:
            return [self.item_id]
        return [UUID(one["item_id"]) for one in self.state.get("items", ())]

    @property
    def is_shared(self) -> bool:
        """Whether it moved items, so that only its whole transaction can be undone."""
        if self.kind == "undo" and not self.postings:
            # The undo of moves that balance each other has nothing to post.
            return bool(self.transaction_id and self.item_ids)
        return self.kind == "items.move" or any(one.against == "move" for one in self.postings)


async def read(reader: Queryable, ids: Sequence[UUID]) -> dict[UUID, Undoable]:
    if not ids:
        return {}
    rows = await reader.rows(
        """
        SELECT id, kind, player_id, user_id, item_id, before, after, xid::text
          FROM actions WHERE id = ANY($1)
        """,
        list(ids),
    )
    postings = await _postings(reader, [row for row in rows if row["player_id"]])
    fields = [name for name in Undoable.__struct_fields__ if name != "postings"]
    return {
        row["id"]: Undoable(postings=postings[row["id"]], **{name: row[name] for name in fields})
        for row in rows
    }


async def _postings(reader: Queryable, actions: Sequence[Any]) -> dict[UUID, list[LedgerPosting]]:
    """The postings of actions, found by their transaction id, which is indexed."""
    rows = await reader.rows(
        """
        SELECT player_id, seq, action_id, place, inside, slot, item_id, held_before, held_after,
               stat_buffs, bag_id, against, loss_id
          FROM postings
         WHERE player_id = ANY($1) AND xid = ANY($2::text[]::xid8[]) AND action_id = ANY($3)
         ORDER BY player_id, seq
        """,
        list({action["player_id"] for action in actions}),
        list({action["xid"] for action in actions}),
        [action["id"] for action in actions],
    )
    found: dict[UUID, list[LedgerPosting]] = defaultdict(list)
    for row in rows:
        posting = LedgerPosting(**{**row, "stat_buffs": tuple(row["stat_buffs"])})
        found[posting.action_id].append(posting)
    return found


class Undos:
    """Which undo of each action is in effect, after any number of undos and redos."""

    def __init__(self) -> None:
        self._holding: dict[UUID, UUID] = {}
        self._target: dict[UUID, UUID] = {}

    @classmethod
    async def of(cls, reader: Queryable, ids: Sequence[UUID]) -> "Undos":
        """
        The current undos of `ids`, and the undos of those.

        There is seldom a second level, so the first are read by one query each: PostgreSQL
        plans one recursive statement over many partitions longer than it runs these.
        """
        undos, read = cls(), set[UUID]()
        unread = {*ids, *await _undone_by(reader, ids)}
        while unread:
            rows = await reader.rows(
                "SELECT id, undoes FROM actions WHERE undoes = ANY($1)", list(unread)
            )
            undos._target |= {row["id"]: row["undoes"] for row in rows}
            read |= unread
            unread = {row["id"] for row in rows} - read
        undos._hold()
        return undos

    def _hold(self) -> None:
        """Find the undos in effect: those that were not themselves undone."""
        undone_by: dict[UUID, list[UUID]] = defaultdict(list)
        for undo, action in self._target.items():
            undone_by[action].append(undo)
        levels = [action for action in undone_by if action not in self._target]
        for action in levels:
            levels += undone_by.get(action, [])
        # Last level first: so it is known whether an undo was itself undone.
        for undo in reversed(levels):
            if undo in self._target and undo not in self._holding:
                self._holding[self._target[undo]] = undo

    def of_action(self, action: UUID) -> UUID | None:
        """
        The undo of `action` that is in effect; None if the action itself is.

        A redo is not in effect either if another undo has undone its target again: to undo
        the redo too would undo the same change twice.
        """
        by, redo = self._holding.get(action), action
        while by is None and (undone := self._target.get(redo)):
            redo = self._target.get(undone, action)
            if redo == action:
                break
            by = self._holding.get(redo)
        return by

    def add(self, undo: UUID, action: UUID) -> None:
        """Undo an action that is in effect; if it was an undo, its target is again, and so on."""
        self._target[undo] = action
        below, above, holds = undo, self._target.get(undo), True
        while above:
            if holds:
                self._holding[above] = below
            else:
                self._holding.pop(above, None)
            below, above, holds = above, self._target.get(above), not holds


async def _undone_by(reader: Queryable, ids: Sequence[UUID]) -> list[UUID]:
    """The actions that `ids` undid, and those that these undid, and so on."""
    found: list[UUID] = []
    for sql in (UNDONE, UNDONE, ALL_UNDONE):
        if not ids:
            break
        rows = await reader.rows(sql, list(ids))
        ids = [row["undoes"] for row in rows]
        found += ids
    return found


UNDONE = "SELECT undoes FROM actions WHERE id = ANY($1) AND undoes IS NOT NULL"

# OFFSET 0 prevents a join with all actions: PostgreSQL overestimates the number of levels.
ALL_UNDONE = """
    WITH RECURSIVE undone AS (
        SELECT undoes FROM actions WHERE id = ANY($1) AND undoes IS NOT NULL
         UNION
        SELECT level.undoes
          FROM undone
          CROSS JOIN LATERAL (SELECT undoes FROM actions
                               WHERE id = undone.undoes AND undoes IS NOT NULL
                              OFFSET 0) AS level
    )
    SELECT undoes FROM undone
"""
