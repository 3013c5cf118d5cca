"""Staff commands for invitations: invite by a link, list and revoke."""

from typing import Annotated
from uuid import UUID

import typer

from gamekeeper.cli.actor import ByReasonFirst
from gamekeeper.cli.command import Output, TextTable, change, command
from gamekeeper.cli.staff import RoleName, check_role
from gamekeeper.core.schemas import LARGEST_PAGE, Window
from gamekeeper.core.settings import Settings
from gamekeeper.db.database import Database
from gamekeeper.users import emails
from gamekeeper.users.staff import invitations
from gamekeeper.users.staff.invitations import DAYS, MAX_DAYS, InvitationEnd, NewInvitation


@change("staff.manage")
async def invite(
    database: Database,
    settings: Settings,
    role: RoleName,
    *,
    days: Annotated[
        int, typer.Option(metavar="DAYS", help="Lifetime in days.", min=1, max=MAX_DAYS)
    ] = DAYS,
    email: Annotated[
        str | None, typer.Option(metavar="EMAIL", help="Also mail the link to this address.")
    ] = None,
    by: ByReasonFirst,
) -> Output:
    """
    Create a link that gives a role to a new member of staff, once.

    The first person who opens the link signs in with an account that exists, or creates one,
    and enrols a second factor. The link starts with GAMEKEEPER_PUBLIC_URL.
    """
    from gamekeeper.auth.secrets import Vault

    await check_role(database.reader, role)
    order = NewInvitation(
        by=by,
        caller=None,
        role=role,
        days=days,
        email=None if email is None else emails.normal(email),
        is_mailed=email is not None and settings.smtp_url is not None,
    )
    made = await invitations.invite.one(database, order)
    link = invitations.address(settings, invitations.code_of(Vault(settings), made.id))
    facts = {
        "id": made.id,
        "role": made.role,
        "link": link,
        "expires_at": made.expires_at,
        "mailed": order.is_mailed,
    }
    return Output(facts, link)


@command
async def list_(database: Database) -> Output:
    """
    List invitations and their states, newest first.

    Invitations that ended are kept for 30 days. Only the newest 100 are listed.
    """
    window = Window.of(0, LARGEST_PAGE)
    found = (await invitations.list_invitations(database.reader, window, None)).values
    if not found:
        return Output(found, "No invitations. Create one: gamekeeper staff invite ROLE")
    rows = [
        [
            str(each.id),
            each.role,
            each.state,
            each.created_by_name,
            f"{each.expires_at:%Y-%m-%d %H:%M}",
            each.accepted_by_name or "",
        ]
        for each in found
    ]
    return Output(
        found, TextTable(["id", "role", "state", "invited by", "expires", "accepted by"], rows)
    )


@change("staff.manage")
async def revoke(
    database: Database,
    invitation: Annotated[
        UUID, typer.Argument(metavar="ID", help="Its id; see: gamekeeper staff invitations.")
    ],
    *,
    by: ByReasonFirst,
) -> Output:
    """Revoke an open invitation; its link no longer works."""
    order = InvitationEnd(by=by, caller=None, id=invitation)
    ended = await invitations.revoke.one(database, order)
    return Output(ended, f"Revoked the invitation for the role {ended.role}.")
