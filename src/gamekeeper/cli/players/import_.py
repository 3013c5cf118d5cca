"""``gamekeeper players import``: whole games from a file."""

from pathlib import Path
from time import perf_counter
from typing import Annotated

import typer
from msgspec.structs import asdict

from gamekeeper.cli.actor import ByReasonFirst
from gamekeeper.cli.command import Output, Part, TextTable, change
from gamekeeper.cli.demo import progress
from gamekeeper.cli.options import IMPORT_PERMISSIONS, DryRun
from gamekeeper.cli.terminal import warn
from gamekeeper.core.settings import Settings
from gamekeeper.transfer import importer
from gamekeeper.transfer.importer import ImportReport

MOST_SHOWN = 20


@change(*IMPORT_PERMISSIONS)
async def import_(
    settings: Settings,
    file: Annotated[
        Path, typer.Argument(help="A .jsonl or .csv file.", show_default=False, metavar="FILE")
    ],
    *,
    dry_run: DryRun = False,
    overwrite: Annotated[
        bool,
        typer.Option(
            "--overwrite",
            help="Also replace items that moved since the export. They may then exist twice.",
        ),
    ] = False,
    by: ByReasonFirst,
) -> Output:
    """
    Import accounts, characters, guilds, sanctions and game variables from a file.

    Each line is one entry, with a permanent GUID that you choose. New entries are added.
    Existing entries are updated; fields missing from the line keep their values. Importing
    the same file again changes nothing. A character or guild whose items moved since the
    export is refused.

    The whole file is validated first, and nothing is written if a line is invalid. Run the
    command again to continue an interrupted import. docs/from-your-game.md describes the file.
    """
    begun = perf_counter()
    with progress() as tell:
        report = await importer.bring(
            settings, file, by, dry_run=dry_run, overwrite=overwrite, on_progress=tell
        )
    seconds = perf_counter() - begun
    record = asdict(report) | {"seconds": round(seconds, 3)}
    return Output(record, *_parts(report, seconds), code=1 if report.faults else 0)


def _parts(report: ImportReport, seconds: float) -> list[Part]:
    shown = [f"{report.file}: {fault}" for fault in report.faults[:MOST_SHOWN]]
    if len(report.faults) > MOST_SHOWN:
        shown.append(
            f"… and {len(report.faults) - MOST_SHOWN:,} more; --json shows the first 1,000."
        )
    parts: list[Part] = [lambda: warn("\n".join(shown))] if shown else []
    counts = {
        "accounts": report.users,
        "characters": report.players,
        "guilds": report.guilds,
        "sanctions": report.sanctions,
        "game variables": report.game_variables,
    }
    rows = [
        [name, f"{section.added:,}", f"{section.changed:,}", f"{section.unchanged:,}"]
        for name, section in counts.items()
        if name in ("accounts", "characters")
        or section.added
        or section.changed
        or section.unchanged
    ]
    written = (
        any(section.added or section.changed for section in counts.values()) and not report.dry_run
    )
    if report.faults and not written:
        return [*parts, "Nothing was imported. Correct the file and import it again."]
    return [*parts, TextTable(["", "Added", "Changed", "Unchanged"], rows), _end(report, seconds)]


def _end(report: ImportReport, seconds: float) -> str:
    if report.faults:
        return "The import stopped. The entries above are imported. Run it again."
    if report.dry_run:
        return "Dry run: nothing was written."
    rate = (report.players.added + report.players.changed + report.players.unchanged) / seconds
    return f"It took {seconds:,.1f} s, {rate:,.0f} characters a second."
