"""
Terminal output of commands (tables, JSON, progress bars), and their database connection.

Only this module writes to the terminal, because it escapes text from players, staff and
webhook targets (terminal escape injection).
"""

import shutil
import sys
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated, BinaryIO, TypeVar

import typer

from gamekeeper.cli import table
from gamekeeper.core.errors import Invalid
from gamekeeper.core.escapes import escaped, escaped_json

# Imported where they are needed: each takes a tenth of a second or more.
if TYPE_CHECKING:
    from rich.console import Console

    from gamekeeper.db.database import Database

BOLD, PLAIN = "\x1b[1m", "\x1b[0m"

T = TypeVar("T")


class NotRedirected(Invalid):
    """Name a file with --output, or redirect the output into one."""


AsJson = Annotated[bool, typer.Option("--json", help="Print JSON, for scripts.")]


def with_database(work: "Callable[[Database], Awaitable[T]]") -> T:
    """Run `work` on the database that GAMEKEEPER_DATABASE_URL names."""
    import asyncio

    from gamekeeper.core.settings import Settings
    from gamekeeper.db.database import Database

    async def run() -> T:
        async with Database.open(Settings.read()) as database:
            return await work(database)

    return asyncio.run(run())


def show_json(value: object) -> None:
    import msgspec

    sys.stdout.write(escaped_json(msgspec.json.format(msgspec.json.encode(value)).decode()) + "\n")


def show_table(columns: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    """A table: on a terminal as wide as that, otherwise without wrapping and escape codes."""
    wide = sys.stdout.isatty()
    shown = [[escaped(cell) for cell in row] for row in rows]
    header, *others = table.lines(
        columns, shown, shutil.get_terminal_size().columns if wide else None
    )
    sys.stdout.write("".join(line + "\n" for line in [_bold(header) if wide else header, *others]))
    sys.stdout.flush()


def show_facts(facts: Mapping[str, str]) -> None:
    """Names and values, one pair in each line."""
    rows = [[escaped(name), escaped(value)] for name, value in facts.items()]
    sys.stdout.write("".join(line + "\n" for line in table.lines(rows[0], rows[1:])))
    sys.stdout.flush()


def _bold(text: str) -> str:
    return f"{BOLD}{text}{PLAIN}"


def say(*lines: str) -> None:
    """Write lines for people; a newline inside a line is untrusted input, and is escaped."""
    sys.stdout.write("".join(escaped(line) + "\n" for line in lines))
    sys.stdout.flush()


def say_marked(sign: str, style: str, line: str) -> None:
    """Write a line that begins with a coloured sign."""
    from rich.console import Console
    from rich.text import Text

    Console().print(Text.assemble((sign, style), " ", escaped(line)), soft_wrap=True)


def warn(text: str) -> None:
    """Write to standard error; each line of `text` is escaped."""
    sys.stderr.write(escaped(text, keep="\n") + "\n")


def error_console() -> "Console":
    """A console for progress bars on standard error; only for trusted text."""
    from rich.console import Console

    return Console(stderr=True)


@contextmanager
def progress(what: str) -> Iterator[Callable[[int, int], None]]:
    """A progress bar on standard error if it is a terminal; yields `update(done, total)`."""
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        TextColumn,
        TimeRemainingColumn,
    )

    console = error_console()
    columns = (TextColumn(what), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=console, disable=not console.is_terminal) as bar:
        task = bar.add_task(what, total=None)
        yield lambda done, total: bar.update(task, completed=done, total=total)


@contextmanager
def stages() -> Iterator[Callable[[str, int, int], None]]:
    """A progress bar for work in several steps; yields `update(step, done, total)`."""
    from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeElapsedColumn

    console = error_console()
    columns = (
        TextColumn("{task.description:<26}"),
        *(BarColumn(), TaskProgressColumn(), TimeElapsedColumn()),
    )
    with Progress(*columns, console=console, disable=not console.is_terminal) as bar:
        task = bar.add_task("", total=None)
        yield lambda step, done, total: bar.update(
            task, description=step, completed=done, total=total
        )


def typed_answer(question: str) -> str:
    """What somebody at the terminal answers; empty if nobody is there."""
    if not sys.stdin.isatty():
        return ""
    sys.stderr.write(escaped(question) + " ")
    sys.stderr.flush()
    return sys.stdin.readline().strip()


@contextmanager
def redirected_output() -> Iterator[BinaryIO]:
    """Standard output for a whole file; refused on a terminal, for nothing in it is escaped."""
    if sys.stdout.isatty():
        raise NotRedirected
    yield sys.stdout.buffer
    sys.stdout.buffer.flush()
