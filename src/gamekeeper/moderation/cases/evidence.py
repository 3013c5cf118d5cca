"""
The frozen chat of a case: shown to staff, and taken over as the evidence of its sanction.

It is the chat around the reports, frozen when they arrive, and the lines that staff add from the
chat log (added_chat.py).
"""

from collections.abc import Sequence
from typing import Any, LiteralString
from uuid import UUID

from gamekeeper.auth.principal import Principal
from gamekeeper.core.schemas import Instant, Record
from gamekeeper.db.database import Queryable
from gamekeeper.moderation.evidence import MAX_LINES
from gamekeeper.sanctions.excerpts import FrozenLine, frozen_line
from gamekeeper.servers.chat import private

REPORTERS = "reports.reporters"
MOST_SHOWN = 1000
"""Chat lines of a case in one response; of more, the newest."""


class CaseLine(Record, frozen=True, kw_only=True):
    """A chat message around the reports of a case, or one that staff added."""

    line: FrozenLine
    is_reported: bool
    """Whether a report names this message."""
    report_ids: list[UUID]
    """The reports around which it was said."""
    added_at: Instant | None
    """When staff added it to the case; null if they did not."""


class CaseChat(Record, frozen=True):
    """The frozen chat messages of a case, oldest first, each once."""

    values: list[CaseLine]
    is_truncated: bool
    """Whether there are more than 1,000; then these are the newest."""


LINE: LiteralString = "message_id, said_at, server_id, player_id, user_id, channel, target_id"

# $2: whether private messages of reports count, $3: whether those that staff added do.
LINES: LiteralString = """
    SELECT message_id, said_at, report_excerpts.server_id, report_excerpts.player_id,
           report_excerpts.user_id, channel, target_id, message, player_name, target_name,
           report_id, message_id = ANY(message_ids) AS is_reported,
           report_excerpts.user_id = reports.user_id AS is_of_account,
           NULL::timestamptz AS added_at
      FROM report_excerpts JOIN reports ON reports.id = report_id
     WHERE case_id = $1 AND (channel <> 'pm' OR $2)
     UNION ALL
    SELECT message_id, said_at, server_id, player_id, user_id, channel, target_id, message,
           player_name, target_name, NULL, false, false, added_at
      FROM case_excerpts
     WHERE case_id = $1 AND (channel <> 'pm' OR $3)
"""


async def chat_of(reader: Queryable, case: UUID, caller: Principal | None) -> CaseChat:
    """
    The chat of a case, as the caller may see it.

    A private message of a report is between the reporter and the account. So it names the
    reporter, and only those see it who may know reporters. One that staff added may be that, too:
    others see it only if they could read it in the chat log.
    """
    may_read = caller is None or caller.may(private.PERMISSION)
    may_know = caller is None or caller.may(REPORTERS)
    rows = await reader.rows(
        f"""
        SELECT {LINE}, max(message) AS message, max(player_name) AS player_name,
               max(target_name) AS target_name,
               coalesce(array_agg(report_id ORDER BY report_id)
                            FILTER (WHERE report_id IS NOT NULL), '{{}}') AS report_ids,
               bool_or(is_reported) AS is_reported, max(added_at) AS added_at
          FROM ({LINES}) AS every
         GROUP BY {LINE}
         ORDER BY said_at DESC, message_id DESC
         LIMIT $4
        """,
        case,
        may_know,
        may_know or may_read,
        MOST_SHOWN + 1,
    )
    shown = [_line(row, private=may_read) for row in rows[:MOST_SHOWN]]
    return CaseChat(values=shown[::-1], is_truncated=len(rows) > MOST_SHOWN)


def _line(row: Any, *, private: bool) -> CaseLine:
    return CaseLine(
        line=frozen_line(row, private=private),
        is_reported=row["is_reported"],
        report_ids=row["report_ids"],
        added_at=row["added_at"],
    )


async def default_lines(reader: Queryable, case: UUID, caller: Principal | None) -> Sequence[UUID]:
    """The evidence of a sanction unless other lines are chosen: the newest 50 that count."""
    may_read = caller is None or caller.may(private.PERMISSION)
    rows = await reader.rows(
        f"""
        SELECT message_id
          FROM ({LINES}) AS every
         WHERE message IS NOT NULL AND (is_of_account OR is_reported OR added_at IS NOT NULL)
         GROUP BY message_id
         ORDER BY bool_or(is_reported OR added_at IS NOT NULL) DESC, max(said_at) DESC
         LIMIT $4
        """,
        case,
        may_read,
        may_read,
        MAX_LINES,
    )
    return [row["message_id"] for row in rows]
