"""``gamekeeper import intersect``: a game of the Intersect Engine moves in."""

import asyncio
import os
import sys
from pathlib import Path
from time import perf_counter
from typing import Annotated
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

import msgspec
import typer
from msgspec.structs import asdict

from gamekeeper.cli.actor import As, audit_context
from gamekeeper.cli.options import DryRun, Reason
from gamekeeper.cli.terminal import (
    AsJson,
    progress,
    say,
    show_json,
    show_table,
    stages,
    warn,
    with_database,
)
from gamekeeper.core.errors import Invalid
from gamekeeper.core.settings import Settings
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
    Path | None, typer.Option("--report", help="Write the whole report there, as JSON.")
]


class UnknownZone(Invalid):
    """No time zone has that name."""


class NoSource(Invalid):
    """Name the game to import: --sqlite DIR or --mysql URL."""


def intersect(
    *,
    sqlite: Folder = None,
    mysql_url: Url = None,
    mysql_game: GameUrl = None,
    time_zone: Zone = "UTC",
    max_level: MaxLevel = None,
    dry_run: DryRun = False,
    report_file: ReportFile = None,
    reason: Reason = None,
    as_: As = None,
    as_json: AsJson = False,
) -> None:
    """
    Import a game of the Intersect Engine from its database.

    The source is only read. Ids, names, passwords and all that players own are kept; the
    report lists what gets another name and what is left out. Importing again brings what
    changed there since, and leaves alone what changed here. docs/moving-from-intersect.md
    tells the whole move.

    Exit code 1: nothing or not everything was imported, or a verification failed.
    """
    mysql.hide_passwords(sys.argv, mysql_url, mysql_game)
    options = Options(zone=_zone(time_zone), max_level=max_level, dry_run=dry_run)
    by, begun = audit_context(as_, reason), perf_counter()
    settings = Settings.read()
    with stages() as tell:
        source = _opened(sqlite, mysql_url, mysql_game, tell)
        try:
            done = asyncio.run(importer.bring(settings, source, by, options, tell))
        finally:
            source.close()
    done.seconds["all"] = round(perf_counter() - begun, 3)
    if report_file:
        _write(report_file, done)
    sound = dry_run or bool(done.faults) or _verified(settings, done)
    if as_json:
        show_json(asdict(done))
    else:
        _show(done)
    if done.faults or not sound:
        sys.exit(1)


def _opened(
    folder: Path | None, url: str | None, game_url: str | None, tell: importer.Tell
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
        raise UnknownZone(f"No time zone is called '{name}'. An example: Europe/Berlin.") from None


def _write(path: Path, done: IntersectReport) -> None:
    """A new file that only its owner may read: it has names and addresses in it."""
    try:
        handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, 0o600)
    except OSError as fault:
        warn(f"WARNING: The report is not written: {path}: {fault.strerror}.")
        return
    with os.fdopen(handle, "wb") as out:
        out.write(msgspec.json.format(msgspec.json.encode(done), indent=2) + b"\n")


def _verified(settings: Settings, done: IntersectReport) -> bool:
    """Verify the ledger and the audit log; what is wrong is added to the report."""
    with progress("Verify") as tell:
        proof = asyncio.run(verify_ledger.verify(settings, tell=tell))
        chain = asyncio.run(verify_chain.find(settings, tell))
    done.faults += [f"ledger verify: {breach}" for breach in proof.breaches]
    if chain.total:
        done.faults.append(f"actions verify: {chain.total} breaches; run it for the details")
    return proof.breach is None and not chain.total


def _show(done: IntersectReport) -> None:
    say(*report.lines(done, most=MOST_SHOWN))
    parts = {
        **done.catalog,
        "accounts": done.users,
        "characters": done.players,
        **done.sections,
    }
    rows = [
        [name, f"{one.added:,}", f"{one.changed:,}", f"{one.unchanged:,}"]
        for name, one in parts.items()
    ]
    bans = done.sanctions
    rows.append(["bans, mutes", f"{bans.added:,}", f"{bans.lifted:,}", f"{bans.unchanged:,}"])
    show_table(["", "Added", "Changed", "Unchanged"], rows)
    for fault in done.faults:
        warn(fault)
    if done.faults:
        say("The import is not complete. Run it again when the reason is gone.")
    elif done.dry_run:
        say("Nothing was written: this was a dry run.")
    elif not done.is_change:
        say("No change: everything was here already. Ledger and audit log are verified.")
    else:
        say(f"Imported in {done.seconds['all']:,.1f} s. Ledger and audit log are verified.")


def status(*, as_json: AsJson = False) -> None:
    """
    Show how far imported passwords are stretched.

    An import encrypts the passwords of another game. A running `gamekeeper worker` stretches
    them (Argon2), and the first sign-in of each account makes its record an ordinary one.
    """
    found = with_database(lambda database: stretch.find_progress(database.reader))
    if as_json:
        show_json(asdict(found))
        return
    total = found.encrypted + found.stretched + found.ordinary
    say(
        f"{total:,} passwords: {found.encrypted:,} imported and not stretched yet, "
        f"{found.stretched:,} stretched, {found.ordinary:,} of this game."
    )
    if found.encrypted:
        say("A running `gamekeeper worker` stretches them, about a thousand a minute.")
