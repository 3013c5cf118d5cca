"""Account commands: create and list accounts, grant and revoke powers (permissions)."""

import getpass
import hashlib
import sys
from typing import Annotated
from uuid import UUID, uuid4

import typer

from gamekeeper.cli.terminal import AsJson, say, show_json, show_table, with_database
from gamekeeper.core.errors import Invalid
from gamekeeper.core.schemas import Page, Window
from gamekeeper.core.search import Search
from gamekeeper.db.database import Database
from gamekeeper.db.operations import COMMAND_LINE
from gamekeeper.users import accounts, emails
from gamekeeper.users.accounts import PowersChange, UserRegistration
from gamekeeper.users.records import User

Name = Annotated[str, typer.Argument(help="The username.")]
PowerNames = Annotated[
    list[str],
    typer.Argument(
        help="api, users.query, users.manage, emails, editor, ban, kick or mute; several allowed."
    ),
]

FIELDS = {
    "api": "api",
    "users.query": "user_query",
    "users.manage": "user_management",
    "emails": "personal_information",
    "editor": "editor",
    "ban": "ban",
    "kick": "kick",
    "mute": "mute",
}


class UnknownPower(Invalid):
    """There is no such power."""


def create(
    name: Name,
    email: Annotated[str, typer.Argument(help="The email address.")],
    *,
    power: Annotated[list[str] | None, typer.Option(help="Grant this at once; several.")] = None,
    password_stdin: Annotated[
        bool, typer.Option("--password-stdin", help="Read the password from standard input.")
    ] = False,
) -> None:
    """
    Create an account, for example the first one.

    Asks for the password, or reads it from standard input. For an administrator:
    gamekeeper users create ana ana@example.com --power api --power users.manage
    """
    from gamekeeper.auth.secrets import Vault

    accounts.check_name(name, staff=True)
    normal = emails.normal(email)
    granted = _powers(name, power or [], grant=True)
    secret = hashlib.sha256(_password(from_stdin=password_stdin).encode()).digest()

    async def work(database: Database) -> UUID:
        user = uuid4()
        sealed = await Vault(database.settings, waits=True).hash(user, secret)
        order = UserRegistration(by=COMMAND_LINE, id=user, name=name, email=normal, sealed=sealed)
        await accounts.register.one(database, order)
        await accounts.empower.one(database, granted)
        return user

    say(f"Created {name} with id {with_database(work)}.")


def _password(*, from_stdin: bool) -> str:
    if from_stdin or not sys.stdin.isatty():
        password = sys.stdin.readline().rstrip("\n")
    else:
        password = getpass.getpass("Password: ")
        if getpass.getpass("Again: ") != password:
            raise Invalid("The two passwords differ; nothing was created.")
    if not password:
        raise Invalid("An empty password is no password; nothing was created.")
    return password


def grant(
    name: Name,
    powers: PowerNames,
    *,
    without_emails: Annotated[
        bool, typer.Option("--without-emails", help="users.query without seeing addresses.")
    ] = False,
) -> None:
    """
    Give an account powers.

    users.manage includes users.query, which includes emails (unless
    --without-emails), and each of them includes api, which is the right to get tokens.
    """
    order = _powers(name, powers, grant=True, without_emails=without_emails)
    with_database(lambda database: accounts.empower.one(database, order))
    say(f"Granted {', '.join(powers)} to {name}.")


def revoke(name: Name, powers: PowerNames) -> None:
    """
    Take powers from an account; its tokens lose them within two seconds.

    Taking users.query also takes users.manage; taking api takes both.
    """
    order = _powers(name, powers, grant=False)
    with_database(lambda database: accounts.empower.one(database, order))
    say(f"Took {', '.join(powers)} from {name}.")


def _powers(
    name: str, powers: list[str], *, grant: bool, without_emails: bool = False
) -> PowersChange:
    wanted = {power.lower() for power in powers}
    for power in sorted(wanted - FIELDS.keys()):
        raise UnknownPower(f"There is no power '{power}'. There are: {', '.join(FIELDS)}.")
    if grant:
        wanted |= {"users.query"} if "users.manage" in wanted else set()
        wanted |= {"emails"} if "users.query" in wanted and not without_emails else set()
        wanted |= {"api"} if "users.query" in wanted else set()
    else:
        wanted |= {"users.query"} if "api" in wanted else set()
        wanted |= {"users.manage", "emails"} if "users.query" in wanted else set()
    return PowersChange(by=COMMAND_LINE, user=name, **{FIELDS[power]: grant for power in wanted})


def list_(
    *,
    search: Annotated[
        str | None, typer.Option(help="What the name begins with or resembles.")
    ] = None,
    page: Annotated[int, typer.Option(help="Which page, from 0.", min=0)] = 0,
    as_json: AsJson = False,
) -> None:
    """Show accounts by name, fifty at a time."""

    async def work(database: Database) -> Page[User]:
        window = Window.of(page, 50)
        return await accounts.list_users(
            database.reader, window, Search.of(search), sees_emails=True
        )

    found = with_database(work)
    if as_json:
        return show_json(found)
    rows = [
        [
            user.name,
            user.email,
            str(user.id),
            "yes" if user.power.api else "",
            "muted" if user.is_muted else "",
        ]
        for user in found.values
    ]
    show_table(["name", "email", "id", "api", ""], rows)
    return say(f"Page {found.page}, {found.count} of {found.total}.")
