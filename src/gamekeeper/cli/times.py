"""
Instants in human-readable form, `yesterday 18:00` or `2 hours ago`, and how they are shown.

Times without an offset are of the terminal's time zone, or of UTC with --utc. The parsed
instant is written to standard error, so that the user can notice a misreading.
"""

import re
from datetime import UTC, date, datetime, time, timedelta
from typing import Annotated

import typer

from gamekeeper.cli.command import Depends
from gamekeeper.cli.terminal import warn
from gamekeeper.core.parsing import Unreadable, instant

EXAMPLES = "2026-03-14, 2026-03-14 18:00, yesterday, yesterday 18:00, 2 hours ago"

InUtc = Annotated[
    bool, typer.Option("--utc", help="Read and show times in UTC instead of the local time zone.")
]

# Not months or years: they have no fixed length.
SECONDS = {"second": 1, "sec": 1, "minute": 60, "min": 60, "hour": 3600, "day": 86400}
SECONDS |= {"week": 7 * 86400, "s": 1, "m": 60, "h": 3600, "d": 86400, "w": 7 * 86400}
AGO = re.compile(r"(\d{1,6}|an?)\s*([a-z]+?)s?\s+ago", re.ASCII)
DAYS = {"today": 0, "yesterday": -1, "tomorrow": 1}
DAY = re.compile(
    r"(?:(today|yesterday|tomorrow|\d{4}-\d{2}-\d{2})(?:[t ](?=\d)|$))?"
    r"(?:(\d{1,2}):(\d{2})(?::(\d{2}))?)?",
    re.ASCII,
)


class TerminalClock:
    """Reads and shows instants in one time zone, relative to one `now`."""

    def __init__(self, *, utc: bool = False, now: datetime | None = None) -> None:
        self._utc = utc
        self._now = now or datetime.now(UTC)

    def at(self, text: str, *, until: bool = False) -> datetime:
        """The instant that a text means; `until`: a day without a time means its end."""
        found = self._read(text, until=until)
        warn(f"{text}: {self.exact(found)}")
        return found

    def maybe(self, text: str | None, *, until: bool = False) -> datetime | None:
        return None if text is None else self.at(text, until=until)

    def period(
        self, since: str | None, until: str | None
    ) -> tuple[datetime | None, datetime | None]:
        """The instants of --from and --to; a reversed range would never match anything."""
        begin, end = self.maybe(since), self.maybe(until, until=True)
        if begin is not None and end is not None and begin > end:
            raise typer.BadParameter(f"--from {since} is later than --to {until}.")
        return begin, end

    def exact(self, at: datetime) -> str:
        """An instant with its offset and, if that is not zero, in UTC too."""
        here = self._here(at).isoformat(sep=" ", timespec="seconds")
        there = at.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
        return there if here.endswith("+00:00") else f"{here} ({there})"

    def show(self, at: datetime | None) -> str:
        return "" if at is None else f"{self._here(at):%Y-%m-%d %H:%M:%S}"

    @property
    def heading(self) -> str:
        """The heading of a column of times, with their time zone."""
        return f"at ({self._here(self._now):%Z})"

    def _here(self, at: datetime) -> datetime:
        return at.astimezone(UTC) if self._utc else at.astimezone()

    def _read(self, text: str, *, until: bool) -> datetime:
        words = " ".join(text.lower().split())
        try:
            found = _with_offset(text) or self._ago(words) or self._day(words, until=until)
        except (ValueError, OverflowError):
            found = None
        if found is None:
            raise typer.BadParameter(f"'{text}' is not a time; write it as one of: {EXAMPLES}.")
        return found

    def _ago(self, words: str) -> datetime | None:
        if words == "now":
            return self._now
        parts = AGO.fullmatch(words)
        if parts is None or parts[2] not in SECONDS:
            return None
        count = 1 if parts[1] in ("a", "an") else int(parts[1])
        return self._now - timedelta(seconds=count * SECONDS[parts[2]])

    def _day(self, words: str, *, until: bool) -> datetime | None:
        parts = DAY.fullmatch(words)
        if not words or parts is None:
            return None
        day, *numbers = parts.groups()
        today = self._here(self._now).date()
        on = today if day is None else _date(day, today)
        if numbers[0] is not None:
            hour, minute, second = (int(number or 0) for number in numbers)
            return self._on(on, time(hour, minute, second))
        return self._on(on, time.max if until else time.min)

    def _on(self, day: date, at: time) -> datetime:
        naive = datetime.combine(day, at)
        # A naive time is of the system's zone, with the offset that it has on that day.
        return (naive.replace(tzinfo=UTC) if self._utc else naive.astimezone()).astimezone(UTC)


def _clock(utc: InUtc = False) -> TerminalClock:  # noqa: FBT002  the form of an option
    return TerminalClock(utc=utc)


Clock = Annotated[TerminalClock, Depends(_clock)]
"""The clock of --utc."""


def _date(day: str, today: date) -> date:
    if day in DAYS:
        return today + timedelta(days=DAYS[day])
    return date.fromisoformat(day)


def _with_offset(text: str) -> datetime | None:
    try:
        return instant(text)
    except Unreadable:
        return None
