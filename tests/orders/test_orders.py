"""Orders: stored under the shop's own id, delivered once, refunded in whole lines."""

import asyncio
import json

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

from gamekeeper.auth import keys
from gamekeeper.auth.limits import Limits
from gamekeeper.orders import retries
from gamekeeper.players import characters
from gamekeeper.players.characters import Deletion
from gamekeeper.players.mailbox.letters import LetterNotFound
from gamekeeper.players.mailbox.records import LetterHeld
from tests.make import BY, make_player, make_user
from tests.orders.counter import ORDERS, SHOPS, Counter, good, letter_of, lines, refused, sound


@pytest.fixture
async def counter(client, database) -> Counter:
    return await Counter.make(client, database)


async def test_an_order_is_a_letter_to_its_character(counter, settings):
    order = good(await counter.put(amount="9.98", currency="EUR", buyer="bo"))
    assert (order["State"], lines(order)) == ("delivered", [("delivered", None)])
    assert (order["UserId"], order["BuyerId"]) == (
        str(counter.users["ana"]),
        str(counter.users["bo"]),
    )
    assert (order["Amount"], order["Currency"], order["ClaimCode"]) == ("9.98", "EUR", None)
    assert await counter.held() == {"mail": 3, "bags": 0}
    await counter.claim_letter("Ana", letter_of(order))
    assert await counter.held() == {"mail": 0, "bags": 3}
    await sound(settings)


async def test_an_order_to_an_account_goes_to_the_character_played_last(counter, database):
    other = await make_player(database, "Cyd", user=counter.users["ana"])
    sql = "UPDATE players SET last_online = now() WHERE id = $1"
    await database.write(lambda writer: writer.run(sql, other))
    order = good(await counter.put(character=None, account="ana"))
    assert order["Lines"][0]["PlayerId"] == str(other)


async def test_the_same_order_again_gets_the_same_answer(counter, settings):
    first = good(await counter.put(amount="9.90"))
    assert good(await counter.put(amount="9.9")) == first
    together = await asyncio.gather(*(counter.put("2") for _ in range(20)))
    assert {answer.text for answer in together} == {together[0].text}
    assert await counter.held() == {"mail": 6, "bags": 0}
    await sound(settings)


async def test_a_repeat_of_an_order_or_a_refund_writes_nothing(counter):
    versions = """
        SELECT orders.xmin::text, order_lines.xmin::text AS line
          FROM orders JOIN order_lines ON order_lines.order_id = orders.id
    """
    for change in (counter.put, lambda: counter.post("1", "refund")):
        good(await change())
        before = await counter.database.reader.rows(versions)
        good(await change())
        assert await counter.database.reader.rows(versions) == before


async def test_other_content_under_the_same_id_is_refused_and_named(counter):
    good(await counter.put(amount="9.90"))
    other = await counter.put(amount="9.91", lines=[counter.line(4)])
    assert refused(other) == (409, "order_differs")
    assert other.json()["Details"]["Fields"] == ["lines", "amount"]
    assert await counter.held() == {"mail": 3, "bags": 0}


async def test_an_unknown_receiver_gets_a_claim_code_that_works_once(counter, client, settings):
    order = good(await counter.put(character="Nobody Here"))
    assert (order["State"], lines(order)) == ("unclaimed", [("waiting", "no_receiver")])
    code = order["ClaimCode"]
    assert len(code) == 14
    assert good(await counter.put(character="Nobody Here"))["ClaimCode"] == code
    stored = await counter.database.reader.value("SELECT orders::text FROM orders")
    assert code not in stored
    assigned = good(await counter.post("1", "assign", character="Bo"))
    assert (assigned["State"], assigned["ClaimCode"]) == ("delivered", None)
    assert refused(await counter.post("1", "assign", character="Ana")) == (409, "order_claimed")
    assert await counter.held("Bo") == {"mail": 3, "bags": 0}
    await sound(settings)


