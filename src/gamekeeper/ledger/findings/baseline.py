"""
The baseline of an hour: what is usual, and from which quantity on it is unusual. Pure functions.

Robust statistics (median and MAD), so that last week's spike does not hide this week's. An hour is
compared with the same hour of the week; in the first four weeks, with the same hour of the day.
Quantities have long tails: a merchant buys a whole bank at once. So an hour must also exceed
the usual peak of a day.
"""

from collections.abc import Sequence
from datetime import datetime, timedelta
from math import ceil, sqrt
from statistics import median

from msgspec import Struct

DAY = timedelta(days=1)
WEEK = timedelta(days=7)

WEEKS = 8
MIN_WEEKS = 4
PEAK_DAYS = 28
MIN_DAYS = 7
"""With less history nothing is usual: neither a new world nor a new item is unusual."""

FLOOR = 50
"""Fewer than this in an hour are never unusual."""
DEVIATIONS = 6
PEAKS = 5
"""How many times the usual peak of a day."""
MAD_SCALE = 1.4826
"""Makes the MAD of a normal distribution its standard deviation."""


class Baseline(Struct, frozen=True):
    usual: int
    threshold: int


def compared_hours(hour: datetime, first: datetime) -> list[datetime]:
    """The hours that `hour` is compared with, in a history that began at `first`."""
    weeks = [hour - WEEK * number for number in range(1, WEEKS + 1)]
    if sum(at >= first for at in weeks) >= MIN_WEEKS:
        return [at for at in weeks if at >= first]
    days = (hour - DAY * number for number in range(1, PEAK_DAYS + 1))
    return [at for at in days if at >= first]


def has_history(hour: datetime, first: datetime | None) -> bool:
    return first is not None and hour - first >= DAY * MIN_DAYS


def of_hours(quantities: Sequence[int]) -> Baseline:
    """The baseline by the compared hours alone; an hour without any counts as 0."""
    usual = median(quantities)
    spread = MAD_SCALE * median(abs(quantity - usual) for quantity in quantities)
    # Counts of independent events vary by their root, however few hours there are to see it.
    limit = usual + DEVIATIONS * max(spread, sqrt(usual))
    return Baseline(round(usual), max(FLOOR, ceil(limit)))


def with_peaks(baseline: Baseline, peaks: Sequence[int]) -> Baseline:
    """The same, with the highest hours of the days before that had any."""
    peak = median(peaks) if peaks else 0
    return Baseline(baseline.usual, max(baseline.threshold, ceil(PEAKS * peak)))
