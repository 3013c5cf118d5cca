"""Mailboxes through the front door."""

from uuid import uuid4

import pytest

from tests.mailbox.post import Post, sound

API = "/api/v1/players"


@pytest.fixture
async def post(database) -> Post:
    return await Post.make(database)


def letter(post: Post, **about: object) -> dict[str, object]:
    return {
        "subject": "Hello",
        "text": "Two potions",
        "items": [{"itemid": str(post.potion), "quantity": 2}],
    } | about


async def test_a_letter_is_sent_listed_read_claimed_and_deleted(client, post, settings):
    sent = (await client.post(f"{API}/Bo/mailbox", json=letter(post))).json()
    assert (sent["State"], sent["Subject"], sent["Sender"]["Kind"]) == ("open", "Hello", "key")
    one = f"{API}/Bo/mailbox/{sent['Id']}"
    assert (await client.get(one)).json() == sent
    assert (await client.get(f"{API}/Bo/mailbox")).json() == {"Values": [sent], "Next": None}

    assert (await client.delete(one)).json()["Code"] == "letter_holds_items"
    assert (await client.post(f"{one}/read")).json()["ReadAt"]
    assert (await client.post(f"{one}/claim")).json()["State"] == "claimed"
    assert (await client.post(f"{one}/claim")).json()["Code"] == "letter_closed"
    assert (await client.delete(one)).json()["State"] == "deleted"
    assert (await client.get(one)).json()["Code"] == "letter_not_found"

    assert await post.held(post.bo) == {"inventory": 2}
    await sound(settings)


async def test_a_repeated_request_sends_one_letter(client, post):
    headers = {"Idempotency-Key": "parcel-1"}
    first = await client.post(f"{API}/Bo/mailbox", json=letter(post), headers=headers)
    again = await client.post(f"{API}/Bo/mailbox", json=letter(post), headers=headers)
    assert first.content == again.content
    assert await post.held(post.bo) == {"mail": 2}


async def test_pages_are_newest_first(client, post):
    sent = [await post.send(0, subject=f"Letter {number}") for number in range(5)]
    first = (await client.get(f"{API}/Bo/mailbox?limit=3")).json()
    rest = (await client.get(f"{API}/Bo/mailbox?limit=3&cursor={first['Next']}")).json()
    found = [one["Id"] for one in first["Values"] + rest["Values"]]
    assert found == [str(one.id) for one in reversed(sent)]
    assert rest["Next"] is None


async def test_letters_that_ended_are_listed_apart(client, post):
    withdrawn, deleted = await post.send(2), await post.send(0, subject="Read me")
    stays = await post.send(0, subject="Stays")
    await client.post(f"{API}/Bo/mailbox/{withdrawn.id}/withdraw")
    await client.delete(f"{API}/Bo/mailbox/{deleted.id}")

    there = (await client.get(f"{API}/Bo/mailbox")).json()["Values"]
    ended = (await client.get(f"{API}/Bo/mailbox?ended=true")).json()["Values"]
    assert [letter["Id"] for letter in there] == [str(stays.id)]
    assert [(letter["Id"], letter["State"]) for letter in ended] == [
        (str(deleted.id), "deleted"),
        (str(withdrawn.id), "withdrawn"),
    ]


async def test_a_letter_of_a_player_is_withdrawn_to_its_mailbox(client, post, settings):
    await post.give(post.ana, 2)
    body = letter(post, **{"from": "Ana", "onexpiry": "return"})
    sent = (await client.post(f"{API}/Bo/mailbox", json=body)).json()
    back = await client.post(f"{API}/Bo/mailbox/{sent['Id']}/withdraw")
    assert back.json()["State"] == "withdrawn"
    assert await post.held(post.ana) == {"mail": 2}
    await sound(settings)


async def test_refusals_say_what_is_wrong(client, post):
    async def code(**about: object) -> object:
        answer = await client.post(f"{API}/Bo/mailbox", json=letter(post, **about))
        return answer.json()["Code"]

    assert await code(subject="") == "invalid_letter"
    assert await code(items=[{"itemid": str(uuid4()), "quantity": 1}]) == "unknown_item"
    assert await code(items=[{"itemid": str(post.potion), "quantity": 0}]) == "invalid_quantity"
    assert await code(**{"from": "Ana"}) == "not_enough_items"
    unknown = f"{API}/Bo/mailbox/{uuid4()}"
    assert (await client.post(f"{unknown}/claim")).json()["Code"] == "letter_not_found"
    assert await post.held(post.bo) == {}
