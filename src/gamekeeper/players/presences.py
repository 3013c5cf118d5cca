"""
End of sessions: the part of presence (online status) that concerns characters alone.

`servers.presence` lets characters join and leave; deleting a character also ends its session.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from uuid import UUID

from gamekeeper.db.database import Writer
from gamekeeper.db.paging.orderings import ONLINE, record_deltas, removed


async def there(writer: Writer, players: Sequence[UUID]) -> list[UUID]:
    """The players who are on a server, whether its lease is alive or not."""
    rows = await writer.rows(
        "SELECT player_id FROM presences WHERE player_id = ANY($1)", list(players)
    )
    return [row["player_id"] for row in rows]


async def close(writer: Writer, players: Sequence[UUID]) -> Mapping[UUID, int]:
    """End the sessions of locked players; returns the number of sessions per server."""
    if not players:
        return {}
    rows = await writer.rows(
        """
        WITH gone AS (
            DELETE FROM presences USING servers
             WHERE servers.id = presences.server_id AND player_id = ANY($1)
            RETURNING player_id, server_id, list_key, joined_at,
                      greatest(joined_at, least(clock_timestamp(), lease_until)) AS left_at,
                      isfinite(lease_until) AS counts
        ), kept AS (
            INSERT INTO sessions (player_id, joined_at, left_at, server_id)
            SELECT player_id, joined_at, left_at, server_id FROM gone
        ), seen AS (
            UPDATE players
               SET last_online = left_at,
                   play_time_seconds = play_time_seconds
                       + CASE WHEN counts
                              THEN floor(extract(epoch FROM left_at - joined_at))::bigint
                              ELSE 0 END
              FROM gone
             WHERE players.id = gone.player_id
        )
        SELECT server_id, list_key FROM gone
        """,
        list(players),
    )
    await record_deltas(writer, [removed(ONLINE, row["list_key"]) for row in rows])
    return Counter(row["server_id"] for row in rows)


async def count(writer: Writer, more: Mapping[UUID, int], less: Mapping[UUID, int]) -> None:
    """Update the online counts of servers: the last lock taken, in id order (no deadlock)."""
    servers = sorted(more.keys() | less.keys())
    if not servers:
        return
    await writer.rows(
        "SELECT FROM crowds WHERE server_id = ANY($1) ORDER BY server_id FOR NO KEY UPDATE",
        servers,
    )
    await writer.run(
        """
        UPDATE crowds SET online = online + more
          FROM unnest($1::uuid[], $2::int[]) AS changed (server_id, more)
         WHERE crowds.server_id = changed.server_id
        """,
        servers,
        [more.get(server, 0) - less.get(server, 0) for server in servers],
    )
