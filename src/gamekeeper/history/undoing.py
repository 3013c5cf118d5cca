"""
Undo: any action taken back, by another action that can be taken back in its turn.

What an action did is read from its postings or from its states before and after.
It is undone whole or not at all, unless a part is welcome: if the world has moved
on, the refusal says exactly what is in the way.
"""

from collections.abc import Sequence
from uuid import UUID

from msgspec import Struct
from msgspec.structs import replace

from gamekeeper.access.callers import Caller
from gamekeeper.database import Writer
from gamekeeper.errors import Conflict, Problem
from gamekeeper.history import deeds, rights
from gamekeeper.history.changes import Change, Obstacle, Part, Plan, blocked
from gamekeeper.history.deeds import Deed
from gamekeeper.history.returning import Returning
from gamekeeper.history.standings import Emails, Powers
from gamekeeper.history.traits import Spells, Variables
from gamekeeper.ledger import actions
from gamekeeper.ledger.actions import Action
from gamekeeper.ledger.log import ActionNotFound
from gamekeeper.ledger.undos import Undos
from gamekeeper.operations import Order, operation
from gamekeeper.players.lookup import find_all as find_players
from gamekeeper.players.lookup import lock_all as lock_players
from gamekeeper.shapes import Record
from gamekeeper.users.lookup import find_all as find_users
from gamekeeper.users.lookup import lock as lock_users

UNDOABLE = frozenset(
    {"items.give", "items.take", "items.restore", "items.exchange", "spells.teach"}
    | {"spells.forget", "variables.set", "users.email", "users.powers", "undo"}
)
WHY_NOT = {
    "items.move": "Others had a part in it, or it only changed places; move it back.",
    "players.progress": "Set the former level and experience by a transaction.",
    "servers.register": "Stop the server instead.",
    "servers.stop": "Register the server again.",
    "users.register": "An account is not unmade; take its powers instead.",
    "users.password": "Former passwords are not kept; set a new one.",
    "keys.create": "A key is not unmade; revoke it.",
    "keys.revoke": "A revoked key stays revoked; make a new one.",
    "webhooks.create": "A webhook is not unmade; remove it.",
    "webhooks.change": "Former secrets are not kept; change it again.",
    "webhooks.remove": "A removed webhook is gone; make a new one.",
    "catalog.import": "Import the former catalog again.",
    "ledger.open": "It changed nothing; it says what was there when the ledger began.",
    "ledger.drop": "What was dropped is nowhere any more, except in a backup.",
}


class AlreadyUndone(Conflict):
    """That action is undone already."""


class NotUndoable(Conflict):
    """Actions of that kind cannot be undone."""


class UndoConflict(Conflict):
    """The world has moved on; nothing was undone."""


class Undoing(Order, frozen=True, kw_only=True):
    action_id: UUID
    partial: bool = False
    """Do what can be done, if not all can."""
    caller: Caller | None = None
    """Whose rights limit it; None: the command line, which may undo everything."""


class Undone(Record, frozen=True):
    """What an undo did or, if it was a dry run, would do."""

    id: UUID | None
    undoes: UUID
    kind: str
    player_id: UUID | None
    user_id: UUID | None
    dry_run: bool
    complete: bool
    done: list[Change]
    not_done: list[Obstacle]


@operation
async def undo(writer: Writer, orders: Sequence[Undoing]) -> list[Undone | Problem]:
    """
    Undo actions, in the order of the list.

    Of two that undo the same action at once one waits for the other, and then
    finds it undone: whoever undoes an action holds the player or user it was about.
    """
    world = await _World.of(writer, orders, lasting=True)
    outcomes = [world.undo(order) for order in orders]
    await world.save(writer)
    return outcomes


@operation
async def foresee(writer: Writer, orders: Sequence[Undoing]) -> list[Undone | Problem]:
    """What `undo` would answer to the same list now; nothing is locked and nothing written."""
    world = await _World.of(writer, orders, lasting=False)
    return [world.undo(order) for order in orders]


class _Parts(Struct, frozen=True):
    """The kinds of things that can be undone, and which deeds are about which."""

    items: Part
    spells: Part
    variables: Part
    emails: Part
    powers: Part

    def of(self, deed: Deed) -> Part:
        """The part a deed is about: its state says so, and an undo has its deed's state."""
        by_name = {
            "spell_id": self.spells,
            "variable_id": self.variables,
            "email": self.emails,
            "api": self.powers,
        }
        named = (part for name, part in by_name.items() if name in deed.state)
        return self.items if deed.moves else next(named, self.items)

    def all(self) -> list[Part]:
        return [self.items, self.spells, self.variables, self.emails, self.powers]


