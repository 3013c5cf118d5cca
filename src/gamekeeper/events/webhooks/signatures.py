"""Webhook signatures (HMAC-SHA256, Standard Webhooks 1.0), which authenticate the sender."""

import hmac
import secrets
from base64 import b64decode, b64encode
from collections.abc import Sequence

from gamekeeper.core.settings import Hidden

PREFIX = "whsec_"
BYTES = 32


def new_secret() -> Hidden:
    return Hidden(PREFIX + b64encode(secrets.token_bytes(BYTES)).decode())


def headers(
    secrets: Sequence[str], message: str, timestamp: int, body: bytes
) -> list[tuple[str, str]]:
    """The headers for `body`; during a secret rotation, with both signatures."""
    signed = f"{message}.{timestamp}.".encode() + body
    return [
        ("webhook-id", message),
        ("webhook-timestamp", str(timestamp)),
        ("webhook-signature", " ".join(_signature(secret, signed) for secret in secrets)),
    ]


def _signature(secret: str, signed: bytes) -> str:
    key = b64decode(secret.removeprefix(PREFIX))
    return "v1," + b64encode(hmac.digest(key, signed, "sha256")).decode()
