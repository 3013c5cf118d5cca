"""Command-line options and arguments that several commands share."""

from collections.abc import Callable
from typing import Annotated, TypeVar

import typer

from gamekeeper.core.parsing import Unreadable, guid

T = TypeVar("T")

IMPORT_PERMISSIONS = (
    *("guilds.manage", "players.items", "players.manage", "players.spells", "players.variables"),
    *("sanctions.manage", "users.manage"),
)
"""What the API would ask of who makes the changes of an imported game one by one."""


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
    str | None,
    typer.Option(
        "--to", metavar="TIME", help="Same format as --from; a date includes the whole day."
    ),
]
Limit = Annotated[
    int, typer.Option(metavar="NUMBER", help="Maximum number of results, 1 to 100.", min=1, max=100)
]
Cursor = Annotated[
    str | None, typer.Option(help="The cursor printed at the end of the previous page.")
]
Reason = Annotated[str | None, typer.Option(metavar="TEXT", help="The reason, for the audit log.")]
DryRun = Annotated[
    bool, typer.Option("--dry-run", help="Show what would change without changing anything.")
]
