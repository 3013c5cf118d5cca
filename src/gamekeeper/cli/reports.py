"""Report commands: file a report by hand, for example one that came by mail."""

from typing import Annotated

import typer

from gamekeeper.cli.actor import By
from gamekeeper.cli.command import Output, change
from gamekeeper.db.database import Database
from gamekeeper.moderation.texts import check_text
from gamekeeper.servers.reports import submission
from gamekeeper.servers.reports.categories import SEVERITIES, ReportCategory
from gamekeeper.servers.reports.submission import NewReport

CATEGORIES: dict[str, ReportCategory] = {category: category for category in SEVERITIES}

Reporter = Annotated[str, typer.Argument(metavar="REPORTER", help="The character that reports.")]
Reported = Annotated[str, typer.Argument(metavar="PLAYER", help="The reported character.")]
Category = Annotated[
    str, typer.Argument(metavar="CATEGORY", help=f"One of: {', '.join(CATEGORIES)}.")
]
Text = Annotated[str, typer.Option(metavar="TEXT", help="The description, for staff.")]


@change("reports.file")
async def file(
    database: Database,
    reporter: Reporter,
    player: Reported,
    category: Category,
    *,
    text: Text = "",
    by: By,
) -> Output:
    """
    File a report in the name of a character.

    It joins the open case about the account: see gamekeeper cases list.
    """
    known = CATEGORIES.get(category)
    if known is None:
        raise typer.BadParameter(f"'{category}' is none of: {', '.join(CATEGORIES)}.")
    order = NewReport(
        by=by,
        target=player,
        reporter=reporter,
        category=known,
        text=check_text("text", text, submission.LONGEST_TEXT),
    )
    done = await submission.file.one(database, order)
    again = f" ({done.times} times)" if done.times > 1 else ""
    return Output(done, f"Filed{again}: {done.id}")
