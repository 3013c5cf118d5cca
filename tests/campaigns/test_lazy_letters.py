"""Letters that are created when characters join, once each, whatever happens meanwhile."""

import asyncio
from collections.abc import AsyncIterator
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID

import asyncpg
import pytest

from gamekeeper.campaigns import changes, counts, joins, runner, storage
from gamekeeper.campaigns.changes import WrongCampaignState
from gamekeeper.campaigns.checks import InvalidCampaign, TooManyCampaigns
from gamekeeper.campaigns.records import MAX_ON_JOIN
from gamekeeper.core.settings import Settings
from gamekeeper.db.database import Database
from gamekeeper.players.mailbox import changes as mailbox
from gamekeeper.players.mailbox import delivery
from gamekeeper.players.mailbox.changes import LetterCommand
from gamekeeper.players.mailbox.delivery import SendLetter
from gamekeeper.players.mailbox.records import MAX_LETTERS
from gamekeeper.segments import saved
from gamekeeper.segments.records import Condition, ConditionGroup, Definition
from gamekeeper.segments.saved import SegmentChange
from gamekeeper.servers import presence
from tests.campaigns.arrivals import Arrivals
from tests.campaigns.test_runs import set_level
from tests.mailbox.post import sound
from tests.make import BY, make_player
from tests.torture.interleaver import overlap, stopping


@pytest.fixture
async def arrivals(database: Database) -> Arrivals:
    return await Arrivals.make(database)


async def test_each_member_that_joins_gets_one_letter(arrivals, database, settings):
    campaign = await arrivals.running()
    assert (campaign.state, campaign.recipients, campaign.max_recipients) == (
        "running",
        0,
        1_000_000,
    )
    assert await arrivals.crowd.recipients(campaign.id) == []
    ana, bo, *_ = arrivals.players

    await arrivals.join(ana)
    await arrivals.join(ana)
    await arrivals.leave(ana)
    await arrivals.join(ana, bo, "Novice", server=1)

    assert sorted(await arrivals.crowd.letters()) == sorted([ana, bo])
    assert await arrivals.crowd.held() == {player: {"mail": 3} for player in (ana, bo)}
    assert await database.reader.value("SELECT count(*) FROM presences") == 3
    shown = await arrivals.crowd.shown(campaign.id)
    assert (shown.state, shown.done, shown.refused) == ("running", 2, 0)
    await arrivals.check(campaign.id)
    await sound(settings)


async def test_a_join_by_name_gets_the_letter_too(arrivals):
    campaign = await arrivals.running()

    await arrivals.join("Veteran 0", "VETERAN 1", "Nobody At All")

    assert len(await arrivals.sent(campaign.id)) == 2


async def test_a_character_created_after_the_campaign_gets_none(arrivals, database):
    """Or players would create characters for the letter."""
    campaign = await arrivals.running()
    late = await make_player(database, "Latecomer", level=50, created_at=datetime.now(UTC))

    await arrivals.join(late)
    await arrivals.sweep(campaign.id)

    assert await arrivals.sent(campaign.id) == {}


async def test_conditions_count_as_the_character_was_before_it_joined(arrivals, database):
    """Who comes back after 90 days is online afterwards, and was not before."""
    away = Condition(field="last_online", before=datetime.now(UTC) - timedelta(days=90))
    definition = Definition(groups=[ConditionGroup(conditions=[away])])
    order = SegmentChange(by=BY, name="away", description="", definition=definition)
    await saved.change.one(database, order)
    ana, bo, *_ = arrivals.players
    await arrivals.run("UPDATE players SET last_online = now() - interval '100 days'")
    await arrivals.run("UPDATE players SET last_online = now() WHERE id = $1", bo)
    campaign = await arrivals.running(segment="away")

    await arrivals.join(ana, bo)

    assert await arrivals.sent(campaign.id) == {ana: 1}


async def test_who_becomes_a_member_later_gets_it_at_the_next_join(arrivals, database):
    campaign = await arrivals.running()
    novice = await database.reader.value("SELECT id FROM players WHERE name = 'Novice'")
    await arrivals.join(novice)
    assert await arrivals.sent(campaign.id) == {}

    await set_level(database, novice, 12)
    await arrivals.join(novice, server=1)

    assert await arrivals.sent(campaign.id) == {novice: 1}


