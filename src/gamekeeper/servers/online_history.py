"""Online history: player counts sampled each minute, aggregated by hour and day."""

from collections import defaultdict
from datetime import datetime, timedelta
from typing import Literal, LiteralString
from uuid import UUID

from msgspec import UNSET, UnsetType, structs

from gamekeeper.core.schemas import Instant, Record
from gamekeeper.db.database import Reader, Writer
from gamekeeper.players import roster

Span = Literal["minute", "hour", "day"]

MAX_POINTS = 1500
"""The maximum of points in one answer: more than a chart can show."""

MOST_SERVERS = 20
"""Those with most players have curves of their own; more could not be told apart."""


class OnlineThen(Record, frozen=True):
    at: Instant
    """When the minute, hour or day (in UTC) began."""
    average: float
    lowest: int
    highest: int


class ServerCurve(Record, frozen=True):
    """The number of players on one game server."""

    server_id: UUID | None
    """Null: all servers except the twenty with the most players."""
    server_name: str | None
    """Null if the server no longer exists."""
    averages: list[float]
    """One for each of the `Values` of the whole game, in their order."""


class OnlineHistory(Record, frozen=True):
    span: Span
    values: list[OnlineThen]
    servers: list[ServerCurve] | UnsetType = UNSET
    """
    With `servers`: the twenty servers with the most players, then all others together. Their sum
    is the curve of the game.
    """


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
    await writer.run(SAMPLE_SERVERS)


SAMPLE_SERVERS: LiteralString = """
    WITH minute AS (
        INSERT INTO server_online_counts (span, at, server_id, samples, total, lowest, highest)
        SELECT 'minute', date_trunc('minute', now(), 'UTC'), server_id, 1, online, online, online
          FROM crowds JOIN servers ON servers.id = server_id
         WHERE online > 0 AND lease_until > statement_timestamp()
        ON CONFLICT DO NOTHING
        RETURNING at, server_id, total AS online
    )
    INSERT INTO server_online_counts AS known
           (span, at, server_id, samples, total, lowest, highest)
    SELECT span, date_trunc(span, minute.at, 'UTC'), server_id, 1, online, online, online
      FROM minute, unnest(ARRAY['hour', 'day']) AS span
     ORDER BY span, server_id
    ON CONFLICT (span, at, server_id) DO UPDATE
       SET samples = known.samples + 1, total = known.total + excluded.total,
           lowest = least(known.lowest, excluded.lowest),
           highest = greatest(known.highest, excluded.highest)
"""


SPANS: dict[Span, timedelta] = {
    "minute": timedelta(minutes=1),
    "hour": timedelta(hours=1),
    "day": timedelta(days=1),
}


async def history(
    reader: Reader, span: Span, since: datetime | None, until: datetime | None
) -> OnlineHistory:
    """The counts between two instants, oldest first; only the latest `MAX_POINTS` of them."""
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
        MAX_POINTS,
        SPANS[span],
    )
    return OnlineHistory(span=span, values=values)


async def with_servers(reader: Reader, found: OnlineHistory) -> OnlineHistory:
    """The same history, with a curve for each server; together they are that of the game."""
    if not found.values:
        return structs.replace(found, servers=[])
    rows = await reader.rows(
        SERVERS, found.span, found.values[0].at, found.values[-1].at, MOST_SERVERS
    )
    places = {value.at: place for place, value in enumerate(found.values)}
    names: dict[UUID | None, str | None] = {}
    curves: dict[UUID | None, list[float]] = defaultdict(lambda: [0.0] * len(places))
    for row in rows:
        server = row["server_id"]
        names[server] = row["server_name"]
        if row["at"] in places:
            curves[server][places[row["at"]]] = row["average"]
    return structs.replace(
        found,
        servers=[
            ServerCurve(server_id=server, server_name=names[server], averages=averages)
            for server, averages in curves.items()
        ],
    )


# The average is over all samples of the whole game: in those without a row of the server, nobody
# was on it.
SERVERS: LiteralString = """
    WITH counted AS MATERIALIZED (
        SELECT at, server_id, total
          FROM server_online_counts
         WHERE span = $1 AND at BETWEEN $2 AND $3
    ), ranked AS (
        SELECT server_id, row_number() OVER (ORDER BY sum(total) DESC, server_id) AS place
          FROM counted
         GROUP BY server_id
    ), curves AS (
        SELECT least(place, $4 + 1) AS place, at, sum(counted.total) AS total,
               (array_agg(server_id))[1] AS server_id
          FROM counted JOIN ranked USING (server_id)
         GROUP BY 1, 2
    )
    SELECT at, CASE WHEN place <= $4 THEN curves.server_id END AS server_id,
           CASE WHEN place <= $4 THEN servers.name END AS server_name,
           round(curves.total / samples, 2)::float8 AS average
      FROM curves
      JOIN online_counts USING (at)
      LEFT JOIN servers ON servers.id = curves.server_id
     WHERE span = $1
     ORDER BY place, at
"""
