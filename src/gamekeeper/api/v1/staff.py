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
    """Only those who have this role."""


@routes.get("", READ)
async def list_staff(reader: Reader, query: StaffQuery) -> Page[StaffMember]:
    """The accounts that have roles, by name; with `role`, those that have that one."""
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
    Give an account a role.

    Nobody gives a role that may do more than they, or to an account that may do more. Owners
    are made by owners, in the browser, and on the command line; never with a key.
    """
    order = RoleGrant(by=by, caller=caller, user=user, role=role)
    return await members.grant.one(database, order)


@routes.delete(
    "/{user}/roles/{role}", MANAGE, raises=(*REFUSALS, RoleNotHeld, LastOwner), step_up=True
)
async def withdraw_role(
    database: Database, caller: Principal, by: AuditContext, user: UserKey, role: GrantedRoleName
) -> StaffMember:
    """Withdraw a role from an account, whose sessions know within 5 seconds."""
    order = RoleWithdrawal(by=by, caller=caller, user=user, role=role)
    return await members.withdraw.one(database, order)
