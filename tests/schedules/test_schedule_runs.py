"""Each planned instant is one campaign, whatever happens to workers, authors and segments."""

import asyncio
from datetime import UTC, datetime, timedelta

import pytest

from gamekeeper.campaigns import changes as campaigns
from gamekeeper.campaigns.changes import CampaignCommand
from gamekeeper.campaigns.schedules import changes, runner, storage
from gamekeeper.campaigns.schedules.plans import InvalidSchedule, Plan
from gamekeeper.core.errors import Unavailable
from gamekeeper.db.database import Database
from tests.campaigns.crowds import Crowd
from tests.campaigns.test_runs import set_level
from tests.make import BY, make_player
from tests.schedules.plans_of import YEARLY, Planner


@pytest.fixture
async def planner(database: Database) -> Planner:
    return Planner(await Crowd.make(database))


async def test_a_run_makes_a_campaign_for_the_members_of_that_moment(planner, database):
    schedule = await planner.due()
    await set_level(database, planner.crowd.players[0], 1)
    await make_player(database, "Newcomer", level=12)

    [run] = await planner.work(schedule.id)

    assert (run.state, run.code, run.planned_at) == ("started", None, schedule.next_at)
    [campaign] = await planner.campaigns()
    assert (campaign.id, campaign.schedule_id) == (run.campaign_id, schedule.id)
    assert (campaign.state, campaign.done, campaign.started_by_name) == ("finished", 5, "tests")
    letters = await planner.crowd.letters()
    assert planner.crowd.players[0] not in letters
    after = await planner.find(schedule.id)
    assert after.state == "active"
    assert after.next_at == YEARLY.next_run(run.planned_at)


async def test_a_schedule_with_one_run_ends_with_it(planner):
    schedule = await planner.create(Plan(starts_at=datetime.now(UTC) + timedelta(days=1)))
    assert await planner.work(schedule.id) == []
    await planner.move(schedule.id, timedelta(minutes=1))

    [run] = await planner.work(schedule.id)

    assert run.state == "started"
    after = await planner.find(schedule.id)
    assert (after.state, after.next_at) == ("ended", None)
    assert await planner.work(schedule.id) == [run]


async def test_two_workers_at_once_make_one_run(planner):
    """Both have listed the schedule as due; the second finds it advanced."""
    schedule = await planner.due()

    await asyncio.gather(*(runner.advance(planner.database, schedule.id) for _ in range(5)))

    [run] = await planner.runs(schedule.id)
    [campaign] = await planner.campaigns()
    assert run.campaign_id == campaign.id
    await planner.crowd.advanced(campaign.id)
    await asyncio.gather(
        *(runner.start_run(planner.database, schedule.id, run.planned_at) for _ in range(5))
    )
    done = await planner.crowd.advanced(campaign.id)
    assert (done.state, done.done) == ("finished", 5)
    assert len(await planner.crowd.letters()) == 5


async def test_a_second_run_of_one_instant_is_impossible(planner):
    """Even if the position of the schedule were lost."""
    schedule = await planner.due()
    await planner.work(schedule.id)
    sql = "UPDATE schedules SET next_at = $2, state = 'active' WHERE id = $1"
    await planner.run(sql, schedule.id, schedule.next_at)

    [run] = await planner.work(schedule.id)

    assert run.state == "started"
    assert len(await planner.campaigns()) == 1
    after = await planner.find(schedule.id)
    assert after.next_at
    assert after.next_at > datetime.now(UTC)


async def test_after_an_outage_one_run_catches_up_and_the_others_are_missed(planner):
    schedule = await planner.create()
    first = schedule.next_at - timedelta(hours=4)
    await planner.run("UPDATE schedules SET next_at = $2 WHERE id = $1", schedule.id, first)

    runs = await planner.work(schedule.id)

    assert [run.state for run in runs] == ["started", "missed", "missed", "missed"]
    assert [run.planned_at for run in reversed(runs)] == [
        first + timedelta(hours=hours) for hours in range(4)
    ]
    assert len(await planner.campaigns()) == 1


async def test_after_the_grace_period_a_run_is_missed(planner):
    schedule = await planner.create(YEARLY, grace_minutes=30)
    await planner.move(schedule.id, timedelta(minutes=31))

    [run] = await planner.work(schedule.id)

    assert (run.state, run.campaign_id) == ("missed", None)
    assert await planner.campaigns() == []
    assert (await planner.find(schedule.id)).next_at > datetime.now(UTC)


async def test_a_run_whose_end_has_passed_is_missed(planner):
    begin = datetime.now(UTC) + timedelta(days=1)
    schedule = await planner.create(Plan(starts_at=begin, ends_at=begin + timedelta(hours=1)))
    await planner.move(schedule.id, timedelta(minutes=20))
    sql = "UPDATE schedules SET ends_at = now() - interval '1 minute' WHERE id = $1"
    await planner.run(sql, schedule.id)

    [run] = await planner.work(schedule.id)

    assert run.state == "missed"


