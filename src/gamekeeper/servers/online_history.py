"""Online history: player counts sampled each minute, aggregated by hour and day."""

from datetime import datetime, timedelta
from typing import Literal

from gamekeeper.core.schemas import Instant, Record
from gamekeeper.db.database import Reader, Writer
from gamekeeper.players import roster

Span = Literal["minute", "hour", "day"]

MOST = 1500
"""The maximum of points in one answer: more than a chart can show."""


class OnlineThen(Record, frozen=True):
    at: Instant
    average: float
    lowest: int
    highest: int


class OnlineHistory(Record, frozen=True):
    span: Span
    values: list[OnlineThen]


async def sample(writer: Writer) -> None:
    """Record how many are online in this minute, once even if several processes do it."""
    await writer.run(
        """
        WITH minute AS (
            INSERT INTO online_counts (span, at, samples, total, lowest, highest)
            VALUES ('minute', date_trunc('minute', now(), 'UTC'), 1, $1::int, $1::int, $1::int)
            ON CONFLICT DO NOTHING
            RETURNING at
        )
        INSERT INTO online_counts AS known (span, at, samples, total, lowest, highest)
        SELECT span, date_trunc(span, minute.at, 'UTC'), 1, $1::int, $1::int, $1::int
          FROM minute, unnest(ARRAY['hour', 'day']) AS span
         ORDER BY span
        ON CONFLICT (span, at) DO UPDATE
           SET samples = known.samples + 1, total = known.total + excluded.total,
               lowest = least(known.lowest, excluded.lowest),
               highest = greatest(known.highest, excluded.highest)
        """,
        await roster.count_online(writer),
    )


SPANS: dict[Span, timedelta] = {
    "minute": timedelta(minutes=1),
    "hour": timedelta(hours=1),
    "day": timedelta(days=1),
}


async def history(
    reader: Reader, span: Span, since: datetime | None, until: datetime | None
) -> OnlineHistory:
    """The counts between two instants, oldest first; only the latest `MOST` of them."""
    values = await reader.all(
        OnlineThen,
        """
        SELECT at, round(total::numeric / samples, 2)::float8 AS average, lowest, highest
          FROM (SELECT * FROM online_counts
                 WHERE span = $1 AND at > coalesce($2, '-infinity'::timestamptz) - $5::interval
                   AND at <= coalesce($3, 'infinity'::timestamptz)
                 ORDER BY at DESC
                 LIMIT $4) AS latest
         ORDER BY at
        """,
        span,
        since,
        until,
        MOST,
        SPANS[span],
    )
    return OnlineHistory(span=span, values=values)
