"""
Credentials (API keys, access and refresh tokens): random strings, stored as SHA-256 only.

The prefix is `gk_` for an API key, `gka_` for an access token, `gkr_` for a refresh
token. 256 random bits and a checksum follow, so secret scanners recognise our
credentials, and we reject malformed ones without a database query.
"""

import secrets
import zlib
from hashlib import sha256
from typing import Literal

from gamekeeper.core.settings import Hidden

Kind = Literal["gk", "gka", "gkr"]


def new_credential(kind: Kind) -> Hidden:
    body = f"{kind}_{secrets.token_urlsafe(32)}"
    return Hidden(body + _checksum(body))


def kind_of(credential: str) -> Kind | None:
    """Return the kind that the prefix names, or None if the checksum is wrong."""
    kind, mark, _ = credential.partition("_")
    well_formed = len(credential) < 100 and credential.isascii() and mark
    if not well_formed or not secrets.compare_digest(_checksum(credential[:-6]), credential[-6:]):
        return None
    match kind:
        case "gk" | "gka" | "gkr":
            return kind
        case _:
            return None


def digest(credential: str) -> bytes:
    """Return the stored hash. No salt and no key stretching: 256 random bits need neither."""
    return sha256(credential.encode()).digest()


def _checksum(body: str) -> str:
    return f"{zlib.crc32(body.encode()):08x}"[:6]
