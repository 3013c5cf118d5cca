"""Announcements: each run of a schedule is one message to every game server."""

import asyncio

import pytest

from gamekeeper.campaigns.records import CampaignWork
from gamekeeper.campaigns.schedules import runner
from gamekeeper.campaigns.schedules.plans import Plan
from gamekeeper.db.database import Database
from gamekeeper.db.operations import AuditContext
from tests.campaigns.crowds import SEGMENT, Crowd
from tests.commands.orders import fetch
from tests.schedules.plans_of import Planner
from tests.servers.game_server import GameServer
from tests.servers.test_presence import expire

WORK = CampaignWork(kind="announcement", text="The festival begins.")
SCHEDULES = "/api/v1/schedules"


@pytest.fixture
async def planner(database: Database) -> Planner:
    return Planner(await Crowd.make(database))


async def test_a_run_is_one_message_to_each_live_server(client, planner, database):
    realms = [await GameServer.register(client, name) for name in ("One", "Two", "Dead")]
    await expire(database, realms[2])
    schedule = await planner.due(segment=None, work=WORK)

    await asyncio.gather(*(runner.advance(database, schedule.id) for _ in range(4)))

    [run] = await planner.runs(schedule.id)
    assert (run.state, run.code, run.campaign_id) == ("started", None, None)
    for realm in realms[:2]:
        [command] = await fetch(realm)
        assert (command["Kind"], command["PlayerId"]) == ("message", None)
        assert command["Payload"] == {"Text": "The festival begins."}
    assert await database.reader.value("SELECT count(*) FROM commands") == 2
    assert await planner.campaigns() == []
    assert (await planner.find(schedule.id)).state == "active"


async def test_without_a_game_server_the_run_is_refused(planner):
    schedule = await planner.due(segment=None, work=WORK)

    [run] = await planner.work(schedule.id)

    assert (run.state, run.code) == ("refused", "no_servers")


async def test_an_author_who_may_no_longer_send_commands_announces_nothing(client, planner):
    await GameServer.register(client)
    author = AuditContext(actor="user:00000000-0000-4000-8000-000000000001", name="gone")
    schedule = await planner.due(segment=None, work=WORK, by=author)

    [run] = await planner.work(schedule.id)

    assert (run.state, run.code) == ("refused", "author_lost_rights")


async def test_an_announcement_by_http(client, planner):
    body = {
        "name": "Festival",
        "work": {"kind": "announcement", "text": "The festival begins.", "color": "#00FF00"},
        "cron": "0 18 * * FRI",
        "timezone": "Europe/Berlin",
    }
    made = await client.post(SCHEDULES, json=body)
    assert made.status_code == 200, made.text
    assert made.json()["Segment"] is None
    assert made.json()["Work"]["Color"] == "#00FF00"

    for change, code in (
        ({"segment": SEGMENT}, "invalid_schedule"),
        ({"endscron": "0 9 * * MON"}, "invalid_campaign"),
        ({"onjoin": True}, "invalid_campaign"),
        ({"work": {"kind": "letter", "subject": "Hi"}}, "invalid_schedule"),
        ({"work": {"kind": "announcement", "text": ""}}, "invalid_command"),
    ):
        refused = await client.post(SCHEDULES, json=body | change)
        assert refused.json()["Code"] == code, refused.text


async def test_an_announcement_at_an_instant_ends_its_schedule(client, planner):
    await GameServer.register(client)
    made = await planner.create(Plan(cron="0 0 1 1 *"), segment=None, work=WORK)
    await planner.run("UPDATE schedules SET cron = NULL, starts_at = now(), next_at = now()")

    [run] = await planner.work(made.id)

    assert run.state == "started"
    assert (await planner.find(made.id)).state == "ended"
