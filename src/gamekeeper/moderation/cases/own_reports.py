"""What a player may know of their own reports: that there was an outcome, never which sanction."""

from typing import Literal
from uuid import UUID

from gamekeeper.core.errors import InvalidQuery
from gamekeeper.core.schemas import LARGEST_PAGE, Instant, Record
from gamekeeper.db.database import Reader
from gamekeeper.players.lookup import names_of
from gamekeeper.servers.reports.categories import ReportCategory

ReportState = Literal["open", "action_taken", "no_action", "closed"]


class OwnPlayerReport(Record, frozen=True, kw_only=True):
    """A report as its reporter sees it."""

    id: UUID
    category: ReportCategory
    text: str | None
    """Your text; null after its retention."""
    player_id: UUID
    player_name: str | None
    """The reported character; null if it was erased."""
    filed_at: Instant
    times: int
    """How often you reported it while it was open."""
    state: ReportState
    """
    `open`, `action_taken` or `no_action`; `closed` if this game does not show the outcome to
    reporters.
    """


class OwnPlayerReports(Record, frozen=True):
    """Your reports, newest first."""

    values: list[OwnPlayerReport]
    next: UUID | None
    """The cursor of the next page; null: that was the last."""


async def list_own(reader: Reader, user: UUID, cursor: UUID | None, limit: int) -> OwnPlayerReports:
    """A page of the reports of an account."""
    known = "SELECT count(*) FROM reports WHERE id = $1 AND reporter_id = $2"
    if cursor and not await reader.value(known, cursor, user):
        raise InvalidQuery("'cursor' must be the 'Next' of a response.", field="cursor")
    limit = max(1, min(LARGEST_PAGE, limit))
    rows = await reader.rows(
        """
        SELECT reports.id, reports.category, text, reports.player_id, filed_at, times,
               CASE WHEN cases.closed_at IS NULL THEN 'open'
                    WHEN NOT $4 THEN 'closed'
                    WHEN outcome = 'none' THEN 'no_action' ELSE 'action_taken' END AS state
          FROM reports JOIN cases ON cases.id = case_id
         WHERE reporter_id = $1
           AND ($2::uuid IS NULL
                OR (filed_at, reports.id) < (SELECT filed_at, id FROM reports WHERE id = $2))
         ORDER BY filed_at DESC, reports.id DESC LIMIT $3
        """,
        user,
        cursor,
        limit + 1,
        reader.settings.report_outcomes != "hidden",
    )
    names = await names_of(reader, {row["player_id"] for row in rows})
    values = [
        OwnPlayerReport(**row, player_name=names.get(row["player_id"])) for row in rows[:limit]
    ]
    return OwnPlayerReports(values=values, next=values[-1].id if len(rows) > limit else None)
