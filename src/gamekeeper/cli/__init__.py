"""
The command-line interface (CLI): the same operations as the API, from a terminal.

A command's module is imported when the command is called: importing all of them takes a
second.
"""

import sys
from typing import Annotated

import typer

from gamekeeper.cli.commands import COMMANDS
from gamekeeper.cli.lazy import lazy_app

app = lazy_app(
    COMMANDS,
    name="gamekeeper",
    help="Manage the players and accounts of an online game.",
    pretty_exceptions_enable=False,
)


def _show_version(wanted: bool) -> None:  # noqa: FBT001  the form of a callback
    if wanted:
        from importlib.metadata import version

        from gamekeeper.cli.terminal import say

        say(f"gamekeeper {version('gamekeeper')}")
        raise typer.Exit


@app.callback()
def options(
    *,
    _version: Annotated[
        bool,
        typer.Option(
            "--version", callback=_show_version, is_eager=True, help="Show the version and exit."
        ),
    ] = False,
) -> None:
    """Manage the players and accounts of an online game."""


def main() -> None:
    try:
        app()
    except Exception as error:
        from gamekeeper.cli import error_messages
        from gamekeeper.cli.terminal import warn

        warn(f"gamekeeper: {error_messages.explain(error)}")
        sys.exit(1)
