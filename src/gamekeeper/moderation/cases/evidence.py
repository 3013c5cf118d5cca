"""The frozen chat of a case: shown to staff, and taken over as the evidence of its sanction."""

from collections.abc import Sequence
from typing import Any, LiteralString
from uuid import UUID

from gamekeeper.auth.principal import Principal
from gamekeeper.core.schemas import Record
from gamekeeper.db.database import Queryable
from gamekeeper.moderation.evidence import MAX_LINES
from gamekeeper.sanctions.excerpts import FrozenLine, frozen_line
from gamekeeper.servers.chat import private

REPORTERS = "reports.reporters"
MOST_SHOWN = 1000
"""Chat lines of a case in one response; of more, the newest."""


class CaseLine(Record, frozen=True, kw_only=True):
    """A chat message around the reports of a case."""

    line: FrozenLine
    is_reported: bool
    """Whether a report names this message."""
    report_ids: list[UUID]
    """The reports around which it was said."""


class CaseChat(Record, frozen=True):
    """The chat messages around the reports of a case, oldest first, each once."""

    values: list[CaseLine]
    is_truncated: bool
    """Whether there are more than 1,000; then these are the newest."""


COLUMNS: LiteralString = """
    message_id, said_at, report_excerpts.server_id, report_excerpts.player_id,
    report_excerpts.user_id, channel, target_id
"""


async def chat_of(reader: Queryable, case: UUID, caller: Principal | None) -> CaseChat:
    """
    The chat of a case, as the caller may see it.

    A private message is between a reporter and the account. So it names the reporter, and only
    those see it who may know reporters.
    """
    rows = await reader.rows(
        f"""
        SELECT {COLUMNS}, max(message) AS message, max(player_name) AS player_name,
               max(target_name) AS target_name,
               array_agg(report_id ORDER BY report_id) AS report_ids,
               bool_or(message_id = ANY(message_ids)) AS is_reported
          FROM report_excerpts JOIN reports ON reports.id = report_id
         WHERE case_id = $1 AND (channel <> 'pm' OR $2)
         GROUP BY {COLUMNS}
         ORDER BY said_at DESC, message_id DESC
         LIMIT $3
        """,
        case,
        caller is None or caller.may(REPORTERS),
        MOST_SHOWN + 1,
    )
    may = caller is None or caller.may(private.PERMISSION)
    shown = [_line(row, private=may) for row in rows[:MOST_SHOWN]]
    return CaseChat(values=shown[::-1], is_truncated=len(rows) > MOST_SHOWN)


def _line(row: Any, *, private: bool) -> CaseLine:
    return CaseLine(
        line=frozen_line(row, private=private),
        is_reported=row["is_reported"],
        report_ids=row["report_ids"],
    )


async def default_lines(reader: Queryable, case: UUID, caller: Principal | None) -> Sequence[UUID]:
    """The evidence of a sanction unless other lines are chosen: the newest 50 that count."""
    rows = await reader.rows(
        """
        SELECT message_id
          FROM report_excerpts JOIN reports ON reports.id = report_id
         WHERE case_id = $1 AND message IS NOT NULL AND (channel <> 'pm' OR $2)
           AND (report_excerpts.user_id = reports.user_id OR message_id = ANY(message_ids))
         GROUP BY message_id
         ORDER BY bool_or(message_id = ANY(message_ids)) DESC, max(said_at) DESC
         LIMIT $3
        """,
        case,
        caller is None or caller.may(private.PERMISSION),
        MAX_LINES,
    )
    return [row["message_id"] for row in rows]
