"""Account commands: create, list and show accounts; powers, passwords, email addresses."""

import getpass
import hashlib
import sys
from collections.abc import Mapping
from typing import TYPE_CHECKING, Annotated
from uuid import UUID, uuid4

import typer

from gamekeeper.cli import names
from gamekeeper.cli.actor import As, audit_context
from gamekeeper.cli.names import Ids, UserKey
from gamekeeper.cli.options import Reason
from gamekeeper.cli.powers import Grants, PowerNames, changed, named, requested
from gamekeeper.cli.terminal import (
    AsJson,
    say,
    show_facts,
    show_json,
    show_table,
    with_database,
)
from gamekeeper.core.errors import Invalid
from gamekeeper.core.schemas import Page, Window
from gamekeeper.core.search import Search
from gamekeeper.db.database import Database
from gamekeeper.db.operations import AuditContext
from gamekeeper.users import accounts, common_passwords, emails
from gamekeeper.users.accounts import UserRegistration
from gamekeeper.users.emails import NewEmail
from gamekeeper.users.records import User

if TYPE_CHECKING:
    from gamekeeper.players.records import Player

SHORTEST_PASSWORD = 8

FromStdin = Annotated[
    bool, typer.Option("--password-stdin", help="Read the password from standard input.")
]


def create(
    name: Annotated[str, typer.Argument(metavar="NAME", help="The username.")],
    email: Annotated[str, typer.Argument(metavar="EMAIL", help="The email address.")],
    *,
    power: Annotated[
        list[str] | None, typer.Option(metavar="POWER", help="Grant this power; repeatable.")
    ] = None,
    password_stdin: FromStdin = False,
    as_: As = None,
) -> None:
    """
    Create an account, for example the first one.

    Asks for the password, or reads it from standard input. For an administrator:
    gamekeeper users create ana ana@example.com --power api --power users.manage
    """
    from gamekeeper.auth.secrets import Vault

    accounts.check_name(name, staff=True)
    normal, by = emails.normal(email), audit_context(as_)
    granted = requested(power or [], grant=True)
    secret = _password(from_stdin=password_stdin, otherwise="nothing was created")

    async def work(database: Database) -> UUID:
        user = uuid4()
        sealed = await Vault(database.settings, waits=True).hash(user, secret)
        order = UserRegistration(by=by, id=user, name=name, email=normal, sealed=sealed)
        await accounts.register.one(database, order)
        await accounts.empower.one(database, granted.order(by, name))
        return user

    say(f"Created {name} with id {with_database(work)}.")


def _password(*, from_stdin: bool, otherwise: str) -> bytes:
    """Ask for a password, or read it; return its SHA-256, as clients send it."""
    if from_stdin or not sys.stdin.isatty():
        password = sys.stdin.readline().rstrip("\n")
    else:
        password = getpass.getpass("Password: ")
        if getpass.getpass("Again: ") != password:
            raise Invalid(f"The two passwords differ; {otherwise}.")
    if len(password) < SHORTEST_PASSWORD:
        raise Invalid(f"A password has at least {SHORTEST_PASSWORD} characters; {otherwise}.")
    secret = hashlib.sha256(password.encode()).digest()
    common_passwords.check("password", secret)
    return secret


def grant(
    key: UserKey,
    powers: PowerNames,
    *,
    without_emails: Annotated[
        bool,
        typer.Option(
            "--without-emails", help="Grant users.query without access to email addresses."
        ),
    ] = False,
    as_: As = None,
    reason: Reason = None,
) -> None:
    """
    Grant powers to an account: API access, and control over other accounts.

    users.manage includes users.query, which includes emails (unless
    --without-emails). Each of them includes api, which allows the account to get tokens.
    """
    _change(key, requested(powers, grant=True, without_emails=without_emails), as_, reason)


def revoke(key: UserKey, powers: PowerNames, *, as_: As = None, reason: Reason = None) -> None:
    """
    Revoke powers from an account; its tokens lose them within two seconds.

    Revoking users.query also revokes users.manage; revoking api revokes both.
    """
    _change(key, requested(powers, grant=False), as_, reason)


