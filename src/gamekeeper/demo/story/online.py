"""How many were online on the days of the story: samples of every minute, as the worker takes."""

from datetime import datetime, timedelta

from gamekeeper.db.database import Database
from gamekeeper.demo.dice import Dice
from gamekeeper.demo.story.play import HOURS

MINUTES_KEPT = timedelta(days=7)
WEEKEND = 1.25


async def store(database: Database, *, now: datetime, days: int, seed: int) -> None:
    """Store a curve that ends at the number of those who are online now."""
    here = await database.reader.value("SELECT coalesce(sum(online), 0) FROM crowds")
    roll = Dice(seed, "online")
    minutes = [now - timedelta(minutes=number) for number in range(1, days * 1440)]
    scale = here / _busy(now)
    counts = [max(0, round(scale * _busy(at) * (0.96 + 0.08 * roll.fraction()))) for at in minutes]
    await database.write(
        lambda writer: writer.run(
            """
            WITH samples AS (
                SELECT date_trunc('minute', at, 'UTC') AS at, online
                  FROM unnest($1::timestamptz[], $2::int[]) AS sample (at, online)
            ), minutes AS (
                INSERT INTO online_counts (span, at, samples, total, lowest, highest)
                SELECT 'minute', at, 1, online, online, online FROM samples WHERE at > $3
                ON CONFLICT DO NOTHING
            )
            INSERT INTO online_counts (span, at, samples, total, lowest, highest)
            SELECT span, date_trunc(span, at, 'UTC'), count(*), sum(online), min(online),
                   max(online)
              FROM samples, unnest(ARRAY['hour', 'day']) AS span
             GROUP BY 1, 2
            ON CONFLICT DO NOTHING
            """,
            minutes,
            counts,
            now - MINUTES_KEPT,
        )
    )


def _busy(at: datetime) -> float:
    """How busy the game is at a time of day, between the hours of HOURS."""
    this, following = HOURS[at.hour], HOURS[(at.hour + 1) % 24]
    load = this + (following - this) * at.minute / 60
    return (4 + load) * (WEEKEND if at.weekday() >= 5 else 1)
