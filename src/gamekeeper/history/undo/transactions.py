"""
Undo of whole transactions: every side of a trade at once, or nothing.

The undo of a transaction is a transaction itself: one undo action for each of its actions,
which share a new id. So it can be undone in turn (redo), and no side can be undone alone.
Actions of the transaction that were undone one by one before are left as they are.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Self
from uuid import UUID

import msgspec
from msgspec.structs import asdict, replace

from gamekeeper.core import ids
from gamekeeper.core.errors import Problem
from gamekeeper.core.schemas import Record
from gamekeeper.db.database import Queryable, Writer
from gamekeeper.db.operations import previewable_operation
from gamekeeper.history.undo import letters
from gamekeeper.history.undo.conflicts import MOST_IN_BULK, TradeObstacle, explain
from gamekeeper.history.undo.execute import (
    AlreadyUndone,
    UndoConflict,
    Undoing,
    UndoingTransaction,
    Undone,
    UndoOrder,
    World,
    action_of,
)
from gamekeeper.history.undo.moved_items import undo_items
from gamekeeper.history.undo.plan import Change, Result
from gamekeeper.ledger.actions import Action
from gamekeeper.ledger.transactions import TransactionNotFound
from gamekeeper.ledger.undoable import Undoable
from gamekeeper.players.lookup import Party, names_of, parties


class UndoneAction(Record, frozen=True):
    """The outcome of one action of a transaction."""

    id: UUID | None
    """The undo action in the log; null in a dry run."""
    undoes: UUID
    """The action that was undone."""
    kind: str
    """Of the action that was undone."""
    player_id: UUID | None
    player_name: str | None
    done: list[Change]


class UndoneTransaction(Record, frozen=True):
    """The result of the undo of a transaction or, in a dry run, its preview."""

    id: UUID | None
    """The undo's own id as a transaction, by which it can be undone; null in a dry run."""
    undoes: UUID
    """The transaction that was undone."""
    dry_run: bool
    players: list[Party]
    actions: list[UndoneAction]
    """The outcome for each of its actions that was not undone yet."""


@previewable_operation
async def undo(
    writer: Writer, orders: Sequence[UndoingTransaction], *, dry_run: bool
) -> list[UndoneTransaction | Problem]:
    """Undo whole transactions, in the order of the list; locks all their characters."""
    world = await TransactionWorld.of(writer, orders, dry_run=dry_run)
    outcomes = [world.undo_transaction(order) for order in orders]
    explained = await explain(writer, world, orders, outcomes)
    if not dry_run:
        await world.save(writer)
    return explained


@previewable_operation
async def undo_any(
    writer: Writer, orders: Sequence[UndoOrder], *, dry_run: bool
) -> list[Undone | UndoneTransaction | Problem]:
    """Undo actions and whole transactions, in the order of the list."""
    world = await TransactionWorld.of(writer, orders, dry_run=dry_run)
    outcomes = await world.undo_each(writer, orders)
    if not dry_run:
        await world.save(writer)
    return outcomes


