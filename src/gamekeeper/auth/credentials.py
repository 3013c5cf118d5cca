"""
Credentials: random strings, of which only the SHA-256 is kept.

`gk_` begins an API key, `gka_` an access token, `gkr_` a refresh token. After
the prefix come 256 random bits and a checksum, so that a scanner for leaked
secrets can tell ours from noise, and so can we, without asking the database.
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
    """What a string claims to be, if its checksum holds."""
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
    """What is stored instead. No salt and no stretching: 256 random bits need neither."""
    return sha256(credential.encode()).digest()


def _checksum(body: str) -> str:
    return f"{zlib.crc32(body.encode()):08x}"[:6]
