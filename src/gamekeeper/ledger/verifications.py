"""Verifications of the hash chain on record: when, how far, and what was found."""

from typing import LiteralString
from uuid import UUID

from gamekeeper.core.schemas import Instant, Record
from gamekeeper.db.database import Writer
from gamekeeper.ledger.reports import ChainReport


class ChainState(Record, frozen=True):
    """The last verification of the hash chain; all null if there was none."""

    verified_at: Instant | None = None
    """When; null: never."""
    verified_through: UUID | None = None
    """The last action that was verified."""
    verified_through_at: Instant | None = None
    """When that was done."""
    breaches: int | None = None
    """The number of breaches; 0: the log is intact."""


async def record_verification(writer: Writer, report: ChainReport) -> None:
    """Record that the chain was verified just now, with what came of it."""
    await writer.run(
        """
        INSERT INTO chain_verifications (links, action_id, action_at, breaches)
        VALUES ($1, $2, $3, $4)
        """,
        report.links,
        report.last_action,
        report.last_action_at,
        report.total,
    )


# The last verification, as the columns of `ChainState`.
LAST: LiteralString = """
    SELECT at AS verified_at, action_id AS verified_through,
           action_at AS verified_through_at, breaches
      FROM chain_verifications
     ORDER BY number DESC
     LIMIT 1
"""
