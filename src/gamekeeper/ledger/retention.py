"""Retention: where the ledger begins, after months that were dropped."""

from datetime import datetime

from gamekeeper.core.errors import Conflict
from gamekeeper.db.database import Reader


class AtTooOld(Conflict):
    """What was held at that instant is no longer kept."""


async def check(reader: Reader, at: datetime) -> None:
    """
    Refuse an instant from which on not all postings are there.

    To be asked after they were read: if months were dropped in between, this sees it.
    """
    earliest: datetime | None = await reader.value("SELECT at FROM ledger_beginning")
    if earliest and at < earliest:
        raise AtTooOld(
            f"What was held before {earliest:%Y-%m-%d} is no longer kept.",
            earliest=earliest.isoformat(),
        )
