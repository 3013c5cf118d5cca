"""
Undo of actions: each undo is an action itself, so it can be undone in turn (redo).

The effect of an action is read from its postings or from its before and after states.
An undo is atomic unless `partial` is set: if the state has changed since, the error
lists every obstacle.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Self
from uuid import UUID

from msgspec.structs import replace

from gamekeeper.auth.principal import Principal
from gamekeeper.core.errors import Conflict, Problem
from gamekeeper.core.schemas import Record
from gamekeeper.db.database import Writer
from gamekeeper.db.operations import Command, previewable_operation
from gamekeeper.history.undo import characters, guilds, items, letters, rights, targets
from gamekeeper.history.undo.loaded_state import Loaded, load
from gamekeeper.history.undo.plan import Change, Obstacle, Result, blocked
from gamekeeper.history.undo.targets import UndoTargets
from gamekeeper.ledger.actions import Action
from gamekeeper.ledger.audit_log import ActionNotFound
from gamekeeper.ledger.kinds.registry import WHY_NOT
from gamekeeper.ledger.undoable import Undoable

SHARED = "This action is part of a transaction that moved items. Undo the transaction instead."


class AlreadyUndone(Conflict):
    """This action is already undone."""


class NotUndoable(Conflict):
    """Actions of this kind cannot be undone."""


class UndoConflict(Conflict):
    """The state has changed since; nothing was undone."""


class Undoing(Command, frozen=True, kw_only=True):
    action_id: UUID
    partial: bool = False
    """Undo what is possible, if not all is."""
    caller: Principal | None = None
    """The caller whose rights apply; None: the command line, which may undo everything."""


class UndoingTransaction(Command, frozen=True, kw_only=True):
    """Undo a whole transaction: `undo/transactions.py` carries it out."""

    transaction_id: UUID
    caller: Principal | None = None


UndoOrder = Undoing | UndoingTransaction

Refusals = Mapping[tuple[Principal | None, UUID], Problem]
"""The authorization errors, by caller and action."""


class Undone(Record, frozen=True):
    """The result of an undo or, in a dry run, its preview."""

    id: UUID | None
    """The undo's own id, by which it can be undone; null in a dry run."""
    undoes: UUID
    """The action that was undone."""
    kind: str
    """Of the action that was undone."""
    player_id: UUID | None
    user_id: UUID | None
    dry_run: bool
    complete: bool
    """Whether all of it was undone; only with `partial` it may be false."""
    done: list[Change]
    not_done: list[Obstacle]


@previewable_operation
async def undo(
    writer: Writer, orders: Sequence[Undoing], *, dry_run: bool
) -> list[Undone | Problem]:
    """
    Undo actions, in the order of the list.

    Every undo locks the player or user of its action. So of two concurrent undos of
    the same action, one waits for the other and then finds the action undone.
    """
    world = await World.of(writer, orders, dry_run=dry_run)
    outcomes = [world.undo(order) for order in orders]
    if not dry_run:
        await world.save(writer)
    return outcomes


