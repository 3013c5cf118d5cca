"""Letters: what is sent is claimed once, returned or destroyed, and the ledger follows."""

import asyncio
from datetime import UTC, datetime, timedelta
from uuid import uuid4

import pytest

from gamekeeper.auth.secrets import Vault
from gamekeeper.catalog.items import UnknownItem
from gamekeeper.core.errors import Problem
from gamekeeper.players.lookup import PlayerNotFound
from gamekeeper.players.mailbox import changes, delivery, expiry
from gamekeeper.players.mailbox.drafts import InvalidLetter
from gamekeeper.players.mailbox.letters import (
    LetterClosed,
    LetterHoldsItems,
    LetterNotFound,
    LetterWithoutItems,
    MailboxFull,
)
from gamekeeper.players.mailbox.records import MAX_LETTERS, LetterItem
from gamekeeper.players.rules import InventoryFull, NotEnoughItems
from gamekeeper.users.erasure import Erasure, erase
from tests.mailbox.post import Post, sound
from tests.make import BY, make_bag_item


@pytest.fixture
async def post(database) -> Post:
    return await Post.make(database)


async def test_what_is_sent_is_claimed_once(post, settings):
    letter = await post.send(25)
    assert await post.held(post.bo) == {"mail": 25}
    await sound(settings)

    claimed = await post.claim(letter)

    assert (claimed.state, await post.state(letter)) == ("claimed", "claimed")
    assert await post.held(post.bo) == {"inventory": 25}
    with pytest.raises(LetterClosed):
        await post.claim(letter)
    assert await post.held(post.bo) == {"inventory": 25}
    await sound(settings)


async def test_twenty_claims_at_once_claim_it_once(post, settings):
    letter = await post.send(5)
    claims = [post.claim(letter) for _ in range(20)]
    done = await asyncio.gather(*claims, return_exceptions=True)
    assert sum(not isinstance(outcome, Problem) for outcome in done) == 1
    assert await post.held(post.bo) == {"inventory": 5}
    await sound(settings)


async def test_claims_in_two_processes_claim_it_once(post, settings, shared_database):
    """Each process carries out its own claims one after the other: only the lock keeps them."""
    databases = [shared_database.database(settings) for _ in range(2)]
    for _ in range(10):
        letter = await post.send(5)
        command = post.command(letter.id)
        claims = [changes.claim.one(database, command) for database in databases * 2]
        done = await asyncio.gather(*claims, return_exceptions=True)
        assert sum(not isinstance(outcome, Exception) for outcome in done) == 1
    assert await post.held(post.bo) == {"inventory": 50}
    await sound(settings)


async def test_a_full_inventory_claims_nothing(post, database, settings):
    letter = await post.send(25)
    await post.give(post.bo, 340)
    before = await database.reader.value("SELECT count(*) FROM postings")

    with pytest.raises(InventoryFull):
        await post.claim(letter)

    assert await post.held(post.bo) == {"inventory": 340, "mail": 25}
    assert await database.reader.value("SELECT count(*) FROM postings") == before
    await sound(settings)


async def test_a_player_sends_items_out_of_its_inventory(post, settings):
    await post.give(post.ana, 15)
    letter = await post.send_from_ana(12)
    assert await post.held(post.ana) == {"inventory": 3}
    assert await post.held(post.bo) == {"mail": 12}
    assert (letter.sender.kind, letter.sender.name) == ("player", "Ana")
    await sound(settings)
    with pytest.raises(NotEnoughItems):
        await post.send_from_ana(4)
    with pytest.raises(InvalidLetter):
        await post.send(1, from_player=str(post.bo))


async def test_expired_items_return_to_the_sender_or_are_destroyed(post, settings):
    await post.give(post.ana, 5)
    sent, given = await post.send_from_ana(5), await post.send(3)

    for letter in (sent, given):
        assert (await post.expire(letter.id, post.bo)).state == "expired"

    assert await post.held(post.bo) == {}
    assert await post.held(post.ana) == {"mail": 5}
    await sound(settings)
    with pytest.raises(LetterNotFound):
        await post.claim(sent)


async def test_a_letter_whose_time_has_passed_is_not_claimed(post, database):
    letter = await post.send()
    past = "UPDATE letters SET expires_at = sent_at"
    await database.write(lambda writer: writer.run(past))
    with pytest.raises(LetterClosed):
        await post.claim(letter)


async def test_the_worker_ends_letters_whose_time_has_passed(post, database, settings):
    letters = [await post.send(1) for _ in range(3)]
    past = "UPDATE letters SET expires_at = sent_at WHERE id <> $1"
    await database.write(lambda writer: writer.run(past, letters[0].id))
    assert await expiry.sweep(database, asyncio.Event()) == 2
    assert await expiry.sweep(database, asyncio.Event()) == 0
    assert await post.held(post.bo) == {"mail": 1}
    await sound(settings)


async def test_an_erasure_empties_what_a_player_wrote_to_others(post, database, settings):
    await post.give(post.ana, 5)
    letter = await post.send_from_ana(5, text="From Ana")
    sql = "SELECT user_id FROM players WHERE id = $1"
    user = await database.reader.value(sql, post.ana)
    await erase(Vault(settings)).one(database, Erasure(by=BY, user=str(user)))
    [row] = await database.reader.rows("SELECT sender_name, subject, text FROM letters")
    assert tuple(row.values()) == (None, "", "")
    await post.expire(letter.id, post.bo)
    assert await post.held(post.bo) == {}
    await sound(settings)