class TransactionWorld(World):
    """The state of everything that the actions and the transactions to undo concern."""

    names: Mapping[UUID, str]

    @classmethod
    async def of(cls, writer: Writer, orders: Sequence[UndoOrder], *, dry_run: bool) -> Self:
        world = await super().of(writer, orders, dry_run=dry_run)
        parts = [part for order in orders for part in world.parts_of(order)]
        world.names = await names_of(writer, [part.player_id for part in parts if part.player_id])
        return world

    def parts(self, transaction: UUID) -> list[Undoable]:
        """The actions of a transaction; none if it is unknown."""
        return [
            self._targets.known[action] for action in self._targets.members.get(transaction, ())
        ]

    def parts_of(self, order: UndoOrder) -> list[Undoable]:
        """The actions that an order undoes, as far as they are known."""
        if isinstance(order, UndoingTransaction):
            return self.parts(order.transaction_id)
        known = self._targets.known.get(order.action_id)
        return [known] if known else []

    async def undo_each(
        self, reader: Queryable, orders: Sequence[UndoOrder]
    ) -> list[Undone | UndoneTransaction | Problem]:
        """Undo the orders of a bulk undo in memory; the outcomes explain their conflicts."""
        outcomes = [
            self.undo(order) if isinstance(order, Undoing) else self.undo_transaction(order)
            for order in orders
        ]
        return await explain(reader, self, orders, outcomes, MOST_IN_BULK)

    def undo_transaction(self, order: UndoingTransaction) -> UndoneTransaction | Problem:
        """Undo those of a transaction's actions that are in effect, all of them or none."""
        parts = self.parts(order.transaction_id)
        if not parts:
            return TransactionNotFound(f"No transaction with id '{order.transaction_id}'.")
        for part in parts:
            if refusal := self._refused.get((order.caller, part.id)):
                return refusal
        left = _in_order([part for part in parts if not self._undos.of_action(part.id)])
        if not left:
            by = self._undos.of_action(parts[0].id)
            return AlreadyUndone("This transaction is already undone.", by=by)
        made = ids.new_id()
        actions = {part.id: action_of(order, part) for part in left}
        begun, rollback = self._state.savepoint(), self._savepoint()
        results = self._inverses(left, actions)
        if obstacles := self._in_the_way(left, results):
            rollback()
            return UndoConflict(None, in_the_way=obstacles)
        if self._charges and (beyond := self._charges.refusal(order.by, begun, results.values())):
            rollback()
            return beyond
        for part in left:
            self._record(part, results[part.id], actions[part.id], made)
        return UndoneTransaction(
            id=None if self._dry_run else made,
            undoes=order.transaction_id,
            dry_run=self._dry_run,
            players=parties(
                self.names, sorted({part.player_id for part in parts if part.player_id})
            ),
            actions=[
                self._shown(action, results[action.id], actions[action.id]) for action in left
            ],
        )

    def _inverses(
        self, parts: Sequence[Undoable], actions: Mapping[UUID, Action]
    ) -> dict[UUID, Result]:
        """Apply the inverse of each part in memory."""
        missing = {part.id: gone for part in parts if (gone := self._missing(part))}
        if missing:
            return missing
        ids_of = {part: action.id for part, action in actions.items()}
        items = [part for part in parts if _moves_items(part)]
        results = undo_items(self._state, self._losses, items, ids_of) if items else {}
        letters.undo_parts(self._state, parts, results)
        for part in parts:
            if part.id not in results:
                results[part.id] = self._inverse(part, ids_of[part.id])
        return results

    def _in_the_way(
        self, parts: Sequence[Undoable], results: Mapping[UUID, Result]
    ) -> list[TradeObstacle]:
        return [
            TradeObstacle(
                **asdict(obstacle),
                player_id=part.player_id,
                player_name=self.names.get(part.player_id) if part.player_id else None,
            )
            for part in parts
            if part.id in results
            for obstacle in results[part.id].obstacles
        ]

    def _record(self, part: Undoable, result: Result, action: Action, made: UUID) -> None:
        self._undos.add(action.id, part.id)
        before, after = (_noted(state, made) for state in (result.before, result.after))
        self._state.record(replace(action, before=before, after=after))

    def _shown(self, part: Undoable, result: Result, action: Action) -> UndoneAction:
        return UndoneAction(
            id=None if self._dry_run else action.id,
            undoes=part.id,
            kind=part.kind,
            player_id=part.player_id,
            player_name=self.names.get(part.player_id) if part.player_id else None,
            done=list(result.changes),
        )


def _moves_items(part: Undoable) -> bool:
    return part.handler == "items" or (part.handler == "letter" and letters.has_items(part))


def _in_order(parts: Sequence[Undoable]) -> list[Undoable]:
    """Parts in the order of their undo: items, so that they can be worn; then the last first."""
    items = [part for part in parts if _moves_items(part)]
    return [*items, *(part for part in reversed(parts) if part not in items)]


def _noted(state: Any, transaction: UUID) -> Any:
    """The state that an action records, with the id of its transaction."""
    return state and {**msgspec.to_builtins(state), "transaction": str(transaction)}
