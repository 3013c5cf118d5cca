"""Players' own letters, with the token of their account."""

from uuid import uuid4

import pytest

from gamekeeper.players.mailbox.records import Letter
from tests.mailbox.post import Post, sound
from tests.make import make_player
from tests.security.callers import account_with

MINE = "/api/v1/me/mailbox"


@pytest.fixture
async def post(database) -> Post:
    return await Post.make(database)


async def mine(post: Post, name: str = "Me") -> tuple[str, dict[str, str]]:
    """A character of an account without powers, and the account's token."""
    account, token = await account_with(post.database)
    user = await post.database.reader.value("SELECT id FROM users WHERE name = $1", account)
    player = await make_player(post.database, name, user=user)
    await make_player(post.database, f"{name} too", user=user)
    return str(player), token


async def letter_to(post: Post, player: str, quantity: int = 2) -> Letter:
    return await post.send(quantity, player=player, text="For you")


async def test_a_player_reads_claims_and_deletes_their_letters(client, post, settings):
    me, token = await mine(post)
    letter, other = await letter_to(post, me), await letter_to(post, "Me too", 0)
    await post.send(2)

    page = (await client.get(MINE, headers=token)).json()
    assert [one["Id"] for one in page["Values"]] == [str(other.id), str(letter.id)]
    assert page["Values"][1]["PlayerId"] == me
    one = f"{MINE}/{letter.id}"
    assert (await client.get(one, headers=token)).json() == page["Values"][1]
    assert page["Values"][1]["Text"] == "For you"
    assert (await client.delete(one, headers=token)).json()["Code"] == "letter_holds_items"
    assert (await client.post(f"{one}/read", headers=token)).json()["ReadAt"]
    assert (await client.post(f"{one}/claim", headers=token)).json()["State"] == "claimed"
    assert (await client.post(f"{one}/claim", headers=token)).json()["Code"] == "letter_closed"
    assert (await client.delete(one, headers=token)).json()["State"] == "deleted"
    assert (await client.get(one, headers=token)).json()["Code"] == "letter_not_found"
    await sound(settings)


async def test_the_letters_of_others_do_not_exist(client, post):
    _, token = await mine(post)
    theirs = await post.send(2)
    for letter in (theirs.id, uuid4()):
        one = f"{MINE}/{letter}"
        answers = [
            await client.get(one, headers=token),
            await client.post(f"{one}/claim", headers=token),
            await client.post(f"{one}/read", headers=token),
            await client.delete(one, headers=token),
        ]
        found = [(answer.status_code, answer.json()["Code"]) for answer in answers]
        assert found == [(404, "letter_not_found")] * 4
    assert (await client.get(MINE, headers=token)).json() == {"Values": [], "Next": None}
    page = await client.get(f"{MINE}?cursor={uuid4()}", headers=token)
    assert page.json()["Values"] == []
    assert (await post.held(post.bo), await post.state(theirs)) == ({"mail": 2}, "open")


async def test_a_key_has_no_letters(client, post):
    letter = await post.send(2)
    assert (await client.get(MINE)).json() == {"Values": [], "Next": None}
    answer = await client.post(f"{MINE}/{letter.id}/claim")
    assert answer.json()["Code"] == "letter_not_found"


async def test_a_repeated_claim_is_answered_as_the_first(client, post):
    me, token = await mine(post)
    letter = await letter_to(post, me)
    headers = token | {"Idempotency-Key": "claim-1"}
    first = await client.post(f"{MINE}/{letter.id}/claim", headers=headers)
    again = await client.post(f"{MINE}/{letter.id}/claim", headers=headers)
    assert (first.status_code, first.content) == (200, again.content)


async def test_pages_go_through_all_characters(client, post):
    me, token = await mine(post)
    sent = [await letter_to(post, name, 0) for name in (me, "Me too", me, "Me too", me)]
    first = (await client.get(f"{MINE}?limit=3", headers=token)).json()
    rest = (await client.get(f"{MINE}?limit=3&cursor={first['Next']}", headers=token)).json()
    found = [one["Id"] for one in first["Values"] + rest["Values"]]
    assert found == [str(letter.id) for letter in reversed(sent)]
    assert rest["Next"] is None


async def test_the_audit_log_names_the_account(client, post, database):
    me, token = await mine(post)
    letter = await letter_to(post, me)
    await client.post(f"{MINE}/{letter.id}/claim", headers=token)
    sql = "SELECT actor FROM actions WHERE kind = 'mail.claim'"
    assert (await database.reader.value(sql)).startswith("user:")
