"""A campaign is reversed as a whole: what is left is taken back, the rest listed to the piece."""

import contextlib

import pytest

from gamekeeper.campaigns import changes, runner
from gamekeeper.campaigns.changes import CampaignReversal
from gamekeeper.campaigns.records import CampaignItem, CampaignWork
from gamekeeper.core.errors import Problem
from gamekeeper.db.database import Database, Writer
from gamekeeper.db.operations import AuditContext
from gamekeeper.history import restore
from gamekeeper.history.restore import Restoration
from gamekeeper.history.undo import execute
from gamekeeper.history.undo.execute import Undoing
from gamekeeper.players import items
from gamekeeper.players.items import Gift, Taking
from gamekeeper.players.mailbox import changes as mailbox
from gamekeeper.players.mailbox.changes import LetterCommand
from tests.campaigns.crowds import Crowd
from tests.mailbox.post import sound
from tests.make import BY, make_item


@pytest.fixture
async def crowd(database: Database) -> Crowd:
    return await Crowd.make(database)


async def claim(crowd: Crowd, player) -> None:
    letter = (await crowd.letters())[player]
    command = LetterCommand(by=BY, player=str(player), letter_id=letter)
    await mailbox.claim.one(crowd.database, command)


async def use(crowd: Crowd, player, quantity: int) -> None:
    order = Taking(by=BY, player=str(player), item_id=crowd.potion, quantity=quantity)
    await items.take.one(crowd.database, order)


async def test_unclaimed_and_claimed_letters_are_taken_back(crowd, settings):
    done = await crowd.finished(crowd.letter())
    await claim(crowd, crowd.players[0])

    after = await crowd.reversed(done.id)

    assert (after.state, after.reversed, after.kept) == ("reversed", 5, 0)
    assert await crowd.held() == {}
    await sound(settings)


async def test_what_was_claimed_and_used_is_listed_to_the_piece(crowd, settings):
    done = await crowd.finished(crowd.letter(5))
    for player in crowd.players[:2]:
        await claim(crowd, player)
    await use(crowd, crowd.players[0], 2)
    await use(crowd, crowd.players[1], 5)

    after = await crowd.reversed(done.id)

    assert (after.reversed, after.kept) == (3, 2)
    kept = {each.player_id: each.kept for each in await crowd.recipients(done.id, "kept")}
    taken = {player: [(item.wanted, item.taken) for item in kept[player]] for player in kept}
    assert taken == {crowd.players[0]: [(5, 3)], crowd.players[1]: [(5, 0)]}
    assert await crowd.held() == {}
    await sound(settings)


async def test_what_a_reversal_took_is_not_restored(crowd, database, settings):
    """One was used, so the others are taken without an undo of the claim."""
    done = await crowd.finished(crowd.letter(5))
    await claim(crowd, crowd.players[0])
    then = await database.reader.value("SELECT clock_timestamp()")
    await use(crowd, crowd.players[0], 1)
    await crowd.reversed(done.id)

    order = Restoration(by=BY, player=str(crowd.players[0]), at=then)
    with contextlib.suppress(Problem):
        await restore.restore.one(database, order)

    # What was used comes back: a restore knows nothing of campaigns.
    assert await crowd.held() == {crowd.players[0]: {"inventory": 1}}
    await sound(settings)


async def test_a_gift_that_was_used_is_taken_back_in_part(crowd, settings):
    done = await crowd.finished(crowd.gift(5))
    await use(crowd, crowd.players[0], 4)

    after = await crowd.reversed(done.id)

    assert (after.reversed, after.kept) == (4, 1)
    [kept] = await crowd.recipients(done.id, "kept")
    assert [(item.wanted, item.taken) for item in kept.kept] == [(5, 1)]
    assert await crowd.held() == {}
    await sound(settings)


async def test_a_reversal_takes_nothing_that_came_from_elsewhere(crowd, settings):
    """Two campaigns give the same; the reversal of one leaves the other's letters."""
    first = await crowd.finished(crowd.letter(2))
    await crowd.finished(crowd.gift(3))

    await crowd.reversed(first.id)

    assert await crowd.held() == {player: {"inventory": 3} for player in crowd.players}
    await sound(settings)


