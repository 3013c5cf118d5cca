"""The hourly look: it finds what is unlike the weeks before, once, and nothing else."""

import asyncio
from datetime import timedelta

import pytest

from gamekeeper.ledger.findings import discoveries, look
from tests.economy.worlds import World
from tests.findings.hours import (
    HOUR,
    NOW,
    add_up,
    found,
    hours_over,
    look_at_all,
    look_from,
    store_hours,
    this_hour,
)
from tests.make import make_item

WEEKS = 6


def evenings(quantity: int) -> dict:
    """Every day at the hour that was last full, for weeks."""
    return {NOW - HOUR - timedelta(days=day): quantity for day in range(1, 7 * WEEKS)}


@pytest.fixture
async def ruby(database):
    ruby = await make_item(database, "Ruby")
    await store_hours(database, ruby, evenings(40))
    return ruby


async def open_events(database) -> list:
    rows = await database.reader.rows("SELECT after FROM actions WHERE kind = 'findings.open'")
    return [row["after"] for row in rows]


async def test_a_spike_is_found_with_what_is_usual(database, ruby):
    await store_hours(database, ruby, {NOW - HOUR: 900})
    assert await look_at_all(database) > 24

    [finding] = await found(database)
    assert (finding["measure"], finding["item"], finding["rule"]) == ("created", "Ruby", None)
    assert (finding["began_at"], finding["ended_at"]) == (NOW - HOUR, NOW)
    assert (finding["quantity"], finding["usual"], finding["threshold"]) == (900, 40, 200)
    [event] = await open_events(database)
    assert (event["finding"], event["quantity"]) == (str(finding["id"]), 900)


async def test_a_usual_hour_is_silent(database, ruby):
    await store_hours(database, ruby, {NOW - HOUR: 150})

    await look_at_all(database)

    assert await found(database) == []
    assert await open_events(database) == []


RAID, TODAY = 2000, 2100


def raids(weeks: int, *, days_ago: int = 0) -> dict:
    """A raid once a week, the last one so many days ago, and a little on all other days."""
    hour = NOW - HOUR
    quiet = {hour - timedelta(days=day): 10 for day in range(1, 7 * weeks + 1)}
    last = range(0 if days_ago else 1, weeks + (0 if days_ago else 1))
    return quiet | {hour - timedelta(days=days_ago, weeks=week): RAID for week in last}


async def test_what_happens_at_the_same_hour_of_each_week_is_usual(database):
    ruby = await make_item(database, "Ruby")
    await store_hours(database, ruby, raids(weeks=8) | {NOW - HOUR: TODAY})

    assert await look_at_all(database) > 13 * 24

    assert await found(database) == []


@pytest.mark.parametrize("days_ago", [1, 3, 6])
async def test_the_same_on_another_day_of_the_week_is_found(database, days_ago):
    """Also with the regular raid of this week in the history, which is not an hour of this day."""
    ruby = await make_item(database, "Ruby")
    await store_hours(database, ruby, raids(weeks=8, days_ago=days_ago) | {NOW - HOUR: TODAY})

    await look_at_all(database)

    [finding] = await found(database)
    assert (finding["began_at"], finding["quantity"]) == (NOW - HOUR, TODAY)
    assert (finding["usual"], finding["threshold"]) == (10, 50)


async def test_a_larger_raid_than_in_the_weeks_before_is_found(database):
    """One spike among the weeks before does not hide it."""
    ruby = await make_item(database, "Ruby")
    spike = {NOW - HOUR - timedelta(weeks=3): 90_000}
    await look_from(database, NOW - timedelta(days=2))
    await store_hours(database, ruby, raids(weeks=8) | spike | {NOW - HOUR: 2 * RAID})

    await look_at_all(database)

    [finding] = await found(database)
    assert (finding["quantity"], finding["usual"]) == (2 * RAID, RAID)
    assert RAID < finding["threshold"] < 2 * RAID


async def test_in_the_first_weeks_a_weekly_raid_is_unlike_the_days_before(database):
    """With three weeks of history there are too few hours of the week to compare with."""
    ruby = await make_item(database, "Ruby")
    await look_from(database, NOW - timedelta(days=2))
    await store_hours(database, ruby, raids(weeks=3) | {NOW - HOUR: TODAY})

    await look_at_all(database)

    [finding] = await found(database)
    assert (finding["began_at"], finding["usual"]) == (NOW - HOUR, 10)


@pytest.mark.parametrize("column", ["destroyed", "traded"])
async def test_the_other_measures_of_an_item(database, ruby, column):
    await store_hours(database, ruby, {NOW - HOUR: 900}, column)
    await look_at_all(database)

    assert [finding["measure"] for finding in await found(database)] == [column]


async def test_a_world_of_one_item_per_hour_is_silent(database):
    coin = await make_item(database, "Coin")
    hours = {NOW - HOUR * number: 1 for number in range(1, 24 * 7 * WEEKS)}
    await store_hours(database, coin, {**hours, NOW - HOUR: 50})

    await look_at_all(database)

    assert await found(database) == []


async def test_a_rare_item_that_suddenly_is_many_is_found(database):
    crown = await make_item(database, "Crown")
    await store_hours(database, crown, {NOW - timedelta(days=20): 1, NOW - HOUR: 51})

    await look_at_all(database)

    assert [finding["quantity"] for finding in await found(database)] == [51]


