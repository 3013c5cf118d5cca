"""Codes of sanctions, `XXXX-XXXX`: what a player quotes in an appeal."""

import secrets

from gamekeeper.core import typed_codes

LENGTH = 8
MAX_TYPED_LENGTH = 32
"""Longer text is not looked at: it cannot be a code."""


def new_code() -> str:
    """A random code: 40 bits, so nobody finds another player's sanction by guessing."""
    return spelled(secrets.randbits(typed_codes.BITS * LENGTH))


def spelled(number: int) -> str:
    """The code of a number, of which the lowest 40 bits count."""
    return typed_codes.hyphenated(typed_codes.spell(number, LENGTH))


def parse(text: str) -> str | None:
    """The code that somebody typed, in any letter case, with or without the hyphen, or None."""
    symbols = typed_codes.read(text, MAX_TYPED_LENGTH)
    return typed_codes.hyphenated(symbols) if len(symbols) == LENGTH else None
