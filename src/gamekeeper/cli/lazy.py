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


def lazy_app(commands: Commands, **about: Any) -> typer.Typer:
    """An application that lists `commands` by this table, and loads the one that is called."""

    class Group(TyperGroup):
        """The group of the commands."""

        def __init__(self, **attributes: Any) -> None:
            super().__init__(**attributes)
            # Help and completion look at these; they are never called.
            self.commands = {
                name: TyperCommand(name, help=one.help) for name, one in commands.items()
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
    parent = typer.Typer(add_completion=False, rich_markup_mode=None)
    parent.callback()(lambda: None)
    target = _target(command)
    if isinstance(target, typer.Typer):
        parent.add_typer(target, name=name)
    else:
        parent.command(name)(target)
    group: Any = typer.main.get_command(parent)
    return _quickened(group.commands[name])


def _target(command: LazyCommand | LazyGroup) -> Any:
    if isinstance(command, LazyGroup):
        return lazy_app(command.commands, help=command.help)
    module, _, attribute = command.target.partition(":")
    return getattr(import_module(f"gamekeeper.cli.{module}"), attribute)


def _quickened(command: Any) -> Any:
    """The same command, whose parameters are coerced quickly; so are those below a group."""
    get_params = command.get_params
    command.get_params = lambda ctx: plainly(quicken(get_params(ctx)))
    for below in getattr(command, "commands", {}).values():
        _quickened(below)
    return command
