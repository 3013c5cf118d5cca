"""Undo endpoints: an action, a transaction, or many actions (bulk undo)."""

from datetime import datetime
from uuid import UUID

from gamekeeper.api import step_up
from gamekeeper.api.path_parameters import ActionId, TransactionId
from gamekeeper.approvals import requests
from gamekeeper.approvals.requests import BEYOND_LIMITS
from gamekeeper.auth.authorisation import StepUpRequired
from gamekeeper.auth.principal import Principal
from gamekeeper.core.errors import InvalidBody
from gamekeeper.core.schemas import Body
from gamekeeper.db.database import Database, Reader
from gamekeeper.db.operations import AuditContext
from gamekeeper.history.undo import bulk, execute, rights
from gamekeeper.history.undo import transactions as whole
from gamekeeper.history.undo.bulk import Sweep, Swept
from gamekeeper.history.undo.execute import (
    AlreadyUndone,
    NotUndoable,
    UndoConflict,
    Undoing,
    UndoingTransaction,
    Undone,
)
from gamekeeper.history.undo.selection import What
from gamekeeper.history.undo.transactions import UndoneTransaction
from gamekeeper.http.routing import Routes
from gamekeeper.ledger.audit_log import ActionNotFound, subject_id
from gamekeeper.ledger.retention import AtTooOld
from gamekeeper.ledger.transactions import TransactionNotFound
from gamekeeper.players.lookup import PlayerNotFound, find_player_id
from gamekeeper.players.quotas import LimitExceeded
from gamekeeper.users.lookup import UserNotFound, find_user_id
from gamekeeper.users.ranks import Outranked

routes = Routes("/api/v1/actions")
transactions = Routes("/api/v1/transactions")

UNDO = "actions.undo"


class UndoAction(Body, frozen=True):
    dry_run: bool = False
    """Whether to only return what would happen, without changes."""
    partial: bool = False
    """Whether to undo as much as possible if there are conflicts."""
    reason: str | None = None
    """The reason, for the audit log; you can send the header `X-Reason` instead."""


@routes.post(
    "/{id}/undo",
    UNDO,
    raises=(
        *(ActionNotFound, Outranked, AlreadyUndone, NotUndoable, UndoConflict),
        *(*BEYOND_LIMITS, StepUpRequired),
    ),
)
async def undo_action(
    database: Database,
    caller: Principal,
    by: AuditContext,
    id: ActionId,  # noqa: A002
    body: UndoAction,
) -> Undone:
    """
    Undo an action, all or nothing.

    Besides `actions.undo` you need the scope of the change itself: `players.items`,
    `players.spells`, `players.variables`, `guilds.manage`, or `users.query` and `users.manage`.

    An undo is also an action and can be undone. If there are conflicts, the error lists them;
    with `partial` as much as possible is undone. With `dryrun` nothing is written, and the
    response shows what would happen.

    To undo a change of an email or of powers, a browser session must have verified its second
    factor within ten minutes, except with `dryrun`.
    """
    if caller.session and not body.dry_run and await rights.gives_access(database.reader, id):
        step_up.require(caller, database.settings)
    order = Undoing(by=by, action_id=id, partial=body.partial, caller=caller)
    change = execute.undo.preview if body.dry_run else execute.undo
    return await requests.carry_out(database, change, order)


class UndoActor(Body, frozen=True):
    from_: datetime
    """The first instant, for example `2026-03-14T18:00:00Z`."""
    to: datetime
    """The last instant; with `player` or `user`, the first instant after."""
    actor: str | None = None
    """The actor: `key:<id>`, `user:<id>` or `system`, as in the audit log."""
    player: str | None = None
    """Undo the losses of this character: its name or id."""
    user: str | None = None
    """Undo the losses of all characters of this account: its name or id."""
    what: What | None = None
    """With `player` or `user`: `left` (the default) or `all`, every change of the characters."""
    dry_run: bool = False
    """Whether to only count the outcomes, without changes."""
    partial: bool = False
    """Whether to undo as much as possible of each action if there are conflicts."""
    reason: str | None = None
    """The reason, for the audit log; you can send the header `X-Reason` instead."""
    cursor: UUID | None = None
    """The cursor of the next call: `Next` of the previous response."""


