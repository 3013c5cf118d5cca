"""Guesses of codes: limited for each account, address and caller, and answered alike."""

import pytest

from gamekeeper.codes import symbols
from tests.codes.mint import CODES, MINE, Mint, good, refused
from tests.security.callers import key_with

UNKNOWN = (404, "unknown_code")
GUESSES = [
    *("", "x" * 5000, "0000-0000-0000-01", "SPRING-", "ünïcode"),
    *(symbols.written(symbols.with_check(number), None) for number in range(8)),
]


@pytest.fixture
async def mint(client, database) -> Mint:
    return await Mint.make(client, database)


async def test_an_account_guesses_ten_times(mint, client):
    [token, other] = await mint.crowd(2)
    answers = [
        refused(await client.post(MINE, json={"code": guess}, headers=token)) for guess in GUESSES
    ]
    assert answers[:10] == [UNKNOWN] * 10
    assert {status for status, _ in answers[10:]} == {429}
    # While it waits, it cannot redeem what it knows; another account can.
    code, _ = await mint.codes()
    assert (await client.post(MINE, json={"code": code}, headers=token)).status_code == 429
    good(await client.post(MINE, json={"code": code}, headers=other))


async def test_an_address_guesses_twenty_times_with_all_its_accounts(mint, client):
    crowd = await mint.crowd(5)
    statuses = [
        (await client.post(MINE, json={"code": guess}, headers=token)).status_code
        for guess in GUESSES[:5]
        for token in crowd
    ]
    assert statuses[:20] == [404] * 20
    assert set(statuses[20:]) == {429}


async def test_a_caller_redeems_for_many_accounts_that_mistype(mint, client, database):
    """A website is one address: its visitors must not block each other."""
    headers = await key_with(database, "codes.redeem")
    await mint.crowd(8)
    statuses = [
        (await mint.redeem(guess, f"Crowd{number}x", headers)).status_code
        for guess in GUESSES[:5]
        for number in range(8)
    ]
    assert statuses == [404] * 40
    # Not how many are left: one is forgiven every 0.3 seconds.
    counted = "SELECT streak FROM guess_budgets WHERE subject LIKE 'redeem_client:key:%'"
    assert await database.reader.value(counted) == 40


async def test_codes_that_exist_are_no_guesses(mint, client):
    """However often it is tried: used up, redeemed or revoked says nothing about other codes."""
    first, second = await mint.codes()
    [token] = await mint.crowd(1)
    good(await client.post(MINE, json={"code": first}, headers=token))
    for _ in range(30):
        answer = await client.post(MINE, json={"code": second}, headers=token)
        assert refused(answer) == (409, "code_already_redeemed")


async def test_a_wrong_and_an_unknown_code_do_the_same_work(mint, client, statements):
    """Both are looked up by the same statements: the time does not tell them apart."""
    [token] = await mint.crowd(1)
    typed = {"wrong": "0000-0000-0000-01", "unknown": GUESSES[-1]}
    assert symbols.parse(typed["wrong"]) == symbols.NO_CODE != symbols.parse(typed["unknown"])
    await client.post(MINE, json={"code": "warm up"}, headers=token)
    executed = {}
    for name, code in typed.items():
        with statements() as executed[name]:
            answer = await client.post(MINE, json={"code": code}, headers=token)
        assert refused(answer) == UNKNOWN
    assert executed["wrong"] == executed["unknown"]
    assert any("FROM codes" in statement for statement in executed["wrong"])
    assert refused(await client.post(f"{CODES}/look-up", json={"code": ""})) == UNKNOWN
