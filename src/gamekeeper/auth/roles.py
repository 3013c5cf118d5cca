"""
Roles (RBAC): named sets of scopes, with limits, that staff members hold.

Somebody with several roles has the scopes of all. Of each limit the most generous one counts,
but only among the roles that need it: to be an analyst too lifts no supporter's limit.
"""

from collections.abc import Mapping, Sequence
from itertools import groupby
from typing import Any
from uuid import UUID

from msgspec import Struct

from gamekeeper.auth import limits
from gamekeeper.auth.limits import Limits
from gamekeeper.auth.principal import SCOPES
from gamekeeper.db.database import Queryable

OWNER = "owner"

READS = frozenset(
    {"players.read", "users.query", "economy.read", "actions.read", "events.read"}
    | {"sanctions.read", "staff.read"}
)

BUILT_IN: Mapping[str, frozenset[str]] = {
    OWNER: frozenset(SCOPES),
    "administrator": frozenset(SCOPES)
    - {"servers", "servers.manage", "transactions", "reports.file", "identities.link"},
    "support": READS
    | {"players.items", "players.variables", "players.spells", "players.manage", "guilds.manage"}
    | {"users.manage", "users.personal", "users.linked", "logs.read", "actions.undo"}
    | {"identities.manage"}
    | {"sanctions.manage", "commands", "reports.read", "orders.read"}
    | {"codes.read", "codes.redeem"},
    "moderator": READS
    | {"logs.read", "chat.private", "sanctions.manage", "sanctions.access", "commands"}
    | {"users.linked", "reports.read", "reports.reporters", "reports.manage"},
    "live-operations": READS
    | {"players.items", "players.variables", "players.spells", "actions.undo"}
    | {"commands", "webhooks", "segments.read", "segments.manage"}
    | {"campaigns.read", "campaigns.manage"}
    | {"codes.read", "codes.manage", "codes.redeem"},
    # Not segments: they select by sanctions, which analysts do not see.
    "analyst": frozenset({"players.read", "economy.read", "actions.read", "events.read"}),
}
"""The scopes of the roles that always exist. In code, so an upgrade extends them."""

DESCRIPTIONS: Mapping[str, str] = {
    OWNER: "all permissions, and adds other owners",
    "administrator": "all permissions except those of game servers",
    "support": "finds players, returns items, resets passwords, undoes mistakes",
    "moderator": "handles reports, bans, mutes, warns, decides appeals, kicks",
    "live-operations": "gives items, spells and variables, sends commands to the game",
    "analyst": "reads characters, the economy and the audit log; changes nothing",
}

GIVES = frozenset({"players.items", "transactions", "orders.manage", "codes.manage"})
"""The scopes by which items are created."""

NEEDED_BY: Mapping[str, frozenset[str]] = {
    "pieces_per_day": GIVES,
    "value_per_day": GIVES,
    "largest_gift": GIVES,
    "undos_per_day": frozenset({"actions.undo"}),
}
"""The scopes whose use each limit restricts."""


class Role(Struct, frozen=True, kw_only=True):
    name: str
    scopes: frozenset[str]
    limits: Limits | None
    """None: no limit."""


class Held(Struct, frozen=True, kw_only=True):
    """What an account holds by its roles, apart from its powers."""

    roles: tuple[str, ...] = ()
    scopes: frozenset[str] = frozenset()
    limits: Limits | None = None
    """None: no limit."""


NO_ROLES = Held()


async def held(reader: Queryable, users: Sequence[UUID]) -> dict[UUID, Held]:
    """What these accounts hold by their roles; only those that have one are in the answer."""
    rows = await reader.rows(
        """
        SELECT user_id, name, scopes, limits
          FROM staff_roles JOIN roles ON roles.name = staff_roles.role
         WHERE user_id = ANY($1)
         ORDER BY user_id, name
        """,
        list(users),
    )
    return {
        user: combined([role_of(row) for row in theirs])
        for user, theirs in groupby(rows, lambda row: row["user_id"])
    }


def role_of(row: Mapping[str, Any]) -> Role:
    """The role of a row of `roles`; one that only a newer version builds in grants nothing."""
    name, scopes = row["name"], row["scopes"]
    granted = BUILT_IN.get(name, frozenset()) if scopes is None else frozenset(scopes)
    return Role(name=name, scopes=granted, limits=limits.of_json(row["limits"]))


def combined(roles: Sequence[Role]) -> Held:
    """What somebody holds who has all of these roles."""
    amounts = {name: _most_generous(name, roles) for name in Limits.__struct_fields__}
    is_limited = any(amount is not None for amount in amounts.values())
    return Held(
        roles=tuple(sorted(role.name for role in roles)),
        scopes=frozenset().union(*(role.scopes for role in roles)),
        limits=Limits(**amounts) if is_limited else None,
    )


def _most_generous(limit: str, roles: Sequence[Role]) -> int | None:
    """The largest amount of a limit, None for no limit, among the roles that need it."""
    concerned = [role for role in roles if role.scopes & NEEDED_BY[limit]] or roles
    amounts: list[int | None] = [getattr(role.limits, limit, None) for role in concerned]
    limited = [amount for amount in amounts if amount is not None]
    return max(limited) if limited and len(limited) == len(amounts) else None


def limited_scopes(limits: Limits | None) -> frozenset[str]:
    """The scopes whose use these limits restrict."""
    return frozenset().union(
        *(scopes for name, scopes in NEEDED_BY.items() if getattr(limits, name, None) is not None)
    )


def exceeds(scopes: frozenset[str], granted: Limits | None, own: Limits | None) -> bool:
    """Whether these scopes, with the limits granted, allow more of something than `own`."""
    return any(_is_more(granted, own, name) for name in NEEDED_BY if scopes & NEEDED_BY[name])


def _is_more(granted: Limits | None, own: Limits | None, limit: str) -> bool:
    its: int | None = getattr(granted, limit, None)
    most: int | None = getattr(own, limit, None)
    return most is not None and (its is None or its > most)
