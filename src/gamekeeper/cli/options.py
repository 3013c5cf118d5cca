"""Command-line options and arguments that several commands share."""

from collections.abc import Callable
from typing import Annotated, TypeVar

import typer

from gamekeeper.core.parsing import Unreadable, guid

T = TypeVar("T")


def _parser(read: Callable[[object], T]) -> Callable[[str], T]:
    """Parse as the API does, but raise typer.BadParameter."""

    def parse(text: str) -> T:
        try:
            return read(text)
        except Unreadable as wanted:
            raise typer.BadParameter(f"must be {wanted}") from None

    return parse


an_id = _parser(guid)

TIMES = "2026-03-14, 'yesterday 18:00', '2 hours ago' or 2026-03-14T18:00:00Z."

At = Annotated[str, typer.Argument(metavar="TIME", help=TIMES)]
AtOption = Annotated[str | None, typer.Option("--at", metavar="TIME", help=TIMES)]
Since = Annotated[str | None, typer.Option("--from", metavar="TIME", help=TIMES)]
Until = Annotated[
    str | None, typer.Option("--to", metavar="TIME", help="As --from; a day is meant to its end.")
]
Limit = Annotated[int, typer.Option(metavar="NUMBER", help="How many, 1 to 100.", min=1, max=100)]
Cursor = Annotated[
    str | None, typer.Option(help="Continue where the last list ended; it says with what.")
]
Reason = Annotated[str | None, typer.Option(metavar="TEXT", help="Why, for the log.")]
DryRun = Annotated[
    bool, typer.Option("--dry-run", help="Show what would change, and change nothing.")
]