async def test_a_new_item_in_an_old_world_is_silent(database, ruby):
    launch = await make_item(database, "Event token")
    hours = {NOW - HOUR * number: 10_000 * number for number in range(1, 24 * 6)}
    await store_hours(database, launch, hours)

    await look_at_all(database)

    assert await found(database) == []


async def test_hours_in_a_row_are_one_finding_and_one_event(database, ruby):
    await store_hours(database, ruby, {NOW - HOUR * 2: 900, NOW - HOUR: 1100})

    await look_at_all(database)

    [finding] = await found(database)
    assert (finding["began_at"], finding["ended_at"]) == (NOW - HOUR * 2, NOW)
    assert finding["quantity"] == 2000
    assert len(await open_events(database)) == 1


async def test_an_acknowledged_finding_stays_so_and_the_next_hour_is_a_new_one(
    client, database, ruby
):
    await store_hours(database, ruby, {NOW - HOUR * 2: 900})
    await look_from(database, NOW - HOUR * 2)
    await database.write(lambda writer: look.look(writer, 1))
    [first] = await found(database)
    path = f"/api/v1/economy/findings/{first['id']}/acknowledge"
    assert (await client.post(path, json={"note": "double loot event"})).status_code == 200
    await store_hours(database, ruby, {NOW - HOUR: 1100})

    await look_at_all(database)

    one, other = await found(database)
    assert (one["id"], one["quantity"], other["quantity"]) == (first["id"], 900, 1100)
    listed = (await client.get("/api/v1/economy/findings", params={"state": "acknowledged"})).json()
    assert [finding["Note"] for finding in listed["Values"]] == ["double loot event"]


async def test_two_workers_at_once_find_it_once(database, ruby):
    await store_hours(database, ruby, {NOW - HOUR: 900})

    await asyncio.gather(*(look_at_all(database) for _ in range(4)))

    assert len(await found(database)) == 1
    assert len(await open_events(database)) == 1


async def test_the_same_is_stored_once_whoever_finds_it(database, ruby):
    """Even if a leader that lost its connection is still at it."""
    same = discoveries.Found(
        measure="created", item_id=ruby, began_at=NOW, ended_at=NOW + HOUR, quantity=9, threshold=1
    )
    new = await asyncio.gather(
        *(database.write(lambda writer: discoveries.store(writer, [same])) for _ in range(8))
    )

    assert sum(new) == 1
    assert len(await open_events(database)) == 1


async def test_three_days_of_downtime_are_caught_up(database, ruby):
    since = NOW - timedelta(days=3)
    await look_from(database, since)
    await store_hours(database, ruby, {NOW - timedelta(days=2): 900, NOW - HOUR: 900})

    at_least = await hours_over(database, since)
    assert at_least <= await look_at_all(database) <= await hours_over(database, since)
    assert at_least >= 72

    assert [finding["began_at"] for finding in await found(database)] == [
        NOW - timedelta(days=2),
        NOW - HOUR,
    ]


async def test_downtime_of_a_month_is_caught_up_for_two_weeks(database, ruby):
    await look_from(database, NOW - timedelta(days=30))
    await store_hours(database, ruby, {NOW - timedelta(days=20): 900})

    at_least = await hours_over(database, await this_hour(database) - look.CATCH_UP)
    assert at_least <= await look_at_all(database) <= at_least + 1
    # In the first minutes of an hour, the hour before is not over yet.
    assert 14 * 24 - 1 <= at_least <= 14 * 24
    assert await found(database) == []


async def test_an_hour_waits_until_everything_in_it_is_added_up(database, ruby):
    await look_from(database, NOW - HOUR)
    await World(database, seed=1).make(players=1)
    old = "UPDATE postings SET at = $1"
    await database.write(lambda writer: writer.run(old, NOW - HOUR / 2))

    assert await look_at_all(database) == 0
    await add_up(database)
    assert await look_at_all(database) >= 1


async def test_hours_are_those_of_utc_in_every_time_zone(database, ruby):
    """A session's time zone decides nothing, not even when its clocks change."""
    await store_hours(database, ruby, {NOW - HOUR: 900})

    async def work(writer):
        await writer.run("SET LOCAL TimeZone = 'Asia/Kolkata'")
        return await look.look(writer)

    while await database.write(work):
        pass

    [finding] = await found(database)
    assert (finding["began_at"], finding["usual"], finding["threshold"]) == (NOW - HOUR, 40, 200)


async def test_many_new_accounts_are_found(database, ruby):
    hours = {NOW - HOUR * number: 2 for number in range(1, 24 * 7 * WEEKS)} | {NOW - HOUR: 300}
    await database.write(
        lambda writer: writer.run(
            """
            INSERT INTO action_counts (hour, kind, count)
            SELECT hour, 'users.register', count
              FROM unnest($1::timestamptz[], $2::bigint[]) AS new (hour, count)
            """,
            list(hours),
            list(hours.values()),
        )
    )
    await look_at_all(database)

    [finding] = await found(database)
    assert (finding["measure"], finding["item"], finding["quantity"]) == ("accounts", None, 300)
    assert finding["usual"] == 2