async def test_a_campaign_ends_by_its_reversal(planner):
    begin = datetime.now(UTC) + timedelta(days=1)
    plan = Plan(starts_at=begin, ends_at=begin + timedelta(days=3))
    schedule = await planner.due(plan, work=planner.crowd.gift())
    [run] = await planner.work(schedule.id)
    [campaign] = await planner.campaigns()
    assert (campaign.state, campaign.ends_at) == ("finished", plan.ends_at)
    assert await planner.crowd.held() == {
        player: {"inventory": 3} for player in planner.crowd.players
    }

    ended = await planner.end(run.campaign_id)

    assert (ended.state, ended.reversed, ended.reversed_by_name) == ("reversed", 5, "campaigns")
    assert await planner.crowd.held() == {}


async def test_a_finished_campaign_is_stopped_before_its_end(planner):
    """Its items then stay with the players."""
    begin = datetime.now(UTC) + timedelta(days=1)
    plan = Plan(starts_at=begin, ends_at=begin + timedelta(days=3))
    schedule = await planner.due(plan, work=planner.crowd.gift())
    await planner.work(schedule.id)
    [campaign] = await planner.campaigns()
    assert campaign.state == "finished"

    command = CampaignCommand(by=BY, campaign_id=campaign.id)
    await campaigns.stop.one(planner.database, command)

    assert (await planner.end(campaign.id)).state == "stopped"
    assert len(await planner.crowd.held()) == len(planner.crowd.players)


async def test_a_campaign_that_staff_stopped_is_not_reversed_at_its_end(planner):
    """By stopping it, staff decide that recipients keep what they got."""
    begin = datetime.now(UTC) + timedelta(days=1)
    schedule = await planner.due(Plan(starts_at=begin, ends_at=begin + timedelta(days=3)))
    await runner.advance(planner.database, schedule.id)
    [campaign] = await planner.campaigns()
    await planner.run("UPDATE campaigns SET state = 'stopped', done = 1 WHERE id = $1", campaign.id)

    ended = await planner.end(campaign.id)

    assert ended.state == "stopped"


async def test_at_its_end_a_campaign_that_reached_nobody_is_stopped(planner):
    begin = datetime.now(UTC) + timedelta(days=1)
    schedule = await planner.due(Plan(starts_at=begin, ends_at=begin + timedelta(days=3)))
    await runner.advance(planner.database, schedule.id)
    [campaign] = await planner.campaigns()

    assert (await planner.end(campaign.id)).state == "stopped"
    [run] = await planner.work(schedule.id)
    assert (run.state, run.code) == ("refused", "campaign_stopped")


async def test_a_skipped_run_does_not_happen_and_the_next_does(planner):
    schedule = await planner.create()
    first, second = storage.next_instants(schedule)[:2]
    await planner.skip(schedule.id)
    shown = (await storage.list_next_runs(planner.database.reader, schedule.id)).values
    assert [(run.planned_at, run.skipped) for run in shown[:2]] == [(first, True), (second, False)]
    assert len(shown) == 10
    # Two hours later both are due: one is skipped, and one happens.
    for sql in (
        "UPDATE schedules SET next_at = next_at - interval '2 hours' WHERE id = $1",
        """
        UPDATE schedule_runs SET planned_at = planned_at - interval '2 hours'
         WHERE schedule_id = $1
        """,
    ):
        await planner.run(sql, schedule.id)

    runs = await planner.work(schedule.id)

    assert [run.state for run in runs] == ["started", "skipped"]


async def test_a_skipped_run_that_is_the_only_one_does_not_happen(planner):
    schedule = await planner.due()
    await planner.skip(schedule.id)

    [run] = await planner.work(schedule.id)

    assert (run.planned_at, run.state) == (schedule.next_at, "skipped")
    assert await planner.campaigns() == []
    assert (await planner.find(schedule.id)).next_at > datetime.now(UTC)


async def test_only_one_of_the_next_runs_can_be_skipped(planner):
    schedule = await planner.create()
    later = storage.next_instants(schedule)[-1]

    with pytest.raises(InvalidSchedule):
        await planner.skip(schedule.id, later + timedelta(hours=1))
    await planner.skip(schedule.id, later)
    await planner.skip(schedule.id, later)

    [run] = await planner.runs(schedule.id)
    assert (run.planned_at, run.state) == (later, "skipped")


async def test_a_paused_schedule_does_not_run_and_resumes_with_the_next_instant(planner):
    schedule = await planner.due()
    await changes.pause.one(planner.database, planner.command(schedule.id))

    assert await planner.work(schedule.id) == []
    resumed = await changes.resume.one(planner.database, planner.command(schedule.id))

    assert resumed.next_at
    assert resumed.next_at > datetime.now(UTC)
    assert await planner.work(schedule.id) == []
    assert await planner.campaigns() == []


async def test_deleting_a_schedule_stops_a_campaign_that_has_not_started(planner):
    schedule = await planner.due()
    await runner.advance(planner.database, schedule.id)
    [campaign] = await planner.campaigns()

    await changes.delete.one(planner.database, planner.command(schedule.id))

    assert (await planner.crowd.advanced(campaign.id)).state == "stopped"
    assert await planner.crowd.letters() == {}
    # A worker that listed it before finds nothing to do.
    await runner.advance(planner.database, schedule.id)


