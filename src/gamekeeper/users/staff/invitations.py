"""
Invitations of staff: a link that gives a role to whoever opens it first, within some days.

The link is no sign-in: it needs the password of an account, or registers one, and the first
sign-in enrols a second factor. Its code is an HMAC of the invitation's id, as in password
resets, so it is stored nowhere. The authority of the inviter is checked when the invitation is
made and again when it is accepted: what a manager may no longer grant, the link does not grant.
"""

from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Sequence
from datetime import datetime
from hmac import compare_digest
from typing import Literal, LiteralString
from uuid import UUID, uuid4

from msgspec import Struct

from gamekeeper.auth.principal import Principal
from gamekeeper.auth.secrets import Vault
from gamekeeper.core.errors import Conflict, Forbidden, Invalid, NotFound, Problem
from gamekeeper.core.schemas import Instant, Page, Record, Window
from gamekeeper.core.settings import Hidden, Settings
from gamekeeper.db import jobs
from gamekeeper.db.database import Queryable, Reader, Writer
from gamekeeper.db.operations import Command, operation
from gamekeeper.ledger import actions
from gamekeeper.ledger.actions import Action
from gamekeeper.users.lookup import lock as lock_users
from gamekeeper.users.staff import records
from gamekeeper.users.staff.authority import Authority, accounts_of, authority_of

MAIL = "staff_invitation_mail"
DAYS = 3
MAX_DAYS = 14
MAX_OPEN = 50
"""Invitations that wait; more would be a list that nobody looks through."""

State = Literal["open", "accepted", "revoked", "expired"]


class InvitationNotFound(NotFound):
    """No invitation has that id."""


class InvitationEnded(Conflict):
    """The invitation was already accepted or revoked, or has expired."""

    cacheable = False


class InvalidInvitation(Invalid):
    """An invitation is valid for 1 to 14 days."""


class TooManyInvitations(Conflict):
    """Too many invitations are open. Revoke those that are no longer needed."""

    cacheable = False


class InviterNeedsSession(Forbidden):
    """Only staff in the console, and the command line, can invite. API keys cannot."""

    cacheable = False


class NewInvitation(Command, frozen=True, kw_only=True):
    caller: Principal | None
    """The inviter in a browser session; None: the command line."""
    role: str
    days: int = DAYS
    email: str | None = None
    """Normalised; None: the link is handed over by the inviter."""
    is_mailed: bool = False
    """Whether a job mails the link to that address."""


class InvitationEnd(Command, frozen=True, kw_only=True):
    caller: Principal | None
    id: UUID


class InvitationMail(Struct, frozen=True, kw_only=True):
    """The job that mails a link; the code is computed when the mail is written."""

    id: UUID


class Invitation(Record, frozen=True):
    """A role that waits for a person, and what became of it."""

    id: UUID
    role: str
    state: State
    """`open`, `accepted`, `revoked` or `expired`."""
    email: str | None
    """The address that the link was mailed to; null without the scope `users.personal`."""
    created_by: str
    """The actor."""
    created_by_name: str
    created_at: Instant
    expires_at: Instant
    accepted_at: Instant | None
    accepted_by: UUID | None
    """The account that accepted it."""
    accepted_by_name: str | None


@operation
async def invite(writer: Writer, commands: Sequence[NewInvitation]) -> list[Invitation | Problem]:
    """Make invitations, and the jobs that mail them."""
    await records.lock_roles(writer, [command.role for command in commands])
    await lock_users(writer, accounts_of([command.caller for command in commands]))
    return [await _invited(writer, command) for command in commands]


async def _invited(writer: Writer, command: NewInvitation) -> Invitation | Problem:
    if command.caller and command.caller.session is None:
        return InviterNeedsSession()
    if not 1 <= command.days <= MAX_DAYS:
        return InvalidInvitation(None, field="days")
    role = (await records.find_roles(writer, [command.role])).get(command.role)
    if role is None:
        return records.missing(command.role)
    authority = await authority_of(writer, command.caller)
    if refusal := authority.refusal(role) or authority.evasion(role):
        return refusal
    if await writer.value(f"SELECT count(*) FROM staff_invitations WHERE {OPEN}") >= MAX_OPEN:
        return TooManyInvitations()
    id_ = uuid4()
    expires_at = await writer.value(
        """
        INSERT INTO staff_invitations (id, role, email, created_by, created_by_name,
                                       created_by_user, expires_at)
        VALUES ($1, $2, $3, $4, $5, $6, now() + make_interval(days => $7))
        RETURNING expires_at
        """,
        id_,
        role.name,
        command.email,
        command.by.actor,
        command.by.name,
        command.caller.user_id if command.caller else None,
        command.days,
    )
    # Without the address: the log is never shortened, and this person is no account yet.
    about = {"invitation": id_, "role": role.name, "expires_at": expires_at}
    await actions.record(writer, [Action(kind="staff.invite", by=command.by, after=about)])
    if command.is_mailed:
        await jobs.enqueue(writer, MAIL, [InvitationMail(id=id_)])
    [made] = await writer.all(Invitation, f"{SELECT} WHERE invited.id = $1", id_)
    return made


