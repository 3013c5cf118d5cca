"""Webhook messages, verified: signatures as Standard Webhooks 1.0 defines them."""

import hmac
import json
import time
from base64 import b64decode, b64encode
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from gamekeeper_client.errors import WebhookVerificationError
from gamekeeper_client.records import EventEntry

PREFIX = "whsec_"
VERSION = "v1"
TOLERANCE = 300.0
"""Seconds that a message may be old, and that two clocks may differ."""


@dataclass(frozen=True)
class WebhookMessage:
    """
    What the service told; `id` is the same for every attempt to tell it.

    `data` is the event; of a test that somebody asked for, it is only `{"Test": True}`.
    """

    id: str
    kind: str
    timestamp: datetime
    data: EventEntry


def verify_webhook(
    body: bytes | str, headers: Mapping[str, str], secret: str, *, tolerance: float = TOLERANCE
) -> WebhookMessage:
    """
    The message of a webhook request; raises `WebhookVerificationError` unless the service sent it.

    `body` is the body as it came, not parsed and written again. A message may arrive twice, or
    be sent again by somebody who saw it, within `tolerance` seconds: remember the `id`.
    """
    payload = body.encode() if isinstance(body, str) else body
    lower = {name.lower(): value for name, value in headers.items()}
    identity, at, signatures = (
        lower.get(f"webhook-{name}", "") for name in ("id", "timestamp", "signature")
    )
    if not (identity and at and signatures):
        raise WebhookVerificationError("a header of the signature is missing")
    signed = f"{identity}.{at}.".encode() + payload
    expected = hmac.digest(_key(secret), signed, "sha256")
    if not any(_is_signature(one, expected) for one in signatures.split(" ")):
        raise WebhookVerificationError("the signature does not match the secret")
    if not at.isascii() or not at.isdigit() or abs(time.time() - int(at)) > tolerance:
        raise WebhookVerificationError("the message is too old, or the clocks differ")
    message = json.loads(payload)
    when = datetime.fromisoformat(message["timestamp"])
    return WebhookMessage(identity, message["type"], when, EventEntry(message["data"]))


def _key(secret: str) -> bytes:
    try:
        key = b64decode(secret.removeprefix(PREFIX), validate=True)
    except ValueError:
        key = b""
    if not key:
        raise ValueError(f"a webhook's secret is {PREFIX} and base64, as `create` returned it")
    return key


def _is_signature(text: str, expected: bytes) -> bool:
    """Compare in constant time, so that a signature cannot be guessed byte by byte."""
    version, _, signature = text.partition(",")
    same = hmac.compare_digest(signature.encode(), b64encode(expected))
    return same and version == VERSION
