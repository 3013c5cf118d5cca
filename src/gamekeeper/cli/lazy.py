"""Command groups that import a command's module only when the command is called."""

from collections.abc import Mapping
from importlib import import_module
from typing import Any, NamedTuple

import typer
from typer.core import TyperCommand, TyperGroup

from gamekeeper.cli.coercion import quicken
from gamekeeper.cli.help import plainly


class LazyCommand(NamedTuple):
    """A command: where it is, as `module:attribute`, and its line in the help of its group."""

    target: str
    help: str


class LazyGroup(NamedTuple):
    """A group of commands, and its line in the help."""

    commands: Mapping[str, LazyCommand]
    help: str


Commands = Mapping[str, LazyCommand | LazyGroup]


class QuickCommand(TyperCommand):
    """A command whose parameters are coerced quickly and described simply."""

    def get_params(self, ctx: Any) -> list[Any]:
        return plainly(quicken(super().get_params(ctx)))


def lazy_app(commands: Commands, **about: Any) -> typer.Typer:
    """An application that lists `commands` by this table, and loads the one that is called."""

    class Group(TyperGroup):
        """The group of the commands."""

        def __init__(self, **attributes: Any) -> None:
            super().__init__(**attributes)
            # Help and completion look at these; they are never called.
            self.commands = {
                name: TyperCommand(name, help=command.help) for name, command in commands.items()
            }

        def get_params(self, ctx: Any) -> list[Any]:
            return plainly(quicken(super().get_params(ctx)))

        def resolve_command(self, ctx: Any, args: list[str]) -> Any:
            name, found, rest = super().resolve_command(ctx, args)
            return name, load(name, commands[name]) if name and found else None, rest

    app = typer.Typer(cls=Group, no_args_is_help=True, rich_markup_mode=None, **about)
    # Without a callback Typer would make no command of an empty application.
    app.callback()(lambda: None)
    return app


def load(name: str, command: LazyCommand | LazyGroup) -> Any:
    """Import a command, and return it in the form that a group calls."""
    if isinstance(command, LazyGroup):
        app = lazy_app(command.commands, name=name, help=command.help, add_completion=False)
    else:
        module, _, attribute = command.target.partition(":")
        app = typer.Typer(add_completion=False, rich_markup_mode=None)
        function = getattr(import_module(f"gamekeeper.cli.{module}"), attribute)
        app.command(name, cls=QuickCommand)(function)
    return typer.main.get_command(app)