async def test_a_reversal_takes_no_more_than_the_campaign_gave(crowd, database, settings):
    """One item of a claimed letter was used, and of the other the player has more by now."""
    player, rock = crowd.players[0], await make_item(database, "Rock")
    gifts = [CampaignItem(item_id=crowd.potion, quantity=1), CampaignItem(item_id=rock, quantity=2)]
    done = await crowd.finished(CampaignWork(kind="letter", subject="Sorry", items=gifts))
    await claim(crowd, player)
    await use(crowd, player, 1)
    await items.give.one(database, Gift(by=BY, player=str(player), item_id=rock, quantity=4))

    await crowd.reversed(done.id)

    [kept] = await crowd.recipients(done.id, "kept")
    assert [(item.item_id, item.taken) for item in kept.kept] == [(crowd.potion, 0)]
    assert await crowd.held(rock) == {player: {"inventory": 4}}
    await sound(settings)


async def test_an_expired_letter_leaves_nothing_to_take(crowd, settings):
    done = await crowd.finished(crowd.letter())
    player = crowd.players[0]
    letter = (await crowd.letters())[player]
    sql = "UPDATE letters SET expires_at = sent_at WHERE id = $1"
    await crowd.database.write(lambda writer: writer.run(sql, letter))
    command = LetterCommand(by=BY, player=str(player), letter_id=letter)
    await mailbox.expire.one(crowd.database, command)

    after = await crowd.reversed(done.id)

    assert (after.reversed, after.kept) == (5, 0)
    assert await crowd.held() == {}
    await sound(settings)


async def test_a_letter_that_was_undone_before_is_not_kept(crowd, database, settings):
    """Staff undid it, so that nothing of it is left to take, and nothing is missing."""
    done = await crowd.finished(crowd.letter())
    sql = "SELECT id FROM actions WHERE kind = 'mail.send' AND player_id = $1"
    action = await database.reader.value(sql, crowd.players[0])
    await execute.undo.one(database, Undoing(by=BY, action_id=action))

    after = await crowd.reversed(done.id)

    assert (after.reversed, after.kept) == (5, 0)
    assert await crowd.held() == {}
    await sound(settings)


PLANS = """
    SELECT coalesce(sum(custom_plans), 0)::int AS custom,
           coalesce(sum(generic_plans), 0)::int AS kept
      FROM pg_prepared_statements WHERE statement ~ 'FROM (actions|postings)'
"""


async def test_a_batch_of_a_reversal_plans_no_query_of_the_ledger_anew(crowd, database):
    """Over all partitions of three years, that takes longer than the queries themselves."""
    done = await crowd.finished(crowd.letter())
    await changes.reverse.one(database, CampaignReversal(by=BY, campaign_id=done.id))

    async def work(writer: Writer) -> tuple[int, int]:
        [before] = await writer.rows(PLANS)
        await runner._advance(writer, done.id)
        [after] = await writer.rows(PLANS)
        return after["custom"] - before["custom"], after["kept"] - before["kept"]

    custom, kept = await database.write(work)
    assert custom == 0
    assert kept > 5
    assert (await crowd.shown(done.id)).reversed == 5


async def test_the_log_names_who_reversed_it(crowd, database):
    done = await crowd.finished(crowd.letter())
    other = AuditContext(actor="user:other", name="liv")
    await changes.reverse.one(database, CampaignReversal(by=other, campaign_id=done.id))
    after = await crowd.advanced(done.id)

    rows = await database.reader.rows("SELECT actor_name FROM actions WHERE kind = 'undo'")
    assert [row["actor_name"] for row in rows] == ["liv"] * 5
    assert after.reversed_by_name == "liv"


async def test_a_reversed_campaign_cannot_be_reversed_again(crowd):
    done = await crowd.finished(crowd.letter())
    await crowd.reversed(done.id)

    with pytest.raises(Exception, match="needs it paused or stopped or finished"):
        await crowd.reversed(done.id)


async def test_a_claim_after_the_reversal_finds_nothing(crowd):
    done = await crowd.finished(crowd.letter())
    await crowd.reversed(done.id)

    with pytest.raises(Exception, match="no letter"):
        await claim(crowd, crowd.players[0])
