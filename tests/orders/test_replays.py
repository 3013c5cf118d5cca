"""
Whole conversations of shops, replayed: valid, forged, repeated, reordered and late deliveries.

Each shop reports orders of every fate. All reports are sent several times in random order, some at
once, with forgeries and recordings between them; later, when the items are claimed and used, once
more. Each order is delivered once and refunded once.
"""

import asyncio
import random
import time
from collections.abc import AsyncIterator
from typing import Any

import httpx2
import pytest
from msgspec import Struct

from gamekeeper.players import items
from gamekeeper.players.items import Taking
from tests.make import BY
from tests.orders.counter import Counter, refused, sound
from tests.orders.door import (
    PACK,
    SIGNED,
    counter_with_products,
    deliver,
    send,
    shop_door,
)
from tests.orders.payloads import (
    encoded,
    stripe_event,
    stripe_session,
    tebex_event,
    tebex_payment,
)

BOUGHT = 2 * PACK
AT_ONCE = 4
OLD_SECONDS = 400
FATES = ("paid", "refunded", "won", "lost", "refunded and won", "refunded and lost")
KEPT = ("paid", "won")


def tebex_reports(order: str, fate: str) -> list[dict[str, Any]]:
    payment = tebex_payment(order)
    kinds = ["payment.completed"]
    kinds += ["payment.refunded"] if "refunded" in fate else []
    for verdict in ("won", "lost"):
        if verdict in fate:
            kinds += ["payment.dispute.opened", f"payment.dispute.{verdict}"]
    return [tebex_event(kind, payment) for kind in kinds]


def stripe_reports(order: str, fate: str) -> list[dict[str, Any]]:
    """With the session before it was paid, and two events that say that it was."""
    charge = {"id": f"ch_{order}", "payment_intent": order, "refunded": True}
    dispute = {"id": f"dp_{order}", "charge": f"ch_{order}", "payment_intent": order}
    unpaid, paid = stripe_session(order, payment_status="unpaid"), stripe_session(order)
    found = [
        stripe_event("checkout.session.completed", unpaid),
        stripe_event("checkout.session.completed", paid),
        stripe_event("checkout.session.async_payment_succeeded", paid),
    ]
    found += [stripe_event("charge.refunded", charge)] if "refunded" in fate else []
    for verdict in ("won", "lost"):
        if verdict in fate:
            found.append(stripe_event("charge.dispute.created", dispute))
            closed = dispute | {"status": verdict}
            found.append(stripe_event("charge.dispute.closed", closed))
    return found


def own_reports(order: str, fate: str) -> list[dict[str, Any]]:
    lines = [{"product": "pack", "quantity": 2}]
    found = [{"type": "order.paid", "order": {"id": order, "account": "ana", "lines": lines}}]
    kinds = ["order.refunded"] if "refunded" in fate else []
    for verdict in ("won", "lost"):
        if verdict in fate:
            kinds += ["order.dispute_opened", f"order.dispute_{verdict}"]
    return found + [{"type": kind, "order": {"id": order}} for kind in kinds]


REPORTS = {"tebex": tebex_reports, "stripe": stripe_reports, "myshop": own_reports}


def is_payment(event: dict[str, Any]) -> bool:
    return event["type"].startswith(("payment.completed", "checkout.", "order.paid"))


class Delivery(Struct, frozen=True):
    raw: bytes
    headers: dict[str, str]
    is_valid: bool


def forgeries(shop: str, event: dict[str, Any]) -> list[Delivery]:
    """The event with signatures that are wrong, of others, of another body or too old."""
    raw, sign = encoded(event), SIGNED[shop]
    changed = raw.replace(b'"o-', b'"x-')
    assert changed != raw
    wrong = [sign(raw, secret="wrong"), sign(raw, secret=""), {}]
    wrong += [SIGNED[other](raw) for other in SIGNED if other != shop]
    # Tebex signs no time: there a recording is a repeat.
    wrong += [sign(raw, at=time.time() - OLD_SECONDS)] if shop != "tebex" else []
    found = [Delivery(raw, headers, False) for headers in wrong]
    return [*found, Delivery(changed, sign(raw), False)]


