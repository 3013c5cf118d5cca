"""Checks of backups: the age of the last one, room for the next, recoveries not completed."""

from pathlib import Path
from typing import LiteralString

from msgspec import Struct

from gamekeeper.operations.backup import epochs
from gamekeeper.operations.backup.last_backup import OLD_HOURS
from gamekeeper.operations.doctor.findings import (
    CheckResult,
    Installation,
    counted,
    ok,
    unknown,
    warning,
    wrong,
)
from gamekeeper.operations.doctor.server import is_directory, of_disk


class BackupPlace(Struct, frozen=True, kw_only=True):
    """Where the last backup is, and how old."""

    hours: float
    directory: str


async def last_backup(installation: Installation) -> list[CheckResult]:
    found = await installation.reader.one(BackupPlace, NEWEST_BACKUP)
    if found is None:
        return warning(
            "backup",
            "No backup by `gamekeeper backup` is recorded in this database.",
            "Run it every night, and copy it away: gamekeeper backup PLACE. If you back up in "
            "another way, try a restore.",
        )
    said = f"The last recorded backup is {counted(found.hours, 'hour')} old."
    if found.hours > OLD_HOURS:
        return warning("backup", said, "Find out why, and run: gamekeeper backup PLACE")
    return ok("backup", said)


async def point_in_time_recovery(installation: Installation) -> list[CheckResult]:
    """Whether a recovery that PostgreSQL made itself was completed."""
    if target := await epochs.incomplete(installation.reader):
        return wrong(
            "recovery",
            f"PostgreSQL was recovered to a point in time ({target}), and this was not completed: "
            "revoked keys and sign-ins are valid again.",
            "Stop serve and worker, and run: gamekeeper recovered",
        )
    return ok("recovery", "No recovery to a point in time is waiting to be completed.")


async def backup_disk(installation: Installation) -> list[CheckResult]:
    """The disk of the last backup, if it is of this machine."""
    found = await installation.reader.one(BackupPlace, NEWEST_BACKUP)
    place = Path(found.directory).parent if found else None
    if place is None or not await is_directory(place):
        return unknown("backup_disk", "No backup directory is known on this machine.")
    return await of_disk("backup_disk", place, "backups")


NEWEST_BACKUP: LiteralString = """
    SELECT extract(epoch FROM now() - at)::float8 / 3600 AS hours,
           after->>'directory' AS directory
      FROM actions WHERE kind = 'database.backup'
     ORDER BY id DESC LIMIT 1
"""
