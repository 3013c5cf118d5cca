"""Retention of the ledger: the earliest instant left after old months were dropped."""

from datetime import datetime

from gamekeeper.core.errors import Conflict
from gamekeeper.db.database import Queryable


class AtTooOld(Conflict):
    """What was held at that instant is no longer kept."""


async def check(reader: Queryable, at: datetime) -> None:
    """
    Raise if some postings since `at` were dropped.

    Call it after the postings were read, so that it sees months dropped in between.
    """
    earliest: datetime | None = await reader.value("SELECT at FROM ledger_beginning")
    if earliest and at < earliest:
        raise AtTooOld(
            f"What was held before {earliest:%Y-%m-%d} is no longer kept.",
            earliest=earliest.isoformat(),
        )
