"""Claim codes: an account claims an order that has no receiver, and guesses are throttled."""

import asyncio

import pytest
from msgspec import structs

from gamekeeper.auth.secrets import Vault
from gamekeeper.core.settings import Hidden
from gamekeeper.orders import codes
from tests.make import make_player
from tests.orders.counter import Counter, good, refused
from tests.security.callers import account_with

CLAIM = "/api/v1/me/orders/claim"


@pytest.fixture
async def counter(client, database) -> Counter:
    return await Counter.make(client, database)


async def player_with_token(database, name: str):
    account, token = await account_with(database)
    user = await database.reader.value("SELECT id FROM users WHERE name = $1", account)
    return await make_player(database, name, user=user), token


async def test_a_code_gives_its_order_to_one_account(counter, client, database):
    code = good(await counter.put(character=None))["ClaimCode"]
    me, token = await player_with_token(database, "Me")
    typed = code.replace("-", "").lower()
    claimed = good(await client.post(CLAIM, json={"code": typed}, headers=token))
    assert (claimed["State"], claimed["Lines"][0]["PlayerId"]) == ("delivered", str(me))
    # A repeat by the same account, whose answer was lost, is no second delivery.
    again = good(await client.post(CLAIM, json={"code": code}, headers=token))
    assert again == claimed
    _, other = await player_with_token(database, "Other")
    answer = await client.post(CLAIM, json={"code": code}, headers=other)
    assert refused(answer) == (404, "unknown_claim_code")


async def test_many_claims_at_once_deliver_once(counter, client, database):
    code = good(await counter.put(character=None))["ClaimCode"]
    tokens = [(await player_with_token(database, f"Buyer{i}x"))[1] for i in range(6)]
    answers = await asyncio.gather(
        *(client.post(CLAIM, json={"code": code}, headers=token) for token in tokens)
    )
    assert sorted(answer.status_code for answer in answers) == [200] + [404] * 5
    assert await database.reader.value("SELECT sum(quantity) FROM letter_slots") == 3


async def test_a_code_is_claimed_only_for_ones_own_character(counter, client, database):
    code = good(await counter.put(character=None))["ClaimCode"]
    _, token = await player_with_token(database, "Me")
    stolen = {"code": code, "character": "Ana"}
    answer = await client.post(CLAIM, json=stolen, headers=token)
    assert refused(answer) == (404, "player_not_found")
    assert (await counter.get())["State"] == "unclaimed"
    own = {"code": code, "character": "Me"}
    assert good(await client.post(CLAIM, json=own, headers=token))["State"] == "delivered"


async def test_guesses_are_throttled_and_answered_alike(counter, client, database):
    _, token = await player_with_token(database, "Me")
    answers = [
        await client.post(CLAIM, json={"code": guess}, headers=token)
        for guess in ("", "x" * 5000, "0000-0000-0000", *(f"0000-0000-00{i:02}" for i in range(9)))
    ]
    codes_ = [refused(answer) for answer in answers]
    assert set(codes_[:10]) == {(404, "unknown_claim_code")}
    assert codes_[-1][0] == 429


async def test_an_api_key_has_no_account(client, counter):
    answer = await client.post(CLAIM, json={"code": "0000-0000-0000"})
    assert refused(answer) == (403, "claim_needs_account")


def test_codes_stay_valid_after_a_key_rotation(settings):
    old = Vault(settings)
    new = Vault(
        structs.replace(
            settings, password_keys=Hidden("new:" + "ab" * 32 + "," + settings.password_keys)
        )
    )
    code = codes.codes_of(old, "webshop", "1")[0]
    stored = codes.hashes_of(old, code)[0]
    assert codes.find(new, "webshop", "1", stored) == code
    assert stored in codes.hashes_of(new, code)
    assert codes.codes_of(new, "webshop", "1")[0] != code
    assert codes.parse(code.lower().replace("-", " ")) == code
    assert codes.parse("IL0O" + code[4:]) == "1100" + code[4:]
    assert codes.parse(code[:-1]) is None
