"""Letters in transactions: claimed, read and sent with the rest, or not at all."""

from typing import Any
from uuid import UUID, uuid4

import pytest

from gamekeeper.history.undo.execute import UndoConflict
from gamekeeper.players.mailbox.records import Letter
from tests.mailbox.post import Post, sound

PATH = "/api/v1/transactions"


@pytest.fixture
async def post(database) -> Post:
    return await Post.make(database)


async def send(client, *moves: dict[str, Any], key: str | None = None) -> Any:
    body = {"transactions": [{"key": key or uuid4().hex, "moves": list(moves)}]}
    answer = await client.post(PATH, json=body)
    assert answer.status_code == 200, answer.text
    return answer.json()["Values"][0]


def claim(letter: Letter, player: str = "Bo", do: str = "claim") -> dict[str, Any]:
    return {"do": do, "player": player, "letterid": str(letter.id)}


def move(post: Post, quantity: int, **about: object) -> dict[str, Any]:
    return {"do": "items", "itemid": str(post.potion), "quantity": quantity} | about


def code(outcome: Any) -> str:
    return outcome["Failure"]["Code"] if outcome["Failure"] else "done"


async def undo(post: Post, outcome: Any) -> UUID:
    """Undo the transaction; the first of its undos."""
    return await post.undo(
        await post.database.reader.value(
            "SELECT id FROM actions WHERE after ->> 'transaction' = $1 LIMIT 1",
            outcome["Done"]["Id"],
        )
    )


async def test_a_claim_is_applied_once_with_the_rest(client, post, settings):
    letter = await post.send(5)
    await post.give(post.ana, 2)
    moves = [claim(letter), move(post, 2, **{"from": "Ana", "to": "Bo"})]
    first = await send(client, *moves, key="quest-1")
    again = await send(client, *moves, key="quest-1")
    assert (code(first), again["Replayed"], first["Done"]) == ("done", True, again["Done"])
    assert await post.held(post.bo) == {"inventory": 7}
    assert await post.state(letter) == "claimed"
    assert code(await send(client, claim(letter))) == "letter_closed"
    await sound(settings)


async def test_a_refused_move_claims_nothing(client, post, settings):
    letter = await post.send(5)
    refused = await send(client, claim(letter), move(post, 9, **{"from": "Ana", "to": "Bo"}))
    assert code(refused) == "not_enough_items"
    assert (await post.held(post.bo), await post.state(letter)) == ({"mail": 5}, "open")
    await sound(settings)


async def test_two_transactions_of_one_call_claim_it_once(client, post, settings):
    letter = await post.send(5)
    moves = [{"key": uuid4().hex, "moves": [claim(letter)]} for _ in range(2)]
    values = (await client.post(PATH, json={"transactions": moves})).json()["Values"]
    assert [code(value) for value in values] == ["done", "letter_closed"]
    assert await post.held(post.bo) == {"inventory": 5}
    await sound(settings)


async def test_a_claim_is_undone_with_its_transaction(client, post, settings):
    letter = await post.send(5)
    undone = await undo(post, await send(client, claim(letter)))
    assert (await post.held(post.bo), await post.state(letter)) == ({"mail": 5}, "open")
    await sound(settings)
    await post.undo(undone)
    assert (await post.held(post.bo), await post.state(letter)) == ({"inventory": 5}, "claimed")
    await sound(settings)


@pytest.mark.parametrize("had", [0, 3, 12])
async def test_items_that_are_claimed_and_passed_on_go_back_to_the_letter(
    client, post, settings, had
):
    if had:
        await post.give(post.bo, had)
    letter = await post.send(5)
    passed = await send(client, claim(letter), move(post, 5, **{"from": "Bo", "to": "Ana"}))
    assert code(passed) == "done"
    assert await post.held(post.ana) == {"inventory": 5}
    await sound(settings)
    undone = await undo(post, passed)
    there = {"inventory": had} if had else {}
    assert await post.held(post.bo) == there | {"mail": 5}
    assert (await post.held(post.ana), await post.state(letter)) == ({}, "open")
    await sound(settings)
    await post.undo(undone)
    assert (await post.held(post.ana), await post.state(letter)) == ({"inventory": 5}, "claimed")
    await sound(settings)


async def test_a_letter_is_read_and_the_undo_leaves_it_read(client, post, database, settings):
    letter, other = await post.send(5), await post.send(0)
    done = await send(client, claim(letter, do="read"), claim(other, do="read"), claim(letter))
    assert code(done) == "done"
    await undo(post, done)
    read = "SELECT count(*) FROM letters WHERE read_at IS NOT NULL"
    assert await database.reader.value(read) == 2
    assert await post.state(letter) == "open"
    await sound(settings)


async def test_letters_of_others_and_unknown_ones_are_refused(client, post):
    letter = await post.send(5)
    assert code(await send(client, claim(letter, "Ana"))) == "letter_not_found"
    assert code(await send(client, claim(letter, "Nobody"))) == "player_not_found"
    body = {"transactions": [{"key": "k", "moves": [{"do": "claim", "player": "Bo"}]}]}
    answer = (await client.post(PATH, json=body)).json()
    assert (answer["Code"], answer["Details"]["Field"]) == ("invalid_move", "letterid")


# ── New items by mail ──


@pytest.mark.parametrize(
    ("about", "held"),
    [
        ({"deliver": "mailbox"}, {"mail": 352}),
        ({"overflow": "mailbox"}, {"inventory": 350, "mail": 2}),
        ({"overflow": "mailbox", "bankoverflow": True}, {"inventory": 350, "bank": 2}),
    ],
)
async def test_new_items_go_by_mail_and_are_undone_with_the_rest(
    client, post, settings, about, held
):
    await post.give(post.ana, 1)
    done = await send(client, move(post, 352, to="Bo", **about), move(post, 1, **{"from": "Ana"}))
    assert code(done) == "done"
    assert (await post.held(post.bo), await post.held(post.ana)) == (held, {})
    await sound(settings)
    await undo(post, done)
    assert (await post.held(post.bo), await post.held(post.ana)) == ({}, {"inventory": 1})
    await sound(settings)


async def test_a_claimed_letter_keeps_its_transaction(client, post, settings):
    done = await send(client, move(post, 2, to="Bo", deliver="mailbox"))
    [letter] = (await client.get("/api/v1/players/Bo/mailbox")).json()["Values"]
    await client.post(f"/api/v1/players/Bo/mailbox/{letter['Id']}/claim")
    with pytest.raises(UndoConflict):
        await undo(post, done)
    assert await post.held(post.bo) == {"inventory": 2}
    await sound(settings)


async def test_only_new_items_for_an_inventory_go_by_mail(client, post):
    await post.give(post.ana, 5)
    for about in (
        {"from": "Ana", "to": "Bo"},
        {"to": "Bo", "toplace": "bank"},
        {"to": "Bo", "toslot": 3},
        {"from": "Ana"},
    ):
        refused = await send(client, move(post, 1, deliver="mailbox", **about))
        assert code(refused) == "invalid_move"
    assert await post.held(post.bo) == {}


async def test_transactions_without_letters_take_no_statement_more(client, post, statements):
    async def made() -> int:
        with statements() as made:
            assert code(await send(client, move(post, 1, to="Bo"))) == "done"
        return sum("letter" in sql for sql in made)

    assert await made() == 0
