"""Retention of the ledger: the earliest instant left after old months were dropped."""

from datetime import datetime

from gamekeeper.core.errors import Conflict
from gamekeeper.db.database import Queryable


class AtTooOld(Conflict):
    """The state at this instant has expired."""


async def check(reader: Queryable, at: datetime) -> None:
    """
    Raise if some postings since `at` were dropped.

    Call it after the postings were read, so that it sees months dropped in between.
    """
    earliest: datetime | None = await reader.value("SELECT at FROM ledger_beginning")
    if earliest and at < earliest:
        raise AtTooOld(
            f"The state before {earliest:%Y-%m-%d} has expired.",
            earliest=earliest.isoformat(),
        )
