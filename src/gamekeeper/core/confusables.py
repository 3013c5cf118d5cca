"""
Confusable names (homoglyphs, mixed scripts), by Unicode Technical Standard 39.

The data are Unicode's own (`unicode/security.json`, made by tools/unicode_security.py):
the characters allowed in identifiers, their scripts, and the confusables.
"""

import unicodedata
from bisect import bisect_right
from functools import cache, lru_cache
from importlib import resources
from itertools import groupby, pairwise

import msgspec
from msgspec import Struct

REMEMBERED = 4096
"""Characters whose properties are kept: names are written with few."""
MOST_MARKS = 4
"""Nonspacing marks in a row; UTS 39, section 5.4, rejects more."""

ANY = frozenset({"Zyyy", "Zinh"})
"""Common and Inherited: the scripts of characters that go with every script."""

# Scripts that are written together (UTS 39, section 5.1, augmented script sets).
TOGETHER = {
    "Hani": frozenset({"Hanb", "Jpan", "Kore"}),
    "Hira": frozenset({"Jpan"}),
    "Kana": frozenset({"Jpan"}),
    "Hang": frozenset({"Kore"}),
    "Bopo": frozenset({"Hanb"}),
}

DOT_ABOVE = "\u0307"
DOTTED = "ijl\u0131\u0237"
"""Letters that look the same with a dot above."""


class Data(Struct, frozen=True, kw_only=True):
    version: str
    allowed: list[tuple[int, int]]
    ignorable: list[tuple[int, int]]
    scripts: list[tuple[int, int, str]]
    confusables: dict[str, str]


@cache
def data() -> Data:
    """Unicode's data, loaded on first use."""
    file = resources.files("gamekeeper.core") / "unicode" / "security.json"
    return msgspec.json.decode(file.read_bytes(), type=Data)


def skeleton(text: str) -> str:
    """
    The form in which texts that look alike are equal (UTS 39, section 4).

    Letter case counts: I looks like l, and i does not.
    """
    prototypes = data().confusables
    shown = (char for char in unicodedata.normalize("NFD", text) if not is_ignorable(char))
    return unicodedata.normalize("NFD", "".join(prototypes.get(char, char) for char in shown))


def is_ignorable(char: str) -> bool:
    """Whether a character is invisible (Default_Ignorable_Code_Point)."""
    return not char.isascii() and _within(data().ignorable, ord(char))


def is_highly_restrictive(text: str) -> bool:
    """
    Whether a text has the level Highly Restrictive or better (UTS 39, section 5.2).

    All characters are allowed in identifiers and belong to one script, or to Latin and
    one of the script sets of Chinese, Japanese and Korean.
    """
    if not all(map(_is_allowed, text)):
        return False
    sets = [scripts for char in text if not (scripts := _scripts(char)) & ANY]
    others = [scripts for scripts in sets if "Latn" not in scripts]
    single = frozenset.intersection(*sets) if sets else ANY
    beside_latin = frozenset.intersection(*others) if others else ANY
    return bool(single) or bool(beside_latin & {"Hanb", "Jpan", "Kore"})


def has_odd_marks(text: str) -> bool:
    """Whether marks are stacked, doubled or hidden (UTS 39, section 5.4)."""
    chars = unicodedata.normalize("NFD", text)
    marks = [unicodedata.category(char) == "Mn" for char in chars]
    longest = max((len(list(run)) for is_mark, run in groupby(marks) if is_mark), default=0)
    doubled = any(
        first == second and marks[at] for at, (first, second) in enumerate(pairwise(chars))
    )
    hidden = any(
        second == DOT_ABOVE and skeleton(first)[-1:] in {*DOTTED}
        for first, second in pairwise(chars)
    )
    return doubled or hidden or longest > MOST_MARKS


def has_mixed_numbers(text: str) -> bool:
    """Whether the text mixes digits of several number systems (UTS 39, section 5.3)."""
    zeros = {ord(char) - unicodedata.decimal(char) for char in text if char.isdecimal()}
    return len(zeros) > 1


@lru_cache(REMEMBERED)
def _is_allowed(char: str) -> bool:
    """Whether a character may be in an identifier."""
    return _within(data().allowed, ord(char))


@lru_cache(REMEMBERED)
def _scripts(char: str) -> frozenset[str]:
    """A character's scripts, and the script sets that contain them."""
    runs = data().scripts
    at = bisect_right(runs, ord(char), key=lambda run: run[0]) - 1
    names = frozenset(runs[at][2].split())
    return names.union(*(TOGETHER.get(name, ()) for name in names))


def _within(ranges: list[tuple[int, int]], point: int) -> bool:
    at = bisect_right(ranges, point, key=lambda pair: pair[0]) - 1
    return at >= 0 and point <= ranges[at][1]
