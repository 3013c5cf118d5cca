"""Campaigns are carried out once for each recipient, whatever happens meanwhile."""

import asyncio

import pytest

from gamekeeper.campaigns import changes, runner
from gamekeeper.campaigns.changes import CampaignReversal, WrongCampaignState
from gamekeeper.campaigns.records import CampaignItem, CampaignWork
from gamekeeper.db.database import Database
from tests.campaigns.crowds import Crowd
from tests.mailbox.post import sound
from tests.make import BY, fill_slot, make_item, make_player, make_spell, make_variable


@pytest.fixture
async def crowd(database: Database) -> Crowd:
    return await Crowd.make(database)


async def set_level(database: Database, player, level: int) -> None:
    sql = "UPDATE players SET level = $2 WHERE id = $1"
    await database.write(lambda writer: writer.run(sql, player, level))


async def test_each_member_gets_one_letter(crowd, settings):
    ready = await crowd.ready(crowd.letter())
    assert (ready.state, ready.recipients) == ("ready", 5)
    assert await crowd.letters() == {}

    await crowd.start(ready.id)
    done = await crowd.advanced(ready.id)

    assert (done.state, done.done, done.skipped, done.refused) == ("finished", 5, 0, 0)
    assert sorted(await crowd.letters()) == crowd.players
    assert await crowd.held() == {player: {"mail": 3} for player in crowd.players}
    assert {each.state for each in await crowd.recipients(done.id)} == {"done"}
    await sound(settings)


async def test_who_leaves_is_skipped_and_who_enters_is_not_included(crowd, database):
    ready = await crowd.ready(crowd.letter())
    await set_level(database, crowd.players[0], 1)
    await make_player(database, "Latecomer", level=50)
    await crowd.start(ready.id)

    done = await crowd.advanced(ready.id)

    assert (done.done, done.skipped) == (4, 1)
    [skipped] = await crowd.recipients(done.id, "skipped")
    assert skipped.player_id == crowd.players[0]
    assert sorted(await crowd.letters()) == crowd.players[1:]


async def test_who_has_no_room_is_refused_and_listed(crowd, database, settings):
    rock = await make_item(database, "Rock", stack_size=1)
    for slot in range(settings.inventory_slots):
        await fill_slot(database, crowd.players[1], "inventory", slot, rock)

    done = await crowd.finished(crowd.gift())

    assert (done.done, done.refused) == (4, 1)
    [refused] = await crowd.recipients(done.id, "refused")
    assert (refused.player_id, refused.code) == (crowd.players[1], "inventory_full")


async def test_a_dry_run_changes_nothing_and_tells_the_effect(crowd, database, settings):
    rock = await make_item(database, "Rock", stack_size=1)
    for slot in range(settings.inventory_slots):
        await fill_slot(database, crowd.players[1], "inventory", slot, rock)
    ready = await crowd.ready(crowd.gift(4))

    report = await crowd.try_(ready.id)

    assert (report.recipients, report.sampled, report.possible) == (5, 5, 4)
    assert [(each.code, each.recipients) for each in report.refused] == [("inventory_full", 1)]
    [effect] = report.items
    assert (effect.item_id, effect.pieces, effect.supply) == (crowd.potion, 20, 0)
    assert {(each.before, each.after) for each in report.samples} == {(0, 4), (0, 0)}
    assert await crowd.held() == {}
    assert (await crowd.recipients(ready.id))[0].state == "waiting"


@pytest.mark.parametrize("kind", ["take", "variable", "spell"])
async def test_the_other_kinds_of_work(crowd, database, kind):
    spell, variable = await make_spell(database), await make_variable(database, type="integer")
    work = {
        "take": CampaignWork(kind="take", items=[CampaignItem(item_id=crowd.potion, quantity=1)]),
        "variable": CampaignWork(kind="variable", id=variable, value=7),
        "spell": CampaignWork(kind="spell", id=spell),
    }[kind]
    await crowd.finished(crowd.gift(2))

    done = await crowd.finished(work)

    assert (done.done, done.refused) == (5, 0)
    assert (await crowd.reversed(done.id)).reversed == 5
    assert await crowd.held() == {player: {"inventory": 2} for player in crowd.players}


async def test_runners_at_once_do_nothing_twice(database, settings):
    crowd = await Crowd.make(database, 12)
    ready = await crowd.ready(crowd.letter())
    await crowd.start(ready.id)
    one_by_one = [runner._advance_singly(database, ready.id) for _ in range(6)]

    await asyncio.gather(*one_by_one)

    done = await crowd.advanced(ready.id)
    assert (done.state, done.done) == ("finished", 12)
    assert sorted(await crowd.letters()) == crowd.players
    await sound(settings)


