"""
The command-line interface (CLI): the same operations as the API, from a terminal.

A command's module is imported when the command is called: importing all of them takes a
second.
"""

import sys

from gamekeeper.cli.commands import COMMANDS
from gamekeeper.cli.lazy import lazy_app

app = lazy_app(
    COMMANDS,
    name="gamekeeper",
    help="Look after the players and users of a game server.",
    add_completion=False,
    pretty_exceptions_enable=False,
)


def main() -> None:
    try:
        app()
    except Exception as error:
        from gamekeeper.cli import error_messages
        from gamekeeper.cli.terminal import warn

        warn(f"gamekeeper: {error_messages.explain(error)}")
        sys.exit(1)