def _change(key: str, wanted: Grants, as_: str | None, reason: str | None) -> None:
    by: AuditContext = audit_context(as_, reason)

    async def work(database: Database) -> tuple[str, Mapping[str, bool]]:
        user = await names.user(database.reader, key)
        before = (await accounts.powers(database.reader, [user.id]))[user.id]
        if wanted.changes(before):
            await accounts.empower.one(database, wanted.order(by, str(user.id)))
        return user.name, before

    name, before = with_database(work)
    say(changed(name, wanted, before))


def set_password(
    key: UserKey,
    *,
    password_stdin: FromStdin = False,
    as_: As = None,
    reason: Reason = None,
) -> None:
    """
    Set an account's password and revoke its tokens and reset links.

    Asks for the password, or reads it from standard input.
    """
    from gamekeeper.auth.secrets import Vault
    from gamekeeper.users import passwords
    from gamekeeper.users.passwords import NewPassword

    by = audit_context(as_, reason)
    user = with_database(lambda database: names.user(database.reader, key))
    secret = _password(from_stdin=password_stdin, otherwise="nothing was changed")

    async def work(database: Database) -> None:
        sealed = await Vault(database.settings, waits=True).hash(user.id, secret)
        await passwords.replace.one(database, NewPassword(by=by, user_id=user.id, sealed=sealed))

    with_database(work)
    say(f"{user.name} has a new password, and must sign in again everywhere.")


def set_email(
    key: UserKey,
    email: Annotated[str, typer.Argument(metavar="EMAIL", help="The new address.")],
    *,
    as_: As = None,
    reason: Reason = None,
    as_json: AsJson = False,
) -> None:
    """Set an account's email address."""
    by, normal = audit_context(as_, reason), emails.normal(email)

    async def work(database: Database) -> "emails.records.ChangedUser":
        user = await names.user(database.reader, key)
        order = NewEmail(by=by, user=str(user.id), email=normal)
        return await emails.change.one(database, order)

    done = with_database(work)
    return show_json(done) if as_json else say(f"The address of {done.name} is {done.email} now.")


def show(key: UserKey, *, as_json: AsJson = False) -> None:
    """Show an account: its email address, powers, mute and characters."""
    from gamekeeper.players import roster

    async def work(database: Database) -> tuple[User, dict[str, bool], "list[Player]"]:
        user = await names.user(database.reader, key)
        powers = (await accounts.powers(database.reader, [user.id]))[user.id]
        return user, powers, await roster.of_user(database.reader, user.id)

    user, powers, characters = with_database(work)
    if as_json:
        return show_json({"User": user, "Powers": named(powers), "Players": characters})
    who = ", ".join(f"{one.name} ({one.class_name} {one.level})" for one in characters)
    return show_facts(
        {
            "account": user.name,
            "id": str(user.id),
            "email": user.email,
            "powers": ", ".join(named(powers)) or "none",
            "muted": f"yes: {user.mute_reason or 'no reason given'}" if user.is_muted else "no",
            "characters": who or "none",
        }
    )


def list_(
    *,
    search: Annotated[
        str | None,
        typer.Option(metavar="TEXT", help="Part of the name or email address."),
    ] = None,
    page: Annotated[
        int, typer.Option(metavar="PAGE", help="Page number, starting at 0.", min=0)
    ] = 0,
    ids: Ids = False,
    as_json: AsJson = False,
) -> None:
    """List accounts by name, with their powers, fifty at a time."""

    async def work(database: Database) -> tuple[Page[User], dict[UUID, dict[str, bool]]]:
        reader, window = database.reader, Window.of(page, 50)
        found = await accounts.list_users(reader, window, Search.of(search), sees_emails=True)
        return found, await accounts.powers(reader, [user.id for user in found.values])

    found, powers = with_database(work)
    if as_json:
        return show_json(found)
    rows = [
        [
            user.name,
            user.email,
            ", ".join(named(powers.get(user.id, {}))),
            "muted" if user.is_muted else "",
            *([str(user.id)] if ids else []),
        ]
        for user in found.values
    ]
    show_table(["name", "email", "powers", "", *(["id"] if ids else [])], rows)
    return say(f"Page {found.page}, {found.count} of {found.total}.")
