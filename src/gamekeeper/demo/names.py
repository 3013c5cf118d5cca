"""
Names that can be spoken, as many as there are players, and no two alike.

A name is a number written in syllables. Each syllable is consonants and then
vowels, and only the last may close with a consonant, so a name can be taken
apart in one way only: different numbers give different names. A walk over the
numbers with a stride that shares no divisor with their count meets each once.
"""

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
# A few names are not ASCII, as in any real game.
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

# Syllables know nothing; these nobody wants to be called.
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
    """A name and the key it is found by, both ready to be stored."""

    name: bytes
    key: bytes


class Walk:
    """All pairs of a first and a second part, each met once, in an order that looks random."""

    def __init__(self, seed: int, kind: str, first: list[str], second: list[str]) -> None:
        # Folding the parts once is folding the names: no letter of ours changes because
        # of the one beside it.
        self.first = [Name(part.encode(), names.fold(part).encode()) for part in first]
        self.second = [Name(part.encode(), names.fold(part).encode()) for part in second]
        self.size = len(first) * len(second)
        self.start = int.from_bytes(dice.noise(seed, kind, 0, 8), "big") % self.size
        # Near the golden section neighbours are far apart, in the first part and in the second.
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
    """The characters' and the accounts' names of one world, each with its key, as stored."""

    def __init__(self, seed: int) -> None:
        short = Walk(seed, "short names", _SHORT, _SPACED)
        long = Walk(seed, "long names", _LONG_STEMS, _ENDS)
        split = Walk(seed, "split names", _SPLIT_STEMS, _ENDS)
        counted = Walk(seed, "counted names", _SHORT, _NUMBERS[:90])
        self._full = Walk(seed, "full names", _LONG_STEMS, _FULL_ENDS)
        self.account = Walk(seed, "handles", _HANDLES, _NUMBERS)
        # Of sixteen characters so many are named in each way.
        kinds = [long, short, long, counted, long, short, long, split]
        kinds += [long, short, long, self._full, long, short, long, counted]
        self._kinds = [
            (kind, kinds.count(kind), kinds[:place].count(kind)) for place, kind in enumerate(kinds)
        ]

    def character(self, number: int) -> tuple[bytes, bytes]:
        kind, share, offset = self._kinds[number & 15]
        within = (number >> 4) * share + offset
        # Full names are numbered by the character itself, so that in a very large
        # world they can take over where another kind is used up.
        if kind is self._full or within >= kind.size:
            return self._full(number)
        return kind(within)

    @property
    def room(self) -> int:
        """For how many characters there are names."""
        return min(self._full.size, self.account.size)
