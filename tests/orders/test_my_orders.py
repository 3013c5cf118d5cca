"""Players' own orders, and the names that staff see, with the claims of letters."""

from uuid import uuid4

import pytest

from tests.make import make_player
from tests.orders.counter import Counter, good, letter_of, refused
from tests.security.callers import account_with

MINE = "/api/v1/me/orders"


@pytest.fixture
async def counter(client, database) -> Counter:
    return await Counter.make(client, database)


async def me_with_token(database) -> tuple[str, dict[str, str]]:
    account, token = await account_with(database)
    user = await database.reader.value("SELECT id FROM users WHERE name = $1", account)
    await make_player(database, "Me", user=user)
    return account, token


async def test_an_account_sees_what_it_receives_and_what_it_paid(counter, client, database):
    me, token = await me_with_token(database)
    await counter.put("1", character="Me")
    await counter.put("2", character="Ana", buyer=me)
    await counter.put("3", character="Ana", buyer="bo")
    await counter.put("4", character=None)

    page = good(await client.get(MINE, headers=token))

    assert [order["OrderId"] for order in page["Values"]] == ["2", "1"]
    assert page["Next"] is None
    assert page["Values"][1]["Lines"][0]["State"] == "delivered"


async def test_the_code_of_an_unclaimed_order_is_for_its_buyer(counter, client, database):
    me, token = await me_with_token(database)
    code = good(await counter.put("1", character=None, buyer=me))["ClaimCode"]

    [order] = good(await client.get(MINE, headers=token))["Values"]
    assert (order["State"], order["ClaimCode"]) == ("unclaimed", code)

    good(await client.post(f"{MINE}/claim", json={"code": code}, headers=token))
    [order] = good(await client.get(MINE, headers=token))["Values"]
    assert (order["State"], order["ClaimCode"]) == ("delivered", None)


async def test_names_of_other_accounts_stay_private(counter, client, database):
    me, token = await me_with_token(database)
    await counter.put("1", character="Me", buyer="bo")
    await counter.put("2", character="Ana", buyer=me)

    theirs, gift = good(await client.get(MINE, headers=token))["Values"]
    names = ("UserName", "BuyerName", "PlayerName")
    assert [gift[name] for name in names] == [me, None, "Me"]
    assert [theirs[name] for name in names] == [None, me, "Ana"]


async def test_the_price_of_a_gift_is_private(counter, client, database):
    me, token = await me_with_token(database)
    price = {"amount": "14.97", "currency": "EUR"}
    await counter.put("1", character="Me", buyer="bo", **price)
    await counter.put("2", character="Ana", buyer=me, **price)
    await counter.put("3", character="Me", **price)

    found = good(await client.get(MINE, headers=token))["Values"]

    prices = {order["OrderId"]: (order["Amount"], order["Currency"]) for order in found}
    assert prices == {"1": (None, None), "2": ("14.97", "EUR"), "3": ("14.97", "EUR")}


async def test_pages_of_ones_own_orders(counter, client, database):
    _, token = await me_with_token(database)
    for number in range(5):
        await counter.put(str(number), character="Me")
    first = good(await client.get(f"{MINE}?limit=3", headers=token))
    rest = good(await client.get(f"{MINE}?limit=3&cursor={first['Next']}", headers=token))
    found = [order["OrderId"] for order in first["Values"] + rest["Values"]]
    assert (found, rest["Next"]) == (["4", "3", "2", "1", "0"], None)
    unknown = await client.get(f"{MINE}?cursor={uuid4()}", headers=token)
    assert refused(unknown) == (400, "invalid_query")


async def test_a_key_has_no_orders(counter, client):
    await counter.put()
    assert good(await client.get(MINE)) == {"Values": [], "Next": None}


async def test_staff_see_names_and_when_the_items_were_claimed(counter, client):
    sent = good(await counter.put(character="Ana", buyer="bo"))
    names = ("UserName", "PlayerName", "BuyerName")
    assert [sent[name] for name in names] == ["ana", "Ana", "bo"]
    [line] = sent["Lines"]
    assert (line["PlayerName"], line["ClaimedAt"]) == ("Ana", None)

    await counter.claim_letter("Ana", letter_of(sent))

    [line] = (await counter.get())["Lines"]
    assert line["ClaimedAt"] is not None
    listed = good(await client.get("/api/v1/orders?order=1"))["Values"]
    assert listed == [await counter.get()]


async def test_an_order_is_listed_by_its_id_without_the_shop(counter, client):
    await counter.put("1")
    await counter.put("11")
    found = good(await client.get("/api/v1/orders?order=1"))["Values"]
    assert [(order["Shop"], order["OrderId"]) for order in found] == [("webshop", "1")]
    assert good(await client.get("/api/v1/orders?order=1&shop=other"))["Values"] == []
