"""
Undo for the items of a transaction, on all sides at once.

Items that were moved go back by postings against `move`: they are taken from those who received
them and given to those who had them, so nothing is made or lost on the way. Items that were
granted or removed are undone as in the undo of a single action (`items`, `losses`).
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any
from uuid import UUID

from msgspec.structs import replace

from gamekeeper.history.undo.items import ItemUndo, Pool, change, holdings
from gamekeeper.history.undo.plan import Obstacle, Result, blocked
from gamekeeper.ledger.actions import LedgerPosting
from gamekeeper.ledger.losses import Losses
from gamekeeper.ledger.transactions import Flows
from gamekeeper.ledger.undoable import Undoable
from gamekeeper.players.state import State


def undo_items(
    state: State, losses: Losses, parts: Sequence[Undoable], actions: Mapping[UUID, UUID]
) -> dict[UUID, Result]:
    """
    Undo the items of all `parts` in memory; `actions` has the undo action of each.

    Items may have passed through several hands in one transaction, so the parts take and give
    in turn until nothing moves any more: what one gives back, another can then take.
    """
    if not _is_kept(parts):
        return {part.id: blocked(_dropped(part)) for part in parts}
    pool: Pool = Counter()
    savepoint = state.savepoint()
    sides = {
        part.id: ItemUndo(state, losses, _netted(part), actions[part.id], pool) for part in parts
    }
    before = {part.id: holdings(state, part) for part in parts}
    while any([side.take() for side in sides.values()] + [side.give() for side in sides.values()]):
        pass
    posted = state.inventory.posted_since(savepoint.inventory)
    return {
        part.id: Result(
            changes=[
                change(posting) for posting in posted if posting.action_id == actions[part.id]
            ],
            obstacles=sides[part.id].obstacles(),
            before=before[part.id],
            after=holdings(state, part),
        )
        for part in parts
    }


def _is_kept(parts: Sequence[Undoable]) -> bool:
    """
    Whether all postings exist: retention drops old months, on all sides or on one.

    An undo may have none from the start: of a middleman, through whose hands items passed, and
    of moves that balance each other.
    """
    flows = Flows(posting for part in parts for posting in part.postings)
    empty = [part for part in parts if not part.postings]
    passed = [part for part in empty if part.kind == "undo" and part.before == part.after]
    return flows.is_whole() and passed == empty


def _dropped(part: Undoable) -> Obstacle:
    return Obstacle(reason="no_longer_kept", what="item", id=part.item_id)


def _netted(part: Undoable) -> Undoable:
    """The action with one posting against `move` for each slot and kind: the balance of all."""
    rest: list[LedgerPosting] = []
    moved: dict[tuple[Any, ...], LedgerPosting] = {}
    for posting in part.postings:
        if posting.against != "move":
            rest.append(posting)
            continue
        key = (
            *(posting.place, posting.inside, posting.slot),
            *(posting.item_id, posting.stat_buffs, posting.bag_id),
        )
        known = moved.pop(key, None)
        quantity = posting.quantity + (known.quantity if known else 0)
        moved[key] = replace(posting, held_before=max(0, -quantity), held_after=max(0, quantity))
    return replace(
        part, postings=[*rest, *(posting for posting in moved.values() if posting.quantity)]
    )
