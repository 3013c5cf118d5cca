"""Command-line options and arguments that several commands share."""

from collections.abc import Callable
from datetime import datetime
from typing import Annotated, TypeVar
from uuid import UUID

import typer

from gamekeeper.core.parsing import Unreadable, guid, instant

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
an_instant = _parser(instant)

ItemId = Annotated[UUID, typer.Argument(parser=an_id, metavar="ITEM", help="The item's id.")]
At = Annotated[
    datetime, typer.Argument(parser=an_instant, metavar="INSTANT", help="2026-03-14T18:00:00Z")
]
Since = Annotated[
    datetime | None,
    typer.Option("--from", parser=an_instant, metavar="INSTANT", help="2026-03-14T18:00:00Z"),
]
Until = Annotated[
    datetime | None,
    typer.Option("--to", parser=an_instant, metavar="INSTANT", help="2026-03-14T19:00:00Z"),
]
Limit = Annotated[int, typer.Option(help="How many.", min=1, max=100)]
Cursor = Annotated[str | None, typer.Option(help="Go on where the last list ended; it said how.")]
Reason = Annotated[str | None, typer.Option(help="Why, for the log.")]
DryRun = Annotated[
    bool, typer.Option("--dry-run", help="Show what would change, and change nothing.")
]
