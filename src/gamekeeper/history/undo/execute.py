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
from gamekeeper.db.operations import Command, operation
from gamekeeper.history.undo import characters, items, lifecycle, owned_variables, rights
from gamekeeper.history.undo.accounts import AccountState
from gamekeeper.history.undo.charges import Charges
from gamekeeper.history.undo.lifecycle import LifecycleState
from gamekeeper.history.undo.owned_variables import OwnedVariables
from gamekeeper.history.undo.plan import Change, Obstacle, Result, blocked
from gamekeeper.ledger import transactions, undoable
from gamekeeper.ledger.actions import Action
from gamekeeper.ledger.audit_log import ActionNotFound
from gamekeeper.ledger.kinds.registry import UNDOABLE, WHY_NOT
from gamekeeper.ledger.losses import Losses
from gamekeeper.ledger.undoable import Undoable, Undos
from gamekeeper.players.lookup import find_player_ids
from gamekeeper.players.state import Needs, State
from gamekeeper.players.state import lock_all as lock_players
from gamekeeper.users.lookup import find_user_ids
from gamekeeper.users.lookup import lock as lock_users

SHARED = "It is a part of a transaction, in which items were moved; undo the transaction."


class AlreadyUndone(Conflict):
    """That action is undone already."""


class NotUndoable(Conflict):
    """Actions of that kind cannot be undone."""


class UndoConflict(Conflict):
    """The world has moved on; nothing was undone."""


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


class Undone(Record, frozen=True):
    """What an undo did or, in a dry run, would do."""

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


@operation
async def undo(writer: Writer, orders: Sequence[Undoing]) -> list[Undone | Problem]:
    """
    Undo actions, in the order of the list.

    Every undo locks the player or user of its action. So of two concurrent undos of
    the same action, one waits for the other and then finds the action undone.
    """
    world = await World.of(writer, orders, lasting=True)
    outcomes = [world.undo(order) for order in orders]
    await world.save(writer)
    return outcomes


@operation
async def foresee(writer: Writer, orders: Sequence[Undoing]) -> list[Undone | Problem]:
    """Dry run: what `undo` would return for the same list now, without locks and writes."""
    world = await World.of(writer, orders, lasting=False)
    return [world.undo(order) for order in orders]


class World:
    """The in-memory state (overlay) of everything that the actions to undo concern."""

    def __init__(
        self, state: State, losses: Losses, known: dict[UUID, Undoable], *, lasting: bool
    ) -> None:
        self._state = state
        self._losses = losses
        self._known = known
        self._lasting = lasting
        self._accounts: AccountState | None = None
        self._lifecycle: LifecycleState | None = None
        self._owned: OwnedVariables | None = None
        self._members: dict[UUID, list[UUID]] = {}
        self._undos = Undos()
        self._there: set[UUID | None] = set()
        self._refused: dict[tuple[Principal | None, UUID], Problem] = {}
        self._charges = Charges(state)

    @classmethod
    async def of(cls, writer: Writer, orders: Sequence[UndoOrder], *, lasting: bool) -> Self:
        wholes = [one.transaction_id for one in orders if isinstance(one, UndoingTransaction)]
        members = await transactions.members(writer, wholes) if wholes else {}
        named = [order.action_id for order in orders if isinstance(order, Undoing)]
        named += [action for actions in members.values() for action in actions]
        known = await undoable.read(writer, named)
        wanted = [action for action in known.values() if action.kind in UNDOABLE]
        players, users = await _lock(writer, wanted, lock=lasting)
        there = {*players, *users, None}
        if lasting and (gone := {one.player_id for one in wanted} - there):
            await lifecycle.lock(writer, gone)
        owned = [one for one in wanted if _is_owned(one)]
        if lasting and owned:
            await owned_variables.lock(writer, owned)
        coming = [one for one in wanted if _is_lifecycle(one)]
        mine = [
            one
            for one in wanted
            if one.player_id in there and one.user_id in there and one not in coming
        ]
        # Read after locking, to see what was undone while we waited for the lock.
        undos = await Undos.of(writer, named)
        state = await State.load(writer, {str(player): player for player in players}, _needs(mine))
        losses = await Losses.of(writer, [one for one in mine if one.postings])
        world = cls(state, losses, known, lasting=lasting)
        world._undos = undos
        world._there = there
        world._refused = await _refusals(writer, orders, wanted, members)
        world._members = members
        if about_accounts := [one for one in mine if one.user_id]:
            world._accounts = await AccountState.load(writer, about_accounts, lasting=lasting)
        if owned:
            world._owned = await OwnedVariables.load(writer, owned)
        if coming:
            world._lifecycle = await LifecycleState.load(writer, coming, lasting=lasting)
        if lasting:
            await world._charges.lock(writer, [order.by for order in orders], coming)
        return world

    def undo(self, order: Undoing) -> Undone | Problem:
        undone = self._known.get(order.action_id)
        if undone is None:
            return ActionNotFound(f"No action with id '{order.action_id}'.")
        if undone.kind not in UNDOABLE:
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
        # A dry run counts nothing.
        if self._lasting and (beyond := self._charges.refusal(order.by, begun, [result])):
            rollback()
            return beyond
        self._undos.add(action.id, undone.id)
        self._state.record(replace(action, before=result.before, after=result.after))
        return self._outcome(undone, result, action)

    def _savepoint(self) -> Callable[[], None]:
        """Set a savepoint; returns the function that rolls back to it."""
        parts = [self._state, self._losses, self._accounts, self._lifecycle, self._owned]
        saved = [(part, part.savepoint()) for part in parts if part]

        def rollback() -> None:
            for part, savepoint in saved:
                part.rollback(savepoint)

        return rollback

    def _inverse(self, undone: Undoable, action: UUID) -> Result:
        """Apply the inverse in memory. The action's states tell what it changed."""
        about = undone.state
        if self._lifecycle and _is_lifecycle(undone):
            return self._lifecycle.undo(undone, action)
        if undone.postings:
            return items.undo(self._state, self._losses, undone, action)
        if "spell_id" in about:
            return characters.undo_spell(self._state, undone)
        if self._owned and _is_owned(undone):
            return self._owned.undo(undone)
        if "variable_id" in about:
            return characters.undo_variable(self._state, undone)
        if "sheet" in about:
            return characters.undo_sheet(self._state, undone)
        if "level" in about:
            return characters.undo_level(self._state, undone)
        if self._accounts and "email" in about:
            return self._accounts.undo_email(undone)
        if self._accounts and "api" in about:
            return self._accounts.undo_powers(undone)
        return items.undo(self._state, self._losses, undone, action)

    def _missing(self, undone: Undoable) -> Result | None:
        """The obstacle if the action's player or user no longer exists; None otherwise."""
        if _is_lifecycle(undone):
            return None
        if undone.player_id not in self._there:
            return blocked(Obstacle(reason="player_gone", what="player", id=undone.player_id))
        if undone.user_id not in self._there:
            return blocked(Obstacle(reason="user_gone", what="user", id=undone.user_id))
        return None

    def _outcome(self, undone: Undoable, result: Result, action: Action) -> Undone:
        return Undone(
            id=action.id if self._lasting else None,
            undoes=undone.id,
            kind=undone.kind,
            player_id=undone.player_id,
            user_id=undone.user_id,
            dry_run=not self._lasting,
            complete=not result.obstacles,
            done=list(result.changes),
            not_done=list(result.obstacles),
        )

    async def save(self, writer: Writer) -> None:
        if self._accounts:
            await self._accounts.save(writer)
        if self._owned:
            await self._owned.save(writer)
        await self._state.save(writer)
        # Last, so that a deleted character is archived with all other changes.
        if self._lifecycle:
            await self._lifecycle.save(writer)


