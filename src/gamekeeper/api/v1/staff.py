"""Staff endpoints: who has which roles, given and withdrawn. Additions to the contract."""

from gamekeeper.api.path_parameters import GrantedRoleName, UserKey
from gamekeeper.api.v1.roles import MANAGE, READ
from gamekeeper.auth.principal import Principal
from gamekeeper.core.schemas import LARGEST_PAGE, Page, Paging
from gamekeeper.db.database import Database, Reader
from gamekeeper.db.operations import AuditContext
from gamekeeper.http.routing import Routes
from gamekeeper.users.lookup import UserNotFound
from gamekeeper.users.ranks import Outranked
from gamekeeper.users.staff import members
from gamekeeper.users.staff.authority import OwnerRequired, RoleEvadesLimits, RoleExceedsCaller
from gamekeeper.users.staff.members import (
    LastOwner,
    RoleGrant,
    RoleNotHeld,
    RoleWithdrawal,
    StaffMember,
    TooManyRolesHeld,
)
from gamekeeper.users.staff.records import RoleNotFound

routes = Routes("/api/v1/staff")

REFUSALS = (UserNotFound, RoleNotFound, RoleExceedsCaller, OwnerRequired, Outranked)


class StaffQuery(Paging, frozen=True):
    page_size: int = LARGEST_PAGE
    role: str | None = None
    """Only accounts with this role."""


@routes.get("", READ)
async def list_staff(reader: Reader, query: StaffQuery) -> Page[StaffMember]:
    """The accounts with roles, by name; with `role`, only those with this role."""
    return await members.list_members(reader, query.window, query.role)


@routes.put(
    "/{user}/roles/{role}",
    MANAGE,
    raises=(*REFUSALS, RoleEvadesLimits, TooManyRolesHeld),
    step_up=True,
)
async def grant_role(
    database: Database, caller: Principal, by: AuditContext, user: UserKey, role: GrantedRoleName
) -> StaffMember:
    """
    Add a role to an account.

    You cannot add a role with more permissions than your own, or change an account with more
    permissions. Only owners in the console, and the command line, can add owners; keys cannot.
    """
    order = RoleGrant(by=by, caller=caller, user=user, role=role)
    return await members.grant.one(database, order)


@routes.delete(
    "/{user}/roles/{role}", MANAGE, raises=(*REFUSALS, RoleNotHeld, LastOwner), step_up=True
)
async def withdraw_role(
    database: Database, caller: Principal, by: AuditContext, user: UserKey, role: GrantedRoleName
) -> StaffMember:
    """Remove a role from an account; its sessions lose the permissions within 5 seconds."""
    order = RoleWithdrawal(by=by, caller=caller, user=user, role=role)
    return await members.withdraw.one(database, order)
