"""The command-line interface (CLI): the same operations as the API, from a terminal."""

import sys

import typer

from gamekeeper.cli import (
    actions,
    catalog,
    demo,
    economy,
    keys,
    ledger,
    lists,
    players,
    serve,
    try_,
    users,
    webhooks,
)
from gamekeeper.cli.terminal import warn

app = typer.Typer(
    name="gamekeeper",
    help="Look after the players and users of a game server.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)
app.command()(serve.migrate)
app.command()(serve.serve)
app.command()(serve.worker)
app.command()(demo.demo)
app.command("try")(try_.try_)
app.add_typer(catalog.catalog, name="catalog")
app.add_typer(actions.app, name="actions")
app.add_typer(ledger.app, name="ledger")
app.add_typer(economy.app, name="economy")
app.add_typer(lists.app, name="lists")
app.add_typer(players.app, name="players")
app.add_typer(users.app, name="users")
app.add_typer(keys.app, name="keys")
app.add_typer(webhooks.app, name="webhooks")


def main() -> None:
    try:
        app()
    except Exception as error:
        from gamekeeper.cli import error_messages

        warn(f"gamekeeper: {error_messages.explain(error)}")
        sys.exit(1)