async def test_a_line_of_an_unknown_product_waits_until_the_product_exists(counter, settings):
    order = good(await counter.put(lines=[{"product": "pack", "quantity": 2}, counter.line()]))
    assert (order["State"], lines(order)) == (
        "waiting",
        [("waiting", "unknown_product"), ("delivered", None)],
    )
    assert await retries.deliver_waiting(counter.database) == 1
    await counter.product()
    assert await retries.deliver_waiting(counter.database) == 1
    assert await retries.deliver_waiting(counter.database) == 0
    order = await counter.get()
    assert (order["State"], lines(order)) == ("delivered", [("delivered", None)] * 2)
    assert await counter.held() == {"mail": 13, "bags": 0}
    await sound(settings)


async def test_an_account_without_characters_gets_it_with_its_first_one(counter, database):
    user = await make_user(database, name="new")
    order = good(await counter.put(character=None, account="new"))
    assert lines(order) == [("waiting", "no_character")]
    player = await make_player(database, "Newcomer", user=user)
    await retries.deliver_waiting(database)
    assert (await counter.get())["Lines"][0]["PlayerId"] == str(player)


async def test_a_waiting_order_is_delivered_when_it_is_sent_again(counter):
    line = {"product": "pack"}
    assert lines(good(await counter.put(lines=[line]))) == [("waiting", "unknown_product")]
    await counter.product()
    assert lines(good(await counter.put(lines=[line]))) == [("delivered", None)]
    assert await counter.held() == {"mail": 5, "bags": 0}


async def test_a_full_mailbox_waits_for_room(counter, database):
    for number in range(2):
        good(await counter.put(f"full-{number}", lines=[counter.line(1)] * 50))
    order = good(await counter.put())
    assert lines(order) == [("waiting", "mailbox_full")]
    await database.write(
        lambda writer: writer.run(
            "UPDATE letters SET state = 'deleted', ended_at = now()"
            " WHERE id = (SELECT min(id::text)::uuid FROM letters)"
        )
    )
    await retries.deliver_waiting(database)
    assert (await counter.get())["State"] == "delivered"


# ── Refunds ──


async def test_a_refund_takes_the_letter_back(counter, settings):
    letter = letter_of(good(await counter.put()))
    order = good(await counter.post("1", "refund"))
    assert (order["State"], lines(order)) == ("refunded", [("returned", None)])
    assert await counter.held() == {"mail": 0, "bags": 0}
    with pytest.raises(LetterNotFound):
        await counter.claim_letter("Ana", letter)
    assert good(await counter.post("1", "refund")) == order
    assert good(await counter.put())["State"] == "refunded"
    assert await counter.held() == {"mail": 0, "bags": 0}
    await sound(settings)


async def test_a_refund_takes_what_was_claimed_whole_lines_only(counter, client, settings):
    order = good(await counter.put(lines=[counter.line(3), counter.line(4)]))
    for number in (1, 2):
        await counter.claim_letter("Ana", letter_of(order, number))
    take = {"itemid": str(counter.potion), "quantity": 2}
    good(await client.post("/api/v1/players/Ana/items/take", json=take))
    order = good(await counter.post("1", "refund"))
    assert lines(order) == [("returned", None), ("lost", "claimed_and_gone")]
    assert await counter.held() == {"mail": 0, "bags": 2}
    # Once the items are there, the refund of the lost line takes them.
    give = {"itemid": str(counter.potion), "quantity": 2}
    good(await client.post("/api/v1/players/Ana/items/give", json=give))
    order = good(await counter.post("1", "refund"))
    assert lines(order) == [("returned", None)] * 2
    assert await counter.held() == {"mail": 0, "bags": 0}
    await sound(settings)


async def test_some_lines_are_refunded(counter):
    good(await counter.put(lines=[counter.line(3), counter.line(4)]))
    order = good(await counter.post("1", "refund", lines=[2]))
    assert (order["State"], lines(order)) == (
        "delivered",
        [("delivered", None), ("returned", None)],
    )
    assert await counter.held() == {"mail": 3, "bags": 0}


