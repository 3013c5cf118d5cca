"""API key commands: create, list, revoke."""

from typing import Annotated

import typer

from gamekeeper.auth import keys
from gamekeeper.auth.principal import SCOPES
from gamekeeper.cli.terminal import AsJson, say, show_json, show_table, with_database
from gamekeeper.core.errors import Invalid
from gamekeeper.db.operations import COMMAND_LINE

app = typer.Typer(help="API keys, for websites, bots and game servers.", no_args_is_help=True)

FOREVER = 9999


@app.command()
def create(
    name: Annotated[str, typer.Argument(help="What it is for, for example: my-website.")],
    *,
    scope: Annotated[
        list[str] | None,
        typer.Option(help=f"What it may do; several allowed. One of: {', '.join(SCOPES)}."),
    ] = None,
    without_emails: Annotated[
        bool, typer.Option("--without-emails", help="users.query without seeing addresses.")
    ] = False,
    days: Annotated[
        int | None, typer.Option(help="Valid for so many days.", min=1, max=36_500)
    ] = None,
) -> None:
    """
    Create a key and print it, alone, on standard output.

    It is shown this once; only a hash is stored. Without --scope it may do
    everything. Send it as: Authorization: Bearer gk_...
    """
    scopes = tuple(name.lower() for name in scope) if scope else None
    if without_emails and not scopes:
        raise Invalid("--without-emails needs --scope: without one a key may do everything.")
    if scopes and "users.query" in scopes and not without_emails:
        scopes = (*dict.fromkeys([*scopes, "users.personal"]),)
    order = keys.NewKey(by=COMMAND_LINE, name=name, scopes=scopes, days=days)
    say(with_database(lambda database: keys.create.one(database, order)))


@app.command("list")
def list_(*, as_json: AsJson = False) -> None:
    """List the keys, without their secrets."""
    found = with_database(lambda database: keys.list_keys(database.reader))
    if as_json:
        return show_json(found)
    rows = [
        [
            key.name,
            str(key.id),
            "everything" if key.scopes is None else " ".join(key.scopes),
            f"{key.created_at:%Y-%m-%d}",
            f"{key.used_at:%Y-%m-%d %H:%M}" if key.used_at else "never",
            _state(key),
        ]
        for key in found
    ]
    return show_table(["name", "id", "may", "created", "last used", "state"], rows)


def _state(key: keys.ApiKey) -> str:
    if key.revoked_at:
        return f"revoked {key.revoked_at:%Y-%m-%d}"
    return "live" if key.expires_at.year == FOREVER else f"until {key.expires_at:%Y-%m-%d}"


@app.command()
def revoke(name: Annotated[str, typer.Argument(help="The key's name or id.")]) -> None:
    """Revoke a key. It is refused everywhere within two seconds."""
    order = keys.Revocation(by=COMMAND_LINE, key=name)
    ended = with_database(lambda database: keys.revoke.one(database, order))
    say(f"Revoked {ended} key{'s' if ended > 1 else ''}.")
