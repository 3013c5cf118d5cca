"""
The counts of a lazy campaign, in parts with their share of the bound.

A join locks one part until it commits. A change of the state opens or closes all of them.
"""

from typing import LiteralString
from uuid import UUID

from gamekeeper.db.database import Writer

MAX_PARTS = 16
"""Of the counts of a lazy campaign: about as many joins can deliver at once."""
MIN_ROOM = 100
"""Of a part, at first: a join with many players must find room for all of them."""


async def add(writer: Writer, campaign: UUID, max_recipients: int) -> None:
    """Divide the recipients that a lazy campaign can have among its parts."""
    await writer.run(
        """
        INSERT INTO campaign_counts (campaign_id, part, room)
        SELECT $1, part, $2 / $3 + CASE WHEN part < $2 % $3 THEN 1 ELSE 0 END
          FROM generate_series(0, $3::int - 1) AS parts (part)
        """,
        campaign,
        max_recipients,
        max(1, min(MAX_PARTS, max_recipients // MIN_ROOM)),
    )


async def set_open(writer: Writer, campaign: UUID, *, is_open: bool) -> None:
    """Let joins deliver or not; waits for those that do."""
    sql = "UPDATE campaign_counts SET open = $2 WHERE campaign_id = $1"
    await writer.run(sql, campaign, is_open)


async def lock_part(writer: Writer, campaign: UUID, wanted: int) -> tuple[int, int] | None:
    """Lock a part of the counts: a free one, or else the next; with its room. None: no part."""
    rows = await writer.rows(FREE_PART, campaign, wanted) or await writer.rows(NEXT_PART, campaign)
    return (rows[0]["part"], rows[0]["room"]) if rows else None


FREE_PART: LiteralString = """
    SELECT part, room FROM campaign_counts
     WHERE campaign_id = $1 AND open AND room > 0
     ORDER BY room >= $2 DESC, random()
     LIMIT 1
       FOR UPDATE SKIP LOCKED
"""
NEXT_PART: LiteralString = """
    SELECT part, room FROM campaign_counts
     WHERE campaign_id = $1 AND open AND room > 0
     ORDER BY part
     LIMIT 1
       FOR UPDATE
"""
