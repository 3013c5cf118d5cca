"""
Claim codes of orders, `XXXX-XXXX-XXXX`: they let a player claim an order without a receiver.

A code is an HMAC of the order's address, so each repeat of the order gets the same one and
no table has it. The table has a keyed hash of it: neither a copy of the tables nor a guess
finds a code. 60 bits, so a million open codes and a thousand guesses a second take decades.
"""

from gamekeeper.auth.secrets import Vault
from gamekeeper.core import typed_codes

LENGTH = 12
MAX_TYPED_LENGTH = 40
"""Longer text is not looked at: it cannot be a code."""


def codes_of(vault: Vault, shop: str, order_id: str) -> list[str]:
    """The codes of an order under all keys, that of the current key first."""
    made = vault.hmacs(f"order claim:{shop}/{order_id}")
    return [_spelled(int.from_bytes(each[:8], "big")) for each in made]


def hashes_of(vault: Vault, code: str) -> list[bytes]:
    """The keyed hashes by which a code is found, that of the current key first."""
    return vault.hmacs(f"order code:{code}")


def find(vault: Vault, shop: str, order_id: str, stored: bytes) -> str | None:
    """The code whose hash is stored; None if its key was removed."""
    for code in codes_of(vault, shop, order_id):
        if stored in hashes_of(vault, code):
            return code
    return None


def parse(text: str) -> str | None:
    """The code that was typed, in any letter case, with or without hyphens, or None."""
    symbols = typed_codes.read(text, MAX_TYPED_LENGTH)
    return typed_codes.hyphenated(symbols) if len(symbols) == LENGTH else None


def _spelled(number: int) -> str:
    return typed_codes.hyphenated(typed_codes.spell(number, LENGTH))
