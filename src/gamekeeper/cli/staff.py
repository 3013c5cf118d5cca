"""Staff commands: roles and what they may do; sign-in links, second factors, sessions."""

from typing import Annotated

import typer

from gamekeeper.auth import browser_sessions
from gamekeeper.auth.browser_sessions import SessionEnd
from gamekeeper.auth.limits import LimitsRecord
from gamekeeper.catalog.lookup import did_you_mean
from gamekeeper.cli.actor import ByReasonFirst
from gamekeeper.cli.command import Output, TextTable, change, command
from gamekeeper.cli.names import FoundUser, Ids
from gamekeeper.core.names import nearest
from gamekeeper.core.schemas import LARGEST_PAGE, Window
from gamekeeper.db.database import Database, Reader
from gamekeeper.users.staff import members, records, second_factors, sign_in_links
from gamekeeper.users.staff.members import RoleGrant, RoleWithdrawal, StaffMember
from gamekeeper.users.staff.records import RoleNotFound
from gamekeeper.users.staff.second_factors import FactorReset
from gamekeeper.users.staff.sign_in_links import LONGEST_MINUTES, MINUTES, NewLink

RoleName = Annotated[
    str, typer.Argument(metavar="ROLE", help="A role's name; see: gamekeeper roles list.")
]
Minutes = Annotated[
    int,
    typer.Option(
        metavar="MINUTES",
        help="Lifetime in minutes.",
        min=1,
        max=LONGEST_MINUTES,
    ),
]


@change("staff.manage")
async def add(database: Database, user: FoundUser, role: RoleName, *, by: ByReasonFirst) -> Output:
    """
    Add a role to an account, for example the first owner.

    To add the first owner: gamekeeper staff add ana owner
    """
    await check_role(database.reader, role)
    order = RoleGrant(by=by, caller=None, user=str(user.id), role=role)
    return _member(await members.grant.one(database, order))


@change("staff.manage")
async def remove(
    database: Database, user: FoundUser, role: RoleName, *, by: ByReasonFirst
) -> Output:
    """Remove a role from an account; the last owner cannot be removed."""
    await check_role(database.reader, role)
    order = RoleWithdrawal(by=by, caller=None, user=str(user.id), role=role)
    return _member(await members.withdraw.one(database, order))


def _member(member: StaffMember) -> Output:
    held = ", ".join(role.name for role in member.roles)
    said = f"{member.name} has these roles: {held}." if held else f"{member.name} has no role."
    return Output(member, said)


async def check_role(reader: Reader, role: str) -> None:
    """Refuse an unknown role with the nearest names."""
    known = await records.list_roles(reader, Window.of(0, LARGEST_PAGE))
    if role not in (found := [each.name for each in known.values]):
        hint = did_you_mean(nearest(role, found))
        raise RoleNotFound(f"There is no role '{role}'.{hint} Choose one of: {', '.join(found)}.")


@command
async def list_(database: Database, *, ids: Ids = False) -> Output:
    """List the accounts that have roles, by name."""
    found: list[StaffMember] = []
    while True:
        window = Window.of(len(found) // LARGEST_PAGE, LARGEST_PAGE)
        page = await members.list_members(database.reader, window, None)
        found += page.values
        if page.count < LARGEST_PAGE:
            break
    if not found:
        hint = "No account has a role. Add the first owner: gamekeeper staff add ACCOUNT owner"
        return Output(found, hint)
    rows = [
        [
            member.name,
            ", ".join(role.name for role in member.roles),
            limits_in_words(member.limits),
            *([str(member.user_id)] if ids else []),
        ]
        for member in found
    ]
    return Output(found, TextTable(["name", "roles", "limits", *(["id"] if ids else [])], rows))


@command
async def roles(database: Database) -> Output:
    """List all roles and their permissions."""
    found = (await records.list_roles(database.reader, Window.of(0, LARGEST_PAGE))).values
    rows = [
        [
            role.name,
            role.description,
            str(role.members),
            limits_in_words(role.limits),
            " ".join(role.scopes),
        ]
        for role in found
    ]
    return Output(found, TextTable(["name", "description", "members", "limits", "scopes"], rows))


def limits_in_words(limits: LimitsRecord) -> str:
    words = {
        "pieces a day": limits.pieces_per_day,
        "value a day": limits.value_per_day,
        "pieces per gift": limits.largest_gift,
        "undos a day": limits.undos_per_day,
    }
    return ", ".join(f"{amount:,} {what}" for what, amount in words.items() if amount is not None)


@change("staff.manage")
async def link(
    database: Database, user: FoundUser, *, minutes: Minutes = MINUTES, by: ByReasonFirst
) -> Output:
    """
    Create a link that signs a staff member in once.

    The link replaces password and second factor, so keep it secret: open it yourself, or hand
    it over in person. It starts with GAMEKEEPER_PUBLIC_URL. After losing a device, sign in with
    a link, remove the lost factor and enrol another.
    """
    order = NewLink(user_id=user.id, minutes=minutes, by=by)
    made = await sign_in_links.make.one(database, order)
    address = sign_in_links.address(database.settings, made.code)
    return Output({"name": made.name, "address": address, "expires_at": made.expires_at}, address)


@change("staff.manage")
async def reset_factors(database: Database, user: FoundUser, *, by: ByReasonFirst) -> Output:
    """
    Remove all second factors of a staff member who lost them, and end their sessions.

    Verify who is asking: at the next sign-in, the password alone is enough to enrol a new
    factor.
    """
    removed = await second_factors.reset.one(database, FactorReset(user_id=user.id, by=by))
    return Output(
        {"name": user.name, "removed": removed},
        f"Removed {removed} second factors of {user.name}; the next sign-in enrols a new one.",
    )


@change("staff.manage")
async def sign_out(database: Database, user: FoundUser, *, by: ByReasonFirst) -> Output:
    """End all browser sessions of a staff member."""
    ended = await browser_sessions.end.one(database, SessionEnd(user_id=user.id, by=by))
    said = f"Ended {ended} sessions of {user.name}."
    return Output({"name": user.name, "ended": ended}, said)
