"""
Ranks: which caller may manage which account (prevents privilege escalation).

A caller may manage an account only if the caller holds every power and every role's scope
of that account: a manager who sets a password can sign in with it, and so gets what the
account may do. Nor may the account hand out more than the caller: whoever has limits would
evade them by taking over somebody who has none.

A caller with limits takes over no account at all that holds a scope which is limited for the
caller, not even an equal one: the account has a day's budget of its own, and could approve what
the caller requests. To take over is to set a password or an email, or to remove second factors.

An account that calls with a browser session holds its powers and its roles. With a token it
holds its powers only, because no second factor stands behind a token (ADR 0035).
"""

from collections.abc import Mapping, Sequence
from typing import Any
from uuid import UUID

from msgspec import Struct

from gamekeeper.auth import roles
from gamekeeper.auth.limits import Limits
from gamekeeper.auth.principal import PLAYER_SCOPES, Principal
from gamekeeper.auth.roles import NO_ROLES, OWNER, Held, exceeds, limited_scopes
from gamekeeper.core.errors import Forbidden
from gamekeeper.db.database import Queryable, Reader

GRANTS: Mapping[str, frozenset[str]] = {
    "api": PLAYER_SCOPES,
    "user_query": frozenset({"users.query"}),
    "user_management": frozenset({"users.manage"}),
    "personal_information": frozenset({"users.personal"}),
    # In-game powers have no API scope, so no list of scopes contains them: only an account
    # that has them itself or manages the staff, or a key with all scopes, ranks as high.
    "editor": frozenset({"powers.editor"}),
    "ban": frozenset({"powers.ban"}),
    "kick": frozenset({"powers.kick", "commands"}),
    "mute": frozenset({"powers.mute"}),
}
"""The scopes that each power of an account grants."""

IN_GAME = frozenset(
    scope for grant in GRANTS.values() for scope in grant if scope.startswith("powers.")
)
MANAGES_STAFF = "staff.manage"
OWNERSHIP = frozenset({"roles.owner"})
"""No scope either: who has a role of all scopes is not an owner yet, and takes none over."""


class Outranked(Forbidden):
    """The account has permissions that you lack."""

    cacheable = False


def granted(powers: Mapping[str, Any]) -> frozenset[str]:
    """The scopes that a set of powers grants, whether or not its account may get tokens now."""
    return frozenset().union(*(GRANTS[power] for power in GRANTS if powers.get(power)))


class Management(Struct, frozen=True):
    """A request by a caller to manage an account."""

    caller: Principal | None
    """None: the account's owner, or the command line."""
    user: UUID | None
    """None: no account has the requested name."""
    also: frozenset[str] = frozenset()
    """Further scopes that the account would hold afterwards."""
    takes_over: bool = False
    """Whether the caller could sign in as the account afterwards."""


async def check(reader: Reader, caller: Principal, user: UUID) -> None:
    """Raise Outranked if the caller may not manage this account."""
    [refusal] = await refusals(reader, [Management(caller, user)])
    if refusal:
        raise refusal


async def refusals(reader: Queryable, wanted: Sequence[Management]) -> list[Outranked | None]:
    """Return the refusal for each, None if allowed. Before a change, lock the accounts first."""
    held = await _held(reader, wanted)
    return [_refusal(management, held) for management in wanted]


class AccountRights(Struct, frozen=True):
    """What an account holds: scopes by its powers, scopes and limits by its roles."""

    powers: frozenset[str] = frozenset()
    by_roles: Held = NO_ROLES

    @property
    def all(self) -> frozenset[str]:
        """Whoever manages the staff ranks above the powers inside the game, an owner above all."""
        held = self.powers | self.by_roles.scopes
        if MANAGES_STAFF in self.by_roles.scopes:
            held |= IN_GAME
        return held | OWNERSHIP if OWNER in self.by_roles.roles else held

    def held_by(self, caller: Principal) -> frozenset[str]:
        return self.all if caller.session else self.powers

    def exceeds(self, limits: Limits | None) -> bool:
        """Whether it may do more of something than these limits allow; powers have no limits."""
        staff = self.by_roles
        return exceeds(self.powers, None, limits) or exceeds(staff.scopes, staff.limits, limits)


NONE = AccountRights()


def _refusal(wanted: Management, held: Mapping[UUID, AccountRights]) -> Outranked | None:
    caller, user = wanted.caller, wanted.user
    if caller is None or user is None:
        return None
    managed = held.get(user, NONE)
    needed = managed.all | wanted.also
    # Powers have no limits, so a caller with limits returns none, not even one of their own.
    if not _holds(caller, needed, held) or exceeds(wanted.also, None, caller.limits):
        return Outranked()
    if user == caller.user_id:
        return None
    if managed.exceeds(caller.limits):
        return Outranked()
    limited = sorted(needed & limited_scopes(caller.limits))
    if wanted.takes_over and limited:
        return Outranked(
            f"The account holds '{limited[0]}', which your limits restrict. "
            "Ask an account without limits.",
            scope=limited[0],
        )
    return None


def _holds(caller: Principal, needed: frozenset[str], held: Mapping[UUID, AccountRights]) -> bool:
    if caller.user_id is not None:
        return needed <= held.get(caller.user_id, NONE).held_by(caller)
    return all(caller.may(scope) for scope in needed)


async def _held(reader: Queryable, wanted: Sequence[Management]) -> dict[UUID, AccountRights]:
    """What callers and managed accounts hold, by account."""
    managed = [management for management in wanted if management.caller and management.user]
    ids = {management.user for management in managed} | {
        management.caller.user_id for management in managed if management.caller
    }
    users = [user for user in ids if user]
    if not users:
        return {}
    rows = await reader.rows(
        """
        SELECT id, editor, ban, kick, mute, api, personal_information, user_query,
               user_management
          FROM users WHERE id = ANY($1)
        """,
        users,
    )
    by_roles = await roles.held(reader, users)
    return {
        row["id"]: AccountRights(granted(row), by_roles.get(row["id"], NO_ROLES)) for row in rows
    }
