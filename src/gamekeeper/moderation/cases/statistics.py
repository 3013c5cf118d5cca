"""Statistics of cases: how many, how long reporters wait, and who closes them."""

from datetime import UTC, datetime, timedelta

from gamekeeper.core.errors import InvalidQuery
from gamekeeper.core.schemas import Instant, Record
from gamekeeper.db.database import Reader
from gamekeeper.moderation.cases.records import CaseOutcome

LONGEST_PERIOD = timedelta(days=366)
DEFAULT_PERIOD = timedelta(days=30)
MOST_MODERATORS = 100


class WaitingTime(Record, frozen=True):
    """In seconds; null if no case was closed in the period."""

    median: float | None
    p90: float | None


class ModeratorCases(Record, frozen=True):
    """The cases that one moderator closed in the period."""

    actor: str
    name: str
    closed: int
    median_seconds: float
    """From the opening of the case until it was closed."""


class CaseStatistics(Record, frozen=True, kw_only=True):
    """Cases in a period, and those that are open now."""

    since: Instant
    until: Instant
    open: int
    """Open now."""
    unclaimed: int
    """Open now and unclaimed."""
    oldest_open_at: Instant | None
    opened: int
    """Opened in the period."""
    closed: int
    """Closed in the period."""
    until_claimed: WaitingTime
    """Of closed cases: from the first report until a moderator claimed or closed it."""
    until_closed: WaitingTime
    """Of closed cases: from the first report until the outcome."""
    outcomes: dict[CaseOutcome, int]
    moderators: list[ModeratorCases]
    """Those who closed most first, at most 100."""


async def statistics(
    reader: Reader, since: datetime | None, until: datetime | None
) -> CaseStatistics:
    """The statistics of a period of at most 366 days; by default the last 30."""
    to = until or datetime.now(UTC)
    since = since or to - DEFAULT_PERIOD
    if not timedelta() < to - since <= LONGEST_PERIOD:
        raise InvalidQuery("'to' must be after 'from', at most 366 days.", field="from")
    [now] = await reader.rows(
        """
        SELECT count(*) AS open, count(*) FILTER (WHERE claimed_by IS NULL) AS unclaimed,
               min(opened_at) AS oldest_open_at
          FROM cases WHERE closed_at IS NULL
        """
    )
    [period] = await reader.rows(
        """
        SELECT count(*) AS closed,
               percentile_cont(ARRAY[0.5, 0.9]) WITHIN GROUP (ORDER BY extract(epoch FROM
                   least(coalesce(first_claimed_at, closed_at), closed_at) - opened_at)::float8)
                   AS claimed_after,
               percentile_cont(ARRAY[0.5, 0.9]) WITHIN GROUP (ORDER BY
                   extract(epoch FROM closed_at - opened_at)::float8) AS closed_after
          FROM cases WHERE closed_at >= $1 AND closed_at < $2
        """,
        since,
        to,
    )
    opened = "SELECT count(*) FROM cases WHERE opened_at >= $1 AND opened_at < $2"
    return CaseStatistics(
        since=since,
        until=to,
        **now,
        opened=await reader.value(opened, since, to),
        closed=period["closed"],
        until_claimed=_waiting(period["claimed_after"]),
        until_closed=_waiting(period["closed_after"]),
        outcomes=await _outcomes(reader, since, to),
        moderators=await _moderators(reader, since, to),
    )


def _waiting(percentiles: list[float] | None) -> WaitingTime:
    median, p90 = percentiles or (None, None)
    return WaitingTime(median=median, p90=p90)


async def _outcomes(reader: Reader, since: datetime, to: datetime) -> dict[CaseOutcome, int]:
    rows = await reader.rows(
        """
        SELECT outcome, count(*) AS cases FROM cases
         WHERE closed_at >= $1 AND closed_at < $2 GROUP BY outcome ORDER BY outcome
        """,
        since,
        to,
    )
    return {row["outcome"]: row["cases"] for row in rows}


async def _moderators(reader: Reader, since: datetime, to: datetime) -> list[ModeratorCases]:
    return await reader.all(
        ModeratorCases,
        """
        SELECT closed_by AS actor, max(closed_by_name) AS name, count(*) AS closed,
               percentile_cont(0.5) WITHIN GROUP (ORDER BY
                   extract(epoch FROM closed_at - opened_at)::float8) AS median_seconds
          FROM cases WHERE closed_at >= $1 AND closed_at < $2
         GROUP BY closed_by ORDER BY count(*) DESC, closed_by LIMIT $3
        """,
        since,
        to,
        MOST_MODERATORS,
    )
