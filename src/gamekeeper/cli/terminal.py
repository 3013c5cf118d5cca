"""
Terminal output of commands (tables, JSON, progress bars), and their database connection.

Only this module writes to the terminal, because it escapes text from players, staff and
webhook targets (terminal escape injection).
"""

import asyncio
import sys
from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Annotated, TypeVar

import msgspec
import typer
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table
from rich.text import Text

from gamekeeper.core.escapes import escaped, escaped_json
from gamekeeper.core.settings import Settings
from gamekeeper.db.database import Database

T = TypeVar("T")

AsJson = Annotated[bool, typer.Option("--json", help="Answer as JSON, for programs.")]


def with_database(work: Callable[[Database], Awaitable[T]]) -> T:
    """Run `work` on the database that GAMEKEEPER_DATABASE_URL names."""

    async def run() -> T:
        async with Database.open(Settings.read()) as database:
            return await work(database)

    return asyncio.run(run())


def show_json(value: object) -> None:
    sys.stdout.write(escaped_json(msgspec.json.format(msgspec.json.encode(value)).decode()) + "\n")


def show_table(columns: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    table = Table(box=None, pad_edge=False, header_style="bold")
    for column in columns:
        table.add_column(column, no_wrap=True, overflow="ignore")
    for row in rows:
        # As Text: Rich must not interpret text of players and staff as colours and links.
        table.add_row(*(Text(escaped(cell)) for cell in row))
    # Wider than the terminal rather than truncated: half an id is useless.
    needed = Console(width=10_000).measure(table).maximum
    Console(width=max(Console().width, needed)).print(table)


def say(*lines: str) -> None:
    """Write lines for people; a newline inside a line is untrusted input, and is escaped."""
    sys.stdout.write("".join(escaped(line) + "\n" for line in lines))
    sys.stdout.flush()


def say_marked(sign: str, style: str, line: str) -> None:
    """Write a line that begins with a coloured sign."""
    Console().print(Text.assemble((sign, style), " ", escaped(line)), soft_wrap=True)


def warn(text: str) -> None:
    """Write to standard error; each line of `text` is escaped."""
    sys.stderr.write(escaped(text, keep="\n") + "\n")


def error_console() -> Console:
    """A console for progress bars on standard error; only for trusted text."""
    return Console(stderr=True)


@contextmanager
def progress(what: str) -> Iterator[Callable[[int, int], None]]:
    """A progress bar on standard error if it is a terminal; yields `update(done, total)`."""
    console = error_console()
    columns = (TextColumn(what), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=console, disable=not console.is_terminal) as bar:
        task = bar.add_task(what, total=None)
        yield lambda done, total: bar.update(task, completed=done, total=total)
