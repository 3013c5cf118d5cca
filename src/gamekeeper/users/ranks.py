"""
Ranks: which caller may manage which account (prevents privilege escalation).

A caller may manage an account only if the caller holds every power of that account:
a manager who sets a password can sign in with it, and so gets the account's powers.
"""

from collections.abc import Mapping, Sequence
from typing import Any
from uuid import UUID

from msgspec import Struct

from gamekeeper.auth.principal import PLAYER_SCOPES, Principal
from gamekeeper.core.errors import Forbidden
from gamekeeper.db.database import Queryable, Reader

GRANTS: Mapping[str, frozenset[str]] = {
    "api": PLAYER_SCOPES,
    "user_query": frozenset({"users.query"}),
    "user_management": frozenset({"users.manage"}),
    "personal_information": frozenset({"users.personal"}),
    # In-game powers have no API scope, so no list of scopes contains them: only an account
    # that has them itself, or a key with all scopes, ranks as high.
    "editor": frozenset({"powers.editor"}),
    "ban": frozenset({"powers.ban"}),
    "kick": frozenset({"powers.kick"}),
    "mute": frozenset({"powers.mute"}),
}
"""The scopes that each power of an account grants."""


class Outranked(Forbidden):
    """The account has powers that the caller lacks."""

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


async def check(reader: Reader, caller: Principal, user: UUID) -> None:
    """Raise Outranked if the caller may not manage this account."""
    [refusal] = await refusals(reader, [Management(caller, user)])
    if refusal:
        raise refusal


async def refusals(reader: Queryable, wanted: Sequence[Management]) -> list[Outranked | None]:
    """Return the refusal for each, None if allowed. Before a change, lock the accounts first."""
    held = await _held(reader, wanted)
    return [None if _allowed(one, held) else Outranked() for one in wanted]


def _allowed(wanted: Management, held: Mapping[UUID, frozenset[str]]) -> bool:
    caller, user = wanted.caller, wanted.user
    if caller is None or user is None:
        return True
    needed = held.get(user, frozenset()) | wanted.also
    if caller.user_id is not None:
        return needed <= held.get(caller.user_id, frozenset())
    return all(caller.may(scope) for scope in needed)


async def _held(reader: Queryable, wanted: Sequence[Management]) -> dict[UUID, frozenset[str]]:
    """The scopes that callers and managed accounts hold, by account."""
    managed = [one for one in wanted if one.caller and one.user]
    ids = {one.user for one in managed} | {one.caller.user_id for one in managed if one.caller}
    if not ids:
        return {}
    rows = await reader.rows(
        """
        SELECT id, editor, ban, kick, mute, api, personal_information, user_query,
               user_management
          FROM users WHERE id = ANY($1)
        """,
        [user for user in ids if user],
    )
    return {row["id"]: granted(row) for row in rows}
