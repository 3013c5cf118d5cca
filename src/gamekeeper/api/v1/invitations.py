"""Invitation endpoints: invite staff by a link, list, revoke and accept invitations."""

from msgspec import structs

from gamekeeper.api import audit_context
from gamekeeper.api.path_parameters import InvitationId
from gamekeeper.api.v1 import session
from gamekeeper.api.v1.roles import MANAGE, READ
from gamekeeper.api.v1.session import SessionStatus
from gamekeeper.auth import client_traces
from gamekeeper.auth.authenticator import Authenticator
from gamekeeper.auth.principal import Principal
from gamekeeper.auth.secrets import Vault
from gamekeeper.core.errors import TooManyRequests
from gamekeeper.core.schemas import LARGEST_PAGE, Body, Page, Paging
from gamekeeper.core.settings import Hidden
from gamekeeper.db.database import Database, Reader
from gamekeeper.db.operations import AuditContext
from gamekeeper.http.cookies import SessionCookie
from gamekeeper.http.cross_site import CrossSiteRequest, SameOrigin
from gamekeeper.http.requests import Request
from gamekeeper.http.responses import Response
from gamekeeper.http.routing import Routes
from gamekeeper.sanctions.access_bans import AccessBanned
from gamekeeper.users import emails, passwords
from gamekeeper.users.accounts import InvalidUsername, UsernameTaken
from gamekeeper.users.common_passwords import GuessablePassword
from gamekeeper.users.emails import EmailTaken, InvalidEmail
from gamekeeper.users.passwords import InvalidPasswordHash, PasswordHash
from gamekeeper.users.staff import acceptance, invitations, sign_in
from gamekeeper.users.staff.acceptance import AcceptanceRefused, InvitationRefused, Invitee
from gamekeeper.users.staff.authority import OwnerRequired, RoleEvadesLimits, RoleExceedsCaller
from gamekeeper.users.staff.invitations import (
    DAYS,
    InvalidInvitation,
    Invitation,
    InvitationEnd,
    InvitationEnded,
    InvitationNotFound,
    InviterNeedsSession,
    NewInvitation,
    State,
    TooManyInvitations,
)
from gamekeeper.users.staff.members import TooManyRolesHeld
from gamekeeper.users.staff.records import RoleNotFound
from gamekeeper.users.staff.sign_in import NewSession

routes = Routes("/api/v1/staff/invitations")
public = Routes("/api/v1/session", roles=None)


class InvitationQuery(Paging, frozen=True):
    page_size: int = LARGEST_PAGE
    state: State | None = None
    """Only invitations in this state: `open`, `accepted`, `revoked` or `expired`."""


@routes.get("", READ)
async def list_invitations(
    reader: Reader, caller: Principal, query: InvitationQuery
) -> Page[Invitation]:
    """The invitations, newest first, without their links. Ended ones are kept for 30 days."""
    page = await invitations.list_invitations(reader, query.window, query.state)
    return structs.replace(page, values=[_seen_by(caller, each) for each in page.values])


def _seen_by(caller: Principal, invitation: Invitation) -> Invitation:
    """Without the address, unless the caller sees addresses or sent it there."""
    if caller.sees_emails or caller.id == invitation.created_by:
        return invitation
    return structs.replace(invitation, email=None)


class CreatedInvitation(Invitation, frozen=True):
    """A new invitation, with its link for the first and only time."""

    link: str | None
    """
    The link, shown only once. Null if the request was already executed under its
    `Idempotency-Key`; then revoke the invitation and create another.
    """
    mailed: bool
    """Whether the link is mailed. False: hand it over yourself."""


class CreateInvitation(Body, frozen=True):
    role: str
    """The role that the link gives; none with more permissions than your own."""
    days: int = DAYS
    """Days until the link expires, 1 to 14."""
    email: str | None = None
    """The address to mail the link to; by default it is only shown."""


@routes.post(
    "",
    MANAGE,
    raises=(
        *(RoleNotFound, RoleExceedsCaller, RoleEvadesLimits, OwnerRequired),
        *(InvalidInvitation, InvalidEmail, TooManyInvitations, InviterNeedsSession),
    ),
    step_up=True,
)
async def create_invitation(
    database: Database, vault: Vault, caller: Principal, by: AuditContext, body: CreateInvitation
) -> CreatedInvitation:
    """
    Invite a person to the staff: a link that gives a role, once, to a new or existing account.

    The person who opens the link needs a password and enrols a second factor. The link is void when
    you lose the permission to grant the role.
    """
    is_mailed = body.email is not None and database.settings.smtp_url is not None
    order = NewInvitation(
        by=by,
        caller=caller,
        role=body.role,
        days=body.days,
        email=None if body.email is None else emails.normal(body.email),
        is_mailed=is_mailed,
    )
    # The reply is stored under its idempotency key without the link: never in plaintext.
    made = await invitations.invite.one(
        database,
        order,
        lambda each: CreatedInvitation(**structs.asdict(each), link=None, mailed=is_mailed),
    )
    code = invitations.code_of(vault, made.id)
    return structs.replace(made, link=invitations.address(database.settings, code))


@routes.delete(
    "/{id}",
    MANAGE,
    raises=(InvitationNotFound, InvitationEnded, RoleExceedsCaller, OwnerRequired),
    step_up=True,
)
async def revoke_invitation(
    database: Database,
    caller: Principal,
    by: AuditContext,
    id: InvitationId,  # noqa: A002
) -> Invitation:
    """Revoke an open invitation: its link no longer works. Needs authority over its role."""
    order = InvitationEnd(by=by, caller=caller, id=id)
    return _seen_by(caller, await invitations.revoke.one(database, order))


class AcceptInvitation(Body, frozen=True):
    code: str
    """The part after `#invitation=` in the link."""
    username: str
    """The username of your account, or of the new one."""
    password: PasswordHash
    """SHA-256 of the password: 64 hexadecimal digits, no hyphens, in any letter case."""
    email: str | None = None
    """The email address of a new account; without it, the account must exist."""


@public.post(
    "/invitation",
    raises=(
        *(InvitationRefused, AcceptanceRefused, CrossSiteRequest, TooManyRequests, AccessBanned),
        *(InvalidUsername, UsernameTaken, InvalidEmail, EmailTaken),
        *(InvalidPasswordHash, GuessablePassword, TooManyRolesHeld),
    ),
    rate="sign-in",
)
async def accept_invitation(
    database: Database,
    vault: Vault,
    authenticator: Authenticator,
    cookie: SessionCookie,
    same_origin: SameOrigin,
    request: Request,
    body: AcceptInvitation,
) -> SessionStatus | Response:
    """
    Accept an invitation, which is used up, and sign in with a browser.

    With `email`, the account is registered; otherwise it is signed in with its password. The
    second factor comes next.
    """
    same_origin.check(request, is_safe=False)
    parse = passwords.parse if body.email is None else passwords.parse_new
    invitee = Invitee(
        username=body.username, secret=parse("password", body.password), email=body.email
    )
    by = audit_context.by_request(request)
    trace = client_traces.of_client(vault, request.address, None)
    await client_traces.check(database.reader, trace)
    done = await acceptance.accept(database, vault, Hidden(body.code), invitee, by)
    user_agent = sign_in.readable(request.headers.get("user-agent", ""))
    command = NewSession(
        user_id=done.user_id, sealed=done.sealed, user_agent=user_agent, by=by, trace=trace
    )
    begun = await sign_in.begin.one(database, command)
    await session.end_former(database, authenticator, cookie.read(request), request)
    return await session.begun_answer(database, cookie, request, begun)
