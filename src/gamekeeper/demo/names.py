"""
Name generator: pronounceable names, unique for any number of players.

A name is a number written in syllables. Each syllable is consonants and then
vowels, and only the last may close with a consonant, so a name can be split in
one way only: different numbers give different names. A walk over the numbers with
a stride coprime to their count visits each once.
"""

from functools import cache
from math import gcd
from typing import NamedTuple

from gamekeeper.core import names
from gamekeeper.demo import dice

_ONSETS = [
    "B",
    "Br",
    "C",
    "D",
    "Dr",
    "F",
    "G",
    "Gr",
    "H",
    "J",
    "K",
    "Kr",
    "L",
    "M",
    "N",
    "P",
    "R",
    "S",
    "Sh",
    "St",
    "T",
    "Th",
    "Tr",
    "V",
    "W",
    "Z",
]
_BEGINNINGS = [*(onset + vowel for onset in _ONSETS for vowel in "aeiou"), *"AEIOU"]
_MIDDLES = [
    consonant + vowel
    for consonant in ["l", "r", "n", "v", "d", "m", "s", "th", "b", "g", "nd", "ll", "rr", "k"]
    for vowel in "aeiou"
]
_CLOSES = ["a", "an", "ar", "en", "ia", "ic", "in", "is", "or", "us"]
_LAST_CONSONANTS = ["r", "l", "n", "d", "th", "m", "s", "v", "k", "w"]
_PLAIN_ENDS = [consonant + close for consonant in _LAST_CONSONANTS for close in _CLOSES]
# A few names are not ASCII, as in real games.
_ENDS = [*_PLAIN_ENDS, "né", "lé", "rén", "dør", "mås"]
_SURNAMES = [
    "Ash",
    "Alder",
    "Amber",
    "Barrow",
    "Birch",
    "Black",
    "Blaze",
    "Bright",
    "Brook",
    "Cinder",
    "Cliff",
    "Crow",
    "Dale",
    "Dawn",
    "Drake",
    "Dusk",
    "Ember",
    "Fern",
    "Flint",
    "Fox",
    "Frost",
    "Gale",
    "Gold",
    "Grey",
    "Grove",
    "Hale",
    "Hawk",
    "Hazel",
    "Heath",
    "Holt",
    "Iron",
    "Ivy",
    "Lark",
    "Marsh",
    "Moon",
    "Moss",
    "Night",
    "Oak",
    "Otter",
    "Pike",
    "Raven",
    "Reed",
    "Ridge",
    "River",
    "Rook",
    "Rowan",
    "Sage",
    "Shade",
    "Silver",
    "Sky",
    "Snow",
    "Star",
    "Stone",
    "Storm",
    "Swift",
    "Thorn",
    "Vale",
    "Wild",
    "Winter",
    "Wolf",
]

# Blocklist: offensive words that the syllables could form.
_UNKIND = ("anus", "penis", "semen", "titis", "sadis")


def _kind(parts: list[str]) -> list[str]:
    return [part for part in parts if not part.lower().startswith(_UNKIND)]


_SHORT = _kind([begin + end for begin in _BEGINNINGS for end in _ENDS])
_LONG_STEMS = _kind([begin + middle for begin in _BEGINNINGS for middle in _MIDDLES])
_SPLIT_STEMS = [f"{begin}'{middle}" for begin in _BEGINNINGS for middle in _MIDDLES]
_SPACED = [f" {surname}" for surname in _SURNAMES]
_NUMBERS = [str(number) for number in range(10, 1000)]
_HANDLES = _kind([begin + end for begin in _BEGINNINGS for end in _PLAIN_ENDS])
_FULL_ENDS = [end + surname for end in _ENDS for surname in _SPACED]


class Name(NamedTuple):
    """A name and its lookup key, both encoded."""

    name: bytes
    key: bytes


class Walk:
    """A permutation of all pairs of a first and a second part, in pseudorandom order."""

    def __init__(self, seed: int, kind: str, first: list[str], second: list[str]) -> None:
        # Fold the parts, not every name: the folding of these letters does not depend on
        # their neighbours.
        self.first = [Name(part.encode(), names.fold(part).encode()) for part in first]
        self.second = [Name(part.encode(), names.fold(part).encode()) for part in second]
        self.size = len(first) * len(second)
        self.start = int.from_bytes(dice.noise(seed, kind, 0, 8), "big") % self.size
        # A stride near the golden ratio keeps consecutive names far apart in both parts.
        self.stride = self.size * 618 // 1000
        self.stride += len(second) * 382 // 1000 - self.stride % len(second)
        while gcd(self.stride, self.size) != 1:
            self.stride += 1

    def __call__(self, number: int) -> tuple[bytes, bytes]:
        place = (self.start + number * self.stride) % self.size
        at, further = divmod(place, len(self.second))
        name, key = self.first[at]
        last_name, last_key = self.second[further]
        return name + last_name, key + last_key


class NameGenerator:
    """The names of characters and accounts of one world, each with its key, encoded."""

    def __init__(self, seed: int) -> None:
        short = Walk(seed, "short names", _SHORT, _SPACED)
        long = Walk(seed, "long names", _LONG_STEMS, _ENDS)
        split = Walk(seed, "split names", _SPLIT_STEMS, _ENDS)
        counted = Walk(seed, "counted names", _SHORT, _NUMBERS[:90])
        self._full = Walk(seed, "full names", _LONG_STEMS, _FULL_ENDS)
        self.account = Walk(seed, "handles", _HANDLES, _NUMBERS)
        # The kinds of names of every sixteen characters.
        kinds = [long, short, long, counted, long, short, long, split]
        kinds += [long, short, long, self._full, long, short, long, counted]
        self._kinds = [
            (kind, kinds.count(kind), kinds[:place].count(kind)) for place, kind in enumerate(kinds)
        ]

    def character(self, number: int) -> tuple[bytes, bytes]:
        kind, share, offset = self._kinds[number & 15]
        within = (number >> 4) * share + offset
        # Full names use the character's own number, so that in a very large world
        # they can replace another kind that is exhausted.
        if kind is self._full or within >= kind.size:
            return self._full(number)
        return kind(within)

    @property
    def room(self) -> int:
        """The number of characters for which there are names."""
        return min(self._full.size, self.account.size)


@cache
def name_generator(seed: int) -> NameGenerator:
    """The generator of a seed; making one takes a while."""
    return NameGenerator(seed)
