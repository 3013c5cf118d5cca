"""
Viewers: who else looks at a case, by heartbeats of the last 60 seconds.

The table is unlogged, which a replica cannot read, so the heartbeat that writes also reads. It is
no change of the game, so it has no action.
"""

from uuid import UUID

from gamekeeper.core.schemas import Instant, Record
from gamekeeper.db.database import Database, Writer
from gamekeeper.db.operations import AuditContext
from gamekeeper.moderation.cases import records
from gamekeeper.moderation.cases.records import CaseState

SECONDS = 60
MOST_SHOWN = 50


class CaseViewer(Record, frozen=True):
    """A staff member who looks at a case."""

    actor: str
    name: str
    seen_at: Instant


class CaseViewers(Record, frozen=True):
    """The other viewers of a case, and its state: compare it with what you have loaded."""

    values: list[CaseViewer]
    """Without the caller; the last seen first."""
    state: CaseState
    reports: int
    """More than before: there are new reports."""
    claimed_by: str | None
    claimed_by_name: str | None


async def beat(database: Database, case: UUID, by: AuditContext) -> CaseViewers:
    """Say that the caller looks at a case; returns who else does."""
    return await database.write(lambda writer: _beat(writer, case, by))


async def _beat(writer: Writer, case: UUID, by: AuditContext) -> CaseViewers:
    found = (await records.find_cases(writer, [case])).get(case)
    if found is None:
        raise records.missing(case)
    await writer.run(
        """
        INSERT INTO case_viewers (case_id, actor, name) VALUES ($1, $2, $3)
        ON CONFLICT (case_id, actor) DO UPDATE SET seen_at = now(), name = excluded.name
        """,
        case,
        by.actor,
        by.name,
    )
    values = await writer.all(
        CaseViewer,
        """
        SELECT actor, name, seen_at FROM case_viewers
         WHERE case_id = $1 AND actor <> $2
           AND seen_at > statement_timestamp() - make_interval(secs => $3)
         ORDER BY seen_at DESC, actor LIMIT $4
        """,
        case,
        by.actor,
        SECONDS,
        MOST_SHOWN,
    )
    return CaseViewers(
        values=values,
        state=found.state,
        reports=found.reports,
        claimed_by=found.claimed_by,
        claimed_by_name=found.claimed_by_name,
    )
