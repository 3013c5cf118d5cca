"""Staff commands: who has which roles, and what each role may do."""

from typing import Annotated

import typer

from gamekeeper.auth.limits import LimitsRecord
from gamekeeper.catalog.lookup import did_you_mean
from gamekeeper.cli import names
from gamekeeper.cli.actor import As, audit_context
from gamekeeper.cli.names import Ids, UserKey
from gamekeeper.cli.options import Reason
from gamekeeper.cli.terminal import AsJson, say, show_json, show_table, with_database
from gamekeeper.core.names import nearest
from gamekeeper.core.schemas import LARGEST_PAGE, Window
from gamekeeper.db.database import Database, Reader
from gamekeeper.db.operations import AuditContext
from gamekeeper.users.staff import members, records
from gamekeeper.users.staff.members import RoleGrant, RoleWithdrawal, StaffMember
from gamekeeper.users.staff.records import RoleNotFound, RoleRecord

RoleName = Annotated[
    str, typer.Argument(metavar="ROLE", help="A role's name; see: gamekeeper roles list.")
]


def add(
    key: UserKey,
    role: RoleName,
    *,
    reason: Reason = None,
    as_: As = None,
    as_json: AsJson = False,
) -> None:
    """
    Give an account a role, for example the first owner.

    The first owner is made here: gamekeeper staff add ana owner
    """
    _change(key, role, audit_context(as_, reason), withdraw=False, as_json=as_json)


def remove(
    key: UserKey,
    role: RoleName,
    *,
    reason: Reason = None,
    as_: As = None,
    as_json: AsJson = False,
) -> None:
    """Withdraw a role from an account; the last owner stays."""
    _change(key, role, audit_context(as_, reason), withdraw=True, as_json=as_json)


def _change(key: str, role: str, by: AuditContext, *, withdraw: bool, as_json: bool) -> None:
    async def work(database: Database) -> StaffMember:
        user = await names.user(database.reader, key)
        await _check_role(database.reader, role)
        about = {"by": by, "caller": None, "user": str(user.id), "role": role}
        if withdraw:
            return await members.withdraw.one(database, RoleWithdrawal(**about))
        return await members.grant.one(database, RoleGrant(**about))

    member = with_database(work)
    if as_json:
        return show_json(member)
    held = ", ".join(one.name for one in member.roles)
    return say(f"{member.name} has these roles: {held}." if held else f"{member.name} has no role.")


async def _check_role(reader: Reader, role: str) -> None:
    """Refuse an unknown role with the nearest names."""
    known = await records.list_roles(reader, Window.of(0, LARGEST_PAGE))
    if role not in (found := [one.name for one in known.values]):
        hint = did_you_mean(nearest(role, found))
        raise RoleNotFound(f"There is no role '{role}'.{hint} There are: {', '.join(found)}.")


def list_(*, ids: Ids = False, as_json: AsJson = False) -> None:
    """List the accounts that have roles, by name."""

    async def work(database: Database) -> list[StaffMember]:
        found: list[StaffMember] = []
        while True:
            window = Window.of(len(found) // LARGEST_PAGE, LARGEST_PAGE)
            page = await members.list_members(database.reader, window, None)
            found += page.values
            if page.count < LARGEST_PAGE:
                return found

    found = with_database(work)
    if as_json:
        return show_json(found)
    if not found:
        return say("Nobody has a role. The first owner: gamekeeper staff add ACCOUNT owner")
    rows = [
        [
            member.name,
            ", ".join(one.name for one in member.roles),
            limits_in_words(member.limits),
            *([str(member.user_id)] if ids else []),
        ]
        for member in found
    ]
    return show_table(["name", "roles", "limits", *(["id"] if ids else [])], rows)


def roles(*, as_json: AsJson = False) -> None:
    """List the roles there are, and what each of them may do."""

    async def work(database: Database) -> list[RoleRecord]:
        return (await records.list_roles(database.reader, Window.of(0, LARGEST_PAGE))).values

    found = with_database(work)
    if as_json:
        return show_json(found)
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
    return show_table(["name", "what it is for", "members", "limits", "scopes"], rows)


def limits_in_words(limits: LimitsRecord) -> str:
    words = {
        "pieces a day": limits.pieces_per_day,
        "value a day": limits.value_per_day,
        "a gift": limits.largest_gift,
        "undos a day": limits.undos_per_day,
    }
    return ", ".join(f"{amount:,} {what}" for what, amount in words.items() if amount is not None)