async def test_those_who_are_in_the_game_get_it_from_the_worker_once(arrivals):
    ana, bo, cy, *_ = arrivals.players
    await arrivals.join(ana, bo, "Novice")
    campaign = await arrivals.running()
    await arrivals.join(cy)

    for _ in range(2):
        await arrivals.sweep(campaign.id)

    assert await arrivals.sent(campaign.id) == {ana: 1, bo: 1, cy: 1}
    await arrivals.check(campaign.id)


async def test_the_worker_leaves_out_those_of_a_dead_server(arrivals):
    await arrivals.join(arrivals.players[0])
    await arrivals.run("UPDATE servers SET lease_until = now() - interval '1 minute'")
    campaign = await arrivals.running()

    await arrivals.sweep(campaign.id)

    assert await arrivals.sent(campaign.id) == {}


async def test_joins_on_two_servers_at_once_and_the_worker_send_one_letter(arrivals, settings):
    first = await arrivals.running()
    second = await arrivals.running(arrivals.crowd.letter(1))

    await asyncio.gather(
        *(arrivals.join(*arrivals.players, server=number % 2) for number in range(6)),
        *(runner.advance(arrivals.database, first.id) for _ in range(3)),
    )

    for campaign in (first, second):
        assert await arrivals.sent(campaign.id) == dict.fromkeys(arrivals.players, 1)
        await arrivals.check(campaign.id)
    await sound(settings)


async def test_a_join_that_is_not_committed_leaves_neither_letter_nor_mark(arrivals):
    campaign = await arrivals.running()

    async def killed(writer: Any) -> None:
        [joined] = await joins.join(writer, [arrivals.change(*arrivals.players)])
        assert len(joined.values) == 5
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        await arrivals.database.write(killed)
    assert await arrivals.crowd.recipients(campaign.id) == []
    await arrivals.check(campaign.id)

    await arrivals.join(*arrivals.players)

    await arrivals.check(campaign.id)
    assert len(await arrivals.sent(campaign.id)) == 5


async def test_nothing_is_sent_while_paused_or_after_the_end(arrivals):
    ana, bo, cy, *_ = arrivals.players
    campaign = await arrivals.create()
    await arrivals.join(ana)
    assert await arrivals.sent(campaign.id) == {}
    await arrivals.crowd.start(campaign.id)
    await arrivals.pause(campaign.id)
    await arrivals.join(bo)
    await arrivals.sweep(campaign.id)
    assert await arrivals.sent(campaign.id) == {}

    await arrivals.resume(campaign.id)
    await arrivals.join(bo)
    ended = await arrivals.end(campaign.id)
    await arrivals.join(ana, cy)

    assert await arrivals.sent(campaign.id) == {bo: 1}
    assert (ended.state, ended.done, ended.reversed) == ("finished", 1, 0)
    assert await arrivals.crowd.held() == {bo: {"mail": 3}}
    assert (await arrivals.end(campaign.id)).ended_at == ended.ended_at


async def test_after_its_end_nothing_is_sent_even_without_a_worker(arrivals):
    campaign = await arrivals.running()
    await arrivals.run("UPDATE campaigns SET ends_at = now() - interval '1 second'")

    await arrivals.join(*arrivals.players)

    assert await arrivals.sent(campaign.id) == {}


async def test_a_campaign_that_was_never_started_ends_stopped(arrivals):
    campaign = await arrivals.create()

    assert (await arrivals.end(campaign.id)).state == "stopped"


async def test_a_paused_campaign_ends_too(arrivals):
    campaign = await arrivals.running()
    await arrivals.pause(campaign.id)

    assert (await arrivals.end(campaign.id)).state == "finished"


async def test_a_stop_keeps_the_letters_and_a_reversal_takes_them_back(arrivals, settings):
    ana, bo, cy, *_ = arrivals.players
    campaign = await arrivals.running()
    await arrivals.join(ana, bo)
    letter = (await arrivals.crowd.letters())[ana]
    command = LetterCommand(by=BY, player=str(ana), letter_id=letter)
    await mailbox.claim.one(arrivals.database, command)
    stopped = await arrivals.stop(campaign.id)
    assert (stopped.state, stopped.done) == ("stopped", 2)
    await arrivals.join(cy)

    after = await arrivals.crowd.reversed(campaign.id)

    assert (after.state, after.reversed, after.kept) == ("reversed", 2, 0)
    assert await arrivals.crowd.held() == {}
    await arrivals.join(*arrivals.players, server=1)
    assert await arrivals.sent(campaign.id) == {ana: 1, bo: 1}
    await sound(settings)


async def test_a_campaign_without_letters_has_nothing_to_reverse(arrivals):
    campaign = await arrivals.running()
    await arrivals.stop(campaign.id)

    with pytest.raises(WrongCampaignState):
        await arrivals.crowd.reversed(campaign.id)