async def test_a_run_with_too_many_recipients_is_refused(planner):
    schedule = await planner.due(max_recipients=4)

    [run] = await planner.work(schedule.id)

    assert (run.state, run.code) == ("refused", "too_many_recipients")
    assert [campaign.state for campaign in await planner.campaigns()] == ["stopped"]
    assert await planner.crowd.letters() == {}


async def test_a_run_without_recipients_is_listed(planner, database):
    schedule = await planner.due()
    await database.write(lambda writer: writer.run("UPDATE players SET level = 1"))

    [run] = await planner.work(schedule.id)

    assert (run.state, run.code) == ("refused", "no_recipients")


async def test_a_run_that_fails_pauses_its_schedule_and_no_other(planner):
    broken, sound = await planner.due(), await planner.due()
    await planner.run("UPDATE schedules SET cron = 'broken' WHERE id = $1", broken.id)

    [run] = await planner.work(broken.id)

    assert (run.state, run.code) == ("refused", "internal_error")
    assert (await planner.find(broken.id)).state == "paused"
    [other] = await planner.work(sound.id)
    assert other.state == "started"


async def test_a_run_whose_start_fails_is_refused_and_its_campaign_stopped(planner):
    schedule = await planner.due()
    await runner.advance(planner.database, schedule.id)
    [run] = await planner.runs(schedule.id)
    await planner.crowd.advanced(run.campaign_id)
    never = "CHECK (state <> 'running') NOT VALID"
    await planner.run(f"ALTER TABLE campaigns ADD CONSTRAINT never_started {never}")
    try:
        await runner.start_run(planner.database, schedule.id, run.planned_at)
    finally:
        await planner.run("ALTER TABLE campaigns DROP CONSTRAINT never_started")

    [run] = await planner.runs(schedule.id)
    assert (run.state, run.code) == ("refused", "internal_error")
    assert [campaign.state for campaign in await planner.campaigns()] == ["stopped"]
    told = "SELECT after->>'code' FROM actions WHERE kind = 'schedules.run' ORDER BY id DESC"
    assert await planner.database.reader.value(told) == "internal_error"


async def test_a_run_of_a_campaign_that_cannot_be_read_is_refused(planner):
    schedule = await planner.due()
    await runner.advance(planner.database, schedule.id)
    [run] = await planner.runs(schedule.id)
    await planner.crowd.advanced(run.campaign_id)
    sql = """UPDATE campaigns SET work = '{"Kind": "dance"}' WHERE id = $1"""
    await planner.run(sql, run.campaign_id)

    await runner.start_run(planner.database, schedule.id, run.planned_at)

    [run] = await planner.runs(schedule.id)
    assert (run.state, run.code) == ("refused", "internal_error")


async def test_a_schedule_that_cannot_be_read_does_not_hold_up_the_others(planner):
    """A newer version may have stored a kind of work that this one does not know."""
    unreadable, sound = await planner.due(), await planner.due()
    await planner.run(
        """
        UPDATE schedules SET next_at = next_at - interval '1 minute', work = '{"Kind": "dance"}'
         WHERE id = $1
        """,
        unreadable.id,
    )
    stop = asyncio.Event()
    following = asyncio.create_task(runner.follow(planner.database, stop))
    try:
        async with asyncio.timeout(20):
            while not await planner.runs(sound.id):
                await asyncio.sleep(0.05)
    finally:
        stop.set()
        await following

    state = "SELECT state FROM schedules WHERE id = $1"
    assert await planner.database.reader.value(state, unreadable.id) == "active"


async def test_giving_up_leaves_a_schedule_that_staff_paused_meanwhile(planner):
    schedule = await planner.due()
    await changes.pause.one(planner.database, planner.command(schedule.id))

    await planner.database.write(lambda writer: runner.give_up(writer, schedule.id))

    assert await planner.runs(schedule.id) == []
    assert (await planner.find(schedule.id)).state == "paused"


@pytest.mark.usefixtures("schema_changes")
async def test_a_kill_between_the_run_and_the_next_instant_leaves_neither(planner):
    """The connection dies as the schedule is advanced: afterwards there is one run, not two."""
    schedule = await planner.due()
    await planner.run(
        """
        CREATE FUNCTION die() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN
            PERFORM pg_terminate_backend(pg_backend_pid());
            RETURN NEW;
        END $$
        """
    )
    await planner.run(
        "CREATE TRIGGER die BEFORE UPDATE ON schedules FOR EACH ROW EXECUTE FUNCTION die()"
    )

    with pytest.raises(Unavailable):
        await runner.advance(planner.database, schedule.id)

    await planner.run("DROP TRIGGER die ON schedules")
    assert (await planner.runs(schedule.id), await planner.campaigns()) == ([], [])
    [run] = await planner.work(schedule.id)
    assert run.state == "started"
    assert len(await planner.campaigns()) == 1
