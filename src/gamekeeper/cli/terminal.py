"""How commands reach the service and speak to people and programs."""

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

from gamekeeper.database import Database
from gamekeeper.settings import Settings

T = TypeVar("T")

AsJson = Annotated[bool, typer.Option("--json", help="Answer as JSON, for programs.")]


def with_database(work: Callable[[Database], Awaitable[T]]) -> T:
    """Run `work` on the database that GAMEKEEPER_DATABASE_URL names."""

    async def run() -> T:
        async with Database.open(Settings.read()) as database:
            return await work(database)

    return asyncio.run(run())


def show_json(value: object) -> None:
    sys.stdout.write(msgspec.json.format(msgspec.json.encode(value)).decode() + "\n")


def show_table(columns: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    table = Table(box=None, pad_edge=False, header_style="bold")
    for column in columns:
        table.add_column(column, no_wrap=True, overflow="ignore")
    for row in rows:
        # As text: what players and staff wrote must not be read as colours and links.
        table.add_row(*map(Text, row))
    # Wider than the terminal rather than cut: half an id is of no use.
    needed = Console(width=10_000).measure(table).maximum
    Console(width=max(Console().width, needed)).print(table)


def say(sentence: str) -> None:
    sys.stdout.write(sentence + "\n")


@contextmanager
def progress(what: str) -> Iterator[Callable[[int, int], None]]:
    """A bar on standard error, for people who watch; it is told what is done, and of how much."""
    console = Console(stderr=True)
    columns = (TextColumn(what), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=console, disable=not console.is_terminal) as bar:
        task = bar.add_task(what, total=None)
        yield lambda done, total: bar.update(task, completed=done, total=total)
