"""Webhooks of shops: their signatures, and what is read out of them."""

import time
from decimal import Decimal
from typing import Any
from uuid import uuid4

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gamekeeper.core.errors import Problem
from gamekeeper.orders import content
from gamekeeper.orders.content import Content, InvalidOrder, OrderedItem, OrderedLine
from gamekeeper.orders.shops import own, signatures, stripe, tebex
from gamekeeper.orders.shops.events import Challenge, Disputed, Paid, Refunded
from tests.orders.payloads import (
    OWN_SECRET,
    STRIPE_SECRET,
    TEBEX_SECRET,
    encoded,
    own_headers,
    stripe_event,
    stripe_headers,
    stripe_session,
    tebex_event,
    tebex_headers,
    tebex_payment,
)

RAW = encoded(tebex_event("payment.completed"))
FORMS = {
    "tebex": (signatures.is_from_tebex, tebex_headers, TEBEX_SECRET),
    "stripe": (signatures.is_from_stripe, stripe_headers, STRIPE_SECRET),
    "own": (signatures.is_from_own_shop, own_headers, OWN_SECRET),
}


@pytest.mark.parametrize("form", FORMS)
def test_a_signature_is_valid_for_its_body_and_its_secret_only(form):
    check, headers, secret = FORMS[form]
    now = time.time()
    assert check([secret], headers(RAW), RAW, now)
    assert not check([secret], headers(RAW), RAW + b" ", now)
    assert not check(["another-secret-of-16"], headers(RAW), RAW, now)
    assert not check([secret], {}, RAW, now)
    # During a rotation both secrets are right, in any order.
    assert check(["another-secret-of-16", secret], headers(RAW), RAW, now)


@pytest.mark.parametrize("form", ["stripe", "own"])
@pytest.mark.parametrize("off", [-301, 301])
def test_an_old_or_future_timestamp_is_refused(form, off):
    check, headers, secret = FORMS[form]
    now = time.time()
    assert not check([secret], headers(RAW, at=now + off), RAW, now)
    assert check([secret], headers(RAW, at=now + off * 0.9), RAW, now)


@pytest.mark.parametrize("form", FORMS)
@given(text=st.text(st.characters(max_codepoint=255), max_size=80))
def test_any_header_is_refused_and_none_is_a_fault(form, text):
    check, headers, secret = FORMS[form]
    for name in headers(RAW):
        sent = headers(RAW) | {name: text}
        if sent != headers(RAW):
            assert check([secret], sent, RAW, time.time()) in (True, False)
            assert not check([secret], dict.fromkeys(headers(RAW), text), RAW, time.time())


def test_a_timestamp_cannot_be_replaced_by_a_newer_one():
    now = time.time()
    old = stripe_headers(RAW, at=now - 1000)["stripe-signature"]
    newer = old.replace(f"t={int(now - 1000)}", f"t={int(now)}")
    assert not signatures.is_from_stripe([STRIPE_SECRET], {"stripe-signature": newer}, RAW, now)
    both = f"t={int(now)}," + old
    assert not signatures.is_from_stripe([STRIPE_SECRET], {"stripe-signature": both}, RAW, now)


# ── Tebex ──


def test_tebex_payments_name_the_account_in_custom_and_never_a_typed_name():
    paid = tebex.read(tebex_event("payment.completed"))
    assert isinstance(paid, Paid)
    assert (paid.order_id, paid.content.account) == ("tbx-1", "ana")
    assert paid.content.lines == (OrderedLine(product="5001", quantity=2),)
    assert (paid.content.amount, paid.content.currency) == (Decimal("9.98"), "EUR")
    without = tebex.read(tebex_event("payment.completed", tebex_payment(custom=None)))
    assert isinstance(without, Paid)
    assert (without.content.account, without.content.character) == (None, None)
    gift = tebex_payment(custom={"character": "Bo", "buyer": "ana", "account": "ana"})
    given_ = tebex.read(tebex_event("payment.completed", gift))
    assert isinstance(given_, Paid)
    assert (given_.content.character, given_.content.buyer) == ("Bo", "ana")
    assert given_.content.account is None


def test_tebex_events_of_one_payment():
    assert tebex.read({"id": "check-1", "type": "validation.webhook"}) == Challenge("check-1")
    assert tebex.read(tebex_event("payment.refunded")) == Refunded("tbx-1")
    for kind, verdict in tebex.DISPUTES.items():
        assert tebex.read(tebex_event(kind)) == Disputed("tbx-1", verdict)
    for kind in ("payment.declined", "recurring-payment.started", "basket.abandoned", ""):
        assert tebex.read(tebex_event(kind)) is None


# ── Stripe ──


def test_an_unpaid_session_waits_for_its_payment():
    unpaid = stripe_session(payment_status="unpaid")
    assert stripe.read(stripe_event("checkout.session.completed", unpaid)) is None
    assert stripe.read(stripe_event("checkout.session.async_payment_failed", unpaid)) is None
    paid = stripe.read(stripe_event("checkout.session.async_payment_succeeded", stripe_session()))
    assert isinstance(paid, Paid)
    assert (paid.order_id, paid.content.account) == ("pi_1", "ana")
    assert paid.content.lines == (OrderedLine(product="potion-pack", quantity=2),)
    assert (paid.content.amount, paid.content.currency) == (Decimal("9.98"), "EUR")


