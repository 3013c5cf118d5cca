"""
Deeds: actions read back to be undone, with the postings that belong to them.

Actions and postings are never changed, so they may be read before anything is
locked. Whether an action is undone already may change, and is read after.
"""

from collections import defaultdict
from collections.abc import Sequence
from typing import Any
from uuid import UUID

from msgspec import Struct

from gamekeeper.database import Reader


class Move(Struct, frozen=True, kw_only=True):
    """A posting: so many of one thing came into a slot, or went if negative."""

    seq: int
    place: str
    slot: int
    item_id: UUID
    quantity: int
    stat_buffs: tuple[int, ...]
    bag_id: UUID | None
    loss_id: UUID | None


class Deed(Struct, frozen=True, kw_only=True):
    id: UUID
    kind: str
    player_id: UUID | None
    user_id: UUID | None
    item_id: UUID | None
    before: Any
    after: Any
    moves: list[Move]

    @property
    def state(self) -> Any:
        """Whichever of the two states says what the deed was about."""
        return self.after or self.before or {}


async def known(reader: Reader, ids: Sequence[UUID]) -> dict[UUID, Deed]:
    if not ids:
        return {}
    rows = await reader.rows(
        """
        SELECT id, kind, player_id, user_id, item_id, before, after, xid::text
          FROM actions WHERE id = ANY($1)
        """,
        list(ids),
    )
    moves = await _moves(reader, [row for row in rows if row["player_id"]])
    return {
        row["id"]: Deed(
            moves=moves[row["id"]],
            **{name: row[name] for name in Deed.__struct_fields__ if name != "moves"},
        )
        for row in rows
    }


async def _moves(reader: Reader, actions: Sequence[Any]) -> dict[UUID, list[Move]]:
    """The postings of actions, found by their transaction, for which there is an index."""
    rows = await reader.rows(
        """
        SELECT action_id, seq, place, slot, item_id, quantity, stat_buffs, bag_id, loss_id
          FROM postings
         WHERE player_id = ANY($1) AND xid = ANY($2::text[]::xid8[]) AND action_id = ANY($3)
         ORDER BY player_id, seq
        """,
        list({action["player_id"] for action in actions}),
        list({action["xid"] for action in actions}),
        [action["id"] for action in actions],
    )
    moves: dict[UUID, list[Move]] = defaultdict(list)
    for row in rows:
        about: dict[str, Any] = dict(row)
        about["stat_buffs"] = tuple(row["stat_buffs"])
        moves[about.pop("action_id")].append(Move(**about))
    return moves
