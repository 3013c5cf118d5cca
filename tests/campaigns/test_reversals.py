"""A campaign is reversed as a whole: what is left is taken back, the rest listed to the piece."""

import pytest

from gamekeeper.campaigns import changes
from gamekeeper.campaigns.changes import CampaignReversal
from gamekeeper.db.database import Database
from gamekeeper.db.operations import AuditContext
from gamekeeper.players import items
from gamekeeper.players.items import Taking
from gamekeeper.players.mailbox import changes as mailbox
from gamekeeper.players.mailbox.changes import LetterCommand
from tests.campaigns.crowds import Crowd
from tests.mailbox.post import sound
from tests.make import BY


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
