"""
Rate limits in words: `read 6000/minute, write 100/second, list off`.

    read      look up one thing                          per credential
    list      lists, pages and searches                  per credential
    write     whatever changes something                 per credential
    sign-in   sign-in, tokens, second factors            per address, or unfinished session
    public    other calls that need no credential        per address
    register  new accounts, beside `write`               per credential and visitor's address
    reset     reset mails, beside `write`                per credential and visitor's address
"""

import re
from collections.abc import Mapping
from functools import lru_cache
from types import MappingProxyType

from msgspec import Struct

CLASSES = ("read", "list", "write", "sign-in", "public", "register", "reset")
OFF = "off"
PERIODS = {"second": 1, "minute": 60, "hour": 3600, "day": 86_400}
MAX_REQUESTS = 10_000_000
MAX_RATES_LENGTH = 200
"""Characters of the words of one key."""

FORM = re.compile(rf"({'|'.join(CLASSES)})\s+(?:([0-9]{{1,8}})\s*/\s*({'|'.join(PERIODS)})|{OFF})")

ALLOWED = (
    f"limits such as 'read 600/minute, list off', or {OFF}: of {', '.join(CLASSES)}, each with a "
    f"number from 1 to {MAX_REQUESTS:,} per {', '.join(PERIODS)}"
)

DEFAULTS = (
    "read 6000/minute, list 3000/minute, write 3000/minute, sign-in 600/minute, "
    "public 1200/minute, register 600/hour, reset 300/hour"
)
DEFAULTS_OF_KEYS = "read 20000/second, list 20000/second, write 20000/second"
"""What API keys have instead: more than one process can answer, for the operator made them."""


class Rate(Struct, frozen=True, kw_only=True):
    """So many requests of one class in so many seconds."""

    name: str
    amount: int
    seconds: int
    each: float
    """Seconds until one request is allowed again."""
    policy: bytes
    """The item of the header RateLimit-Policy."""
    remaining: str
    """The item of the header RateLimit, as far as it is always the same."""

    @classmethod
    def of(cls, name: str, amount: int, seconds: int) -> "Rate":
        return cls(
            name=name,
            amount=amount,
            seconds=seconds,
            each=seconds / amount,
            policy=f'"{name}";q={amount};w={seconds}'.encode(),
            remaining=f'"{name}";r=',
        )


Rates = Mapping[str, Rate | None]
"""By class; None: no limit. What is not named is as it was."""


class BadRates(ValueError):
    """The text is not a list of rate limits."""


@lru_cache(maxsize=1024)
def parse(words: str) -> Rates:
    """The limits that were named; raises BadRates with the part that is none."""
    if words.strip().lower() == OFF:
        return MappingProxyType(dict.fromkeys(CLASSES))
    found: dict[str, Rate | None] = {}
    for part in filter(None, map(str.strip, words.lower().split(","))):
        named = FORM.fullmatch(part)
        if named is None or named[1] in found:
            raise BadRates(part)
        found[named[1]] = _rate(part, named[1], named[2], named[3])
    return MappingProxyType(found)


def _rate(part: str, name: str, amount: str | None, period: str) -> Rate | None:
    if amount is None:
        return None
    if not 1 <= int(amount) <= MAX_REQUESTS:
        raise BadRates(part)
    return Rate.of(name, int(amount), PERIODS[period])


@lru_cache(maxsize=10_000)
def stored(words: str) -> Rates:
    """The limits of a key. A newer version may have stored words that this one lacks."""
    found: dict[str, Rate | None] = {}
    for part in words.split(","):
        try:
            found.update(parse(part))
        except BadRates:
            continue
    return MappingProxyType(found)


def is_right(words: str) -> bool:
    try:
        parse(words)
    except BadRates:
        return False
    return True