async def test_a_refund_before_its_order_is_remembered(counter, settings):
    early = good(await counter.post("1", "refund"))
    assert (early["State"], early["Lines"]) == ("refunded", [])
    order = good(await counter.put())
    assert (order["State"], lines(order)) == ("refunded", [("cancelled", None)])
    good(await counter.post("2", "refund", lines=[1]))
    second = good(await counter.put("2", lines=[counter.line(3), counter.line(4)]))
    assert lines(second) == [("cancelled", None), ("delivered", None)]
    assert await counter.held() == {"mail": 4, "bags": 0}
    await sound(settings)


async def test_a_refund_of_a_deleted_character_says_so(counter, database, settings):
    good(await counter.put())
    await characters.delete.one(database, Deletion(by=BY, player="Ana"))
    order = good(await counter.post("1", "refund"))
    assert lines(order) == [("lost", "character_deleted")]
    await sound(settings)


async def test_refunded_items_are_not_restored(counter, client, settings):
    order = good(await counter.put())
    await counter.claim_letter("Ana", letter_of(order))
    then = (await counter.database.reader.value("SELECT clock_timestamp()")).isoformat()
    good(await counter.post("1", "refund"))
    restored = await client.post("/api/v1/players/Ana/items/restore", json={"at": then})
    assert restored.status_code in (200, 409), restored.text
    assert await counter.held() == {"mail": 0, "bags": 0}
    await sound(settings)


# ── Disputes ──


async def test_a_dispute_holds_and_a_won_one_releases(counter, settings):
    letter = letter_of(good(await counter.put()))
    order = good(await counter.post("1", "dispute", state="open"))
    assert (order["State"], order["Dispute"]) == ("disputed", "open")
    with pytest.raises(LetterHeld):
        await counter.claim_letter("Ana", letter)
    assert await counter.held() == {"mail": 3, "bags": 0}
    assert good(await counter.post("1", "dispute", state="won"))["State"] == "delivered"
    await counter.claim_letter("Ana", letter)
    # The first verdict is final.
    assert good(await counter.post("1", "dispute", state="lost"))["Dispute"] == "won"
    assert await counter.held() == {"mail": 0, "bags": 3}
    await sound(settings)


async def test_a_lost_dispute_is_a_refund(counter):
    good(await counter.put())
    good(await counter.post("1", "dispute", state="open"))
    order = good(await counter.post("1", "dispute", state="lost"))
    assert (order["State"], lines(order)) == ("refunded", [("returned", None)])
    assert good(await counter.post("1", "dispute", state="open"))["Dispute"] == "lost"


async def test_a_dispute_before_its_order_holds_it(counter):
    assert good(await counter.post("1", "dispute", state="open"))["State"] == "disputed"
    order = good(await counter.put())
    assert (order["State"], lines(order)) == ("disputed", [("waiting", "disputed")])
    assert await counter.held() == {"mail": 0, "bags": 0}
    assert good(await counter.post("1", "dispute", state="won"))["State"] == "delivered"
    assert await counter.held() == {"mail": 3, "bags": 0}


# ── Reading ──


async def test_a_receipt_is_signed(counter, client):
    order = good(await counter.put(amount="9.98", currency="EUR"))
    await counter.claim_letter("Ana", letter_of(order))
    receipt = good(await client.get(f"{ORDERS}/webshop/1/receipt"))
    key = Ed25519PublicKey.from_public_bytes(bytes.fromhex(receipt["PublicKey"]))
    signed = b"gamekeeper receipt " + receipt["Document"].encode()
    key.verify(bytes.fromhex(receipt["Signature"]), signed)
    document = json.loads(receipt["Document"])
    [line] = document["lines"]
    assert (document["order"], line["character"], line["items"][0]["quantity"]) == ("1", "Ana", 3)
    assert line["claimed_at"] is not None


async def test_orders_are_found_by_shop_account_and_state(counter, client):
    good(await counter.put("1"))
    good(await counter.put("2", character="Bo", buyer="ana"))
    good(await counter.put("3", character="Nobody Here"))

    async def found(**query):
        values = good(await client.get(ORDERS, params=query))["Values"]
        return [order["OrderId"] for order in values]

    assert await found() == ["3", "2", "1"]
    assert await found(user="ana") == ["2", "1"]
    assert await found(state="unclaimed") == ["3"]
    assert await found(shop="webshop", order="2") == ["2"]
    assert await found(shop="tebex") == []
    page = good(await client.get(ORDERS, params={"limit": 2}))
    rest = good(await client.get(ORDERS, params={"limit": 2, "cursor": page["Next"]}))
    assert ([order["OrderId"] for order in rest["Values"]], rest["Next"]) == (["1"], None)


