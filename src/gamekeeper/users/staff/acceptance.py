"""
Acceptance of an invitation: an account, new or with its password, gets the role.

Everything is one transaction: the account, the role, the end of the invitation. Whoever accepts
signs in afterwards as everybody does, and enrols a second factor.
"""

from collections.abc import Sequence
from uuid import UUID, uuid4

from msgspec import Struct

from gamekeeper.auth import browser_sessions, login_throttle, roles
from gamekeeper.auth.principal import BrowserSession, Principal
from gamekeeper.auth.roles import NO_ROLES, Role
from gamekeeper.auth.secrets import Vault
from gamekeeper.core.errors import Forbidden, Problem
from gamekeeper.core.settings import Hidden
from gamekeeper.db.database import Database, Writer
from gamekeeper.db.operations import AuditContext, Command, operation
from gamekeeper.ledger import actions
from gamekeeper.ledger.actions import Action
from gamekeeper.users import accounts, common_passwords, emails, passwords
from gamekeeper.users.accounts import UserRegistration
from gamekeeper.users.lookup import UserNotFound
from gamekeeper.users.lookup import lock as lock_users
from gamekeeper.users.passwords import InvalidCredentials
from gamekeeper.users.staff import invitations, records
from gamekeeper.users.staff.authority import authority_of
from gamekeeper.users.staff.invitations import StoredInvitation
from gamekeeper.users.staff.members import MOST_ROLES, TooManyRolesHeld


class InvitationRefused(Forbidden):
    """The invitation is wrong, used, revoked or expired. Ask for a new one."""

    cacheable = False


class AcceptanceRefused(Forbidden):
    """The username or the password is wrong, or the account is banned."""

    cacheable = False


class Invitee(Struct, frozen=True, kw_only=True):
    """Who accepts: with `email` a new account, otherwise one that exists."""

    username: str
    secret: bytes
    email: str | None = None

    def __repr__(self) -> str:
        return "Invitee()"


class Acceptance(Command, frozen=True, kw_only=True):
    invitation: UUID
    user_id: UUID
    sealed: str | None
    """The password record that was verified, or that of the new account."""
    registration: UserRegistration | None = None

    def __repr__(self) -> str:
        return f"Acceptance({self.invitation})"


async def accept(
    database: Database, vault: Vault, code: Hidden, invitee: Invitee, by: AuditContext
) -> Acceptance:
    """Give the role of an invitation to an account, or raise why not."""
    budget = "link:" + login_throttle.from_address(by.address).partition(":")[2]
    await database.write(lambda writer: login_throttle.charge_all(writer, [budget]))
    invitation = invitations.parse_code(vault, code)
    if invitation is None or not await invitations.find_open(database.reader, invitation):
        raise InvitationRefused
    command = await _command(database, vault, invitation, invitee, by)
    done = await carry_out.one(database, command)
    await database.write(lambda writer: login_throttle.refund(writer, budget))
    return done


async def _command(
    database: Database, vault: Vault, invitation: UUID, invitee: Invitee, by: AuditContext
) -> Acceptance:
    if invitee.email is not None:
        return await _registering(database, vault, invitation, invitee, by)
    try:
        source = login_throttle.from_address(by.address)
        account = await passwords.authenticate(
            database, vault, invitee.username, invitee.secret, source=source
        )
    except (InvalidCredentials, UserNotFound):
        raise AcceptanceRefused from None
    name = await database.reader.value("SELECT name FROM users WHERE id = $1", account.id)
    return Acceptance(
        by=_by(by, account.id, name),
        invitation=invitation,
        user_id=account.id,
        sealed=account.sealed,
    )


