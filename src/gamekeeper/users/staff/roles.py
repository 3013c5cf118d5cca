"""
Roles (RBAC) as they are managed: made, changed, deleted, listed.

A built-in role keeps its name, scopes and description, which are in the code; its limits can
be changed, except those of the owner, who has none.
"""

from collections.abc import Sequence
from uuid import UUID

import msgspec
from msgspec import structs

from gamekeeper.auth import limits
from gamekeeper.auth.keys import UnknownScope
from gamekeeper.auth.limits import Limits
from gamekeeper.auth.principal import SCOPES, Principal
from gamekeeper.auth.roles import OWNER, Role
from gamekeeper.core.errors import Conflict, Invalid, Problem
from gamekeeper.db.database import Writer
from gamekeeper.db.operations import Command, operation
from gamekeeper.ledger import actions
from gamekeeper.ledger.actions import Action
from gamekeeper.users import ranks
from gamekeeper.users.lookup import lock as lock_users
from gamekeeper.users.ranks import Management
from gamekeeper.users.staff import records
from gamekeeper.users.staff.authority import Authority, OwnerRequired, accounts_of, authority_of
from gamekeeper.users.staff.records import NAME, RoleRecord, missing

MAX_ROLES = 100
LOCK = 0x726F6C6573  # "roles": any number that no other lock uses
LONGEST_DESCRIPTION = 200


class InvalidRoleName(Invalid):
    """A role name needs 1 to 32 lower-case letters, digits or '-', and starts with a letter."""


class InvalidRoleDescription(Invalid):
    """The description of a role must be one line of at most 200 characters."""


class RoleNameTaken(Conflict):
    """A role with this name already exists. Choose another name."""


class TooManyRoles(Conflict):
    """There are already 100 roles. Delete one first."""


class BuiltInRole(Conflict):
    """Of a built-in role only the limits can be changed. Create a role of your own instead."""


class RoleInUse(Conflict):
    """Accounts have this role. Remove it from them, or delete it with withdraw=true."""


class NewRole(Command, frozen=True, kw_only=True):
    caller: Principal | None
    """The caller whose permissions apply; None: the command line."""
    name: str
    description: str = ""
    scopes: tuple[str, ...] = ()
    limits: Limits | None = None


class RoleChange(Command, frozen=True, kw_only=True):
    """A field that is None stays unchanged; limits are replaced as a whole."""

    caller: Principal | None
    role: str
    description: str | None = None
    scopes: tuple[str, ...] | None = None
    limits: Limits | None = None


class RoleDeletion(Command, frozen=True, kw_only=True):
    caller: Principal | None
    role: str
    withdraw: bool = False
    """Remove it from all accounts instead of refusing."""


@operation
async def create(writer: Writer, commands: Sequence[NewRole]) -> list[RoleRecord | Problem]:
    """Make roles, each with no more rights than its maker has."""
    # Serialize creation: two concurrent counts could both pass the limit.
    await writer.run("SELECT pg_advisory_xact_lock($1)", LOCK)
    await lock_users(writer, accounts_of([command.caller for command in commands]))
    return [await _created(writer, command) for command in commands]


async def _created(writer: Writer, command: NewRole) -> RoleRecord | Problem:
    scopes = [scope.lower() for scope in command.scopes]
    if refused := _unreadable(command.name, command.description, scopes):
        return refused
    role = Role(name=command.name, scopes=frozenset(scopes), limits=command.limits)
    authority = await authority_of(writer, command.caller)
    known = {row["name"] for row in await writer.rows("SELECT name FROM roles")}
    if refused := authority.refusal(role) or authority.evasion(role):
        return refused
    if role.name in known:
        return RoleNameTaken()
    if len(known) >= MAX_ROLES:
        return TooManyRoles()
    await writer.run(
        "INSERT INTO roles (name, description, scopes, limits) VALUES ($1, $2, $3, $4)",
        role.name,
        command.description,
        sorted(role.scopes),
        _json(role.limits),
    )
    made = (await records.stored_roles(writer, [role.name]))[role.name]
    await actions.record(writer, [Action(kind="roles.create", by=command.by, after=made.described)])
    return records.record_of(made, 0)


@operation
async def change(writer: Writer, commands: Sequence[RoleChange]) -> list[RoleRecord | Problem]:
    """Change roles; whoever has them may do more or less from then on."""
    await records.lock_roles(writer, [command.role for command in commands])
    await lock_users(writer, accounts_of([command.caller for command in commands]))
    return [await _changed(writer, command) for command in commands]


