"""
Plans: the instants at which a schedule runs, and at which its runs end. Pure functions.

Cron expressions are of local time. Daylight saving follows Debian's cron, by cronsim: a time that
does not exist counts as the first one after the gap, and a time that occurs twice as the first.
Only expressions whose minute or hour starts with `*` follow the clock as it goes, so that an hourly
schedule runs in both of two equal hours.
"""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from functools import cache
from itertools import islice, pairwise, takewhile
from zoneinfo import ZoneInfo, available_timezones

from cronsim import CronSim, CronSimError
from msgspec import Struct

from gamekeeper.campaigns.records import MAX_DURATION
from gamekeeper.core.errors import Invalid

MAX_CRON_LENGTH = 100
CRON_FIELDS = 5
MIN_INTERVAL = timedelta(minutes=10)
"""Between two runs: a campaign of many recipients takes minutes."""
COMPARED_RUNS = 200
"""The next runs that are checked for the interval: more than a day can have."""
MAX_MISSED = 100
"""The planned instants that are listed after a long outage, the last ones."""


class InvalidSchedule(Invalid):
    """The schedule is not valid."""


class Plan(Struct, frozen=True, kw_only=True):
    """Once at an instant or at each match of a cron expression, with an end or without."""

    starts_at: datetime | None = None
    cron: str | None = None
    time_zone: str = "UTC"
    ends_at: datetime | None = None
    ends_cron: str | None = None

    def check(self, now: datetime) -> None:
        """Raise InvalidSchedule."""
        if self.time_zone not in _zones():
            raise InvalidSchedule(
                f"'{self.time_zone[:64]}' is not a time zone of the IANA database. Use a name such "
                "as 'Europe/Berlin'.",
                field="timezone",
            )
        if (self.starts_at is None) == (self.cron is None):
            raise InvalidSchedule("Send either 'startsAt' or 'cron'.", field="startsat")
        if self.starts_at is not None:
            self._check_once(self.starts_at, now)
        else:
            self._check_repeated(now)

    def _check_once(self, starts_at: datetime, now: datetime) -> None:
        if self.ends_cron is not None:
            raise InvalidSchedule("'endsCron' needs 'cron'.", field="endscron")
        if not now < starts_at <= now + MAX_DURATION:
            raise InvalidSchedule("'startsAt' must be within the next 5 years.", field="startsat")
        if self.ends_at is not None and not starts_at < self.ends_at <= now + MAX_DURATION:
            raise InvalidSchedule(
                "'endsAt' must be after 'startsAt' and within the next 5 years.", field="endsat"
            )

    def _check_repeated(self, now: datetime) -> None:
        if self.ends_at is not None:
            raise InvalidSchedule("'endsAt' needs 'startsAt'.", field="endsat")
        for field, expression in (("cron", self.cron), ("endscron", self.ends_cron)):
            if expression is not None and next(_matches(expression, field, now), None) is None:
                raise InvalidSchedule(
                    f"'{field}' matches no time in the next 50 years.", field=field
                )
        assert self.cron is not None
        # In UTC: a gap of daylight saving, in which two runs come closer, does not count.
        soon = takewhile(lambda run: run < now + MAX_DURATION, _matches(self.cron, "cron", now))
        runs = islice(soon, COMPARED_RUNS)
        if any(later - earlier < MIN_INTERVAL for earlier, later in pairwise(runs)):
            raise InvalidSchedule("Two runs must be at least 10 minutes apart.", field="cron")

    def runs(self, after: datetime) -> Iterator[datetime]:
        """The planned instants after an instant, in UTC."""
        if self.starts_at is not None:
            return iter([self.starts_at] if self.starts_at > after else [])
        assert self.cron is not None
        return _matches(self.cron, "cron", after.astimezone(ZoneInfo(self.time_zone)))

    def next_run(self, after: datetime) -> datetime | None:
        """The first planned instant after an instant; None if there is none."""
        return next(self.runs(after), None)

    def due(self, first: datetime, now: datetime) -> list[datetime]:
        """The planned instants from `first` until now, at most the last 100."""
        # After months there are many: look at the last hours, then at twice as many.
        span = MIN_INTERVAL * MAX_MISSED
        while now - span > first:
            found = self._between(now - span, now)
            if len(found) >= MAX_MISSED:
                return found[-MAX_MISSED:]
            span *= 2
        return [first, *self._between(first, now)][-MAX_MISSED:]

    def _between(self, after: datetime, until: datetime) -> list[datetime]:
        return list(takewhile(lambda instant: instant <= until, self.runs(after)))

    def end_of(self, planned: datetime) -> datetime | None:
        """When the run of a planned instant ends; None: never."""
        if self.ends_cron is None:
            return self.ends_at
        return next(
            _matches(self.ends_cron, "endscron", planned.astimezone(ZoneInfo(self.time_zone))), None
        )


@cache
def _zones() -> set[str]:
    return available_timezones()


def _matches(expression: str, field: str, after: datetime) -> Iterator[datetime]:
    """The instants that match a cron expression in the zone of `after`, and are after it."""
    for match in _simulated(expression, field, after):
        instant = match.astimezone(UTC)
        # In the second of two equal hours, cronsim begins with the matches of the first one. Both
        # sides in UTC: Python compares two times of one zone without their offsets.
        if instant > after.astimezone(UTC):
            yield instant


def _simulated(expression: str, field: str, after: datetime) -> CronSim:
    # cronsim takes six fields too, with seconds first.
    fits = len(expression) <= MAX_CRON_LENGTH and len(expression.split()) == CRON_FIELDS
    try:
        if fits:
            return CronSim(expression, after)
    except CronSimError:
        pass
    raise InvalidSchedule(
        f"'{field}' must be a cron expression of 5 fields, such as '0 18 * * FRI'.", field=field
    )
