"""What is usual, and what is not: pure functions."""

from datetime import UTC, datetime, timedelta

from gamekeeper.ledger.findings import baseline
from gamekeeper.ledger.findings.baseline import FLOOR, Baseline

HOUR = datetime(2026, 3, 29, 1, tzinfo=UTC)
"""When clocks change in Europe."""


def test_an_hour_is_compared_with_the_same_hour_of_the_week():
    compared = baseline.compared_hours(HOUR, HOUR - timedelta(days=60))

    assert compared == [HOUR - timedelta(weeks=number) for number in range(1, 9)]
    assert {(hour.weekday(), hour.hour) for hour in compared} == {(6, 1)}


def test_in_the_first_weeks_it_is_compared_with_the_same_hour_of_the_day():
    compared = baseline.compared_hours(HOUR, HOUR - timedelta(days=10))

    assert compared == [HOUR - timedelta(days=number) for number in range(1, 11)]


def test_few_are_never_unusual_however_rare():
    assert baseline.of_hours([0] * 8).threshold == FLOOR
    assert baseline.of_hours([1, 0, 1, 0, 1, 1, 0, 1]).threshold == FLOOR


def test_one_spike_in_the_past_does_not_raise_the_threshold():
    usual = baseline.of_hours([100, 110, 90, 105, 95, 100, 100, 98])
    after_a_spike = baseline.of_hours([100, 110, 90, 105, 95, 100, 100, 90_000])

    assert usual == Baseline(100, 160)
    assert after_a_spike.threshold < 2 * usual.threshold


def test_the_usual_peak_of_a_day_is_not_unusual():
    quiet = baseline.of_hours([10] * 8)

    assert baseline.with_peaks(quiet, []).threshold == FLOOR
    assert baseline.with_peaks(quiet, [400, 500, 600, 90_000, 450]).threshold == 2500


def test_neither_a_new_world_nor_a_new_item_has_a_history():
    assert not baseline.has_history(HOUR, None)
    assert not baseline.has_history(HOUR, HOUR - timedelta(days=6, hours=23))
    assert baseline.has_history(HOUR, HOUR - timedelta(days=7))
