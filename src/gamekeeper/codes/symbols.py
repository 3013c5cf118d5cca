"""
Symbols of a redeem code, `PREFIX-XXXX-XXXX-XXXX-CC`: twelve random ones, then two check symbols.

The fourteen symbols are a number in base 32, the first symbol the lowest. The check symbols make
it a multiple of 1021, the largest prime below 32²: so each wrong symbol and each two symbols that
were swapped are noticed before the code is looked up. The prefix is for people, and is not read.
"""

import secrets
from collections.abc import Iterator
from uuid import UUID

from gamekeeper.auth.secrets import Vault
from gamekeeper.core import typed_codes
from gamekeeper.core.typed_codes import BITS

LENGTH = 12
CHECK_LENGTH = 2
MODULUS = 1021
MAX_TYPED_LENGTH = 80
"""Longer text is not looked at: it cannot be a code."""

NO_CODE = ""
"""Stands for what cannot be a code: it is looked up like one, so that both take as long."""

_RANDOM_BITS = BITS * LENGTH
_SHIFT = pow(1 << _RANDOM_BITS, -1, MODULUS)


def new_codes(count: int) -> Iterator[str]:
    """Random codes without hyphens and prefix, 60 bits each."""
    for _ in range(count):
        yield with_check(secrets.randbits(_RANDOM_BITS))


def with_check(number: int) -> str:
    """The symbols of a number of 60 bits, with their check symbols."""
    check = -number * _SHIFT % MODULUS
    return typed_codes.spell(number | check << _RANDOM_BITS, LENGTH + CHECK_LENGTH)


def written(code: str, prefix: str | None) -> str:
    """A code as it is handed out: in groups, after its prefix."""
    return f"{prefix}-{typed_codes.hyphenated(code)}" if prefix else typed_codes.hyphenated(code)


def parse(text: str) -> str:
    """The code that was typed, in any letter case, with or without hyphens, or NO_CODE."""
    if len(text) > MAX_TYPED_LENGTH:
        return NO_CODE
    # Only the end is read: a prefix may have symbols that no code has.
    kept = "".join(text.upper().translate(typed_codes.MISREAD).split())
    symbols = typed_codes.read(kept[-LENGTH - CHECK_LENGTH :], MAX_TYPED_LENGTH)
    is_whole = len(symbols) == LENGTH + CHECK_LENGTH
    return symbols if is_whole and _number(symbols) % MODULUS == 0 else NO_CODE


def hashes_of(vault: Vault, code: str) -> tuple[UUID, ...]:
    """The keyed hashes by which a code is found, that of the current key first."""
    return tuple(UUID(bytes=found[:16]) for found in vault.hmacs(f"redeem code:{code}"))


def typed_hashes(vault: Vault, text: str) -> tuple[UUID, ...]:
    """The keyed hashes of the code that was typed; of no code, hashes that no code has."""
    return hashes_of(vault, parse(text))


def _number(symbols: str) -> int:
    return sum(typed_codes.VALUES[symbol] << BITS * place for place, symbol in enumerate(symbols))
