"""
Authorization of undo: an undo needs the same scopes as the change that it reverts.

The scope `actions.undo` is required for every undo. In addition the caller must be
allowed to make the change directly, so that an undo never bypasses a scope.
"""

from collections.abc import Mapping, Sequence
from uuid import UUID

from msgspec import Struct

from gamekeeper.auth.principal import Principal
from gamekeeper.core.errors import Problem, RoleRequired
from gamekeeper.db.database import Queryable, Reader
from gamekeeper.ledger.kinds.registry import ACTION_KINDS
from gamekeeper.ledger.undoable import Undoable
from gamekeeper.users import ranks
from gamekeeper.users.ranks import Management

SCOPES: Mapping[str, frozenset[str]] = {
    kind.name: frozenset(kind.undo.scopes)
    for kind in ACTION_KINDS.values()
    if kind.undo and kind.undo.handler != "inherited"
}
"""Scopes to undo each kind of action, besides `actions.undo`; an undo needs those of its target."""

ALL = frozenset[str]().union(*SCOPES.values())


class UndoRequest(Struct, frozen=True):
    """An action that a caller wants undone."""

    caller: Principal | None
    """None: the command line, which may undo everything."""
    action: Undoable


async def refusals(reader: Queryable, wanted: Sequence[UndoRequest]) -> list[Problem | None]:
    """The error for each request, None if it is allowed. Lock the accounts first."""
    asked = [request for request in wanted if request.caller]
    lacking = [_lacking(request) for request in asked]
    outranked = await ranks.refusals(reader, [_management(request) for request in asked])
    refused = iter([scope or rank for scope, rank in zip(lacking, outranked, strict=True)])
    return [next(refused) if request.caller else None for request in wanted]


def _lacking(wanted: UndoRequest) -> Problem | None:
    # If the target of an undo was dropped with its month, require all scopes, to be safe.
    needed = SCOPES.get(wanted.action.root_kind or "", ALL)
    missing = [scope for scope in needed if wanted.caller and not wanted.caller.may(scope)]
    return RoleRequired(min(missing)) if missing else None


def _management(wanted: UndoRequest) -> Management:
    """
    An undo of powers may grant the powers before the action, or those after it.

    Who may set a variable may set one of any account.
    """
    action = wanted.action
    if action.handler == "owned_variable":
        return Management(wanted.caller, None)
    states = [action.before, action.after] if action.handler == "powers" else []
    powers = [ranks.granted(state) for state in states if state]
    return Management(
        wanted.caller,
        action.user_id,
        frozenset().union(*powers),
        takes_over=action.handler == "email",
    )


async def gives_access(reader: Reader, action: UUID) -> bool:
    """Whether an undo of this action changes an email or powers; an action never changes."""
    found = await reader.value(
        """
        SELECT true FROM actions
         WHERE id = $1
           AND (kind IN ('users.email', 'users.powers')
                OR kind = 'undo' AND (after ? 'email' OR after ? 'api'))
        """,
        action,
    )
    return bool(found)
