"""
Rights to undo: who undoes an action changes the same thing, and needs the same scope.

The scope `actions.undo` opens the door to undoing. What may be undone behind it is
what the caller may change directly, so that an undo is never a way round a scope.
"""

from collections.abc import Mapping, Sequence
from uuid import UUID

from msgspec import Struct

from gamekeeper.auth.principal import Principal
from gamekeeper.core.errors import Problem, RoleRequired
from gamekeeper.db.database import Reader
from gamekeeper.ledger.undoable import Undoable
from gamekeeper.users import ranks
from gamekeeper.users.ranks import Management

SCOPES: Mapping[str, frozenset[str]] = {
    "items.give": frozenset({"players.items"}),
    "items.take": frozenset({"players.items"}),
    "items.restore": frozenset({"players.items"}),
    "items.exchange": frozenset({"players.items"}),
    "spells.teach": frozenset({"players.spells"}),
    "spells.forget": frozenset({"players.spells"}),
    "variables.set": frozenset({"players.variables"}),
    "players.create": frozenset({"players.manage"}),
    "players.rename": frozenset({"players.manage"}),
    "players.class": frozenset({"players.manage"}),
    "players.sheet": frozenset({"players.manage"}),
    "players.progress": frozenset({"players.manage"}),
    "players.delete": frozenset({"players.manage"}),
    "users.email": frozenset({"users.query", "users.manage"}),
    "users.powers": frozenset({"users.query", "users.manage"}),
}
"""What undoing each kind of action needs besides `actions.undo`; an undo needs what it undid."""

ALL = frozenset[str]().union(*SCOPES.values())


class UndoRequest(Struct, frozen=True):
    """An action that a caller wants undone."""

    caller: Principal | None
    """None: the command line, which may undo everything."""
    action: Undoable


async def refusals(reader: Reader, wanted: Sequence[UndoRequest]) -> list[Problem | None]:
    """The refusal for each; None if the caller may undo it. Lock the accounts first."""
    asked = [one for one in wanted if one.caller]
    kinds = await _kinds(reader, [one.action for one in asked])
    lacking = [_lacking(one, kinds[one.action.id]) for one in wanted if one.caller]
    outranked = await ranks.refusals(reader, [_management(one) for one in asked])
    refused = iter([scope or rank for scope, rank in zip(lacking, outranked, strict=True)])
    return [next(refused) if one.caller else None for one in wanted]


def _lacking(wanted: UndoRequest, kind: str | None) -> Problem | None:
    # What an undo undid may have been dropped with its month; then nothing less is safe.
    needed = SCOPES.get(kind or "", ALL)
    missing = [scope for scope in needed if wanted.caller and not wanted.caller.may(scope)]
    return RoleRequired(min(missing)) if missing else None


def _management(wanted: UndoRequest) -> Management:
    """An undo of powers may give what the account had before, or what it had after."""
    states = [wanted.action.before, wanted.action.after]
    powers = [ranks.granted(state) for state in states if state and "api" in state]
    return Management(wanted.caller, wanted.action.user_id, frozenset().union(*powers))


async def _kinds(reader: Reader, actions: Sequence[Undoable]) -> dict[UUID, str | None]:
    """The kind of each action or, of an undo, of what it undid in the end; None if that is gone."""
    found: dict[UUID, tuple[str, UUID | None]] = {}
    ids = {action.id for action in actions if action.kind == "undo"}
    while ids:
        rows = await reader.rows(
            "SELECT id, kind, undoes FROM actions WHERE id = ANY($1)", list(ids)
        )
        found |= {row["id"]: (row["kind"], row["undoes"]) for row in rows}
        ids = {row["undoes"] for row in rows if row["undoes"]} - found.keys()

    def kind_of(action: Undoable) -> str | None:
        kind, below = found.get(action.id, (action.kind, None))
        while kind == "undo":
            if below is None or below not in found:
                return None
            kind, below = found[below]
        return kind

    return {action.id: kind_of(action) for action in actions}
