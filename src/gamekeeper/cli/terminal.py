"""How commands reach the service and speak to people and programs."""

import asyncio
import sys
from collections.abc import Awaitable, Callable, Sequence
from typing import Annotated, TypeVar

import msgspec
import typer
from rich.console import Console
from rich.table import Table

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
        table.add_row(*row)
    # Wider than the terminal rather than cut: half an id is of no use.
    needed = Console(width=10_000).measure(table).maximum
    Console(width=max(Console().width, needed)).print(table)


def say(sentence: str) -> None:
    sys.stdout.write(sentence + "\n")