@pytest.mark.parametrize(
    ("metadata", "lines"),
    [
        ({"products": "gems:3, mount"}, [("gems", 3), ("mount", 1)]),
        ({"product": "gems", "quantity": "4"}, [("gems", 4)]),
        ({"product": "gems", "quantity": "many"}, [("gems", 1)]),
        ({}, [("plink_1", 1)]),
        ({"products": "not a product:2"}, [("unknown", 2)]),
    ],
)
def test_stripe_products_are_in_the_metadata(metadata, lines):
    session = stripe_session(metadata=metadata, payment_link="plink_1")
    paid = stripe.read(stripe_event("checkout.session.completed", session))
    assert isinstance(paid, Paid)
    assert [(line.product, line.quantity) for line in paid.content.lines] == lines


def test_stripe_events_of_one_payment_have_one_order():
    free = stripe_session(payment_intent=None, payment_status="no_payment_required")
    paid = stripe.read(stripe_event("checkout.session.completed", free))
    assert isinstance(paid, Paid)
    assert paid.order_id == "cs_pi_1"
    charge = {"id": "ch_1", "payment_intent": "pi_1", "refunded": True}
    assert stripe.read(stripe_event("charge.refunded", charge)) == Refunded("pi_1")
    partly = charge | {"refunded": False}
    assert stripe.read(stripe_event("charge.refunded", partly)) is None
    dispute = {"id": "dp_1", "charge": "ch_1", "payment_intent": "pi_1"}
    assert stripe.read(stripe_event("charge.dispute.created", dispute)) == Disputed("pi_1", "open")
    for status, verdict in stripe.VERDICTS.items():
        closed = stripe.read(stripe_event("charge.dispute.closed", dispute | {"status": status}))
        assert closed == Disputed("pi_1", verdict)
    assert stripe.read(stripe_event("charge.dispute.closed", dispute)) is None
    assert stripe.read(stripe_event("customer.created", {"id": "cus_1"})) is None
    yen = stripe_session(currency="jpy", amount_total=1200)
    paid = stripe.read(stripe_event("checkout.session.completed", yen))
    assert isinstance(paid, Paid)
    assert paid.content.amount == Decimal(1200)


# ── An own shop ──


def test_events_of_an_own_shop_have_the_form_of_the_api():
    item = uuid4()
    order = {
        "id": "1001",
        "character": "Ana Lyra",
        "lines": [{"items": [{"itemId": str(item), "quantity": 3}]}],
        "amount": "9.98",
        "currency": "EUR",
    }
    paid = own.read({"type": "order.paid", "order": order})
    assert isinstance(paid, Paid)
    assert paid.content.lines == (OrderedLine(items=(OrderedItem(item_id=item, quantity=3),)),)
    refunded = own.read({"type": "order.refunded", "order": {"id": "1001", "lines": [1]}})
    assert refunded == Refunded("1001", (1,))
    for kind, verdict in own.DISPUTES.items():
        assert own.read({"type": kind, "order": {"id": "1001"}}) == Disputed("1001", verdict)
    assert own.read({"type": "order.shipped", "order": {"id": "1001"}}) is None
    with pytest.raises(InvalidOrder):
        own.read({"type": "order.paid", "order": {}})


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=9), inner),
    max_leaves=8,
)
NAMES = [
    *("id", "transaction_id", "products", "custom", "price_paid", "created_at", "lines"),
    *("metadata", "payment_intent", "amount_total", "currency", "client_reference_id"),
]
FIELDS = st.dictionaries(st.sampled_from(NAMES), JSON)


@given(found=FIELDS)
def test_any_payload_is_an_order_that_can_be_stored_or_a_refusal(found: dict[str, Any]):
    events = [
        (tebex.read, {"type": "payment.completed", "subject": found}),
        (
            stripe.read,
            stripe_event("checkout.session.completed", {"payment_status": "paid"} | found),
        ),
        (own.read, {"type": "order.paid", "order": found}),
    ]
    for read, event in events:
        try:
            paid = read(event)
        except InvalidOrder:
            continue
        assert isinstance(paid, Paid)
        refused = content.refusal("tebex", "1", paid.content)
        # Payment companies do not send an order again because we find it odd.
        assert refused is None or read is own.read
        assert refused is None or isinstance(refused, Problem)


def test_the_same_content_is_the_same_text_however_the_amount_is_written():
    lines = (OrderedLine(product="gems"),)
    one = Content(account="ana", lines=lines, amount=Decimal("9.90"), currency="EUR")
    same = Content(account="ana", lines=lines, amount=Decimal("9.9"), currency="EUR")
    other = Content(account="ana", lines=lines, amount=Decimal("9.91"), currency="USD")
    assert one.canonical == same.canonical
    assert content.differences(one, same) == []
    assert content.differences(one, other) == ["amount", "currency"]
    assert one.canonical != other.canonical
