"""Codes of sanctions, `XXXX-XXXX`: what a player quotes in an appeal."""

import secrets

ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
"""Crockford's base 32: no I, L, O and U, which people misread or that spell words."""
MISREAD = str.maketrans({"I": "1", "L": "1", "O": "0", "-": "", " ": ""})
LENGTH = 8
MAX_TYPED_LENGTH = 32
"""Longer text is not looked at: it cannot be a code."""


def new_code() -> str:
    """A random code: 40 bits, so nobody finds another player's sanction by guessing."""
    return spelled(secrets.randbits(5 * LENGTH))


def spelled(number: int) -> str:
    """The code of a number, of which the lowest 40 bits count."""
    return _hyphenated("".join(ALPHABET[number >> 5 * place & 31] for place in range(LENGTH)))


def parse(text: str) -> str | None:
    """The code that somebody typed, in any letter case, with or without the hyphen, or None."""
    letters = text.strip().upper().translate(MISREAD) if len(text) <= MAX_TYPED_LENGTH else ""
    if len(letters) != LENGTH or not set(letters) <= set(ALPHABET):
        return None
    return _hyphenated(letters)


def _hyphenated(letters: str) -> str:
    return f"{letters[:4]}-{letters[4:]}"