def _is_lifecycle(undone: Undoable) -> bool:
    """Whether a character was created, deleted or renamed; it need not exist for the undo."""
    return "character" in undone.state or (not undone.postings and "name" in undone.state)


def _is_owned(undone: Undoable) -> bool:
    """Whether it set a variable of an account or of the game, not of a character."""
    return undone.player_id is None and "variable_id" in undone.state


def action_of(order: UndoOrder, undone: Undoable) -> Action:
    return Action(
        kind="undo",
        by=order.by,
        player_id=undone.player_id,
        user_id=undone.user_id,
        item_id=undone.item_id,
        undoes=undone.id,
    )


def _needs(wanted: Sequence[Undoable]) -> Needs:
    plain = [one.state for one in wanted if not one.postings and not _is_owned(one)]
    sheets = [one.before for one in wanted if "sheet" in one.state]
    return Needs(
        items={item for one in wanted for item in one.item_ids},
        spells={UUID(about["spell_id"]) for about in plain if "spell_id" in about},
        variables={UUID(about["variable_id"]) for about in plain if "variable_id" in about},
        progress=any("level" in about for about in plain),
        sheets=bool(sheets),
        classes={UUID(one) for about in sheets if (one := about["sheet"].get("class_id"))},
        inventory=bool(sheets),
        bags=any(one.is_shared for one in wanted),
    )


async def _refusals(
    writer: Writer,
    orders: Sequence[UndoOrder],
    wanted: Sequence[Undoable],
    members: Mapping[UUID, Sequence[UUID]],
) -> dict[tuple[Principal | None, UUID], Problem]:
    """The authorization error for each caller and action that is refused."""
    known = {action.id: action for action in wanted}
    asked = [
        rights.UndoRequest(order.caller, known[action])
        for order in orders
        for action in (
            [order.action_id]
            if isinstance(order, Undoing)
            else members.get(order.transaction_id, ())
        )
        if order.caller and action in known
    ]
    if not asked:
        return {}
    found = await rights.refusals(writer, asked)
    return {
        (one.caller, one.action.id): refusal
        for one, refusal in zip(asked, found, strict=True)
        if refusal
    }


async def _lock(
    writer: Writer, wanted: Sequence[Undoable], *, lock: bool
) -> tuple[list[UUID], list[UUID]]:
    """The existing players and users of actions; with `lock`, players are locked first."""
    players = sorted({str(action.player_id) for action in wanted if action.player_id})
    lives = [action for action in wanted if "character" in action.state]
    owners = lifecycle.accounts(lives) if lives else set()
    users = sorted({str(one) for one in {*owners, *(action.user_id for action in wanted)} if one})
    found = await (lock_players if lock else find_player_ids)(writer, players) if players else []
    if users and lock:
        await lock_users(writer, [UUID(user) for user in users])
    accounts = await find_user_ids(writer, users) if users else []
    return [one for one in found if one], [one for one in accounts if one]
