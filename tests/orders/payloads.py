"""Webhooks as Tebex, Stripe and an own shop send them, signed with a secret."""

import hashlib
import hmac
import json
import time
from typing import Any

from gamekeeper.events.webhooks import signatures

TEBEX_SECRET = "tebex-secret-of-the-tests"
STRIPE_SECRET = "whsec_stripe_secret_of_the_tests"
OWN_SECRET = "an-own-secret-of-the-tests"


def encoded(event: dict[str, Any]) -> bytes:
    return json.dumps(event).encode()


def tebex_payment(order: str = "tbx-1", **changed: Any) -> dict[str, Any]:
    return {
        "transaction_id": order,
        "status": {"id": 1, "description": "Complete"},
        "payment_sequence": "oneoff",
        "created_at": "2026-03-14T18:22:05+00:00",
        "price": {"amount": 9.98, "currency": "EUR"},
        "price_paid": {"amount": 9.98, "currency": "EUR"},
        "customer": {
            "first_name": "Ana",
            "last_name": "Lyra",
            "email": "ana@example.com",
            "ip": "192.0.2.7",
            "username": {"id": "76561198000000001", "username": "Ana Lyra"},
        },
        "products": [{"id": 5001, "name": "Potion pack", "quantity": 2, "custom": None}],
        "custom": {"account": "ana"},
        **changed,
    }


def tebex_event(kind: str, payment: dict[str, Any] | None = None) -> dict[str, Any]:
    subject = tebex_payment() if payment is None else payment
    return {"id": f"{kind}-1", "type": kind, "date": "2026-03-14T18:22:06Z", "subject": subject}


def tebex_headers(raw: bytes, secret: str = TEBEX_SECRET) -> dict[str, str]:
    signed = hashlib.sha256(raw).hexdigest().encode()
    return {"x-signature": hmac.new(secret.encode(), signed, "sha256").hexdigest()}


def stripe_session(payment: str = "pi_1", **changed: Any) -> dict[str, Any]:
    return {
        "id": f"cs_{payment}",
        "object": "checkout.session",
        "amount_total": 998,
        "currency": "eur",
        "created": 1773512525,
        "client_reference_id": "ana",
        "payment_intent": payment,
        "payment_status": "paid",
        "metadata": {"products": "potion-pack:2"},
        **changed,
    }


def stripe_event(kind: str, found: dict[str, Any]) -> dict[str, Any]:
    return {"id": "evt_1", "object": "event", "type": kind, "data": {"object": found}}


def stripe_headers(
    raw: bytes, secret: str = STRIPE_SECRET, at: float | None = None
) -> dict[str, str]:
    sent = int(time.time() if at is None else at)
    signed = f"{sent}.".encode() + raw
    made = hmac.new(secret.encode(), signed, "sha256").hexdigest()
    return {"stripe-signature": f"t={sent},v1={made},v0=ignored"}


def own_headers(raw: bytes, secret: str = OWN_SECRET, at: float | None = None) -> dict[str, str]:
    """Signed by the code that signs our own webhooks, which takes keys in base64."""
    sent = int(time.time() if at is None else at)
    key = signatures.b64encode(secret.encode()).decode()
    return dict(signatures.headers([key], "msg_1", sent, raw))