async def test_a_batch_is_at_most_the_work_of_a_second(crowd, database):
    ready = await crowd.ready(crowd.letter(), per_second=2)
    await crowd.start(ready.id)

    assert await runner.advance(database, ready.id) == 2
    await crowd.advanced(ready.id)
    await changes.reverse.one(database, CampaignReversal(by=BY, campaign_id=ready.id))
    assert await runner.advance(database, ready.id) == 2


async def test_a_campaign_that_cannot_end_does_not_hold_up_the_others(crowd, database):
    """A newer version may have stored a kind of work that this one does not know."""
    unreadable, sound = await crowd.ready(crowd.letter()), await crowd.ready(crowd.letter())
    await database.write(
        lambda writer: writer.run(
            'UPDATE campaigns SET ends_at = now(), work = \'{"Kind": "dance"}\' WHERE id = $1',
            unreadable.id,
        )
    )
    await crowd.start(sound.id)
    stop = asyncio.Event()
    following = asyncio.create_task(runner.follow(database, stop))
    try:
        async with asyncio.timeout(20):
            while (await crowd.shown(sound.id)).state != "finished":
                await asyncio.sleep(0.05)
    finally:
        stop.set()
        await following


async def test_a_campaign_that_cannot_be_read_does_not_hold_up_the_others(crowd, database):
    unreadable, sound = await crowd.ready(crowd.letter()), await crowd.ready(crowd.letter())
    for campaign in (unreadable, sound):
        await crowd.start(campaign.id)
    sql = """UPDATE campaigns SET work = '{"Kind": "dance"}' WHERE id = $1"""
    await database.write(lambda writer: writer.run(sql, unreadable.id))
    stop = asyncio.Event()
    following = asyncio.create_task(runner.follow(database, stop))
    try:
        async with asyncio.timeout(20):
            while (await crowd.shown(sound.id)).state != "finished":
                await asyncio.sleep(0.05)
    finally:
        stop.set()
        await following


async def test_a_slow_campaign_does_not_delay_others(crowd, database):
    slow = await crowd.ready(crowd.letter(), per_second=1)
    fast = await crowd.ready(crowd.letter())
    for campaign in (slow, fast):
        await crowd.start(campaign.id)
    stop = asyncio.Event()
    following = asyncio.create_task(runner.follow(database, stop))
    try:
        async with asyncio.timeout(30):
            while (await crowd.shown(fast.id)).state != "finished":
                await asyncio.sleep(0.05)
        meanwhile = await crowd.shown(slow.id)
    finally:
        stop.set()
        await following

    assert meanwhile.state == "running"
    assert meanwhile.done < len(crowd.players)


async def test_a_pause_keeps_the_position_and_a_stop_is_final(crowd, database):
    ready = await crowd.ready(crowd.letter())
    await crowd.start(ready.id)
    await database.write(lambda writer: runner._advance(writer, ready.id, 2))

    paused = await changes.pause.one(database, crowd.command(ready.id))

    assert (paused.state, paused.done) == ("paused", 2)
    assert await runner.advance(database, ready.id) == 0
    await changes.resume.one(database, crowd.command(ready.id))
    await database.write(lambda writer: runner._advance(writer, ready.id, 2))
    stopped = await changes.stop.one(database, crowd.command(ready.id))
    assert (stopped.state, stopped.done) == ("stopped", 4)
    with pytest.raises(WrongCampaignState):
        await changes.resume.one(database, crowd.command(ready.id))
    assert len(await crowd.letters()) == 4


async def test_one_recipient_that_fails_does_not_hold_up_the_others(crowd, database):
    """A trigger stands for a fault that nobody foresaw."""
    broken = crowd.players[2]
    await database.write(
        lambda writer: writer.run(
            f"""
            CREATE FUNCTION fail() RETURNS trigger LANGUAGE plpgsql AS $$
            BEGIN
                IF NEW.player_id = '{broken}' THEN RAISE 'broken'; END IF;
                RETURN NEW;
            END $$
            """
        )
    )
    await database.write(
        lambda writer: writer.run(
            "CREATE TRIGGER fail BEFORE INSERT ON letters FOR EACH ROW EXECUTE FUNCTION fail()"
        )
    )
    try:
        done = await crowd.finished(crowd.letter())
    finally:
        await database.write(lambda writer: writer.run("DROP TRIGGER fail ON letters"))
        await database.write(lambda writer: writer.run("DROP FUNCTION fail"))

    assert (done.state, done.done, done.refused) == ("finished", 4, 1)
    [refused] = await crowd.recipients(done.id, "refused")
    assert (refused.player_id, refused.code) == (broken, "internal_error")


async def test_a_deleted_list_of_names_leaves_nobody(crowd, database):
    """The definition is the campaign's own: a deleted segment changes nothing."""
    ready = await crowd.ready(crowd.letter(0))
    await database.write(lambda writer: writer.run("DELETE FROM segments"))
    await crowd.start(ready.id)

    assert (await crowd.advanced(ready.id)).done == 5
