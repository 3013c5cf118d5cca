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
    """A limit that is left out is none."""

    pieces_per_day: Wide | None = None
    """Pieces of any one item handed out in a day, 0 to 9007199254740992; without it, no limit."""
    value_per_day: Wide | None = None
    """
    Value handed out in a day, by the values of the catalog, 0 to 9007199254740992; without it,
    no limit.
    """
    largest_gift: Wide | None = None
    """Pieces handed out by one change, 0 to 9007199254740992; without it, no limit."""
    undos_per_day: Wide | None = None
    """Actions undone in a day, 0 to 9007199254740992; without it, no limit."""

    @property
    def limits(self) -> Limits:
        return limits.checked(Limits(**structs.asdict(self)))


class CreateRole(Body, frozen=True):
    name: str
    """1 to 32 characters: a small letter, then small letters, digits and `-`."""
    scopes: Scopes
    """What whoever has it may do, each a scope that the caller has."""
    description: str = ""
    """What the role is for: at most 200 characters on one line."""
    limits: LimitsBody | None = None
    """How much may be handed out and undone in a day; without it, no limit."""


class ChangeRole(Body, frozen=True):
    description: str | None = None
    """Another description; an empty one removes it."""
    scopes: Scopes | None = None
    """All the scopes that it has from now on."""
    limits: LimitsBody | None = None
    """All the limits that it has from now on; an empty object removes them."""


class DeleteRole(Query, frozen=True):
    withdraw: bool = False
    """Whether to withdraw it from everybody who has it."""


@routes.get("", READ)
async def list_roles(reader: Reader, query: RolePaging) -> Page[RoleRecord]:
    """The roles there are: the built-in ones first, then the others by name."""
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
    """Make a role of your own, with no scope and no limit beyond what you have yourself."""
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
    Change a role; what is left out stays as it is, and limits are replaced as a whole.

    Of a built-in role only the limits can be changed, by an owner. It applies to everybody who
    has the role, within 5 seconds.
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
    """Delete a role that nobody has; with `withdraw=true`, withdraw it from everybody first."""
    order = RoleDeletion(by=by, caller=caller, role=role, withdraw=query.withdraw)
    return await roles.delete.one(database, order)