async def test_a_letter_that_has_time_left_does_not_expire(post):
    letter = await post.send()
    with pytest.raises(LetterClosed):
        await changes.expire.one(post.database, post.command(letter.id))
    assert await post.state(letter) == "open"


async def test_a_withdrawn_letter_returns_to_its_sender(post, settings):
    await post.give(post.ana, 5)
    await post.withdraw(await post.send_from_ana(5))
    assert (await post.held(post.bo), await post.held(post.ana)) == ({}, {"mail": 5})
    await sound(settings)


async def test_a_letter_with_items_is_not_deleted(post, settings):
    letter = await post.send()
    with pytest.raises(LetterHoldsItems):
        await changes.delete.one(post.database, post.command(letter.id))
    await post.claim(letter)
    await changes.delete.one(post.database, post.command(letter.id))
    with pytest.raises(LetterNotFound):
        await changes.delete.one(post.database, post.command(letter.id))
    await sound(settings)


async def test_a_letter_is_read_once_and_only_in_its_mailbox(post, database):
    letter = await post.send(0)
    first = await changes.mark_read.one(post.database, post.command(letter.id))
    again = await changes.mark_read.one(post.database, post.command(letter.id))
    assert first.read_at == again.read_at
    sql = "SELECT count(*) FROM actions WHERE kind = 'mail.read'"
    assert await database.reader.value(sql) == 1
    with pytest.raises(LetterNotFound):
        await changes.mark_read.one(post.database, post.command(letter.id, post.ana))
    with pytest.raises(LetterWithoutItems):
        await post.claim(letter)


async def test_bags_are_sent_and_claimed_as_bags(post, database, settings):
    satchel = await make_bag_item(database)
    item = LetterItem(item_id=satchel, quantity=2)
    letter = await post.send(0, items=(item,))
    assert len(letter.attached) == 2
    await post.claim(letter)
    assert await database.reader.value("SELECT count(*) FROM slots WHERE bag_id IS NOT NULL") == 2
    await sound(settings)
    await post.undo(await post.last("mail.claim"))
    await sound(settings)


async def test_letters_out_of_bounds_are_refused(post, database):
    now = datetime.now(UTC)
    eleven = tuple(LetterItem(item_id=post.potion, quantity=1) for _ in range(11))
    for wrong in (
        {"subject": " "},
        {"subject": "x" * 101},
        {"subject": "a\nb"},
        {"text": "x" * 2001},
        {"text": "\x1b[2J"},
        {"items": eleven},
        {"expires_at": now - timedelta(days=1)},
        {"expires_at": now + timedelta(days=366)},
    ):
        with pytest.raises(InvalidLetter):
            await post.send(**{"quantity": 0, **wrong})
    with pytest.raises(UnknownItem):
        await post.send(0, items=(LetterItem(item_id=uuid4(), quantity=1),))
    with pytest.raises(PlayerNotFound):
        await post.send(player="Nobody")
    assert await database.reader.value("SELECT count(*) FROM letters") == 0
    assert await database.reader.value("SELECT count(*) FROM postings") == 0


async def test_a_full_mailbox_takes_no_letter_but_what_returns(post, settings):
    await post.give(post.ana, 5)
    letter = await post.send_from_ana(5)
    orders = [post.letter(0, player=str(post.ana)) for _ in range(MAX_LETTERS + 1)]
    outcomes = await delivery.send(post.database, orders)
    assert [type(outcome) for outcome in outcomes].count(MailboxFull) == 1
    with pytest.raises(MailboxFull):
        await post.send(1, player=str(post.ana))

    await post.expire(letter.id, post.bo)

    assert await post.held(post.ana) == {"mail": 5}
    await sound(settings)


async def test_a_refused_letter_leaves_its_neighbours(post, settings):
    orders = [post.letter(2), post.letter(2, player="Nobody"), post.letter(2)]
    outcomes = await delivery.send(post.database, orders)
    assert [isinstance(outcome, Problem) for outcome in outcomes] == [False, True, False]
    assert await post.held(post.bo) == {"mail": 4}
    await sound(settings)


async def test_a_letter_is_written_with_the_change_of_its_caller_or_not_at_all(post, database):
    class Failed(Exception):
        pass

    async def work(writer):
        await delivery.send.one(writer, post.letter(2))
        raise Failed

    with pytest.raises(Failed):
        await database.write(work)
    assert await database.reader.value("SELECT count(*) FROM letters") == 0
    assert await post.held(post.bo) == {}


@pytest.mark.parametrize(
    "change",
    [
        "UPDATE letters SET state = 'claimed', ended_at = now()",
        "UPDATE letters SET attached = '[]'",
        "DELETE FROM letter_slots",
    ],
)
async def test_verification_finds_a_forged_letter(post, database, settings, change):
    from gamekeeper.ledger.verify_ledger import verify

    await post.send()
    await database.write(lambda writer: writer.run(change))
    found = {breach.law for breach in (await verify(settings)).breaches}
    assert found & {"letters", "slots"}


async def test_the_action_has_no_text(post, database):
    await post.send(1, subject="Secret subject", text="Secret text", by=BY)
    found = await database.reader.value("SELECT count(*) FROM actions WHERE after::text ~ 'Secret'")
    assert found == 0
