"""
The history of a guild: every action about it, newest first, with keyset pagination.

`guild_actions` has the ids of those actions, also of a guild that is gone, so a page costs the
same at any depth.
"""

from typing import LiteralString
from uuid import UUID

from gamekeeper.core.schemas import LARGEST_PAGE
from gamekeeper.db.database import Reader
from gamekeeper.ledger import audit_log
from gamekeeper.ledger.audit_log import Entries

PAGE: LiteralString = """
    SELECT action_id FROM guild_actions
     WHERE guild_id = $1 AND action_id < $2
     ORDER BY action_id DESC
     LIMIT $3
"""


async def list_guild_history(
    reader: Reader, guild: UUID, cursor: str | None, limit: int
) -> Entries:
    """A page of the actions about a guild, from the cursor on."""
    limit = max(1, min(LARGEST_PAGE, limit))
    rows = await reader.rows(PAGE, guild, audit_log.id_before(cursor), limit + 1)
    ids = [row["action_id"] for row in rows[:limit]]
    # Actions whose month was dropped are missing; the page then has fewer.
    found = await audit_log.find_actions(reader, ids) if ids else []
    return Entries(
        values=found[::-1], next=audit_log.cursor_of(ids[-1]) if len(rows) > limit else None
    )