class _World:
    """All that the actions to be undone were about, held in memory while it is decided."""

    def __init__(self, known: dict[UUID, Deed], undos: Undos, *, lasting: bool) -> None:
        self._known = known
        self._undos = undos
        self._lasting = lasting
        self._there: set[UUID | None] = set()
        self._refused: dict[tuple[Caller | None, UUID], Problem] = {}
        self._parts = _Parts(Returning(), Spells(), Variables(), Emails(), Powers())
        self._loaded: list[Part] = []
        self._done: list[Action] = []

    @classmethod
    async def of(cls, writer: Writer, orders: Sequence[Undoing], *, lasting: bool) -> "_World":
        ids = [order.action_id for order in orders]
        known = await deeds.known(writer, ids)
        wanted = [deed for deed in known.values() if deed.kind in UNDOABLE]
        there = await _whom(writer, wanted, lock=lasting)
        # Only now: what was undone while we waited for the lock must be seen.
        world = cls(known, await Undos.of(writer, ids), lasting=lasting)
        world._there = {*there, None}
        world._refused = await _refusals(writer, orders, wanted)
        await world._load(writer, [deed for deed in wanted if world._missing(deed) is None])
        return world

    async def _load(self, writer: Writer, wanted: Sequence[Deed]) -> None:
        for part in self._parts.all():
            theirs = [deed for deed in wanted if self._parts.of(deed) is part]
            if theirs:
                await part.load(writer, theirs, lasting=self._lasting)
                self._loaded.append(part)

    def undo(self, order: Undoing) -> Undone | Problem:
        deed = self._known.get(order.action_id)
        if deed is None:
            return ActionNotFound(f"No action with id '{order.action_id}'.")
        if deed.kind not in UNDOABLE:
            return NotUndoable(WHY_NOT.get(deed.kind), kind=deed.kind)
        if refusal := self._refused.get((order.caller, deed.id)):
            return refusal
        if by := self._undos.of_action(deed.id):
            return AlreadyUndone(None, by=by)
        plan = self._missing(deed) or self._parts.of(deed).plan(deed)
        if plan.obstacles and not (order.partial and plan.changes):
            return UndoConflict(None, in_the_way=plan.obstacles)
        action = self._carry_out(order, deed, plan)
        return self._outcome(deed, plan, action)

    def _missing(self, deed: Deed) -> Plan | None:
        """The plan for what is about somebody who is no longer there."""
        if deed.player_id not in self._there:
            return blocked(Obstacle(reason="player_gone", what="player", id=deed.player_id))
        if deed.user_id not in self._there:
            return blocked(Obstacle(reason="user_gone", what="user", id=deed.user_id))
        return None

    def _carry_out(self, order: Undoing, deed: Deed, plan: Plan) -> Action:
        action = Action(
            kind="undo",
            by=order.by,
            player_id=deed.player_id,
            user_id=deed.user_id,
            item_id=deed.item_id,
            undoes=deed.id,
        )
        before, after = plan.carry_out(action.id)
        action = replace(action, before=before, after=after)
        self._undos.add(action.id, deed.id)
        self._done.append(action)
        return action

    def _outcome(self, deed: Deed, plan: Plan, action: Action) -> Undone:
        return Undone(
            id=action.id if self._lasting else None,
            undoes=deed.id,
            kind=deed.kind,
            player_id=deed.player_id,
            user_id=deed.user_id,
            dry_run=not self._lasting,
            complete=not plan.obstacles,
            done=list(plan.changes),
            not_done=list(plan.obstacles),
        )

    async def save(self, writer: Writer) -> None:
        for part in self._loaded:
            await part.save(writer)
        await actions.record(writer, self._done)


async def _refusals(
    writer: Writer, orders: Sequence[Undoing], deeds: Sequence[Deed]
) -> dict[tuple[Caller | None, UUID], Problem]:
    """Who may not undo which action."""
    known = {deed.id: deed for deed in deeds}
    wanted = [
        rights.Wanted(order.caller, known[order.action_id])
        for order in orders
        if order.action_id in known
    ]
    found = await rights.refusals(writer, wanted)
    return {
        (one.caller, one.deed.id): refusal
        for one, refusal in zip(wanted, found, strict=True)
        if refusal
    }


async def _whom(writer: Writer, wanted: Sequence[Deed], *, lock: bool) -> set[UUID]:
    """The players and users of deeds that are still there, players locked first."""
    players = sorted({str(deed.player_id) for deed in wanted if deed.player_id})
    users = sorted({str(deed.user_id) for deed in wanted if deed.user_id})
    found = await (lock_players if lock else find_players)(writer, players) if players else []
    if not users:
        return {player for player in found if player}
    if lock:
        await lock_users(writer, [UUID(user) for user in users])
    found += await find_users(writer, users)
    return {one for one in found if one}
