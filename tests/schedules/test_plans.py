"""The instants of plans: cron expressions, time zones, and both changes of daylight saving."""

from datetime import UTC, datetime, timedelta
from itertools import islice, pairwise, takewhile
from time import process_time
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gamekeeper.campaigns.schedules.plans import InvalidSchedule, Plan

NOW = datetime(2026, 1, 1, tzinfo=UTC)


def local_runs(cron: str, zone: str, after: str, count: int = 3) -> list[str]:
    """The next runs after a local time, in local time with their offsets."""
    plan = Plan(cron=cron, time_zone=zone)
    here = ZoneInfo(zone)
    begin = datetime.fromisoformat(after).replace(tzinfo=here)
    return [
        run.astimezone(here).isoformat(timespec="minutes")
        for run in islice(plan.runs(begin), count)
    ]


@pytest.mark.parametrize(
    ("cron", "zone", "after", "expected"),
    [
        # Berlin goes from 02:00 to 03:00 on 29 March 2026, Lord Howe from 02:00 to 02:30 on
        # 4 October. São Paulo went from 00:00 to 01:00 on 4 November 2018.
        ("30 2 * * *", "Europe/Berlin", "2026-03-28T12:00", "2026-03-29T03:00+02:00"),
        ("15 2 * * *", "Australia/Lord_Howe", "2026-10-03T12:00", "2026-10-04T02:30+11:00"),
        ("0 0 * * *", "America/Sao_Paulo", "2018-11-03T12:00", "2018-11-04T01:00-02:00"),
    ],
)
def test_a_local_time_that_does_not_exist_is_the_first_one_after_the_gap(
    cron, zone, after, expected
):
    first, second, _ = local_runs(cron, zone, after)

    assert first == expected
    # The day after, the expression holds again.
    minute, hour = cron.split()[:2]
    assert second[11:16] == f"{int(hour):02}:{int(minute):02}"


@pytest.mark.parametrize(
    ("cron", "zone", "after", "expected"),
    [
        (
            "30 2 * * *",
            "Europe/Berlin",
            "2026-10-24T12:00",
            ["2026-10-25T02:30+02:00", "2026-10-26T02:30+01:00"],
        ),
        (
            "45 1 * * *",
            "Australia/Lord_Howe",
            "2026-04-04T12:00",
            ["2026-04-05T01:45+11:00", "2026-04-06T01:45+10:30"],
        ),
        (
            "30 23 * * *",
            "America/Sao_Paulo",
            "2018-02-17T12:00",
            ["2018-02-17T23:30-02:00", "2018-02-18T23:30-03:00"],
        ),
    ],
)
def test_a_local_time_that_occurs_twice_runs_the_first_time_only(cron, zone, after, expected):
    assert local_runs(cron, zone, after, 2) == expected


def test_between_two_equal_times_the_next_run_is_of_the_next_day():
    """The first 02:30 has passed; the second one does not count."""
    plan = Plan(cron="30 2 * * *", time_zone="Europe/Berlin")
    between = datetime(2026, 10, 25, 0, 45, tzinfo=UTC)
    second = datetime(2026, 10, 25, 1, 15, tzinfo=UTC)

    for after in (between, second):
        assert plan.next_run(after) == datetime(2026, 10, 26, 1, 30, tzinfo=UTC)


def test_an_hourly_schedule_follows_the_clock_through_both_changes():
    assert local_runs("0 * * * *", "Europe/Berlin", "2026-10-25T01:30") == [
        "2026-10-25T02:00+02:00",
        "2026-10-25T02:00+01:00",
        "2026-10-25T03:00+01:00",
    ]
    assert local_runs("0 * * * *", "Europe/Berlin", "2026-03-29T00:30") == [
        "2026-03-29T01:00+01:00",
        "2026-03-29T03:00+02:00",
        "2026-03-29T04:00+02:00",
    ]


def test_an_event_over_a_weekend_ends_at_the_same_local_time():
    """The weekend of 29 March has one hour less, that of 25 October one more."""
    plan = Plan(cron="0 18 * * FRI", time_zone="Europe/Berlin", ends_cron="0 9 * * MON")
    lengths = []
    for day in ("2026-03-27", "2026-10-23", "2026-11-20"):
        planned = plan.next_run(datetime.fromisoformat(day).replace(tzinfo=UTC))
        assert planned
        ends = plan.end_of(planned)
        assert ends
        assert ends.astimezone(ZoneInfo("Europe/Berlin")).hour == 9
        lengths.append((ends - planned) / timedelta(hours=1))
    assert lengths == [62, 64, 63]


