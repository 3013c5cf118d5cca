"""The last backup, as the audit log has it."""

from typing import LiteralString

from gamekeeper.core.schemas import Instant, Record
from gamekeeper.db.database import Reader

OLD_HOURS = 26
"""A day, and two hours in which the next nightly backup is made."""


class RecordedBackup(Record, frozen=True):
    """The last backup by `gamekeeper backup` that the audit log has."""

    at: Instant
    """When it was complete."""
    by_name: str
    """The actor of its action."""
    bytes: int | None
    """Its size."""
    seconds: float | None
    """How long it took; null for backups of version 0.1.0."""
    old: bool
    """Whether it is older than 26 hours."""


async def find_last(reader: Reader) -> RecordedBackup | None:
    """The last backup on record; None if there is none."""
    return await reader.one(RecordedBackup, LAST, OLD_HOURS)


LAST: LiteralString = """
    SELECT at, actor_name AS by_name, (after->>'bytes')::bigint AS bytes,
           (after->>'seconds')::float8 AS seconds,
           at < statement_timestamp() - make_interval(hours => $1) AS old
      FROM actions WHERE kind = 'database.backup'
     ORDER BY id DESC LIMIT 1
"""
