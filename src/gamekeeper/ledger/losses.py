"""
Losses: items that actions removed, and how many of them have not been returned.

A removal, or the undo of a gift, opens a loss with the id of its action. An undo or a restore
returns items only out of a loss, and its posting names that loss. An undo that takes such
items again puts them back into it. So for each item, with its buffs,

    held + lost and not returned = granted

after every step, in whatever order items are undone, redone, restored and traded. Items
returned twice would make a loss negative, and no loss ever is.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any, LiteralString
from uuid import UUID

from msgspec import Struct

from gamekeeper.db.database import Queryable
from gamekeeper.ledger import undoable
from gamekeeper.ledger.actions import LAST_SEQ, LedgerPosting
from gamekeeper.ledger.places import TRANSFERS
from gamekeeper.ledger.undoable import Undoable

Kind = tuple[UUID, tuple[int, ...]]
"""An item and its stat buffs; not the bag's id, because a restored bag gets a new one."""


def loss_of(action: Undoable, posting: LedgerPosting) -> UUID:
    """The loss that a posting of `action` drew from or added to."""
    return posting.loss_id or action.id


def kind_of(posting: LedgerPosting) -> Kind:
    return posting.item_id, posting.stat_buffs


class Losses:
    """The losses that some actions refer to, less what has been returned since."""

    def __init__(self) -> None:
        self._left: Counter[tuple[UUID, Kind]] = Counter()
        self._opened: dict[UUID, Undoable] = {}

    @classmethod
    async def of(cls, reader: Queryable, undone: Sequence[Undoable]) -> "Losses":
        """The current losses, for everything that an undo of these would return."""
        losses = cls()
        named = {
            loss_of(action, posting)
            for action in undone
            for posting in action.postings
            if posting.against not in TRANSFERS
        }
        others = await undoable.read(reader, list(named - {action.id for action in undone}))
        for action in [*undone, *others.values()]:
            losses._open(action)
        for row in await _returns(reader, undone):
            losses._note(row)
        return losses

    def left(self, loss: UUID, kind: Kind) -> int:
        """How many are lost and not returned."""
        return max(0, self._left[loss, kind])

    def is_kept(self, loss: UUID) -> bool:
        """Whether the postings of the loss still exist (retention drops old months)."""
        return loss in self._opened

    def change(self, loss: UUID, kind: Kind, quantity: int) -> None:
        """Return `quantity` out of a loss or, if negative, put it back."""
        self._left[loss, kind] -= quantity

    def savepoint(self) -> Counter[tuple[UUID, Kind]]:
        return self._left.copy()

    def rollback(self, savepoint: Counter[tuple[UUID, Kind]]) -> None:
        self._left = savepoint

    def _open(self, action: Undoable) -> None:
        for posting in action.postings:
            # Items that were passed on are not lost: another character has them.
            if (
                posting.loss_id is None
                and posting.quantity < 0
                and posting.against not in TRANSFERS
            ):
                self._opened[action.id] = action
                self._left[action.id, kind_of(posting)] -= posting.quantity

    def _note(self, row: Any) -> None:
        kind = row["item_id"], tuple(row["stat_buffs"])
        if row["loss_id"] is not None:
            self.change(row["loss_id"], kind, row["quantity"])
            return
        # A version without losses returned this and did not record from which one. To be
        # safe it counts against every earlier loss.
        for action in self._opened.values():
            if action.player_id == row["player_id"] and (action.postings[0].seq or 0) < row["seq"]:
                self.change(action.id, kind, row["quantity"])


# Postings that returned items or, if they name a loss, took them again.
RETURNS: LiteralString = """
    SELECT player_id, seq, loss_id, item_id, stat_buffs, quantity
      FROM postings
     WHERE player_id = ANY($1) AND item_id = ANY($2) AND against IN ('undo', 'restore')
       AND (loss_id IS NOT NULL OR quantity > 0)
"""


async def _returns(reader: Queryable, undone: Sequence[Undoable]) -> list[Any]:
    """All postings of undos and restores on these players and items."""
    return await reader.rows(
        RETURNS,
        list({action.player_id for action in undone}),
        list({posting.item_id for action in undone for posting in action.postings}),
    )


