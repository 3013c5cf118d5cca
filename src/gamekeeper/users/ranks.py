"""
Ranks: who may manage whom.

A caller may manage an account only if the caller holds every power of that account.
Whoever sets a password can sign in with it, so managing an account is as much as
holding its powers.
"""

from collections.abc import Mapping, Sequence
from typing import Any
from uuid import UUID

from msgspec import Struct

from gamekeeper.auth.principal import PLAYER_SCOPES, Principal
from gamekeeper.core.errors import Forbidden
from gamekeeper.db.database import Reader

GRANTS: Mapping[str, frozenset[str]] = {
    "api": PLAYER_SCOPES,
    "user_query": frozenset({"users.query"}),
    "user_management": frozenset({"users.manage"}),
    "personal_information": frozenset({"users.personal"}),
    # Powers in the game have no scope of ours, so no list of scopes contains them: only an
    # account that has them itself, or a key that may do everything, ranks as high.
    "editor": frozenset({"powers.editor"}),
    "ban": frozenset({"powers.ban"}),
    "kick": frozenset({"powers.kick"}),
    "mute": frozenset({"powers.mute"}),
}
"""What each power of an account gives, in scopes."""


class Outranked(Forbidden):
    """The account has powers that the caller lacks."""

    cacheable = False


def granted(powers: Mapping[str, Any]) -> frozenset[str]:
    """The scopes that a set of powers gives, whether or not its account may get tokens now."""
    return frozenset().union(*(GRANTS[power] for power in GRANTS if powers.get(power)))


class Management(Struct, frozen=True):
    """A caller who wants to manage an account."""

    caller: Principal | None
    """None: the account's owner, or the command line."""
    user: UUID | None
    """None: nobody has the name that was asked for."""
    also: frozenset[str] = frozenset()
    """What the account would hold besides, once it is done."""


async def check(reader: Reader, caller: Principal, user: UUID) -> None:
    """Raise Outranked if the caller may not manage this account."""
    [refusal] = await refusals(reader, [Management(caller, user)])
    if refusal:
        raise refusal


async def refusals(reader: Reader, wanted: Sequence[Management]) -> list[Outranked | None]:
    """The refusal for each; None if it is allowed. To decide a change, lock the accounts first."""
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


async def _held(reader: Reader, wanted: Sequence[Management]) -> dict[UUID, frozenset[str]]:
    """What the accounts in question hold, as callers and as those managed."""
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
