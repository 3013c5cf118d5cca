"""``gamekeeper import intersect``: a game of the Intersect Engine moves in."""

import asyncio
import os
import sys
from functools import partial
from pathlib import Path
from time import perf_counter
from typing import Annotated
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

import msgspec
import typer
from msgspec.structs import asdict

from gamekeeper.cli.actor import ByReasonFirst
from gamekeeper.cli.command import Output, Part, TextTable, change, command
from gamekeeper.cli.options import IMPORT_PERMISSIONS, DryRun
from gamekeeper.cli.terminal import progress, stages, warn
from gamekeeper.core.errors import Invalid
from gamekeeper.core.progress import ProgressCallback
from gamekeeper.core.settings import Settings
from gamekeeper.db.database import Database
from gamekeeper.ledger import verify_chain, verify_ledger
from gamekeeper.transfer.intersect import importer, mysql, report, sources
from gamekeeper.transfer.intersect.importer import Options
from gamekeeper.transfer.intersect.report import IntersectReport
from gamekeeper.transfer.intersect.sources import Source
from gamekeeper.users import stretch

MOST_SHOWN = 5

Folder = Annotated[
    Path | None,
    typer.Option("--sqlite", help="The folder with playerdata.db and gamedata.db.", metavar="DIR"),
]
Url = Annotated[
    str | None,
    typer.Option(
        "--mysql",
        help="mysql://USER@HOST:3306/DATABASE with the player data; password: MYSQL_PWD.",
        metavar="URL",
    ),
]
GameUrl = Annotated[
    str | None,
    typer.Option("--mysql-game", help="The game data, if in another database.", metavar="URL"),
]
Zone = Annotated[
    str, typer.Option(help="Time zone of the game's server, such as Europe/Berlin.", metavar="ZONE")
]
MaxLevel = Annotated[
    int | None, typer.Option(help="Player.MaxLevel in the game's config.json.", min=1, max=10_000)
]
ReportFile = Annotated[
    Path | None, typer.Option("--report", help="Write the full report to this file, as JSON.")
]


class UnknownZone(Invalid):
    """No time zone has that name."""


class NoSource(Invalid):
    """Name the game to import: --sqlite DIR or --mysql URL."""


@change(*IMPORT_PERMISSIONS)
def intersect(
    settings: Settings,
    *,
    sqlite: Folder = None,
    mysql_url: Url = None,
    mysql_game: GameUrl = None,
    time_zone: Zone = "UTC",
    max_level: MaxLevel = None,
    dry_run: DryRun = False,
    report_file: ReportFile = None,
    by: ByReasonFirst,
) -> Output:
    """
    Import a game of the Intersect Engine from its database.

    The source is only read. Ids, names, passwords and everything players own are kept; the
    report lists renamed entries and omitted data. Importing again adds later changes of the
    source, and keeps entries that changed here. docs/moving-from-intersect.md describes the
    whole migration.

    Exit code 1: nothing or not everything was imported, or a verification failed.
    """
    mysql.hide_passwords(sys.argv, mysql_url, mysql_game)
    options = Options(zone=_zone(time_zone), max_level=max_level, dry_run=dry_run)
    begun = perf_counter()
    with stages() as tell:
        # Outside of an event loop: it may read for minutes, and Ctrl-C must end it.
        source = _opened(sqlite, mysql_url, mysql_game, tell)
        try:
            done = asyncio.run(importer.bring(settings, source, by, options, tell))
        finally:
            source.close()
    done.seconds["all"] = round(perf_counter() - begun, 3)
    if report_file:
        _write(report_file, done)
    sound = dry_run or bool(done.faults) or asyncio.run(_verified(settings, done))
    return Output(asdict(done), *_parts(done), code=1 if done.faults or not sound else 0)


def _opened(
    folder: Path | None, url: str | None, game_url: str | None, tell: ProgressCallback
) -> Source:
    if url is not None:
        return mysql.open_server(url, game_url, folder, tell)
    if folder is None:
        raise NoSource
    return sources.open_folder(folder)


def _zone(name: str) -> ZoneInfo:
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        raise UnknownZone(f"Unknown time zone '{name}'. An example: Europe/Berlin.") from None


def _write(path: Path, done: IntersectReport) -> None:
    """A new file that only its owner may read: it has names and addresses in it."""
    try:
        handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, 0o600)
    except OSError as fault:
        warn(f"WARNING: The report could not be written: {path}: {fault.strerror}.")
        return
    with os.fdopen(handle, "wb") as out:
        out.write(msgspec.json.format(msgspec.json.encode(done), indent=2) + b"\n")


async def _verified(settings: Settings, done: IntersectReport) -> bool:
    """Verify the ledger and the audit log; what is wrong is added to the report."""
    with progress("Verify") as tell:
        proof = await verify_ledger.verify(settings, on_progress=tell)
        chain = await verify_chain.find(settings, tell)
    done.faults += [f"ledger verify: {breach}" for breach in proof.breaches]
    if chain.total:
        done.faults.append(f"actions verify: {chain.total} breaches; run it for the details")
    return proof.breach is None and not chain.total


def _parts(done: IntersectReport) -> list[Part]:
    parts = {
        **done.catalog,
        "accounts": done.users,
        "characters": done.players,
        **done.sections,
    }
    rows = [
        [name, f"{section.added:,}", f"{section.changed:,}", f"{section.unchanged:,}"]
        for name, section in parts.items()
    ]
    bans = done.sanctions
    rows.append(["bans, mutes", f"{bans.added:,}", f"{bans.lifted:,}", f"{bans.unchanged:,}"])
    return [
        *report.lines(done, most=MOST_SHOWN),
        TextTable(["", "Added", "Changed", "Unchanged"], rows),
        *(partial(warn, fault) for fault in done.faults),
        _end(done),
    ]


def _end(done: IntersectReport) -> str:
    if done.faults:
        return "The import is incomplete. Fix the problem and run it again."
    if done.dry_run:
        return "Dry run: nothing was written."
    if not done.is_change:
        return "No changes: everything was already imported. Ledger and audit log are verified."
    return f"Imported in {done.seconds['all']:,.1f} s. Ledger and audit log are verified."


@command
async def status(database: Database) -> Output:
    """
    Show how many imported passwords are re-hashed.

    An import encrypts the passwords of another game. A running `gamekeeper worker` re-hashes
    them with Argon2, and the first sign-in of each account completes the change.
    """
    found = await stretch.find_progress(database.reader)
    total = found.encrypted + found.stretched + found.ordinary
    return Output(
        asdict(found),
        f"{total:,} passwords: {found.encrypted:,} imported and not re-hashed yet, "
        f"{found.stretched:,} re-hashed, {found.ordinary:,} of this game.",
        "A running `gamekeeper worker` re-hashes them, about a thousand a minute."
        if found.encrypted
        else None,
    )
