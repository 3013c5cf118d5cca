"""How the programs of the bench run as commands."""

import sys
from collections.abc import Callable

import typer

from gamekeeper.core.errors import Problem


def run(command: Callable[..., None]) -> None:
    """Run a function with the arguments of this process; print a problem without a traceback."""
    app = typer.Typer(add_completion=False, pretty_exceptions_enable=False, rich_markup_mode=None)
    app.command()(command)
    try:
        app()
    except Problem as problem:
        sys.exit(f"{command.__name__}: {problem}")
