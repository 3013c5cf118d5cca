"""Account commands: create, list and show; powers, passwords, email addresses, languages."""

import getpass
import hashlib
import sys
from typing import Annotated
from uuid import UUID, uuid4

import typer

from gamekeeper.cli import names
from gamekeeper.cli.actor import By
from gamekeeper.cli.command import Output, TextTable, change, command
from gamekeeper.cli.names import FoundUser, Ids, UserKey
from gamekeeper.cli.powers import Grants, PowerNames, changed, named, requested
from gamekeeper.cli.terminal import say, with_database
from gamekeeper.core.errors import Invalid
from gamekeeper.core.schemas import Window
from gamekeeper.core.search import Search
from gamekeeper.db.database import Database
from gamekeeper.db.operations import AuditContext
from gamekeeper.players import roster
from gamekeeper.users import accounts, common_passwords, emails, languages, verified_emails
from gamekeeper.users.accounts import UserRegistration
from gamekeeper.users.emails import NewEmail
from gamekeeper.users.languages import NewLanguage
from gamekeeper.users.records import User

SHORTEST_PASSWORD = 8

FromStdin = Annotated[
    bool, typer.Option("--password-stdin", help="Read the password from standard input.")
]


@change("users.manage")
def create(
    name: Annotated[str, typer.Argument(metavar="NAME", help="The username.")],
    email: Annotated[str, typer.Argument(metavar="EMAIL", help="The email address.")],
    *,
    power: Annotated[
        list[str] | None, typer.Option(metavar="POWER", help="Grant this power; repeatable.")
    ] = None,
    password_stdin: FromStdin = False,
    by: By,
) -> None:
    """
    Create an account, for example the first one.

    Asks for the password, or reads it from standard input. For an administrator:
    gamekeeper users create ana ana@example.com --power api --power users.manage
    """
    from gamekeeper.auth.secrets import Vault

    accounts.check_name(name, staff=True)
    normal = emails.normal(email)
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
        raise Invalid(f"A password must have at least {SHORTEST_PASSWORD} characters; {otherwise}.")
    secret = hashlib.sha256(password.encode()).digest()
    common_passwords.check("password", secret)
    return secret


@change("users.manage")
async def grant(
    database: Database,
    user: FoundUser,
    powers: PowerNames,
    *,
    without_emails: Annotated[
        bool,
        typer.Option(
            "--without-emails", help="Grant users.query without access to email addresses."
        ),
    ] = False,
    by: By,
) -> str:
    """
    Grant powers to an account: API access, and control over other accounts.

    users.manage includes users.query, which includes emails (unless
    --without-emails). Each of them includes api, which allows the account to get tokens.
    """
    wanted = requested(powers, grant=True, without_emails=without_emails)
    return await _change(database, user, wanted, by)


@change("users.manage")
async def revoke(database: Database, user: FoundUser, powers: PowerNames, *, by: By) -> str:
    """
    Revoke powers from an account; its tokens lose them within two seconds.

    Revoking users.query also revokes users.manage; revoking api revokes both.
    """
    return await _change(database, user, requested(powers, grant=False), by)


async def _change(database: Database, user: User, wanted: Grants, by: AuditContext) -> str:
    before = (await accounts.powers(database.reader, [user.id]))[user.id]
    if wanted.changes(before):
        await accounts.empower.one(database, wanted.order(by, str(user.id)))
    return changed(user.name, wanted, before)


@change("users.manage")
def set_password(key: UserKey, *, password_stdin: FromStdin = False, by: By) -> None:
    """
    Set an account's password and revoke its tokens and reset links.

    Asks for the password, or reads it from standard input.
    """
    from gamekeeper.auth.secrets import Vault
    from gamekeeper.users import passwords
    from gamekeeper.users.passwords import NewPassword

    user = with_database(lambda database: names.user(database.reader, key))
    secret = _password(from_stdin=password_stdin, otherwise="nothing was changed")

    async def work(database: Database) -> None:
        sealed = await Vault(database.settings, waits=True).hash(user.id, secret)
        await passwords.replace.one(database, NewPassword(by=by, user_id=user.id, sealed=sealed))

    with_database(work)
    say(f"{user.name} has a new password, and must sign in again everywhere.")


@change("users.manage")
async def set_email(
    database: Database,
    user: FoundUser,
    email: Annotated[str, typer.Argument(metavar="EMAIL", help="The new address.")],
    *,
    by: By,
) -> Output:
    """Set an account's email address."""
    order = NewEmail(by=by, user=str(user.id), email=emails.normal(email))
    done = await emails.change.one(database, order)
    return Output(done, f"The email address of {done.name} is now {done.email}.")


@change("users.manage")
async def verify_email(database: Database, user: FoundUser, *, by: By) -> Output:
    """
    Record that you verified an account's email address.

    For accounts that prove their address to you, for example in a support ticket.
    """
    from gamekeeper.users import email_proofs, email_verification
    from gamekeeper.users.email_proofs import StaffVerification

    await email_proofs.verify.one(database, StaffVerification(by=by, user_id=user.id))
    state = await email_verification.state(database.reader, user.id, sees_email=True)
    return Output(state, f"The email address of {user.name}, {state.email}, is verified.")


@change("users.manage")
async def set_language(
    database: Database,
    user: FoundUser,
    language: Annotated[
        str,
        typer.Argument(metavar="LANGUAGE", help=f"One of {languages.KNOWN}; '' for the default."),
    ],
    *,
    by: By,
) -> Output:
    """Set the language in which an account gets mails."""
    new = languages.parse(language)
    command = NewLanguage(by=by, user=str(user.id), language=new, sees_emails=True)
    done = await languages.change.one(database, command)
    return Output(done, f"The language of {done.name} is {new or 'the default'} now.")


@command
async def show(database: Database, user: FoundUser) -> Output:
    """Show an account: its email address, powers, mute and characters."""
    powers = named((await accounts.powers(database.reader, [user.id]))[user.id])
    characters = await roster.of_user(database.reader, user.id)
    proof = await verified_emails.verifications.one(database.reader, user.id)
    who = ", ".join(f"{each.name} ({each.class_name} {each.level})" for each in characters)
    facts = {
        "account": user.name,
        "id": str(user.id),
        "email": user.email if proof else f"{user.email} (not verified)",
        "language": user.language or "the default",
        "powers": ", ".join(powers) or "none",
        "muted": f"yes: {user.mute_reason or 'no reason given'}" if user.is_muted else "no",
        "characters": who or "none",
    }
    return Output({"User": user, "Powers": powers, "Players": characters}, facts)


@command
async def list_(
    database: Database,
    *,
    search: Annotated[
        str | None,
        typer.Option(metavar="TEXT", help="Part of the name or email address."),
    ] = None,
    page: Annotated[
        int, typer.Option(metavar="PAGE", help="Page number, starting at 0.", min=0)
    ] = 0,
    ids: Ids = False,
) -> Output:
    """List accounts by name, with their powers, fifty at a time."""
    reader, window = database.reader, Window.of(page, 50)
    found = await accounts.list_users(reader, window, Search.of(search), sees_emails=True)
    powers = await accounts.powers(reader, [user.id for user in found.values])
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
    table = TextTable(["name", "email", "powers", "", *(["id"] if ids else [])], rows)
    return Output(found, table, f"Page {found.page}, {found.count} of {found.total}.")
