"""
Credentials (API keys, tokens, session cookies): random strings, stored as SHA-256 only.

The prefix is `gk_` for an API key, `gka_` for an access token, `gkr_` for a refresh
token, `gks_` for the cookie of a browser session, `gkl_` for the code of a sign-in link. Of the
OpenID provider: `gkos_` for the cookie of a player, `gkoc_` for an authorization code, `gkoa_` for
an access token, `gkor_` for a refresh token, `gkox_` for the secret of a client. 256 random bits
and a checksum follow, so secret scanners recognise our credentials, and we reject malformed ones
without a database query.
"""

import secrets
import zlib
from base64 import urlsafe_b64decode, urlsafe_b64encode
from datetime import datetime
from hashlib import sha256
from typing import Literal
from uuid import UUID

from msgspec import Struct

from gamekeeper.core.settings import Hidden

Kind = Literal["gk", "gka", "gkr", "gks", "gkl", "gkos", "gkoc", "gkoa", "gkor", "gkox"]


class Tokens(Struct, frozen=True, kw_only=True):
    access: Hidden
    refresh: Hidden
    family_id: UUID
    issued_at: datetime
    expires_at: datetime


def new_credential(kind: Kind) -> Hidden:
    return encode(kind, secrets.token_bytes(32))


def encode(kind: Kind, raw: bytes) -> Hidden:
    """The credential of these bytes, which nobody must be able to guess."""
    body = f"{kind}_{urlsafe_b64encode(raw).decode().rstrip('=')}"
    return Hidden(body + _checksum(body))


def decode(credential: str) -> bytes | None:
    """The bytes of a credential, if it is spelled exactly as `encode` does."""
    kind = kind_of(credential)
    if kind is None:
        return None
    text = credential[len(kind) + 1 : -6]
    try:
        raw = urlsafe_b64decode(text + "=" * (-len(text) % 4))
    except ValueError:
        return None
    # Several spellings decode to the same bytes, and each has a digest of its own.
    return raw if encode(kind, raw) == credential else None


def kind_of(credential: str) -> Kind | None:
    """Return the kind that the prefix names, or None if the checksum is wrong."""
    kind, mark, _ = credential.partition("_")
    well_formed = len(credential) < 100 and credential.isascii() and mark
    if not well_formed or not secrets.compare_digest(_checksum(credential[:-6]), credential[-6:]):
        return None
    match kind:
        case "gk" | "gka" | "gkr" | "gks" | "gkl" | "gkos" | "gkoc" | "gkoa" | "gkor" | "gkox":
            return kind
        case _:
            return None


def digest(credential: str) -> bytes:
    """Return the stored hash. No salt and no key stretching: 256 random bits need neither."""
    return sha256(credential.encode()).digest()


def _checksum(body: str) -> str:
    return f"{zlib.crc32(body.encode()):08x}"[:6]
