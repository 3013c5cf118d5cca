"""Schedules by HTTP: created, listed, paused, skipped and deleted, and what is refused."""

from datetime import UTC, datetime, timedelta

import pytest

from gamekeeper.db.database import Database
from tests.campaigns.crowds import SEGMENT, Crowd
from tests.schedules.plans_of import Planner

SCHEDULES = "/api/v1/schedules"


@pytest.fixture
async def planner(database: Database) -> Planner:
    return Planner(await Crowd.make(database))


def wanted(crowd: Crowd, quantity: int = 3) -> dict:
    items = [{"itemid": str(crowd.potion), "quantity": quantity}]
    work = {"kind": "letter", "subject": "Welcome", "text": "Private words", "items": items}
    return {
        "name": "Weekend",
        "segment": SEGMENT,
        "work": work,
        "cron": "0 18 * * FRI",
        "endscron": "0 9 * * MON",
        "timezone": "Europe/Berlin",
    }


async def test_a_schedule_from_its_creation_to_its_deletion(client, planner):
    made = await client.post(SCHEDULES, json=wanted(planner.crowd))
    assert made.status_code == 200, made.text
    path = f"{SCHEDULES}/{made.json()['Id']}"
    assert (made.json()["State"], made.json()["TimeZone"]) == ("active", "Europe/Berlin")
    coming = (await client.get(f"{path}/next")).json()["Values"]
    assert len(coming) == 10
    assert all(run["LocalTime"][11:16] == "18:00" for run in coming)
    assert coming[0]["PlannedAt"] == made.json()["NextAt"]
    assert coming[0]["EndsAt"] > coming[0]["PlannedAt"]

    assert (await client.post(f"{path}/pause")).json()["State"] == "paused"
    assert (await client.get(f"{path}/next")).json() == {"Values": []}
    again = await client.post(f"{path}/pause")
    assert (again.status_code, again.json()["Code"]) == (409, "wrong_schedule_state")
    assert (await client.post(f"{path}/resume")).json()["State"] == "active"
    skipped = await client.post(f"{path}/skip", json={"plannedat": coming[1]["PlannedAt"]})
    assert skipped.status_code == 200, skipped.text
    [run] = (await client.get(f"{path}/runs")).json()["Values"]
    assert (run["PlannedAt"], run["State"]) == (coming[1]["PlannedAt"], "skipped")
    assert [each["Name"] for each in (await client.get(SCHEDULES)).json()["Values"]] == ["Weekend"]

    assert (await client.delete(path)).status_code == 200
    gone = await client.get(path)
    assert (gone.status_code, gone.json()["Code"]) == (404, "schedule_not_found")


async def test_the_log_names_the_author_and_no_text(client, planner, database):
    headers = {"X-Reason": "event 12"}
    made = await client.post(SCHEDULES, json=wanted(planner.crowd), headers=headers)
    schedule = (await planner.move(made.json()["Id"], timedelta(minutes=1))).id
    await planner.work(schedule)

    rows = await database.reader.rows("SELECT kind, actor_name, reason, before, after FROM actions")
    by = {row["kind"]: (row["actor_name"], row["reason"]) for row in rows}
    for kind in ("schedules.create", "campaigns.create", "campaigns.start", "mail.send"):
        assert by[kind] == ("tests", "event 12")
    assert by["schedules.run"] == ("schedules", None)
    assert "Private words" not in str([dict(row) for row in rows])


async def test_pages_of_runs(client, planner):
    schedule = await planner.create()
    first = schedule.next_at - timedelta(hours=5)
    await planner.run("UPDATE schedules SET next_at = $2 WHERE id = $1", schedule.id, first)
    await planner.work(schedule.id)

    path = f"{SCHEDULES}/{schedule.id}/runs"
    page = (await client.get(path, params={"limit": 3})).json()
    rest = (await client.get(path, params={"cursor": page["Next"]})).json()

    found = [run["PlannedAt"] for run in page["Values"] + rest["Values"]]
    assert (len(found), rest["Next"]) == (5, None)
    assert found == sorted(found, reverse=True)


async def test_an_instant_in_another_zone_is_the_same_instant(client, planner):
    begin = (datetime.now(UTC) + timedelta(days=2)).replace(microsecond=0)
    there = begin.astimezone(tz=None).isoformat()
    body = {**wanted(planner.crowd), "cron": None, "endscron": None, "startsat": there}

    made = await client.post(SCHEDULES, json=body)

    assert made.status_code == 200, made.text
    assert datetime.fromisoformat(made.json()["NextAt"]) == begin


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ({"name": " "}, "invalid_campaign"),
        ({"segment": "nobody"}, "segment_not_found"),
        ({"cron": "soon"}, "invalid_schedule"),
        ({"cron": "* * * * *"}, "invalid_schedule"),
        ({"cron": None}, "invalid_schedule"),
        ({"endscron": "soon"}, "invalid_schedule"),
        ({"timezone": "Berlin"}, "invalid_schedule"),
        ({"startsat": "2100-01-01T00:00:00Z"}, "invalid_schedule"),
        ({"startsat": "tomorrow"}, "invalid_body"),
        ({"graceminutes": 0}, "invalid_schedule"),
        ({"graceminutes": 10_081}, "invalid_schedule"),
        ({"maxrecipients": 0}, "invalid_schedule"),
        ({"work": {"kind": "give"}}, "invalid_campaign"),
    ],
)
async def test_what_is_not_valid_is_refused(client, planner, database, change, code):
    refused = await client.post(SCHEDULES, json=wanted(planner.crowd) | change)

    assert refused.json()["Code"] == code, refused.text
    assert await database.reader.value("SELECT count(*) FROM schedules") == 0


async def test_there_are_at_most_a_hundred(client, planner):
    made = await planner.create()
    sql = """
        INSERT INTO schedules SELECT (jsonb_populate_record(schedules,
               jsonb_build_object('id', gen_random_uuid()))).*
          FROM schedules, generate_series(1, 99) WHERE id = $1
    """
    await planner.run(sql, made.id)

    refused = await client.post(SCHEDULES, json=wanted(planner.crowd))

    assert (refused.status_code, refused.json()["Code"]) == (409, "too_many_schedules")
    await planner.run("UPDATE schedules SET state = 'ended' WHERE id = $1", made.id)
    assert (await client.post(SCHEDULES, json=wanted(planner.crowd))).status_code == 200