def test_after_an_outage_the_last_hundred_instants_are_listed():
    plan = Plan(cron="0 * * * *")
    first = NOW + timedelta(hours=1)

    assert plan.due(first, first) == [first]
    assert plan.due(first, first + timedelta(hours=2, minutes=5)) == [
        first + timedelta(hours=hours) for hours in range(3)
    ]
    many = plan.due(first, first + timedelta(days=30))
    assert len(many) == 100
    assert many[-1] == first + timedelta(days=30)


@settings(max_examples=25)
@given(
    zone=st.sampled_from(["Europe/Berlin", "Australia/Lord_Howe", "America/Sao_Paulo", "UTC"]),
    cron=st.sampled_from(
        ["*/10 * * * *", "30 2 * * *", "0 */5 * * *", "0 0 1 * *", "15 1-3 * * 0"]
    ),
    after=st.datetimes(datetime(2017, 1, 1), datetime(2020, 1, 1)),
    days=st.integers(0, 60),
)
def test_the_instants_of_an_outage_are_the_last_of_all(zone, cron, after, days):
    plan = Plan(cron=cron, time_zone=zone)
    first = next(plan.runs(after.replace(tzinfo=UTC)))
    now = first + timedelta(days=days)
    every = [first, *takewhile(lambda run: run <= now, plan.runs(first))]

    assert plan.due(first, now) == every[-100:]


def test_after_years_only_the_last_instants_are_computed():
    plan = Plan(cron="*/10 * * * *", time_zone="Europe/Berlin")
    begin = process_time()
    assert len(plan.due(NOW, NOW + timedelta(days=5 * 365))) == 100
    # All 262,800 of them take half a minute.
    assert process_time() - begin < 1


@given(
    zone=st.sampled_from(["Europe/Berlin", "Australia/Lord_Howe", "America/Sao_Paulo", "UTC"]),
    minute=st.sampled_from(["0", "30", "59", "*/15", "5,45"]),
    hour=st.sampled_from(["*", "0", "2", "1-3", "*/2", "23"]),
    after=st.datetimes(datetime(2017, 1, 1), datetime(2030, 1, 1)),
)
def test_runs_are_in_order_and_the_same_from_wherever_they_are_counted(zone, minute, hour, after):
    """A worker counts on from the last run, a person from now: both find the same instants."""
    plan = Plan(cron=f"{minute} {hour} * * *", time_zone=zone)
    runs = list(islice(plan.runs(after.replace(tzinfo=UTC)), 30))

    assert all(earlier < later for earlier, later in pairwise(runs))
    assert [plan.next_run(run) for run in runs[:-1]] == runs[1:]
    assert all(plan.next_run(run - timedelta(seconds=1)) == run for run in runs)


@pytest.mark.parametrize(
    ("plan", "field"),
    [
        (Plan(), "startsat"),
        (Plan(cron="0 0 * * *", starts_at=NOW + timedelta(days=1)), "startsat"),
        (Plan(starts_at=NOW), "startsat"),
        (Plan(starts_at=NOW + timedelta(days=3_000)), "startsat"),
        (Plan(starts_at=NOW + timedelta(days=1), ends_at=NOW + timedelta(hours=1)), "endsat"),
        (Plan(starts_at=NOW + timedelta(days=1), ends_cron="0 9 * * MON"), "endscron"),
        (Plan(cron="0 0 * * *", ends_at=NOW + timedelta(days=1)), "endsat"),
        (Plan(cron="0 0 * * *", time_zone="Berlin"), "timezone"),
        (Plan(cron="0 0 * * *", time_zone="../../etc/localtime"), "timezone"),
        (Plan(cron="soon"), "cron"),
        (Plan(cron="0 0 0 * * *"), "cron"),
        (Plan(cron="60 * * * *"), "cron"),
        (Plan(cron="0 0 30 2 *"), "cron"),
        (Plan(cron=",".join(["0"] * 90) + " 0 * * *"), "cron"),
        (Plan(cron="*/5 * * * *"), "cron"),
        (Plan(cron="0,9 3 * * MON"), "cron"),
        (Plan(cron="0 0 * * *", ends_cron="later"), "endscron"),
    ],
)
def test_a_plan_that_is_not_valid_is_refused(plan, field):
    with pytest.raises(InvalidSchedule) as refused:
        plan.check(NOW)

    assert refused.value.details["field"] == field


@pytest.mark.parametrize(
    "cron", ["*/10 * * * *", "0 18 * * FRI", "0 0 L * *", "0 0 * 2 MON#5", "0 0 29 2 *"]
)
def test_a_plan_that_is_valid_is_accepted(cron):
    Plan(cron=cron, time_zone="Europe/Berlin").check(NOW)
