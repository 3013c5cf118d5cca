"""``gamekeeper export``: a whole game as a file."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, BinaryIO

import typer

from gamekeeper.cli.command import command
from gamekeeper.cli.terminal import progress, redirected_output, warn
from gamekeeper.core.errors import Invalid
from gamekeeper.core.settings import Settings
from gamekeeper.transfer import exporter


class FileExists(Invalid):
    """The file already exists, and an export does not overwrite files. Choose another name."""


@command
async def export(
    settings: Settings,
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
        done = await exporter.send(settings, out, private=private, on_progress=tell)
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
        raise FileExists(f"{output} already exists. Choose another name.")
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
