"""
Links and codes in mails, which prove that somebody reads a mailbox.

Both are HMACs of an account and the id of a request, computed when the mail is written and again
when they are checked. So they are stored nowhere, not even in the job that sends the mail, and a
mail that is sent twice carries the same link.
"""

import binascii
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Sequence
from hmac import compare_digest
from typing import Literal
from uuid import UUID

from gamekeeper.auth.secrets import Vault

CODE_TRIES = 5
CODE_LENGTH = 8
# Without ambiguous characters.
CODE_ALPHABET = "23456789ABCDEFGHJKLMNPQRSTUVWXY"

Purpose = Literal["", "verify "]
"""What a proof is for; one for another purpose is another. Empty: a password reset."""


def link_tokens(vault: Vault, purpose: Purpose, user: UUID, request: UUID) -> list[str]:
    """The tokens under each key, the current one first."""
    return [
        urlsafe_b64encode(user.bytes + request.bytes + proof).decode()
        for proof in vault.hmacs(f"{purpose}link:{user}:{request}")
    ]


def codes(vault: Vault, purpose: Purpose, user: UUID, request: UUID) -> list[str]:
    """The codes under each key, the current one first."""
    return [_letters(proof) for proof in vault.hmacs(f"{purpose}code:{user}:{request}")]


def parse_token(token: str) -> tuple[UUID, UUID] | None:
    """The account and the request that a token names, which proves nothing; None: malformed."""
    try:
        raw = urlsafe_b64decode(token.encode("ascii"))
        return UUID(bytes=raw[:16]), UUID(bytes=raw[16:32])
    except (binascii.Error, ValueError):
        return None


def tidy(typed: str) -> str:
    """A code as people type it, without spaces and hyphens and in capitals."""
    return "".join(typed.split()).replace("-", "").upper()


def is_one_of(given: str, right: Sequence[str]) -> bool:
    """Compare in constant time."""
    return any(compare_digest(given.encode(), each.encode()) for each in right)


def _letters(proof: bytes) -> str:
    number = int.from_bytes(proof, "big")
    letters = []
    for _ in range(CODE_LENGTH):
        number, letter = divmod(number, len(CODE_ALPHABET))
        letters.append(CODE_ALPHABET[letter])
    return "".join(letters)
