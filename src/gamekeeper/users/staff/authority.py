"""
Authority over roles: nobody gives, makes or changes a role that may do more than they.

Nor does somebody with limits give others what they may do within limits only. Everybody has a
day's budget of their own, so ten accounts with the role would hand out ten times as much.

The rights of a browser session are read again inside the transaction: the role by which it
may do this can have been withdrawn since it was looked up. Lock the caller's account first.
"""

from uuid import UUID

from msgspec import Struct

from gamekeeper.auth import roles
from gamekeeper.auth.limits import Limits
from gamekeeper.auth.principal import Principal
from gamekeeper.auth.roles import NO_ROLES, OWNER, Role, exceeds, limited_scopes
from gamekeeper.core.errors import Forbidden, Problem, RoleRequired
from gamekeeper.db.database import Writer

MANAGE = "staff.manage"
WITHOUT_SCOPES = Role(name="", scopes=frozenset(), limits=None)


class RoleExceedsCaller(Forbidden):
    """You cannot grant a role with more permissions than your own."""

    cacheable = False


class RoleEvadesLimits(Forbidden):
    """Accounts with limits cannot grant this role."""

    cacheable = False


class OwnerRequired(Forbidden):
    """Only an owner can do this, in the console or with gamekeeper staff. API keys cannot."""

    cacheable = False


class Authority(Struct, frozen=True, kw_only=True):
    scopes: frozenset[str] | None = None
    """None: all scopes."""
    limits: Limits | None = None
    """None: no limit."""
    is_owner: bool = False

    @property
    def is_complete(self) -> bool:
        """Whether nothing is beyond it except, for a key, the owners."""
        return self.is_owner or (self.scopes is None and self.limits is None)

    def refusal(self, role: Role) -> Problem | None:
        """The error if this is not enough to give, make, change or withdraw the role."""
        if self.scopes is not None and MANAGE not in self.scopes:
            return RoleRequired(MANAGE)
        if role.name == OWNER and not self.is_owner:
            return OwnerRequired()
        lacking = sorted(role.scopes - self.scopes) if self.scopes is not None else []
        if lacking:
            return RoleExceedsCaller(
                f"The role '{role.name}' has the scope '{lacking[0]}', which you lack.",
                scope=lacking[0],
            )
        if exceeds(role.scopes, role.limits, self.limits):
            return RoleExceedsCaller(f"The role '{role.name}' has higher limits than yours.")
        return None

    def evasion(self, role: Role, before: Role = WITHOUT_SCOPES) -> RoleEvadesLimits | None:
        """The error if the role lets others do more than `before` of what is limited for this."""
        limited = role.scopes & limited_scopes(self.limits)
        widened = limited - before.scopes or exceeds(limited, role.limits, before.limits)
        return RoleEvadesLimits() if widened else None


COMPLETE = Authority(is_owner=True)
"""The command line's."""


async def authority_of(writer: Writer, caller: Principal | None) -> Authority:
    """What the caller may give; None is the command line."""
    if caller is None:
        return COMPLETE
    if caller.session is None or caller.user_id is None:
        return Authority(scopes=caller.scopes, limits=caller.limits)
    held = (await roles.held(writer, [caller.user_id])).get(caller.user_id, NO_ROLES)
    return Authority(scopes=held.scopes, limits=held.limits, is_owner=OWNER in held.roles)


def accounts_of(callers: list[Principal | None]) -> list[UUID]:
    """The accounts behind some callers, to be locked with those that they change."""
    return [caller.user_id for caller in callers if caller and caller.user_id]
