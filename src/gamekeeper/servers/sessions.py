"""Session history: when a character played, and on which server."""

from datetime import UTC, datetime
from uuid import UUID

from gamekeeper.core.schemas import LARGEST_PAGE, Instant, Record
from gamekeeper.db.database import Reader
from gamekeeper.players.lookup import find_player_id

END = datetime.max.replace(tzinfo=UTC)


class Session(Record, frozen=True):
    server_id: UUID
    server_name: str
    joined_at: Instant
    left_at: Instant | None
    """RFC 3339; null for the current session."""


class Sessions(Record, frozen=True):
    """Part of the sessions of a character, newest first."""

    values: list[Session]
    next: Instant | None
    """The `before` of the next page; null on the last page."""


async def played(reader: Reader, key: str, before: datetime | None, limit: int) -> Sessions:
    """The sessions of a player that began before an instant, newest first."""
    limit = max(1, min(limit, LARGEST_PAGE))
    # A presence is the current session; on a dead server it ended with the lease.
    found = await reader.all(
        Session,
        """
        SELECT server_id, servers.name AS server_name, joined_at,
               coalesce(left_at, CASE WHEN lease_until <= statement_timestamp()
                                      THEN greatest(joined_at, lease_until) END) AS left_at
          FROM ((SELECT server_id, joined_at, left_at
                   FROM sessions
                  WHERE player_id = $1 AND joined_at < $2
                  ORDER BY joined_at DESC LIMIT $3)
                UNION ALL
                SELECT server_id, joined_at, NULL
                  FROM presences
                 WHERE player_id = $1 AND joined_at < $2) AS played
          JOIN servers ON servers.id = server_id
         ORDER BY joined_at DESC
         LIMIT $3
        """,
        await find_player_id(reader, key),
        before or END,
        limit + 1,
    )
    more = found[limit - 1].joined_at if len(found) > limit else None
    return Sessions(values=found[:limit], next=more)
