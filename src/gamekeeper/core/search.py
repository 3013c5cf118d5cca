"""
What a search for a name asks for, and the patterns that it becomes.

Trigram indexes answer three letters or digits in a row. Anything else, two letters or
letters outside of ASCII, is left to the index of pairs (bigrams).
"""

import re
from collections.abc import Sequence

from msgspec import Struct

from gamekeeper.core.errors import InvalidQuery
from gamekeeper.core.names import LONGEST_KEY, fold

SHORTEST = 2
SEPARATORS = " _'.@+-"
"""What words of names and emails stand between."""

SHORTEST_TYPO, LONGEST_TYPO = 4, 20
LAST_CHARACTER = "\U0010ffff"

_TRIGRAM = re.compile(r"[a-z0-9]{3}")
_WORD_BEGIN = re.compile(r"[a-z0-9]{2}")
_SPECIAL = re.compile(r"[^\w\s]|_", re.ASCII)
_WILD = re.compile(r"([\\%_])")


class Search(Struct, frozen=True):
    name: str
    """Folded, as the names are that it is compared with."""

    @classmethod
    def of(cls, asked: str | None) -> "Search | None":
        return cls.required(asked) if asked else None

    @classmethod
    def required(cls, asked: str) -> "Search":
        if not SHORTEST <= len(asked) <= LONGEST_KEY:
            raise InvalidQuery(f"'search' must have {SHORTEST} to {LONGEST_KEY} characters.")
        return cls(fold(asked))

    @property
    def bounds(self) -> tuple[str, str]:
        """The range of the prefix: the first name in it, and an end after the last."""
        return self.name, self.name + LAST_CHARACTER

    @property
    def part(self) -> str:
        """The LIKE pattern of names that contain it."""
        return f"%{_literal(self.name)}%"

    @property
    def has_trigram(self) -> bool:
        return _TRIGRAM.search(self.name) is not None

    @property
    def has_letters(self) -> bool:
        """Whether anything can resemble it; without letters or digits it has no trigrams at all."""
        return any(map(str.isalnum, self.name))

    @property
    def pairs(self) -> list[str]:
        """Its bigrams; empty for the rare letter that is folded to nothing or to one."""
        return _pairs(self.name)

    @property
    def word(self) -> str | None:
        """
        The regular expression of names in which a later word begins so.

        None if it cannot be a word, or is of several: those are rare enough to be found as a part.
        """
        if not _WORD_BEGIN.match(self.name) or " " in self.name:
            return None
        return f"[{SEPARATORS}]" + _SPECIAL.sub(r"\\\g<0>", self.name)

    def begins_word(self, name: str) -> bool:
        """Whether a word of `name` begins so."""
        place = name.find(self.name)
        while place > 0 and name[place - 1] not in SEPARATORS:
            place = name.find(self.name, place + 1)
        return place >= 0

    @property
    def typos(self) -> list["Typos"]:
        """What names contain that differ from it by one mistake, the likeliest first."""
        if not SHORTEST_TYPO <= len(self.name) <= LONGEST_TYPO:
            return []
        name, places = self.name, range(len(self.name))
        swapped = [
            (name[:place] + name[place + 1] + name[place] + name[place + 2 :],)
            for place in places[:-1]
        ]
        missing = [(name[:place], name[place:]) for place in places[1:]]
        if len(name) == SHORTEST_TYPO:
            return [Typos.of(swapped), Typos.of(missing)]
        wrong = [(name[:place], name[place + 1 :]) for place in places]
        needless = [(name[:place] + name[place + 1 :],) for place in places]
        return [Typos.of(swapped), Typos.of([*missing, *wrong]), Typos.of(needless)]


class Typos(Struct, frozen=True):
    """LIKE patterns of names with one kind of mistake put right."""

    by_trigram: list[str]
    by_pairs: list[tuple[list[str], str]]
    """Those without a trigram, with the pairs to look for."""

    @classmethod
    def of(cls, spellings: Sequence[tuple[str, ...]]) -> "Typos":
        """From the pieces around the letter that is unknown, if one is."""
        found = cls([], [])
        for pieces in dict.fromkeys(spellings):
            pattern = f"%{'_'.join(map(_literal, pieces))}%"
            if any(_TRIGRAM.search(piece) for piece in pieces):
                found.by_trigram.append(pattern)
            elif all(len(piece) > 1 for piece in pieces):
                pairs = [pair for piece in pieces for pair in _pairs(piece)]
                found.by_pairs.append((pairs, pattern))
        return found


def _pairs(text: str) -> list[str]:
    return [text[place : place + 2] for place in range(len(text) - 1)]


def _literal(text: str) -> str:
    return _WILD.sub(r"\\\1", text)