@routes.post(
    "/undo",
    UNDO,
    raises=(PlayerNotFound, UserNotFound, AtTooOld, *BEYOND_LIMITS),
    step_up=True,
)
async def undo_actor(
    database: Database, caller: Principal, by: AuditContext, body: UndoActor
) -> Swept:
    """
    Undo the actions of an actor, or the losses of a character or an account, newest first.

    Send exactly one of `actor`, `player` and `user`. With `actor`, all actions of that actor
    from `from` to `to`, both included. With `player` or `user`, the actions from `from` on and
    before `to` by which items or spells left the character, or any character of the account,
    by any actor; items moved between characters of the account did not leave it. With `what` set
    to `all`, every change of the characters in that time, including gifts. Undos, and the
    creation and deletion of characters, are not selected.

    At most 1,000 actions per call: continue with the `Next` of the response as `cursor` until
    it is null. Each action is undone completely or not at all, and with `player` or `user` so is
    each transaction. Actions that could not be undone are listed, including those beyond the
    permissions of the caller: with `role_required` or `outranked`. Passwords, keys, accounts
    and catalogs are never undone.

    `Recipients` lists the recipients of the items, and how much of them is returned; in a dry
    run, how much would be.
    """
    order = await _sweep(database.reader, caller, by, body)
    try:
        return await bulk.sweep(database, order, dry_run=body.dry_run)
    except LimitExceeded as beyond:
        await requests.request_one(database, order, beyond)


async def _sweep(reader: Reader, caller: Principal, by: AuditContext, body: UndoActor) -> Sweep:
    """The command, with ids for names: a character may be renamed before an approval."""
    given = [name for name in (body.actor, body.player, body.user) if name is not None]
    if len(given) != 1:
        raise InvalidBody("Send exactly one of 'actor', 'player' and 'user'.", field="actor")
    if body.actor is not None and body.what:
        raise InvalidBody("'what' needs 'player' or 'user'.", field="what")
    return Sweep(
        by=by,
        actor=body.actor,
        player_id=await subject_id(reader, body.player, find_player_id),
        user_id=await subject_id(reader, body.user, find_user_id),
        since=body.from_,
        until=body.to,
        what=body.what or "left",
        partial=body.partial,
        cursor=body.cursor,
        caller=caller,
    )


class UndoTransaction(Body, frozen=True):
    dry_run: bool = False
    """Whether to only return what would be done, without changes."""
    reason: str | None = None
    """The reason, for the audit log; you can send the header `X-Reason` instead."""


@transactions.post(
    "/{id}/undo",
    UNDO,
    raises=(TransactionNotFound, AlreadyUndone, UndoConflict, *BEYOND_LIMITS),
)
async def undo_transaction(
    database: Database,
    caller: Principal,
    by: AuditContext,
    id: TransactionId,  # noqa: A002
    body: UndoTransaction,
) -> UndoneTransaction:
    """
    Undo a whole transaction, on all sides or not at all.

    Besides `actions.undo` it needs the scopes of all its changes: `players.items` for a trade.
    Items go back to those who had them. If somebody no longer has them, or has no room, nothing
    is undone, and the refusal says who, how many, and to whom they were handed on.

    The undo is a transaction as well and can be undone. What was undone of it before, action by
    action, stays as it is. With `dryrun` nothing is written, and the answer is what it would be
    otherwise.
    """
    order = UndoingTransaction(by=by, transaction_id=id, caller=caller)
    change = whole.undo.preview if body.dry_run else whole.undo
    return await requests.carry_out(database, change, order)
