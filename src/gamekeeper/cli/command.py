"""
The form of a command: a function that gets what it needs, and returns what to print.

    @change("players.manage")
    async def delete(database: Database, player: PlayerArgument, *, by: By) -> Output:
        "Delete an offline character and everything it has; this can be undone."
        gone = await characters.delete.one(database, Deletion(by=by, player=str(player.id)))
        return Output(gone, f"Deleted {gone.name}, {gone.id}.")

A parameter of the type Database or Settings is what GAMEKEEPER_… says. A parameter with
Depends is computed by another function, whose parameters are parameters of the command too.
The rest are arguments and options (Typer). A command that returns Output has --json.

`@command` is for commands that read: their database refuses to write. A command that changes
something has `@change(…)` with the permissions that the API would ask for.
"""

import asyncio
import inspect
from collections.abc import Callable, Iterator, Mapping, Sequence
from inspect import Parameter
from typing import Any, NamedTuple

import typer

from gamekeeper.auth.reasons import check_reason
from gamekeeper.cli.terminal import AsJson, say, show_facts, show_json, show_table, warn
from gamekeeper.core.settings import Settings
from gamekeeper.db.database import Database
from gamekeeper.db.operations import AuditContext


class TextTable(NamedTuple):
    columns: Sequence[str]
    rows: Sequence[Sequence[str]]


Part = str | TextTable | Mapping[str, str] | Callable[[], None] | None
"""A line, a table, facts (names and values), or a function that prints; None prints nothing."""


class Output:
    """What a command prints: `record` with --json, otherwise the parts; then its exit code."""

    def __init__(
        self, record: object, *parts: Part, warnings: Sequence[str] = (), code: int = 0
    ) -> None:
        self.record, self.parts, self.warnings, self.code = record, parts, warnings, code

    def show(self, *, as_json: bool) -> None:
        if as_json:
            show_json(self.record)
        else:
            for part in self.parts:
                _show(part)
        for warning in self.warnings:
            warn(warning)
        if self.code:
            raise typer.Exit(self.code)


def _show(part: Part) -> None:
    if isinstance(part, str):
        say(part)
    elif isinstance(part, TextTable):
        show_table(part.columns, part.rows)
    elif isinstance(part, Mapping):
        show_facts(part)
    elif part is not None:
        part()


class Depends(NamedTuple):
    """Marks a parameter that `function` computes from options, and perhaps the database."""

    function: Callable[..., Any]


class ReadOnlyDatabase(Database):
    """The database of a command that is declared as one that reads."""

    async def write(self, *_: Any, **__: Any) -> Any:
        raise TypeError("Declare a command that writes with @change, not with @command.")


def command(function: Callable[..., Any]) -> Callable[..., None]:
    """A command that only reads."""
    call = _Call(function)
    if call.audits:
        raise TypeError(f"{function.__name__} changes something: declare it with @change.")
    return _typed(call, ReadOnlyDatabase, None)


def change(*permissions: str) -> Callable[[Callable[..., Any]], Callable[..., None]]:
    """
    A command that changes something, which the API allows by these permissions.

    Where operators require a reason for one of them, the command does too, unless it is a dry run.
    Without permissions: the API has no such operation, and no reason is required.
    """

    def decorate(function: Callable[..., Any]) -> Callable[..., None]:
        call = _Call(function)
        if permissions and not call.audits:
            raise TypeError(f"{function.__name__} takes no audit context: add `by: By`.")
        return _typed(call, Database, permissions)

    return decorate


def _typed(
    call: "_Call", database: type[Database], permissions: tuple[str, ...] | None
) -> Callable[..., None]:
    """The function as Typer calls it: with the arguments and options as keywords."""
    function = call.function
    has_json = inspect.signature(function, eval_str=True).return_annotation is Output

    def run(*, as_json: bool = False, **values: Any) -> None:
        # Outside of the event loop: a dependency may ask a question, and Ctrl-C must end it.
        arguments = call.arguments(values)
        if permissions:
            _require_reason(permissions, arguments)
        if inspect.iscoroutinefunction(function):
            output = asyncio.run(_run(call, values, arguments, database))
        else:
            output = function(**arguments)
        if isinstance(output, Output):
            output.show(as_json=as_json)
        elif output is not None:
            say(output)

    own = Parameter("as_json", Parameter.KEYWORD_ONLY, default=False, annotation=AsJson)
    parameters = [*call.options(), *([own] if has_json else [])]
    run.__name__, run.__doc__ = function.__name__, function.__doc__
    run.__annotations__ = {each.name: each.annotation for each in parameters}
    run.__dict__["__signature__"] = inspect.Signature(parameters)
    run.__dict__["permissions"] = permissions
    return run


def _require_reason(permissions: tuple[str, ...], arguments: Mapping[str, Any]) -> None:
    """Raise ReasonRequired if the operator requires a reason for this change and it has none."""
    if arguments.get("dry_run"):
        return
    [by] = [value for value in arguments.values() if isinstance(value, AuditContext)]
    # A sanction has a reason of its own, which is not in the audit log.
    reason = by.reason or arguments.get("reason")
    check_reason(Settings.read(), permissions, reason, "This change needs a reason. Add --reason.")


async def _run(
    call: "_Call", values: Mapping[str, Any], arguments: dict[str, Any], opened: type[Database]
) -> Any:
    if not call.needs_database:
        return await call.function(**arguments)
    async with opened.open(Settings.read()) as database:
        await call.complete(arguments, values, database)
        return await call.function(**arguments)


class _Call:
    """A function, and where each of its arguments comes from."""

    def __init__(self, function: Callable[..., Any]) -> None:
        self.function = function
        self.parameters = inspect.signature(function, eval_str=True).parameters
        self.depends = {
            name: _Call(mark.function)
            for name, each in self.parameters.items()
            for mark in getattr(each.annotation, "__metadata__", ())
            if isinstance(mark, Depends)
        }

    @property
    def needs_database(self) -> bool:
        own = any(each.annotation is Database for each in self.parameters.values())
        return own or any(call.needs_database for call in self.depends.values())

    @property
    def audits(self) -> bool:
        """Whether it is told who changes something."""
        annotations = (each.annotation for each in self.parameters.values())
        return any(getattr(each, "__origin__", each) is AuditContext for each in annotations)

    def options(self) -> Iterator[Parameter]:
        for name, each in self.parameters.items():
            if name in self.depends:
                yield from self.depends[name].options()
            elif each.annotation not in (Database, Settings):
                yield each.replace(kind=Parameter.KEYWORD_ONLY)

    def arguments(self, values: Mapping[str, Any]) -> dict[str, Any]:
        """The arguments that need no database."""
        found = {name: values[name] for name in self.parameters if name in values}
        for name, each in self.parameters.items():
            call = self.depends.get(name)
            if each.annotation is Settings:
                found[name] = Settings.read()
            elif call and not call.needs_database:
                found[name] = call.function(**call.arguments(values))
        return found

    async def complete(
        self, arguments: dict[str, Any], values: Mapping[str, Any], database: Database
    ) -> None:
        """Add the arguments that need the database."""
        for name, each in self.parameters.items():
            call = self.depends.get(name)
            if each.annotation is Database:
                arguments[name] = database
            elif call and call.needs_database:
                theirs = call.arguments(values)
                await call.complete(theirs, values, database)
                arguments[name] = await call.function(**theirs)
