"""Login rewards: each run of a schedule is a letter on joining, until the run ends."""

from datetime import timedelta

import pytest

from gamekeeper.campaigns.checks import InvalidCampaign
from gamekeeper.campaigns.schedules import changes
from gamekeeper.campaigns.schedules.plans import Plan
from gamekeeper.db.database import Database
from tests.campaigns.arrivals import Arrivals
from tests.schedules.plans_of import Planner

DAILY = Plan(cron="0 0 * * *", ends_cron="0 0 * * *", time_zone="Europe/Berlin")


@pytest.fixture
async def arrivals(database: Database) -> Arrivals:
    return await Arrivals.make(database)


@pytest.fixture
def planner(arrivals: Arrivals) -> Planner:
    return Planner(arrivals.crowd)


async def test_who_joins_gets_one_letter_for_each_run(planner, arrivals):
    ana, bo, *_ = arrivals.players
    schedule = await planner.due(DAILY, on_join=True, max_recipients=3)
    assert schedule.on_join

    [first] = await planner.work(schedule.id)
    await arrivals.join(ana)
    await arrivals.join(ana, server=1)

    assert (first.state, first.code) == ("started", None)
    [campaign] = await planner.campaigns()
    assert (campaign.state, campaign.done, campaign.max_recipients) == ("running", 1, 3)
    assert campaign.ends_at == DAILY.end_of(first.planned_at)
    ended = await planner.end(campaign.id)
    assert (ended.state, ended.done, ended.reversed) == ("finished", 1, 0)
    await arrivals.leave(ana, server=1)

    await planner.move(schedule.id, timedelta(minutes=1))
    second = (await planner.work(schedule.id))[0]
    await arrivals.join(ana, bo)

    assert second.campaign_id
    assert await arrivals.sent(second.campaign_id) == {ana: 1, bo: 1}
    assert await arrivals.crowd.held() == {ana: {"mail": 6}, bo: {"mail": 3}}


async def test_a_run_starts_without_members_and_ends_without_letters(planner, arrivals):
    await arrivals.run("UPDATE players SET level = 1")
    schedule = await planner.due(DAILY, on_join=True)

    [run] = await planner.work(schedule.id)

    assert run.state == "started"
    assert run.campaign_id
    assert (await planner.end(run.campaign_id)).state == "finished"


async def test_a_login_reward_needs_an_end_and_a_letter(planner):
    for about in ({"plan": Plan(cron="0 0 * * *")}, {"plan": DAILY, "work": planner.crowd.gift()}):
        with pytest.raises(InvalidCampaign):
            await planner.create(on_join=True, **about)


async def test_a_deleted_schedule_leaves_its_last_run(planner, arrivals):
    schedule = await planner.due(DAILY, on_join=True)
    [run] = await planner.work(schedule.id)

    await changes.delete.one(planner.database, planner.command(schedule.id))
    await arrivals.join(*arrivals.players)

    assert len(await arrivals.sent(run.campaign_id)) == 5