class World:
    """The in-memory state (overlay) of everything that the actions to undo concern."""

    def __init__(
        self, targets: UndoTargets, loaded: Loaded, refused: Refusals, *, dry_run: bool
    ) -> None:
        self._targets = targets
        self._refused = refused
        self._dry_run = dry_run
        self._existing = loaded.existing
        self._undos = loaded.undos
        self._state = loaded.state
        self._losses = loaded.losses
        self._accounts = loaded.accounts
        self._owned = loaded.owned
        self._lifecycle = loaded.lifecycle
        self._access = loaded.access
        self._guilds = loaded.guilds
        self._charges = loaded.charges

    @classmethod
    async def of(cls, writer: Writer, orders: Sequence[UndoOrder], *, dry_run: bool) -> Self:
        named = await targets.read(
            writer,
            [order.action_id for order in orders if isinstance(order, Undoing)],
            [order.transaction_id for order in orders if isinstance(order, UndoingTransaction)],
        )
        existing = await (targets.find if dry_run else targets.lock)(writer, named)
        # Loaded after locking, to see what was undone while we waited for the lock.
        commands_by = [order.by for order in orders]
        loaded = await load(writer, named, existing, commands_by, dry_run=dry_run)
        refused = await _refusals(writer, orders, named)
        return cls(named, loaded, refused, dry_run=dry_run)

    def undo(self, order: Undoing) -> Undone | Problem:
        undone = self._targets.known.get(order.action_id)
        if undone is None:
            return ActionNotFound(f"No action with id '{order.action_id}'.")
        if undone.handler is None:
            return NotUndoable(WHY_NOT.get(undone.kind), kind=undone.kind)
        if refusal := self._refused.get((order.caller, undone.id)):
            return refusal
        if undone.is_shared:
            return NotUndoable(SHARED, kind=undone.kind, transaction=undone.transaction_id)
        if by := self._undos.of_action(undone.id):
            return AlreadyUndone(None, by=by)
        action = action_of(order, undone)
        begun, rollback = self._state.savepoint(), self._savepoint()
        result = self._missing(undone) or self._inverse(undone, action.id)
        if result.obstacles and not (order.partial and result.changes):
            rollback()
            return UndoConflict(None, in_the_way=result.obstacles)
        if self._charges and (beyond := self._charges.refusal(order.by, begun, [result])):
            rollback()
            return beyond
        self._undos.add(action.id, undone.id)
        if self._access:
            self._access.lifted_by(undone, order.by)
        self._state.record(replace(action, before=result.before, after=result.after))
        return self._outcome(undone, result, action)

    def _savepoint(self) -> Callable[[], None]:
        """Set a savepoint; returns the function that rolls back to it."""
        about = (self._accounts, self._lifecycle, self._owned, self._access, self._guilds)
        parts = [self._state, self._losses, *about]
        saved = [(part, part.savepoint()) for part in parts if part]

        def rollback() -> None:
            for part, savepoint in saved:
                part.rollback(savepoint)

        return rollback

    def _inverse(self, undone: Undoable, action: UUID) -> Result:
        """Apply the inverse in memory; the registry of kinds says which."""
        match undone.handler:
            case "items":
                return items.undo(self._state, self._losses, undone, action)
            case "spell":
                return characters.undo_spell(self._state, undone)
            case "variable":
                return characters.undo_variable(self._state, undone)
            case "owned_variable":
                assert self._owned
                return self._owned.undo(undone)
            case "sheet":
                return characters.undo_sheet(self._state, undone)
            case "level":
                return characters.undo_level(self._state, undone)
            case "email":
                assert self._accounts
                return self._accounts.undo_email(undone)
            case "powers":
                assert self._accounts
                return self._accounts.undo_powers(undone)
            case "lifecycle":
                assert self._lifecycle
                return self._lifecycle.undo(undone, action)
            case "access_ban":
                assert self._access
                return self._access.undo(undone)
            case "guild" | "guild_bank":
                assert self._guilds
                return guilds.undo(self._state, self._guilds, undone, action)
            case "letter":
                return letters.undo(self._state, self._losses, undone, action)
            case "inherited" | None:
                raise AssertionError(f"Action {undone.id} has no handler of its own.")

    def _missing(self, undone: Undoable) -> Result | None:
        """The obstacle if the action's player or user no longer exists; None otherwise."""
        if undone.handler == "lifecycle":
            return None
        if undone.player_id not in self._existing:
            return blocked(Obstacle(reason="player_gone", what="player", id=undone.player_id))
        if undone.user_id not in self._existing:
            return blocked(Obstacle(reason="user_gone", what="user", id=undone.user_id))
        return None

    def _outcome(self, undone: Undoable, result: Result, action: Action) -> Undone:
        return Undone(
            id=None if self._dry_run else action.id,
            undoes=undone.id,
            kind=undone.kind,
            player_id=undone.player_id,
            user_id=undone.user_id,
            dry_run=self._dry_run,
            complete=not result.obstacles,
            done=list(result.changes),
            not_done=list(result.obstacles),
        )

    async def save(self, writer: Writer) -> None:
        if self._accounts:
            await self._accounts.save(writer)
        for part in (self._owned, self._access):
            if part:
                await part.save(writer)
        if self._guilds:
            await self._guilds.save_guilds(writer)
        await self._state.save(writer)
        if self._guilds:
            await self._guilds.save(writer)
        # Last, so that a deleted character is archived with all other changes.
        if self._lifecycle:
            await self._lifecycle.save(writer)


def action_of(order: UndoOrder, undone: Undoable) -> Action:
    return Action(
        kind="undo",
        by=order.by,
        player_id=undone.player_id,
        user_id=undone.user_id,
        item_id=undone.item_id,
        undoes=undone.id,
    )


async def _refusals(
    writer: Writer, orders: Sequence[UndoOrder], named: UndoTargets
) -> dict[tuple[Principal | None, UUID], Problem]:
    """The authorization error for each caller and action that is refused."""
    wanted = {action.id: action for action in named.undoable}
    asked = [
        rights.UndoRequest(order.caller, wanted[action])
        for order in orders
        for action in (
            [order.action_id]
            if isinstance(order, Undoing)
            else named.members.get(order.transaction_id, ())
        )
        if order.caller and action in wanted
    ]
    if not asked:
        return {}
    found = await rights.refusals(writer, asked)
    return {
        (request.caller, request.action.id): refusal
        for request, refusal in zip(asked, found, strict=True)
        if refusal
    }
