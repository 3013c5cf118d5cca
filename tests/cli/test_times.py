"""Times as people write them at a terminal."""

import subprocess
import sys
from datetime import UTC, datetime, timedelta

import pytest
import typer

from gamekeeper.cli.times import TerminalClock

NOW = datetime(2026, 11, 15, 19, 30, 12, tzinfo=UTC)


def read(text: str, *, until: bool = False) -> datetime:
    return TerminalClock(utc=True, now=NOW).at(text, until=until)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("2026-11-14", "2026-11-14T00:00:00+00:00"),
        ("2026-11-14 18:00", "2026-11-14T18:00:00+00:00"),
        ("2026-11-14T18:00:05", "2026-11-14T18:00:05+00:00"),
        ("2026-11-14T18:00:00Z", "2026-11-14T18:00:00+00:00"),
        ("2026-11-14T18:00:00+02:00", "2026-11-14T16:00:00+00:00"),
        ("yesterday", "2026-11-14T00:00:00+00:00"),
        (" Yesterday  18:00 ", "2026-11-14T18:00:00+00:00"),
        ("today 7:05", "2026-11-15T07:05:00+00:00"),
        ("7:05", "2026-11-15T07:05:00+00:00"),
        ("now", "2026-11-15T19:30:12+00:00"),
        ("2 hours ago", "2026-11-15T17:30:12+00:00"),
        ("an hour ago", "2026-11-15T18:30:12+00:00"),
        ("90 min ago", "2026-11-15T18:00:12+00:00"),
        ("3d ago", "2026-11-12T19:30:12+00:00"),
        ("1 week ago", "2026-11-08T19:30:12+00:00"),
    ],
)
def test_what_people_write_is_understood_and_told(capsys, text, expected):
    assert read(text).isoformat() == expected
    assert f"{expected.removesuffix('+00:00')}Z" in capsys.readouterr().err


@pytest.mark.parametrize(
    "text",
    [
        *("", " ", "soon", "ago", "2 ago", "2 hours", "-2 hours ago", "2 months ago", "25:00"),
        *("2026-13-01", "2026-02-30", "2026-11-14 24:01", "yesterday 18", "14.11.2026", "1:2:3"),
        *("999999 weeks ago", "0001-01-01T00:00:00+14:00", "9" * 5000 + " hours ago", "\x1b[2J"),
        *("yesterday18:00", "yesterdayt", "2026-11-14T", "٢ hours ago"),
    ],
)
def test_what_is_no_time_is_refused_with_examples(text):
    with pytest.raises(typer.BadParameter, match="yesterday 18:00"):
        read(text)


def test_a_day_as_an_end_means_the_whole_day():
    assert read("yesterday", until=True) == datetime(2026, 11, 14, 23, 59, 59, 999999, tzinfo=UTC)
    assert read("yesterday 18:00", until=True) == datetime(2026, 11, 14, 18, tzinfo=UTC)


BERLIN = """
import sys, time
from datetime import UTC, datetime
from gamekeeper.cli.times import TerminalClock
clock = TerminalClock(now=datetime(2026, 11, 15, 23, 30, tzinfo=UTC))
print(clock.at("yesterday 18:00").isoformat(), clock.at("2026-07-01 12:00").isoformat())
print(clock.show(datetime(2026, 7, 1, tzinfo=UTC)), clock.heading)
"""


def test_without_an_offset_the_zone_is_that_of_the_terminal():
    """Each day with the offset of that day: summer time, although it is winter now."""
    done = subprocess.run(
        [sys.executable, "-c", BERLIN],
        env={"TZ": "CET-1CEST,M3.5.0,M10.5.0/3"},
        capture_output=True,
        text=True,
        check=True,
        timeout=120,
    )

    # In that zone it is already the 16th.
    assert done.stdout.split("\n")[:2] == [
        "2026-11-15T17:00:00+00:00 2026-07-01T10:00:00+00:00",
        "2026-07-01 02:00:00 at (CET)",
    ]
    assert "2026-11-15 18:00:00+01:00 (2026-11-15T17:00:00Z)" in done.stderr


def test_now_is_now():
    assert abs(TerminalClock().at("now") - datetime.now(UTC)) < timedelta(minutes=1)