class Restorable(Struct):
    """What a character has lost since an instant: for each kind, the losses and quantities."""

    losses: dict[Kind, list[tuple[UUID, int]]]
    """Newest first."""

    def total(self, kind: Kind) -> int:
        return sum(quantity for _, quantity in self.losses.get(kind, ()))

    def draw(self, kind: Kind, quantity: int) -> list[tuple[UUID, int]]:
        """Take `quantity` out of the losses, newest first."""
        drawn: list[tuple[UUID, int]] = []
        left: list[tuple[UUID, int]] = []
        for loss, there in self.losses.get(kind, ()):
            taken = min(quantity, there)
            quantity -= taken
            drawn += [(loss, taken)] if taken else []
            left += [(loss, there - taken)] if there > taken else []
        self.losses[kind] = left
        return drawn


async def restorable(
    reader: Queryable, player: UUID, at: datetime, wanted: Mapping[Kind, int]
) -> Restorable:
    """
    What a restore to `at` may return: items removed since and not returned.

    At least as many of each kind as are wanted, if so many were lost. Items taken by the undo of a
    gift are excluded: the player was not entitled to them.
    """
    if not wanted:
        return Restorable({})
    rows = await reader.rows(
        RESTORABLE,
        player,
        at,
        [item for item, _ in wanted],
        [f"{{{','.join(map(str, buffs))}}}" for _, buffs in wanted],
        list(wanted.values()),
    )
    undone = await _undos(
        reader, (row["loss"] for row in rows if not row["is_removal"] and not row["is_other"])
    )
    lost: dict[Kind, list[tuple[UUID, int]]] = defaultdict(list)
    unnamed: Counter[Kind] = Counter()
    for row in rows:
        kind, quantity = (row["item_id"], tuple(row["stat_buffs"])), row["quantity"]
        if row["is_other"]:
            # The undo of a gift or, if items were added, a return by a version without losses.
            unnamed[kind] += max(0, -quantity)
        elif row["loss"] not in undone and quantity > 0:
            lost[kind].append((row["loss"], quantity))
    found = Restorable(lost)
    for kind, quantity in unnamed.items():
        found.draw(kind, quantity)
    return found


# A long history has tens of thousands of removals. Of each kind, the newest that suffice are sent:
# what is wanted, and what returns without the name of a loss draw from them first (`unnamed`).
RESTORABLE: LiteralString = f"""
    WITH lost AS (
        SELECT coalesce(loss_id, action_id) AS loss, item_id, stat_buffs,
               -sum(quantity)::bigint AS quantity,
               bool_or(against = 'removal') AS is_removal,
               bool_or(loss_id IS NULL AND against <> 'removal') AS is_other,
               max(seq) AS seq
          FROM postings
         WHERE player_id = $1 AND at > $2 AND seq > {LAST_SEQ}
           AND against IN ('removal', 'undo', 'restore') AND item_id = ANY($3::uuid[])
         GROUP BY 1, 2, 3
    ), summed AS (
        SELECT lost.*, wanted.quantity AS wanted,
               sum(lost.quantity) FILTER (WHERE is_removal AND NOT is_other AND lost.quantity > 0)
                   OVER (of_kind ORDER BY seq DESC
                         ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS newer,
               sum(-lost.quantity) FILTER (WHERE is_other AND lost.quantity < 0)
                   OVER of_kind AS unnamed
          FROM lost
          JOIN (SELECT item_id, buffs::int[] AS stat_buffs, quantity
                  FROM unnest($3::uuid[], $4::text[], $5::bigint[])
                       AS given (item_id, buffs, quantity)) AS wanted
               USING (item_id, stat_buffs)
        WINDOW of_kind AS (PARTITION BY item_id, stat_buffs)
    )
    SELECT loss, item_id, stat_buffs, quantity, is_removal, is_other
      FROM summed
     WHERE is_other OR NOT is_removal
        OR quantity > 0 AND coalesce(newer, 0) < wanted + coalesce(unnamed, 0)
     ORDER BY seq DESC
"""


async def _undos(reader: Queryable, actions: Iterable[UUID]) -> set[UUID]:
    """Those of `actions` that are undos: they took gifts."""
    if not (wanted := list(actions)):
        return set()
    rows = await reader.rows("SELECT id FROM actions WHERE id = ANY($1) AND kind = 'undo'", wanted)
    return {row["id"] for row in rows}