async def test_reconciliation_names_what_is_missing_extra_and_different(counter, client):
    for number in ("1", "2", "3"):
        good(await counter.put(number, amount="5", currency="EUR", paidat="2026-03-01T12:00:00Z"))
    good(await counter.post("3", "refund"))
    body = {
        "orders": [
            {"orderid": "1", "amount": "5.00", "currency": "EUR"},
            {"orderid": "3", "amount": "6"},
            {"orderid": "9"},
        ],
        "since": "2026-03-01T00:00:00Z",
        "until": "2026-03-02T00:00:00Z",
    }
    found = good(await client.post(f"{SHOPS}/webshop/reconcile", json=body))
    assert (found["Missing"], found["Extra"]) == (["9"], ["2"])
    assert found["Different"] == [{"OrderId": "3", "Fields": ["amount", "refunded"]}]
    assert found["Undelivered"] == []


async def test_products_are_created_replaced_and_deleted(counter, client):
    made = await counter.product()
    assert (made["Shop"], made["Product"], made["Items"][0]["Quantity"]) == ("webshop", "pack", 5)
    path = f"{SHOPS}/webshop/products"
    assert good(await client.get(path))["Total"] == 1
    unknown = {"name": "x", "items": [{"itemid": str(counter.users["ana"])}]}
    assert refused(await client.put(f"{path}/x", json=unknown)) == (400, "invalid_product")
    good(await client.delete(f"{path}/pack"))
    assert refused(await client.get(f"{path}/pack")) == (404, "product_not_found")


@pytest.mark.parametrize(
    "body",
    [
        {"lines": []},
        {"lines": [{"quantity": 1}]},
        {"lines": [{"product": "a b"}]},
        {"lines": [{"product": "a", "quantity": 0}]},
        {"account": "ana"},
        {"currency": "eur"},
        {"amount": "-1"},
    ],
)
async def test_a_malformed_order_is_refused(counter, body):
    assert refused(await counter.put(**body)) == (400, "invalid_order")
    assert await counter.database.reader.value("SELECT count(*) FROM orders") == 0


async def test_callers_with_limits_cannot_create_orders_or_products(counter, database, client):
    new = keys.NewKey(by=BY, name="limited", limits=Limits(pieces_per_day=5))
    own = {"Authorization": f"Bearer {await keys.create.one(database, new)}"}
    body = {"character": "Ana", "lines": [counter.line()]}
    put = await client.put(f"{ORDERS}/webshop/1", json=body, headers=own)
    assert refused(put) == (403, "orders_need_no_limits")
    items = {"name": "x", "items": [{"itemid": str(counter.potion)}]}
    made = await client.put(f"{SHOPS}/webshop/products/x", json=items, headers=own)
    assert refused(made) == (403, "orders_need_no_limits")


@pytest.mark.parametrize("rest", ["", "/receipt"])
async def test_an_address_that_no_order_can_have_is_not_found(client, rest):
    for shop, order in (("%00", "1"), ("shop", "%00"), ("Shop", "1")):
        answer = await client.get(f"/api/v1/orders/{shop}/{order}{rest}")
        assert (answer.status_code, answer.json()["Code"]) == (404, "order_not_found")
    body = {"character": "Ana"}
    answer = await client.post("/api/v1/orders/%00/1/assign", json=body)
    assert (answer.status_code, answer.json()["Code"]) == (404, "order_not_found")
    assert (await client.get("/api/v1/shops/%00/products")).json()["Total"] == 0
    assert (await client.get("/api/v1/shops/%00/products/a")).status_code == 404
    assert (await client.delete("/api/v1/shops/a/products/%00")).status_code == 404