async def _registering(
    database: Database, vault: Vault, invitation: UUID, invitee: Invitee, by: AuditContext
) -> Acceptance:
    accounts.check_name(invitee.username)
    email = emails.normal(invitee.email or "")
    words = (invitee.username, email.partition("@")[0], database.settings.game_name)
    common_passwords.check("password", invitee.secret, *words)
    user = uuid4()
    sealed = await vault.hash(user, invitee.secret)
    actor = _by(by, user, invitee.username)
    registration = UserRegistration(
        by=actor,
        id=user,
        name=invitee.username,
        email=email,
        email_as_sent=invitee.email or "",
        email_tags=tuple(vault.hmacs(accounts.tag_text(email))),
        sealed=sealed,
    )
    return Acceptance(
        by=actor,
        invitation=invitation,
        user_id=user,
        sealed=sealed,
        registration=registration,
    )


def _by(by: AuditContext, user: UUID, name: str) -> AuditContext:
    """The invited account is the actor: it is the one that acts, by its own password."""
    return AuditContext(
        actor=f"user:{user}", name=name, address=by.address, request_id=by.request_id
    )


@operation
async def carry_out(writer: Writer, commands: Sequence[Acceptance]) -> list[Acceptance | Problem]:
    """Accept invitations, each once; a refusal leaves the invitation open."""
    return [await _accepted(writer, command) for command in commands]


async def _accepted(writer: Writer, command: Acceptance) -> Acceptance | Problem:
    found = await invitations.find_open(writer, command.invitation)
    if found is None:
        return InvitationRefused()
    # Roles, then accounts, then the invitation, as when it is revoked.
    await records.lock_roles(writer, [found.role])
    users = {found.created_by_user, command.user_id}
    await lock_users(writer, [user for user in users if user])
    invitation = await invitations.lock_invitation(writer, command.invitation)
    if invitation is None or not invitation.is_open:
        return InvitationRefused()
    role = (await records.find_roles(writer, [invitation.role])).get(invitation.role)
    if role is None or not await _may_still_grant(writer, invitation, role):
        return InvitationRefused()
    if command.registration:
        [made] = await accounts.register(writer, [command.registration])
        if isinstance(made, Problem):
            return made
    elif refusal := await _refusal(writer, command):
        return refusal
    return await _granted(writer, command, invitation)


async def _may_still_grant(writer: Writer, invitation: StoredInvitation, role: Role) -> bool:
    """Whether the inviter could grant the role now: demoted, banned or gone, the link is void."""
    user = invitation.created_by_user
    if user is None:
        return True
    account = (await browser_sessions.accounts(writer, [user])).get(user)
    if account is None or account.is_banned:
        return False
    session = BrowserSession(id=UUID(int=0), verified_at=None)
    caller = Principal(
        id=f"user:{user}", name=account.name, scopes=None, user_id=user, session=session
    )
    authority = await authority_of(writer, caller)
    return not (authority.refusal(role) or authority.evasion(role))


async def _refusal(writer: Writer, command: Acceptance) -> Problem | None:
    """The account may have been banned, or got another password, since it was verified."""
    account = (await browser_sessions.accounts(writer, [command.user_id])).get(command.user_id)
    sealed = await writer.value(
        "SELECT sealed FROM passwords WHERE user_id = $1 FOR SHARE", command.user_id
    )
    is_same = account is not None and sealed == command.sealed and not account.is_banned
    return None if is_same else AcceptanceRefused()


async def _granted(
    writer: Writer, command: Acceptance, invitation: StoredInvitation
) -> Acceptance | Problem:
    user = command.user_id
    held = (await roles.held(writer, [user])).get(user, NO_ROLES).roles
    if invitation.role not in held:
        if len(held) >= MOST_ROLES:
            return TooManyRolesHeld()
        sql = "INSERT INTO staff_roles (user_id, role) VALUES ($1, $2)"
        await writer.run(sql, user, invitation.role)
        given = {
            "role": invitation.role,
            "invitation": invitation.id,
            "invited_by": invitation.created_by_name,
        }
        action = Action(kind="staff.grant", by=command.by, user_id=user, after=given)
        await actions.record(writer, [action])
    await writer.run(
        "UPDATE staff_invitations SET accepted_at = now(), accepted_by = $2 WHERE id = $1",
        invitation.id,
        user,
    )
    return command
