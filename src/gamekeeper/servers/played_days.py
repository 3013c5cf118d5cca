"""Play time of a character by day, in UTC: what a calendar heat map shows."""

from datetime import UTC, date, datetime, time, timedelta
from typing import LiteralString

from gamekeeper.core.schemas import Record
from gamekeeper.db.database import Reader
from gamekeeper.players.lookup import find_player_id

MOST_DAYS = 366
EARLIEST = date(2000, 1, 1)


class PlayedDay(Record, frozen=True):
    """The play time and the number of sessions of a character on one day."""

    day: date
    seconds: int
    sessions: int
    """The number of sessions on that day."""


class PlayedDays(Record, frozen=True):
    from_: date
    """The first day of those asked for."""
    to: date
    """The last day."""
    values: list[PlayedDay]
    """The days on which the character played, oldest first; other days are omitted."""


async def played_days(reader: Reader, key: str, last: date, days: int) -> PlayedDays:
    """The days on which a player played, oldest first, of so many that end with `last`."""
    last = max(EARLIEST, min(last, datetime.now(UTC).date()))
    first = last - timedelta(days=max(1, min(days, MOST_DAYS)) - 1)
    values = await reader.all(
        PlayedDay,
        BY_DAY,
        await find_player_id(reader, key),
        datetime.combine(first, time(), UTC),
        datetime.combine(last, time(), UTC) + timedelta(days=1),
    )
    return PlayedDays(from_=first, to=last, values=values)


# A character is in one place at a time, so of the sessions that began before the first day only
# the last can reach into it. A presence is the current session; on a dead server it ended with
# the lease.
BY_DAY: LiteralString = """
    WITH played AS (
        SELECT joined_at, left_at
          FROM sessions
         WHERE player_id = $1 AND joined_at < $3
           AND joined_at >= coalesce((SELECT max(joined_at) FROM sessions
                                       WHERE player_id = $1 AND joined_at <= $2), $2)
        UNION ALL
        SELECT joined_at, greatest(joined_at, least(lease_until, now()))
          FROM presences JOIN servers ON servers.id = server_id
         WHERE player_id = $1 AND joined_at < $3
    ), parts AS (
        SELECT day, greatest(joined_at, day) AS began,
               least(left_at, day + interval '1 day') AS ended
          FROM played
         CROSS JOIN LATERAL generate_series(
                   date_trunc('day', greatest(joined_at, $2), 'UTC'),
                   least(left_at, $3 - interval '1 microsecond'),
                   interval '1 day'
               ) AS day
    )
    SELECT (day AT TIME ZONE 'UTC')::date AS day,
           round(extract(epoch FROM sum(ended - began)))::int AS seconds,
           count(*)::int AS sessions
      FROM parts
     WHERE ended > began
     GROUP BY 1
     ORDER BY 1
"""
