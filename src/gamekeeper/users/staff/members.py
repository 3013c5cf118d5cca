"""Staff members: roles given to accounts and withdrawn from them, and who has which."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Any
from uuid import UUID

from gamekeeper.auth import roles
from gamekeeper.auth.limits import LimitsRecord
from gamekeeper.auth.principal import Principal
from gamekeeper.auth.roles import NO_ROLES, OWNER, Role
from gamekeeper.core import names
from gamekeeper.core.errors import Conflict, NotFound, Problem
from gamekeeper.core.schemas import Instant, Page, Record, Window
from gamekeeper.db.database import Queryable, Reader, Writer
from gamekeeper.db.operations import Command, operation
from gamekeeper.ledger import actions
from gamekeeper.ledger.actions import Action
from gamekeeper.users import ranks
from gamekeeper.users.lookup import UserNotFound, find_user_ids
from gamekeeper.users.lookup import lock as lock_users
from gamekeeper.users.ranks import Management
from gamekeeper.users.staff import records
from gamekeeper.users.staff.authority import Authority, accounts_of, authority_of
from gamekeeper.users.staff.roles import withdrawal

MOST_ROLES = 32
"""Of one account: all of them are read whenever it signs in."""


class RoleNotHeld(NotFound):
    """The account does not have that role."""


class LastOwner(Conflict):
    """The last owner cannot be removed. Add another owner first."""


class TooManyRolesHeld(Conflict):
    """The account already has 32 roles. Remove one first."""


class RoleGrant(Command, frozen=True, kw_only=True):
    caller: Principal | None
    """The caller whose permissions apply; None: the command line, which may add every role."""
    user: str
    """The account's name or id."""
    role: str


class RoleWithdrawal(RoleGrant, frozen=True, kw_only=True):
    """The same, the other way."""


class HeldRole(Record, frozen=True):
    name: str
    granted_at: Instant


class StaffMember(Record, frozen=True):
    """An account, the roles it has, and what it may do by all of them."""

    user_id: UUID
    name: str
    roles: list[HeldRole]
    """Empty if the last one was just removed."""
    scopes: list[str]
    """The permissions of all its roles."""
    limits: LimitsRecord
    """For each limit, the highest among the roles that need it."""


@operation
async def grant(writer: Writer, commands: Sequence[RoleGrant]) -> list[StaffMember | Problem]:
    """Give roles to accounts; one that the account has already changes nothing."""
    await _lock(writer, commands)
    return [await _granted(writer, command) for command in commands]


@operation
async def withdraw(
    writer: Writer, commands: Sequence[RoleWithdrawal]
) -> list[StaffMember | Problem]:
    """Withdraw roles from accounts; somebody always stays an owner."""
    await _lock(writer, commands)
    return [await _withdrawn(writer, command) for command in commands]


async def _lock(writer: Writer, commands: Sequence[RoleGrant]) -> None:
    """Roles first, so that two withdrawals of one cannot both leave another to be the last."""
    await records.lock_roles(writer, [command.role for command in commands])
    users = await find_user_ids(writer, [command.user for command in commands])
    callers = accounts_of([command.caller for command in commands])
    await lock_users(writer, [user for user in {*users, *callers} if user])


async def _granted(writer: Writer, command: RoleGrant) -> StaffMember | Problem:
    authority = await authority_of(writer, command.caller)
    found = await _found(writer, command, authority)
    if isinstance(found, Problem):
        return found
    user, role = found
    held = (await roles.held(writer, [user])).get(user, NO_ROLES).roles
    if role.name not in held:
        if evades := authority.evasion(role):
            return evades
        if len(held) >= MOST_ROLES:
            return TooManyRolesHeld()
        sql = "INSERT INTO staff_roles (user_id, role) VALUES ($1, $2)"
        await writer.run(sql, user, role.name)
        given = {"role": role.name}
        action = Action(kind="staff.grant", by=command.by, user_id=user, after=given)
        await actions.record(writer, [action])
    return await _member(writer, user)


async def _withdrawn(writer: Writer, command: RoleWithdrawal) -> StaffMember | Problem:
    found = await _found(writer, command, await authority_of(writer, command.caller))
    if isinstance(found, Problem):
        return found
    user, role = found
    held = (await roles.held(writer, [user])).get(user, NO_ROLES).roles
    if role.name not in held:
        return RoleNotHeld(f"'{command.user}' does not have the role '{role.name}'.")
    if role.name == OWNER and await _owners(writer) == 1:
        return LastOwner()
    sql = "DELETE FROM staff_roles WHERE user_id = $1 AND role = $2"
    await writer.run(sql, user, role.name)
    await actions.record(writer, [withdrawal(command, user, role.name)])
    return await _member(writer, user)


async def _found(
    writer: Writer, command: RoleGrant, authority: Authority
) -> tuple[UUID, Role] | Problem:
    """The account and the role, if the caller may change whether it has it."""
    [user] = await find_user_ids(writer, [command.user])
    if user is None:
        return UserNotFound(names.missing("user", command.user))
    role = (await records.find_roles(writer, [command.role])).get(command.role)
    if role is None:
        return records.missing(command.role)
    [outranked] = await ranks.refusals(writer, [Management(command.caller, user)])
    return authority.refusal(role) or outranked or (user, role)


async def _owners(writer: Writer) -> int:
    return await writer.value("SELECT count(*) FROM staff_roles WHERE role = $1", OWNER)


async def _member(writer: Writer, user: UUID) -> StaffMember:
    """The account as it is now; without any role, it is not on the staff any more."""
    [name] = await writer.rows("SELECT id, name FROM users WHERE id = $1", user)
    [member] = await _members(writer, [name])
    return member


async def list_members(reader: Reader, window: Window, role: str | None) -> Page[StaffMember]:
    """The staff by name: all of it, or those with one role."""
    rows = await reader.rows(
        """
        SELECT id, name
          FROM users
         WHERE id IN (SELECT user_id FROM staff_roles WHERE $1::text IS NULL OR role = $1)
         ORDER BY name_key, id LIMIT $2 OFFSET $3
        """,
        role,
        window.shown,
        window.offset,
    )
    total = await reader.value(
        """
        SELECT count(DISTINCT user_id) FROM staff_roles WHERE $1::text IS NULL OR role = $1
        """,
        role,
    )
    return Page.of(await _members(reader, rows), total, window)


async def _members(reader: Queryable, accounts: Sequence[Mapping[str, Any]]) -> list[StaffMember]:
    """Staff members of the rows (id, name) of their accounts."""
    ids = [account["id"] for account in accounts]
    held = await roles.held(reader, ids)
    rows = await reader.rows(
        "SELECT user_id, role, granted_at FROM staff_roles WHERE user_id = ANY($1) ORDER BY role",
        ids,
    )
    theirs: dict[UUID, list[HeldRole]] = defaultdict(list)
    for row in rows:
        theirs[row["user_id"]].append(HeldRole(name=row["role"], granted_at=row["granted_at"]))
    return [
        StaffMember(
            user_id=account["id"],
            name=account["name"],
            roles=theirs[account["id"]],
            scopes=sorted(held.get(account["id"], NO_ROLES).scopes),
            limits=LimitsRecord.of(held.get(account["id"], NO_ROLES).limits),
        )
        for account in accounts
    ]