@pytest.fixture
async def watcher(settings: Settings) -> AsyncIterator[Any]:
    connection = await asyncpg.connect(settings.database_url)
    yield connection
    await connection.close()


async def test_a_stop_waits_for_joins_that_deliver(arrivals, watcher, monkeypatch):
    """So that its counts, and a reversal after it, include their letters."""
    campaign = await arrivals.running()
    stopping(monkeypatch)

    seen: Any = await overlap(
        watcher,
        lambda: arrivals.stop(campaign.id),
        lambda: arrivals.join(*arrivals.players),
        hold=True,
    )

    assert seen.waited
    assert (seen.late.state, seen.late.done) == ("stopped", 5)


async def test_a_join_that_waited_for_a_stop_sends_nothing(arrivals, watcher, monkeypatch):
    """It read that the campaign was running, and finds it closed."""
    campaign = await arrivals.running()
    stopping(monkeypatch)
    open_ = await storage.find_open(arrivals.database.reader)

    async def stop_then_deliver() -> None:
        await arrivals.stop(campaign.id)

        async def late(writer: Any) -> None:
            await presence.join(writer, [arrivals.change(*arrivals.players)])
            await joins.deliver(writer, open_, {campaign.id: arrivals.players})

        await arrivals.database.write(late)

    await stop_then_deliver()

    assert await arrivals.sent(campaign.id) == {}


