"""``gamekeeper players import`` and ``gamekeeper export``: whole games, in and out."""

import asyncio
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from time import perf_counter
from typing import Annotated, BinaryIO

import typer
from msgspec.structs import asdict

from gamekeeper.cli.actor import As, audit_context
from gamekeeper.cli.demo import progress as steps
from gamekeeper.cli.options import DryRun, Reason
from gamekeeper.cli.terminal import (
    AsJson,
    progress,
    redirected_output,
    say,
    show_json,
    show_table,
    warn,
)
from gamekeeper.core.errors import Invalid
from gamekeeper.core.settings import Settings
from gamekeeper.transfer import exporter, importer
from gamekeeper.transfer.importer import ImportReport

MOST_SHOWN = 20


class FileExists(Invalid):
    """The file is there already; an export does not overwrite it."""


def bring(
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
    reason: Reason = None,
    as_: As = None,
    as_json: AsJson = False,
) -> None:
    """
    Import accounts, characters, guilds, sanctions and game variables from a file.

    Each line is one entry, with a permanent GUID that you choose. New entries are added.
    Existing entries are updated; fields missing from the line keep their values. Importing
    the same file again changes nothing. A character or guild whose items moved since the
    export is refused.

    The whole file is validated first, and nothing is written if a line is invalid. Run the
    command again to continue an interrupted import. docs/from-your-game.md describes the file.
    """
    by, begun = audit_context(as_, reason), perf_counter()
    with steps() as tell:
        report = asyncio.run(
            importer.bring(
                Settings.read(), file, by, dry_run=dry_run, overwrite=overwrite, tell=tell
            )
        )
    seconds = perf_counter() - begun
    if as_json:
        show_json(asdict(report) | {"seconds": round(seconds, 3)})
    else:
        _show(report, seconds)
    if report.faults:
        sys.exit(1)


def _show(report: ImportReport, seconds: float) -> None:
    for fault in report.faults[:MOST_SHOWN]:
        warn(f"{report.file}: {fault}")
    if len(report.faults) > MOST_SHOWN:
        warn(f"… and {len(report.faults) - MOST_SHOWN:,} more; --json shows the first 1,000.")
    parts = {
        "accounts": report.users,
        "characters": report.players,
        "guilds": report.guilds,
        "sanctions": report.sanctions,
        "game variables": report.game_variables,
    }
    rows = [
        [name, f"{one.added:,}", f"{one.changed:,}", f"{one.unchanged:,}"]
        for name, one in parts.items()
        if name in ("accounts", "characters") or one.added or one.changed or one.unchanged
    ]
    written = any(one.added or one.changed for one in parts.values()) and not report.dry_run
    if report.faults and not written:
        say("Nothing was imported. Correct the file and import it again.")
        return
    show_table(["", "Added", "Changed", "Unchanged"], rows)
    if report.faults:
        say("The import stopped there. What is listed above is imported; run it again.")
    elif report.dry_run:
        say("Nothing was written: this was a dry run.")
    else:
        rate = (report.players.added + report.players.changed + report.players.unchanged) / seconds
        say(f"It took {seconds:,.1f} s, {rate:,.0f} characters a second.")


def send(
    *,
    output: Annotated[
        Path | None,
        typer.Option("--output", "-o", help="The file to write; default: standard output."),
    ] = None,
    private: Annotated[
        bool,
        typer.Option(
            "--with-private-data",
            help="Include email addresses, password records, and the reasons and evidence of "
            "sanctions. Keep the file secret.",
        ),
    ] = False,
) -> None:
    """
    Export accounts, characters, guilds, sanctions and game variables as JSON Lines.

    The export is one snapshot and can run while the service is up. Without --with-private-data,
    importing the file into a game that has these accounts changes nothing, and the file
    cannot add new accounts, because those need an email address.
    """
    with _opened(output) as out, progress("Export") as tell:
        done = asyncio.run(exporter.send(Settings.read(), out, private=private, tell=tell))
    warn(
        f"Exported {done.users:,} accounts, {done.players:,} characters, {done.guilds:,} guilds, "
        f"{done.sanctions:,} sanctions and {done.game_variables:,} game variables."
    )


@contextmanager
def _opened(output: Path | None) -> Iterator[BinaryIO]:
    """A new file that only its owner may read, complete or not there at all."""
    if output is None:
        with redirected_output() as out:
            yield out
        return
    if output.exists():
        raise FileExists(f"{output} is there already; name another file.")
    part = output.with_name(output.name + ".part")
    try:
        handle = os.open(part, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    except OSError as fault:
        raise FileExists(f"{part}: {fault.strerror}. Check the path.") from None
    try:
        os.fchmod(handle, 0o600)
        with os.fdopen(handle, "wb") as out:
            yield out
            out.flush()
            os.fsync(out.fileno())
        part.rename(output)
    finally:
        part.unlink(missing_ok=True)
