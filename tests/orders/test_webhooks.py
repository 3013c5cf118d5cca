"""Webhooks of shops over HTTP: valid, forged, repeated, reordered and late ones."""

import itertools
import time
from collections.abc import AsyncIterator

import httpx2
import pytest

from tests.orders.counter import SHOPS, Counter, refused, sound
from tests.orders.door import counter_with_products, send, shop_door
from tests.orders.payloads import (
    stripe_event,
    stripe_session,
    tebex_event,
    tebex_payment,
)


@pytest.fixture
async def shop(settings, database) -> AsyncIterator[httpx2.AsyncClient]:
    async with shop_door(settings) as client:
        yield client


@pytest.fixture
async def counter(client, database) -> Counter:
    return await counter_with_products(client, database)


async def test_tebex_validates_its_address(shop, counter):
    answer = await send(shop, "tebex", {"id": "check-1", "type": "validation.webhook"})
    assert (answer.status_code, answer.json()) == (200, {"id": "check-1"})


async def test_a_payment_is_delivered_however_often_it_is_sent(shop, counter, settings):
    for _ in range(3):
        answer = await send(shop, "tebex", tebex_event("payment.completed"))
        assert answer.status_code == 200, answer.text
        answer = await send(
            shop, "stripe", stripe_event("checkout.session.completed", stripe_session())
        )
        assert answer.status_code == 200, answer.text
        order = {"id": "1", "account": "ana", "lines": [{"product": "pack", "quantity": 2}]}
        answer = await send(shop, "myshop", {"type": "order.paid", "order": order})
        assert answer.status_code == 200, answer.text
    assert await counter.held() == {"mail": 30, "bags": 0}
    await sound(settings)


async def test_forged_and_old_events_change_nothing(shop, counter):
    event = stripe_event("checkout.session.completed", stripe_session())
    forged = [
        await send(shop, "tebex", tebex_event("payment.completed"), secret="wrong"),
        await send(shop, "stripe", event, secret="wrong"),
        await send(shop, "stripe", event, at=time.time() - 400),
        await send(shop, "myshop", {"type": "order.paid"}, secret="wrong"),
        await shop.post(f"{SHOPS}/tebex/events", json=tebex_event("payment.completed")),
    ]
    assert {refused(answer) for answer in forged} == {(403, "shop_signature_invalid")}
    assert await counter.database.reader.value("SELECT count(*) FROM orders") == 0


async def test_without_a_secret_there_is_no_webhook(client, shop):
    event = tebex_event("payment.completed")
    assert refused(await client.post(f"{SHOPS}/tebex/events", json=event)) == (
        404,
        "shop_not_found",
    )
    assert refused(await shop.post(f"{SHOPS}/other/events", json=event)) == (404, "shop_not_found")


async def test_unknown_events_are_accepted_and_do_nothing(shop, counter):
    for name, event in (
        ("tebex", tebex_event("basket.abandoned")),
        ("stripe", stripe_event("customer.created", {"id": "cus_1"})),
        ("myshop", {"type": "order.shipped"}),
        (
            "stripe",
            stripe_event("checkout.session.completed", stripe_session(payment_status="unpaid")),
        ),
    ):
        assert (await send(shop, name, event)).status_code == 200
    assert await counter.database.reader.value("SELECT count(*) FROM orders") == 0


async def test_a_large_event_is_refused(shop, counter):
    answer = await send(shop, "tebex", {"type": "x", "subject": "x" * 300_000})
    assert answer.status_code == 413


REPORTS = {
    "paid": tebex_event("payment.completed"),
    "refunded": tebex_event("payment.refunded"),
    "opened": tebex_event("payment.dispute.opened"),
    "won": tebex_event("payment.dispute.won"),
}


@pytest.mark.parametrize("order", list(itertools.permutations(REPORTS)), ids="-".join)
async def test_events_in_any_order_end_in_the_same_state(shop, counter, order):
    for kind in [*order, *order]:
        assert (await send(shop, "tebex", REPORTS[kind])).status_code == 200
    [row] = await counter.database.reader.rows("SELECT state, dispute, is_refunded FROM orders")
    assert tuple(row) == ("refunded", "won", True)
    assert await counter.held() == {"mail": 0, "bags": 0}


async def test_a_typed_username_gives_a_stranger_nothing(shop, counter):
    payment = tebex_payment(custom=None)
    assert (await send(shop, "tebex", tebex_event("payment.completed", payment))).status_code == 200
    [row] = await counter.database.reader.rows("SELECT state, user_id FROM orders")
    assert tuple(row) == ("unclaimed", None)
    # Nothing of the buyer's name, address or network is stored.
    stored = await counter.database.reader.value("SELECT orders::text FROM orders")
    assert not any(word in stored for word in ("example.com", "Lyra", "192.0.2.7"))
    logged = await counter.database.reader.value(
        "SELECT string_agg(after::text, '') FROM actions WHERE kind LIKE 'orders.%'"
    )
    assert "Lyra" not in logged