@operation
async def revoke(writer: Writer, commands: Sequence[InvitationEnd]) -> list[Invitation | Problem]:
    """End invitations that are still open; only with authority over their roles."""
    await lock_users(writer, accounts_of([command.caller for command in commands]))
    return [await _revoked(writer, command) for command in commands]


async def _revoked(writer: Writer, command: InvitationEnd) -> Invitation | Problem:
    found = await lock_invitation(writer, command.id)
    if found is None:
        return InvitationNotFound()
    role = (await records.find_roles(writer, [found.role]))[found.role]
    authority: Authority = await authority_of(writer, command.caller)
    if refusal := authority.refusal(role):
        return refusal
    if not found.is_open:
        return InvitationEnded()
    await writer.run("UPDATE staff_invitations SET revoked_at = now() WHERE id = $1", command.id)
    about = {"invitation": command.id, "role": found.role}
    await actions.record(writer, [Action(kind="staff.uninvite", by=command.by, before=about)])
    [ended] = await writer.all(Invitation, f"{SELECT} WHERE invited.id = $1", command.id)
    return ended


class StoredInvitation(Struct, frozen=True, kw_only=True):
    id: UUID
    role: str
    email: str | None
    created_by_name: str
    created_by_user: UUID | None
    expires_at: datetime
    is_open: bool


async def lock_invitation(writer: Writer, id_: UUID) -> StoredInvitation | None:
    """The invitation, which nobody else accepts or revokes before this transaction ends."""
    return await writer.one(StoredInvitation, f"{STORED} WHERE id = $1 FOR UPDATE", id_)


async def find_open(reader: Queryable, id_: UUID) -> StoredInvitation | None:
    return await reader.one(StoredInvitation, f"{STORED} WHERE id = $1 AND {OPEN}", id_)


async def list_invitations(reader: Reader, window: Window, state: State | None) -> Page[Invitation]:
    """A page of the invitations, newest first; those that ended go after 30 days."""
    where: LiteralString = f"WHERE $1::text IS NULL OR ({STATE}) = $1"
    rows = await reader.all(
        Invitation,
        f"{SELECT} {where} ORDER BY created_at DESC, id LIMIT $2 OFFSET $3",
        state,
        window.shown,
        window.offset,
    )
    total = await reader.value(f"SELECT count(*) FROM staff_invitations AS invited {where}", state)
    return Page.of(rows, total, window)


def code_of(vault: Vault, invitation: UUID) -> Hidden:
    """The code in the link."""
    return Hidden(_codes(vault, invitation)[0])


def address(settings: Settings, code: Hidden) -> str:
    """The address that a browser opens; the code is in the fragment, which is sent nowhere."""
    return f"{settings.public_url.rstrip('/')}/console/sign-in#invitation={code}"


def parse_code(vault: Vault, code: str) -> UUID | None:
    """The invitation of a code; None if no key of ours made it."""
    try:
        raw = urlsafe_b64decode(code.encode("ascii"))
        invitation = UUID(bytes=raw[:16])
    except ValueError:
        return None
    right = any(
        compare_digest(code.encode(), known.encode()) for known in _codes(vault, invitation)
    )
    return invitation if right else None


def _codes(vault: Vault, invitation: UUID) -> list[str]:
    """The codes under each key, the current one first."""
    return [
        urlsafe_b64encode(invitation.bytes + proof).decode()
        for proof in vault.hmacs(f"invitation:{invitation}")
    ]


OPEN: LiteralString = (
    "accepted_at IS NULL AND revoked_at IS NULL AND expires_at > statement_timestamp()"
)
STORED: LiteralString = f"""
    SELECT id, role, email, created_by_name, created_by_user, expires_at, {OPEN} AS is_open
      FROM staff_invitations
"""
STATE: LiteralString = """
    CASE WHEN accepted_at IS NOT NULL THEN 'accepted' WHEN revoked_at IS NOT NULL THEN 'revoked'
         WHEN expires_at <= statement_timestamp() THEN 'expired' ELSE 'open' END
"""
SELECT: LiteralString = f"""
    SELECT id, role, {STATE} AS state, email, created_by, created_by_name, created_at, expires_at,
           accepted_at, accepted_by,
           (SELECT name FROM users WHERE users.id = accepted_by) AS accepted_by_name
      FROM staff_invitations AS invited
"""
