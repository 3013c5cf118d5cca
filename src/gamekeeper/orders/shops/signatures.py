"""
Signatures of webhooks that shops send: HMAC-SHA256 over the raw body, compared in constant time.

Each shop has its own form. Where a form has a timestamp, an old one is refused, so a recorded
request cannot be sent again later; Tebex has none, and there the order's own id makes a
repeat harmless.
"""

import hashlib
import hmac
from base64 import b64decode, b64encode
from collections.abc import Callable, Iterable, Mapping, Sequence

TOLERANCE_SECONDS = 300

Check = Callable[[Sequence[str], Mapping[str, str], bytes, float], bool]
"""Whether one of the secrets signed the body; takes secrets, headers, raw body and the time."""


def is_from_tebex(
    secrets: Sequence[str], headers: Mapping[str, str], raw: bytes, _now: float
) -> bool:
    """Tebex signs the hexadecimal text of the body's SHA-256, not the body."""
    signed = hashlib.sha256(raw).hexdigest().encode()
    expected = [hmac.new(_bytes(secret), signed, "sha256").hexdigest() for secret in secrets]
    return _matches(expected, [headers.get("x-signature", "").lower()])


def is_from_stripe(
    secrets: Sequence[str], headers: Mapping[str, str], raw: bytes, now: float
) -> bool:
    """`t=1700000000,v1=…`, with several v1 while a secret is rotated."""
    parts = [part.partition("=") for part in headers.get("stripe-signature", "").split(",")]
    times = [value for name, _, value in parts if name.strip() == "t"]
    if len(times) != 1 or not _is_recent(times[0], now):
        return False
    signed = times[0].encode() + b"." + raw
    expected = [hmac.new(_bytes(secret), signed, "sha256").hexdigest() for secret in secrets]
    return _matches(expected, [value for name, _, value in parts if name.strip() == "v1"])


def is_from_own_shop(
    secrets: Sequence[str], headers: Mapping[str, str], raw: bytes, now: float
) -> bool:
    """Standard Webhooks 1.0, the form of our own webhooks: libraries exist in many languages."""
    message, time = headers.get("webhook-id", ""), headers.get("webhook-timestamp", "")
    if not message or not _is_recent(time, now):
        return False
    signed = f"{message}.{time}.".encode() + raw
    expected = [
        "v1," + b64encode(hmac.digest(_own_key(secret), signed, "sha256")).decode()
        for secret in secrets
    ]
    return _matches(expected, headers.get("webhook-signature", "").split())


def _own_key(secret: str) -> bytes:
    """Secrets of this standard are base64 after their prefix; any other text is itself the key."""
    if not secret.startswith("whsec_"):
        return _bytes(secret)
    try:
        return b64decode(secret.removeprefix("whsec_"), validate=True)
    except ValueError:
        return _bytes(secret)


def _is_recent(text: str, now: float) -> bool:
    is_number = text.isascii() and text.isdecimal() and len(text) <= 12
    return is_number and abs(now - int(text)) <= TOLERANCE_SECONDS


def _matches(expected: Iterable[str], sent: Sequence[str]) -> bool:
    # Every pair is compared: the time must not depend on which one matches.
    found = [
        hmac.compare_digest(_bytes(right), _bytes(given)) for right in expected for given in sent
    ]
    return any(found)


def _bytes(text: str) -> bytes:
    return text.encode("utf-8", "surrogateescape")
