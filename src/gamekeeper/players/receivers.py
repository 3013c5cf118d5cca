"""The character of an account that receives something, if only the account is known."""

from collections.abc import Mapping, Sequence
from uuid import UUID

from msgspec import Struct

from gamekeeper.db.database import Queryable


class WantedReceiver(Struct, frozen=True):
    """An account that receives something, and perhaps the character that was named."""

    key: UUID
    """By which the answer is found: for example the id of an order."""
    user_id: UUID | None
    player_id: UUID | None = None


async def characters_for(
    reader: Queryable, wanted: Sequence[WantedReceiver]
) -> Mapping[UUID, UUID]:
    """
    The character that receives, by the key; absent if the account has none.

    The one that was named while it exists, otherwise the one that was played last.
    """
    rows = await reader.rows(
        """
        SELECT DISTINCT ON (wanted.key) wanted.key, players.id
          FROM unnest($1::uuid[], $2::uuid[], $3::uuid[]) AS wanted (key, user_id, player_id)
          JOIN players ON players.user_id = wanted.user_id
          LEFT JOIN presences ON presences.player_id = players.id
         ORDER BY wanted.key, players.id = wanted.player_id DESC NULLS LAST,
                  presences.player_id IS NOT NULL DESC,
                  coalesce(players.last_online, players.created_at) DESC, players.id
        """,
        [each.key for each in wanted],
        [each.user_id for each in wanted],
        [each.player_id for each in wanted],
    )
    return {row["key"]: row["id"] for row in rows}