@pytest.fixture
async def door(settings, database) -> AsyncIterator[httpx2.AsyncClient]:
    async with shop_door(settings) as client:
        yield client


@pytest.fixture
async def counter(client, database) -> Counter:
    return await counter_with_products(client, database)


async def storm(door: httpx2.AsyncClient, shop: str, deliveries: list[Delivery]) -> None:
    """Send deliveries, some at once; each gets the answer that it deserves."""
    for first in range(0, len(deliveries), AT_ONCE):
        some = deliveries[first : first + AT_ONCE]
        answers = await asyncio.gather(
            *(deliver(door, shop, each.raw, each.headers) for each in some)
        )
        for each, answer in zip(some, answers, strict=True):
            if each.is_valid:
                assert answer.status_code == 200, answer.text
            else:
                assert refused(answer) == (403, "shop_signature_invalid"), each


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("shop", REPORTS)
async def test_each_order_is_delivered_once_and_refunded_once(shop, seed, door, counter, settings):
    dice = random.Random(seed)
    events = [
        event for number, fate in enumerate(FATES) for event in REPORTS[shop](f"o-{number}", fate)
    ]
    valid = [Delivery(raw, SIGNED[shop](raw), True) for raw in map(encoded, events)]
    of_each_type = {event["type"]: event for event in events}.values()
    deliveries = valid * 3 + [each for event in of_each_type for each in forgeries(shop, event)]
    dice.shuffle(deliveries)

    await storm(door, shop, deliveries)

    rows = await counter.database.reader.rows("SELECT order_id, state FROM orders")
    wanted = {
        f"o-{number}": "delivered" if fate in KEPT else "refunded"
        for number, fate in enumerate(FATES)
    }
    assert {row["order_id"]: row["state"] for row in rows} == wanted
    assert await counter.held() == {"mail": BOUGHT * len(KEPT), "bags": 0}
    assert await repeated_letters(counter) == 0
    await sound(settings)


async def repeated_letters(counter: Counter) -> int:
    """Lines for which more than one letter was sent."""
    return await counter.database.reader.value(
        """
        SELECT (SELECT count(*) FROM actions WHERE kind = 'mail.send')
               - (SELECT count(*) FROM order_lines WHERE letter_id IS NOT NULL)
        """
    )


@pytest.mark.parametrize("shop", REPORTS)
async def test_a_late_repeat_of_all_reports_changes_nothing(shop, door, counter, settings):
    """What was claimed and used is neither delivered again nor taken twice."""
    reports = [REPORTS[shop](f"o-{number}", fate) for number, fate in enumerate(FATES)]
    events = [event for found in reports for event in found]
    for event in filter(is_payment, events):
        assert (await send(door, shop, event)).status_code == 200
    for letter in await counter.database.reader.rows("SELECT id FROM letters"):
        await counter.claim_letter("Ana", letter["id"])
    for event in events:
        assert (await send(door, shop, event)).status_code == 200
    held = await counter.held()
    assert held == {"mail": 0, "bags": BOUGHT * len(KEPT)}
    player = str(counter.players["Ana"])
    taking = Taking(by=BY, player=player, item_id=counter.potion, quantity=held["bags"])
    await items.take.one(counter.database, taking)

    for event in events:
        assert (await send(door, shop, event)).status_code == 200

    assert await counter.held() == {"mail": 0, "bags": 0}
    assert await repeated_letters(counter) == 0
    await sound(settings)


@pytest.mark.parametrize("shop", ["stripe", "myshop"])
async def test_a_recorded_delivery_expires_and_a_retry_of_the_shop_does_not(shop, door, counter):
    """Shops sign each attempt anew, so that a retry after hours has a present time."""
    [event] = REPORTS[shop]("o-1", "paid")[-1:]
    raw = encoded(event)
    recorded = SIGNED[shop](raw, at=time.time() - OLD_SECONDS)

    assert refused(await deliver(door, shop, raw, recorded)) == (403, "shop_signature_invalid")
    assert (await send(door, shop, event)).status_code == 200
    assert refused(await deliver(door, shop, raw, recorded)) == (403, "shop_signature_invalid")
    assert await counter.held() == {"mail": BOUGHT, "bags": 0}
