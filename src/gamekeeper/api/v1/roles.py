"""Role endpoints: what the roles of staff may do, and roles of one's own. Additions."""

from typing import Annotated

from msgspec import Meta, structs

from gamekeeper.api.path_parameters import RoleName
from gamekeeper.auth import limits
from gamekeeper.auth.keys import UnknownScope
from gamekeeper.auth.limits import InvalidLimit, Limits
from gamekeeper.auth.principal import Principal
from gamekeeper.core.parsing import Wide
from gamekeeper.core.schemas import LARGEST_PAGE, Body, Page, Paging, Query
from gamekeeper.db.database import Database, Reader
from gamekeeper.db.operations import AuditContext
from gamekeeper.http.routing import Routes
from gamekeeper.users.ranks import Outranked
from gamekeeper.users.staff import records, roles
from gamekeeper.users.staff.authority import OwnerRequired, RoleEvadesLimits, RoleExceedsCaller
from gamekeeper.users.staff.records import RoleNotFound, RoleRecord
from gamekeeper.users.staff.roles import (
    BuiltInRole,
    InvalidRoleDescription,
    InvalidRoleName,
    NewRole,
    RoleChange,
    RoleDeletion,
    RoleInUse,
    RoleNameTaken,
    TooManyRoles,
)

routes = Routes("/api/v1/roles")

READ = "staff.read"
MANAGE = "staff.manage"

Scopes = Annotated[list[str], Meta(max_length=64)]


class RolePaging(Paging, frozen=True):
    # All of them: there are at most a hundred.
    page_size: int = LARGEST_PAGE


class LimitsBody(Body, frozen=True):
    """An omitted limit means no limit."""

    pieces_per_day: Wide | None = None
    """Pieces of any one item given per day, 0 to 9007199254740992; by default, no limit."""
    value_per_day: Wide | None = None
    """
    Value given per day, by the values of the catalog, 0 to 9007199254740992; by default, no
    limit.
    """
    largest_gift: Wide | None = None
    """Pieces given by one change, 0 to 9007199254740992; by default, no limit."""
    undos_per_day: Wide | None = None
    """Actions undone per day, 0 to 9007199254740992; by default, no limit."""

    @property
    def limits(self) -> Limits:
        return limits.checked(Limits(**structs.asdict(self)))


class CreateRole(Body, frozen=True):
    name: str
    """1 to 32 lower-case letters, digits or `-`, starting with a letter."""
    scopes: Scopes
    """The scopes of the role, each one that the caller has."""
    description: str = ""
    """The description: one line of at most 200 characters."""
    limits: LimitsBody | None = None
    """Daily limits for giving and undoing; by default, no limits."""


class ChangeRole(Body, frozen=True):
    description: str | None = None
    """The new description; empty removes it."""
    scopes: Scopes | None = None
    """The new scopes, replacing all old ones."""
    limits: LimitsBody | None = None
    """The new limits, replacing all old ones; an empty object removes them."""


class DeleteRole(Query, frozen=True):
    withdraw: bool = False
    """Whether to remove it from all accounts first."""


@routes.get("", READ)
async def list_roles(reader: Reader, query: RolePaging) -> Page[RoleRecord]:
    """All roles: the built-in ones first, then the others by name."""
    return await records.list_roles(reader, query.window)


@routes.get("/{role}", READ, raises=(RoleNotFound,))
async def get_role(reader: Reader, role: RoleName) -> RoleRecord:
    """One role, by its name."""
    return await records.find_role(reader, role)


@routes.post(
    "",
    MANAGE,
    raises=(
        *(InvalidRoleName, InvalidRoleDescription, UnknownScope, InvalidLimit),
        *(RoleExceedsCaller, RoleEvadesLimits, RoleNameTaken, TooManyRoles),
    ),
    step_up=True,
)
async def create_role(
    database: Database, caller: Principal, by: AuditContext, body: CreateRole
) -> RoleRecord:
    """Create a role, within your own scopes and limits."""
    order = NewRole(
        by=by,
        caller=caller,
        name=body.name,
        description=body.description,
        scopes=tuple(body.scopes),
        limits=body.limits and body.limits.limits,
    )
    return await roles.create.one(database, order)


@routes.patch(
    "/{role}",
    MANAGE,
    raises=(
        *(RoleNotFound, InvalidRoleDescription, UnknownScope, InvalidLimit),
        *(BuiltInRole, RoleExceedsCaller, RoleEvadesLimits, OwnerRequired),
    ),
    step_up=True,
)
async def change_role(
    database: Database, caller: Principal, by: AuditContext, role: RoleName, body: ChangeRole
) -> RoleRecord:
    """
    Change a role; omitted fields do not change, and limits are replaced as a whole.

    Of a built-in role only the limits can be changed, by an owner. The change applies to all
    accounts with the role within 5 seconds.
    """
    order = RoleChange(
        by=by,
        caller=caller,
        role=role,
        description=body.description,
        scopes=None if body.scopes is None else tuple(body.scopes),
        limits=body.limits and body.limits.limits,
    )
    return await roles.change.one(database, order)


@routes.delete(
    "/{role}",
    MANAGE,
    raises=(RoleNotFound, BuiltInRole, RoleInUse, RoleExceedsCaller, Outranked),
    step_up=True,
)
async def delete_role(
    database: Database, caller: Principal, by: AuditContext, role: RoleName, query: DeleteRole
) -> RoleRecord:
    """Delete a role without members; with `withdraw=true`, remove it from all accounts first."""
    order = RoleDeletion(by=by, caller=caller, role=role, withdraw=query.withdraw)
    return await roles.delete.one(database, order)