async def _changed(writer: Writer, command: RoleChange) -> RoleRecord | Problem:
    before = (await records.stored_roles(writer, [command.role])).get(command.role)
    if before is None:
        return missing(command.role)
    scopes = [scope.lower() for scope in command.scopes or ()]
    if refused := _unreadable(command.role, command.description or "", scopes):
        return refused
    wanted = _with_changes(before.role, command, scopes)
    authority = await authority_of(writer, command.caller)
    # Both: what it was must not be beyond the caller either.
    if refused := authority.refusal(before.role) or authority.refusal(wanted):
        return refused
    if evades := authority.evasion(wanted, before.role):
        return evades
    if before.is_built_in and (refused := _fixed(command, authority)):
        return refused
    description = before.description if command.description is None else command.description
    await writer.run(
        "UPDATE roles SET description = $2, scopes = $3, limits = $4 WHERE name = $1",
        command.role,
        "" if before.is_built_in else description,
        None if before.is_built_in else sorted(wanted.scopes),
        _json(wanted.limits),
    )
    after = (await records.stored_roles(writer, [command.role]))[command.role]
    if after != before:
        action = Action(
            kind="roles.change", by=command.by, before=before.described, after=after.described
        )
        await actions.record(writer, [action])
    return records.record_of(after, await records.members_of(writer, command.role))


def _with_changes(role: Role, command: RoleChange, scopes: Sequence[str]) -> Role:
    return structs.replace(
        role,
        scopes=role.scopes if command.scopes is None else frozenset(scopes),
        limits=role.limits if command.limits is None else command.limits,
    )


def _fixed(command: RoleChange, authority: Authority) -> Problem | None:
    """The refusal of a change to a built-in role, None if only its limits change."""
    if command.scopes is not None or command.description is not None or command.role == OWNER:
        return BuiltInRole()
    if authority.is_complete:
        return None
    return OwnerRequired("Only an owner can change the limits of a built-in role.")


@operation
async def delete(writer: Writer, commands: Sequence[RoleDeletion]) -> list[RoleRecord | Problem]:
    """Delete roles that nobody has, or withdraw them first."""
    names = [command.role for command in commands if NAME.fullmatch(command.role)]
    await records.lock_roles(writer, names)
    rows = await writer.rows("SELECT user_id FROM staff_roles WHERE role = ANY($1)", names)
    holders = {row["user_id"] for row in rows}
    await lock_users(writer, [*holders, *accounts_of([command.caller for command in commands])])
    return [await _deleted(writer, command) for command in commands]


async def _deleted(writer: Writer, command: RoleDeletion) -> RoleRecord | Problem:
    gone = (await records.stored_roles(writer, [command.role])).get(command.role)
    if gone is None:
        return missing(command.role)
    if gone.is_built_in:
        return BuiltInRole()
    if refused := (await authority_of(writer, command.caller)).refusal(gone.role):
        return refused
    rows = await writer.rows("SELECT user_id FROM staff_roles WHERE role = $1", command.role)
    holders: list[UUID] = [row["user_id"] for row in rows]
    if holders and not command.withdraw:
        return RoleInUse(in_use(command.role, len(holders)), members=len(holders))
    outranked = await ranks.refusals(
        writer, [Management(command.caller, holder) for holder in holders]
    )
    if refused := next(filter(None, outranked), None):
        return refused
    await writer.run(
        "DELETE FROM staff_roles WHERE user_id = ANY($1) AND role = $2", holders, command.role
    )
    await writer.run("DELETE FROM roles WHERE name = $1", command.role)
    await actions.record(
        writer,
        [
            *(withdrawal(command, user, command.role) for user in holders),
            Action(kind="roles.delete", by=command.by, before=gone.described),
        ],
    )
    return records.record_of(gone, len(holders))


def in_use(role: str, members: int) -> str:
    """What is said of a role that cannot be deleted."""
    have = "1 account has" if members == 1 else f"{members} accounts have"
    return f"{have} the role '{role}'. Remove it from them, or delete it with withdraw=true."


def withdrawal(command: Command, user: UUID, role: str) -> Action:
    """The action that an account lost a role."""
    return Action(kind="staff.withdraw", by=command.by, user_id=user, before={"role": role})


def _unreadable(name: str, description: str, scopes: Sequence[str]) -> Problem | None:
    if not NAME.fullmatch(name):
        return InvalidRoleName()
    if len(description) > LONGEST_DESCRIPTION or not (description + " ").isprintable():
        return InvalidRoleDescription()
    unknown = sorted(set(scopes) - SCOPES.keys())
    if unknown:
        return UnknownScope(
            f"There is no scope '{unknown[0]}'. Choose one of: {', '.join(sorted(SCOPES))}."
        )
    return None


def _json(of: Limits | None) -> str:
    return msgspec.json.encode(limits.as_json(of)).decode()
