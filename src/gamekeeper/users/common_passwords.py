"""
Passwords that attackers try first: those of published breaches, and words about the account.

Clients send the SHA-256 of a password, so its length is unknown here, but whether it is one
of a list is not. The list is `common_passwords.bin`, made by tools/common_passwords.py: the
first six bytes of each hash. No other host is asked.
"""

from collections.abc import Iterator
from functools import cache
from hashlib import sha256
from importlib import resources

from gamekeeper.auth.roles import BUILT_IN
from gamekeeper.core.errors import Invalid

PREFIX = 6

WORDS = ("gamekeeper", "password", "passwort", "admin", "staff", "game", "player", *BUILT_IN)
"""Words of this software and of its users; the name of the game is added to them."""

ENDINGS = ("", "1", "12", "123", "1234", "12345", "123456", "0", "01", "007", "!", "1!", "123!")
"""What people append to a word to make a password of it."""


class GuessablePassword(Invalid):
    """This password is too common. Choose one that is neither common nor a name."""


def check(field: str, secret: bytes, *words: str) -> None:
    """Refuse a common password, or one made of `words`: the names of its account and game."""
    if is_common(secret) or secret in _made_of(words):
        raise GuessablePassword(None, field=field)


def is_common(secret: bytes) -> bool:
    """Whether the password with this SHA-256 is on the list, or made of a word of ours."""
    return secret[:PREFIX] in _listed() or secret in _ours()


@cache
def _listed() -> frozenset[bytes]:
    raw = resources.files("gamekeeper.users").joinpath("common_passwords.bin").read_bytes()
    return frozenset(raw[at : at + PREFIX] for at in range(0, len(raw), PREFIX))


@cache
def _ours() -> frozenset[bytes]:
    return frozenset(_made_of(WORDS))


def _made_of(words: tuple[str, ...]) -> set[bytes]:
    return {
        sha256((spelling + ending).encode()).digest()
        for word in words
        for spelling in _spellings(word)
        for ending in ENDINGS
    }


def _spellings(word: str) -> Iterator[str]:
    """In all usual cases, without its spaces, and backwards."""
    for each in {word, "".join(word.split())}:
        yield from {each, each.lower(), each.upper(), each.capitalize(), each[::-1].lower()}
