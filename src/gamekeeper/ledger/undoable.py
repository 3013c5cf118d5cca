"""
Undoable actions: their states, their postings, and whether they are undone.

Actions and postings are immutable, so they may be read before any lock is taken. Whether an
action is already undone may change, so it is read under the lock. An undo is an action too,
and may itself be undone (redo).
"""

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from typing import Any
from uuid import UUID

from msgspec import Struct

from gamekeeper.db.database import Queryable
from gamekeeper.ledger.actions import LedgerPosting
from gamekeeper.ledger.kinds.records import UndoHandler
from gamekeeper.ledger.kinds.registry import ACTION_KINDS

# How to undo an undo whose target was dropped with its month: by what its states are about.
# States of items have none of these keys. Guilds first: they have variables too.
ORPHANS: Mapping[str, UndoHandler] = {
    "letter_id": "letter",
    "guild_id": "guild",
    "character": "lifecycle",
    "name": "lifecycle",
    "spell_id": "spell",
    "variable_id": "variable",
    "sheet": "sheet",
    "level": "level",
    "email": "email",
    "api": "powers",
    "access_ban_id": "access_ban",
}


class Undoable(Struct, frozen=True, kw_only=True):
    id: UUID
    kind: str
    root_kind: str | None
    """The kind of what a chain of undos began with; None if that was dropped with its month."""
    player_id: UUID | None
    user_id: UUID | None
    item_id: UUID | None
    before: Any
    after: Any
    undoes: UUID | None
    postings: list[LedgerPosting]

    @property
    def state(self) -> Any:
        """`after` or, if it is empty, `before`: the one that names the action's subject."""
        return self.after or self.before or {}

    @property
    def handler(self) -> UndoHandler | None:
        """What undoes it; None if nothing does."""
        if self.root_kind is None:
            return self._orphans_handler()
        kind = ACTION_KINDS.get(self.root_kind)
        return kind.undo.handler if kind and kind.undo else None

    def _orphans_handler(self) -> UndoHandler:
        for key, handler in ORPHANS.items():
            if key in self.state:
                if handler == "guild" and "bank" in self.state:
                    return "guild_bank"
                is_owned = handler == "variable" and self.player_id is None
                return "owned_variable" if is_owned else handler
        return "items"

    @property
    def guild_id(self) -> UUID | None:
        """The guild that it is about, if any."""
        return _guild_of(self.before, self.after)

    @property
    def letter_id(self) -> UUID | None:
        """The letter that it is about, if any."""
        found = self.state.get("letter_id")
        return UUID(found) if found else None

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
        return [UUID(item["item_id"]) for item in self.state.get("items", ())]

    @property
    def is_shared(self) -> bool:
        """Whether it moved items, so that only its whole transaction can be undone."""
        if self.kind == "undo" and not self.postings:
            # The undo of moves that balance each other has nothing to post.
            return bool(self.transaction_id and self.item_ids)
        return self.kind == "items.move" or any(
            posting.against == "move" for posting in self.postings
        )


async def read(reader: Queryable, ids: Sequence[UUID]) -> dict[UUID, Undoable]:
    if not ids:
        return {}
    rows = await reader.rows(
        """
        SELECT id, kind, player_id, user_id, item_id, before, after, undoes, xid::text
          FROM actions WHERE id = ANY($1)
        """,
        list(ids),
    )
    postings = await _postings(reader, rows)
    chains = await _with_targets(reader, {row["undoes"] for row in rows if row["undoes"]})
    return {
        row["id"]: Undoable(
            id=row["id"],
            kind=row["kind"],
            root_kind=_root_kind(row["kind"], row["undoes"], chains),
            player_id=row["player_id"],
            user_id=row["user_id"],
            item_id=row["item_id"],
            before=row["before"],
            after=row["after"],
            undoes=row["undoes"],
            postings=postings[row["id"]],
        )
        for row in rows
    }


def _root_kind(
    kind: str, target: UUID | None, chains: Mapping[UUID, tuple[str, UUID | None]]
) -> str | None:
    while kind == "undo":
        if target is None or target not in chains:
            return None
        kind, target = chains[target]
    return kind


def _guild_of(before: Any, after: Any) -> UUID | None:
    state = after or before
    found = state.get("guild_id") if isinstance(state, dict) else None
    return UUID(found) if found else None


async def _postings(reader: Queryable, actions: Sequence[Any]) -> dict[UUID, list[LedgerPosting]]:
    """The postings of actions, found by their transaction id, which is indexed."""
    guilds = {_guild_of(action["before"], action["after"]) for action in actions}
    owners = {owner for owner in {*guilds, *(row["player_id"] for row in actions)} if owner}
    if not owners:
        return defaultdict(list)
    rows = await reader.rows(
        """
        SELECT player_id, seq, action_id, place, inside, slot, item_id, held_before, held_after,
               stat_buffs, bag_id, against, loss_id
          FROM postings
         WHERE player_id = ANY($1) AND xid = ANY($2::text[]::xid8[]) AND action_id = ANY($3)
         ORDER BY player_id, seq
        """,
        list(owners),
        list({action["xid"] for action in actions}),
        [action["id"] for action in actions],
    )
    found: dict[UUID, list[LedgerPosting]] = defaultdict(list)
    for row in rows:
        posting = LedgerPosting(**{**row, "stat_buffs": tuple(row["stat_buffs"])})
        found[posting.action_id].append(posting)
    return found


NONE: Mapping[UUID, Undoable] = {}


class Undos:
    """Which undo of each action is in effect, after any number of undos and redos."""

    def __init__(self) -> None:
        self._holding: dict[UUID, UUID] = {}
        self._target: dict[UUID, UUID] = {}

    @classmethod
    async def of(
        cls, reader: Queryable, ids: Sequence[UUID], known: Mapping[UUID, Undoable] = NONE
    ) -> "Undos":
        """
        The current undos of `ids`, and the undos of those; `known` are actions that were read.

        There is seldom a second level, so the first are read by one query each: PostgreSQL
        plans one recursive statement over many partitions longer than it runs these.
        """
        undos, read = cls(), set[UUID]()
        chains = {action.id: (action.kind, action.undoes) for action in known.values()}
        targets = {action.undoes for action in known.values() if action.undoes}
        chains |= await _with_targets(reader, {*ids, *targets} - chains.keys())
        unread = {*ids, *(target for _, target in chains.values() if target)}
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


async def _with_targets(
    reader: Queryable, ids: Collection[UUID]
) -> dict[UUID, tuple[str, UUID | None]]:
    """The kind and the target of each of `ids`, of the actions that these undid, and so on."""
    found: dict[UUID, tuple[str, UUID | None]] = {}
    for sql in (NAMED, NAMED, ALL_TARGETS):
        if not ids:
            break
        rows = await reader.rows(sql, list(ids))
        found |= {row["id"]: (row["kind"], row["undoes"]) for row in rows}
        ids = {row["undoes"] for row in rows if row["undoes"]} - found.keys()
    return found


NAMED = "SELECT id, kind, undoes FROM actions WHERE id = ANY($1)"

# OFFSET 0 prevents a join with all actions: PostgreSQL overestimates the number of levels.
ALL_TARGETS = """
    WITH RECURSIVE chain AS (
        SELECT id, kind, undoes FROM actions WHERE id = ANY($1)
         UNION
        SELECT level.id, level.kind, level.undoes
          FROM chain
          CROSS JOIN LATERAL (SELECT id, kind, undoes FROM actions
                               WHERE id = chain.undoes
                              OFFSET 0) AS level
    )
    SELECT id, kind, undoes FROM chain
"""
