"""
The order by last online: characters that are online come first, then the end of the last session.

The session of a character that is online is in `presences`, not in the index, so the list has two
parts. Both are read by one statement: a character that joins or leaves meanwhile is in one part.
"""

from typing import LiteralString
from uuid import UUID

from gamekeeper.db.database import Reader
from gamekeeper.db.paging.nearer_end import IndexWalk

# NOT IN, because it is a lookup in a hash table for each row of the index: NOT EXISTS may become a
# join, which reads and sorts all players, and a lookup in an index for each row takes three times
# as long on a page in the middle.
LIVE: LiteralString = """
    WITH live AS MATERIALIZED (
        SELECT player_id AS id, joined_at
          FROM presences
          JOIN servers ON servers.id = presences.server_id
                      AND lease_until > statement_timestamp()
    ), offline AS NOT MATERIALIZED (
        SELECT id, coalesce(last_online, created_at) AS seen_at
          FROM players
         WHERE id NOT IN (SELECT id FROM live)
    )
"""

# For a search: all characters, of which it finds some.
SEEN: LiteralString = """
    (SELECT players.id, players.name_key, joined_at IS NOT NULL AS is_online,
            coalesce(joined_at, last_online, created_at) AS seen_at
       FROM players
       LEFT JOIN (presences JOIN servers ON servers.id = presences.server_id
                                        AND lease_until > statement_timestamp())
         ON presences.player_id = players.id) AS seen
"""
ORDERS: dict[bool, LiteralString] = {
    False: "is_online, seen_at, id",
    True: "is_online DESC, seen_at DESC, id DESC",
}

NEWEST_FIRST: LiteralString = f"""
    {LIVE}, here AS MATERIALIZED (
        SELECT id, joined_at FROM live ORDER BY joined_at DESC, id DESC LIMIT $1 OFFSET $2
    ), gone AS MATERIALIZED (
        SELECT id, seen_at FROM offline ORDER BY seen_at DESC, id DESC
         LIMIT $1 - (SELECT count(*) FROM here)
        OFFSET greatest($2 - (SELECT count(*) FROM live), 0)
    )
    SELECT id
      FROM (SELECT true AS is_online, joined_at AS seen_at, id FROM here
             UNION ALL SELECT false, seen_at, id FROM gone) AS page
     ORDER BY {ORDERS[True]}
"""

OLDEST_FIRST: LiteralString = f"""
    {LIVE}, gone AS MATERIALIZED (
        SELECT id, seen_at FROM offline ORDER BY seen_at, id LIMIT $1 OFFSET $2
    ), here AS MATERIALIZED (
        SELECT id, joined_at FROM live ORDER BY joined_at, id
         LIMIT $1 - (SELECT count(*) FROM gone)
        OFFSET greatest($2 - ($3 - (SELECT count(*) FROM live)), 0)
    )
    SELECT id
      FROM (SELECT true AS is_online, joined_at AS seen_at, id FROM here
             UNION ALL SELECT false, seen_at, id FROM gone) AS page
     ORDER BY {ORDERS[False]}
"""


async def page_ids(reader: Reader, walk: IndexWalk, total: int) -> list[UUID]:
    """The ids of a page of all characters, in the order of the walk."""
    if walk.descending:
        rows = await reader.rows(NEWEST_FIRST, walk.taken, walk.skipped)
    else:
        rows = await reader.rows(OLDEST_FIRST, walk.taken, walk.skipped, total)
    return [row["id"] for row in rows]