@pytest.mark.parametrize(("most", "parts"), [(1, 1), (3, 1), (17, 1), (17, 16)])
async def test_no_more_than_the_bound_are_sent(database, monkeypatch, most, parts):
    monkeypatch.setattr(counts, "MIN_ROOM", most // parts)
    arrivals = await Arrivals.make(database, 20)
    campaign = await arrivals.running(max_recipients=most)

    await asyncio.gather(
        *(arrivals.join(player, server=at % 2) for at, player in enumerate(arrivals.players))
    )
    await arrivals.join(*arrivals.players)
    done = await arrivals.sweep(campaign.id)

    assert len(await arrivals.sent(campaign.id)) == most
    assert (done.state, done.done) == ("finished", most)
    await arrivals.check(campaign.id)


async def test_a_join_of_very_many_leaves_the_rest_to_the_worker(arrivals, monkeypatch):
    monkeypatch.setattr(joins, "LETTERS_AT_ONCE", 3)
    first, second = await arrivals.running(), await arrivals.running()

    await arrivals.join(*arrivals.players)

    counts = [len(await arrivals.sent(campaign.id)) for campaign in (first, second)]
    assert counts == [3, 0]
    for campaign in (first, second):
        await arrivals.sweep(campaign.id)
        assert await arrivals.sent(campaign.id) == dict.fromkeys(arrivals.players, 1)


async def test_a_refused_letter_is_listed_and_tried_again_at_the_next_join(arrivals, settings):
    ana = arrivals.players[0]
    order = SendLetter(by=BY, player=str(ana), subject="Full")
    await delivery.send(arrivals.database, [order] * MAX_LETTERS)
    campaign = await arrivals.running()
    for _ in range(2):
        assert await arrivals.join(ana) == [ana]
        await arrivals.sweep(campaign.id)
        [refused] = await arrivals.crowd.recipients(campaign.id)
        assert (refused.state, refused.code) == ("refused", "mailbox_full")
        await arrivals.check(campaign.id)

    letter = await arrivals.database.reader.value("SELECT min(id::text)::uuid FROM letters")
    command = LetterCommand(by=BY, player=str(ana), letter_id=letter)
    await mailbox.delete.one(arrivals.database, command)
    await arrivals.join(ana)

    [done] = await arrivals.crowd.recipients(campaign.id)
    assert (done.state, done.code) == ("done", None)
    await arrivals.check(campaign.id)
    await sound(settings)


async def test_a_letter_that_was_undone_is_not_sent_again(arrivals, settings):
    ana = arrivals.players[0]
    campaign = await arrivals.running()
    await arrivals.join(ana)

    await arrivals.undo_last(ana, "mail.send")
    await arrivals.join(ana, server=1)
    await arrivals.sweep(campaign.id)

    assert await arrivals.crowd.held() == {}
    await arrivals.check(campaign.id)
    await sound(settings)


async def test_a_character_that_returns_from_its_deletion_has_one_letter(arrivals, settings):
    """Deleted after its letter, and before it."""
    ana, bo, *_ = arrivals.players
    campaign = await arrivals.running()
    await arrivals.join(ana)
    for player in (ana, bo):
        await arrivals.leave(player)
        await arrivals.delete(player)
        await arrivals.join(player)
        await arrivals.undo_last(player, "players.delete")

    await arrivals.join(ana, bo)

    assert await arrivals.sent(campaign.id) == {ana: 1, bo: 1}
    assert await arrivals.crowd.held() == {player: {"mail": 3} for player in (ana, bo)}
    await arrivals.check(campaign.id)
    await sound(settings)


async def test_a_fault_of_a_letter_keeps_nobody_out_of_the_game(arrivals, database, settings):
    """A trigger stands for a fault that nobody foresaw; the worker lists whose letter failed."""
    broken = arrivals.players[2]
    campaign = await arrivals.running()
    await arrivals.run(
        f"""
        CREATE FUNCTION fail() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN
            IF NEW.player_id = '{broken}' THEN RAISE 'broken'; END IF;
            RETURN NEW;
        END $$
        """
    )
    await arrivals.run(
        "CREATE TRIGGER fail BEFORE INSERT ON letters FOR EACH ROW EXECUTE FUNCTION fail()"
    )
    try:
        assert await arrivals.join(*arrivals.players) == arrivals.players
        assert await arrivals.sent(campaign.id) == {}
        swept = await arrivals.sweep(campaign.id)
    finally:
        await arrivals.run("DROP TRIGGER fail ON letters")
        await arrivals.run("DROP FUNCTION fail")

    assert (swept.state, swept.done, swept.refused) == ("running", 4, 1)
    [refused] = await arrivals.crowd.recipients(campaign.id, "refused")
    assert (refused.player_id, refused.code) == (broken, "internal_error")
    await arrivals.check(campaign.id)
    await arrivals.join(broken)
    assert await arrivals.sent(campaign.id) == dict.fromkeys(arrivals.players, 1)
    await sound(settings)


async def test_a_dry_run_estimates_the_members_of_now(arrivals):
    campaign = await arrivals.create(arrivals.crowd.letter(2), max_recipients=4)

    report = await arrivals.crowd.try_(campaign.id)

    assert (report.recipients, report.sampled, report.possible) == (4, 5, 5)
    assert [item.pieces for item in report.items] == [8]
    assert await arrivals.crowd.letters() == {}


@pytest.mark.parametrize(
    ("about", "field"),
    [
        ({"ends_at": None}, "endsat"),
        ({"max_recipients": 0}, "maxrecipients"),
        ({"max_recipients": 10_000_001}, "maxrecipients"),
        ({"on_join": False, "max_recipients": 5}, "maxrecipients"),
    ],
)
async def test_what_cannot_wait_for_a_join_is_refused(arrivals, about, field):
    with pytest.raises(InvalidCampaign) as refused:
        await arrivals.create(**about)

    assert refused.value.details["field"] == field


async def test_only_letters_wait_for_a_join(arrivals):
    with pytest.raises(InvalidCampaign, match="needs a letter"):
        await arrivals.create(arrivals.crowd.gift())


async def test_only_a_few_wait_for_joins_at_once(arrivals):
    made = [await arrivals.create(arrivals.crowd.letter(0)) for _ in range(MAX_ON_JOIN)]
    with pytest.raises(TooManyCampaigns):
        await arrivals.create()

    await changes.stop.one(arrivals.database, arrivals.crowd.command(made[0].id))
    await arrivals.create()


async def test_a_join_with_nothing_pending_costs_few_statements(arrivals, monkeypatch):
    """Without a lazy campaign one more than the join alone, with its letters sent three more."""
    ana: UUID = arrivals.players[0]

    async def statements(step: Any) -> int:
        count = 0

        async def work(writer: Any) -> None:
            nonlocal count
            rows, run = writer.rows, writer.run

            async def counted_rows(*args: Any) -> Any:
                nonlocal count
                count += 1
                return await rows(*args)

            async def counted_run(*args: Any) -> Any:
                nonlocal count
                count += 1
                return await run(*args)

            writer.rows, writer.run = counted_rows, counted_run
            await step(writer, [arrivals.change(ana)])

        await arrivals.database.write(work)
        return count

    await arrivals.join(ana)
    alone = await statements(presence.join)
    assert await statements(joins.join) == alone + 1
    campaign = await arrivals.running()
    await arrivals.join(ana)
    assert await arrivals.sent(campaign.id) == {ana: 1}
    assert await statements(joins.join) == alone + 3
