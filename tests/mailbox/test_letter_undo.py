"""Undo of letters: what is unclaimed is taken back; what was claimed, by undoing the claim."""

import pytest

from gamekeeper.history.restore import Restoration, restore
from gamekeeper.history.undo.execute import AlreadyUndone, NotUndoable, UndoConflict, Undoing, undo
from gamekeeper.players import characters
from gamekeeper.players.characters import Deletion
from gamekeeper.players.mailbox import changes
from tests.mailbox.post import Post, sound
from tests.make import BY


@pytest.fixture
async def post(database) -> Post:
    return await Post.make(database)


async def test_an_unclaimed_letter_is_taken_back_and_redone(post, settings):
    letter = await post.send(5)
    undone = await post.undo(await post.last("mail.send"))
    assert (await post.held(post.bo), await post.state(letter)) == ({}, "withdrawn")
    await sound(settings)

    await post.undo(undone)

    assert (await post.held(post.bo), await post.state(letter)) == ({"mail": 5}, "open")
    await sound(settings)
    await post.claim(letter)
    await sound(settings)


@pytest.mark.parametrize("partial", [False, True])
async def test_a_claimed_letter_is_undone_only_after_its_claim(post, settings, partial):
    letter = await post.send(5)
    await post.claim(letter)
    with pytest.raises(UndoConflict) as refused:
        await post.undo(await post.last("mail.send"), partial=partial)
    [obstacle] = refused.value.details["in_the_way"]
    assert (obstacle.what, obstacle.reason, obstacle.found) == (
        "letter",
        "changed_since",
        "claimed",
    )

    back = await post.undo(await post.last("mail.claim"))
    assert (await post.held(post.bo), await post.state(letter)) == ({"mail": 5}, "open")
    await sound(settings)
    await post.undo(back)
    assert (await post.held(post.bo), await post.state(letter)) == ({"inventory": 5}, "claimed")
    await sound(settings)


async def test_a_claim_whose_items_are_gone_is_not_undone(post, settings):
    from gamekeeper.players.items import Taking, take

    letter = await post.send(5)
    await post.claim(letter)
    order = Taking(by=BY, player=str(post.bo), item_id=post.potion, quantity=1)
    await take.one(post.database, order)
    with pytest.raises(UndoConflict):
        await post.undo(await post.last("mail.claim"))
    assert (await post.held(post.bo), await post.state(letter)) == ({"inventory": 4}, "claimed")
    await sound(settings)


async def test_a_claim_is_undone_as_its_transaction_only(post):
    await post.claim(await post.send(5))
    claim = await post.last("mail.claim")
    [outcome] = await undo(post.database, [Undoing(by=BY, action_id=claim)])
    assert isinstance(outcome, NotUndoable)
    await post.undo(claim)
    with pytest.raises(AlreadyUndone):
        await post.undo(claim)


async def test_a_letter_of_a_player_goes_back_to_its_inventory(post, settings):
    await post.give(post.ana, 5)
    letter = await post.send_from_ana(5)
    undone = await post.undo(await post.last("mail.send"))
    assert (await post.held(post.ana), await post.held(post.bo)) == ({"inventory": 5}, {})
    await sound(settings)
    await post.undo(undone)
    assert (await post.held(post.ana), await post.held(post.bo)) == ({}, {"mail": 5})
    assert await post.state(letter) == "open"
    await sound(settings)


async def test_an_expiry_is_undone(post, settings):
    await post.give(post.ana, 5)
    sent, given = await post.send_from_ana(5), await post.send(3)
    for letter in (sent, given):
        await post.expire(letter.id, post.bo)
        await post.undo(await post.last("mail.expire"))
        assert await post.state(letter) == "open"
        await sound(settings)
    assert (await post.held(post.ana), await post.held(post.bo)) == ({}, {"mail": 8})


async def test_a_deleted_letter_comes_back(post, settings):
    letter = await post.send(1)
    await post.claim(letter)
    await changes.delete.one(post.database, post.command(letter.id))
    await post.undo(await post.last("mail.delete"))
    assert await post.state(letter) == "claimed"
    await sound(settings)


async def test_a_deleted_character_comes_back_with_its_letters(post, database, settings):
    letter = await post.send(5, text="Welcome")
    await characters.delete.one(database, Deletion(by=BY, player=str(post.bo)))
    assert await database.reader.value("SELECT count(*) FROM letters") == 0
    assert await post.held(post.bo) == {}
    await sound(settings)

    await post.undo(await post.last("players.delete"))

    assert await post.held(post.bo) == {"mail": 5}
    sql = "SELECT text FROM letters WHERE id = $1"
    assert await database.reader.value(sql, letter.id) == "Welcome"
    await sound(settings)
    await post.claim(letter)
    await sound(settings)


async def test_the_creation_of_a_character_with_letters_is_not_undone(post, database):
    """It would destroy the items in its mailbox."""
    from gamekeeper.history.undo.lifecycle import _holding

    await post.send(5)
    found = await database.write(lambda writer: _holding(writer, [post.bo]))
    assert found == {post.bo}


async def test_a_restore_gives_back_what_an_expired_letter_held_once(post, settings):
    letter = await post.send(5)
    then = await post.database.reader.value("SELECT clock_timestamp()")
    order = Restoration(by=BY, player=str(post.bo), at=then)
    assert (await restore.one(post.database, order)).values == []
    await post.expire(letter.id, post.bo)

    restored = await restore.one(post.database, order)

    assert [(one.from_place, one.quantity) for one in restored.values] == [("mail", 5)]
    assert await post.held(post.bo) == {"inventory": 5}
    with pytest.raises(UndoConflict):
        await post.undo(await post.last("mail.expire"))
    assert (await restore.one(post.database, order)).values == []
    await sound(settings)
