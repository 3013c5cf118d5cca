"""A search among names: those that begin with it or, if none does, those that resemble it."""

from typing import LiteralString

from msgspec import Struct

from gamekeeper.core.errors import InvalidQuery
from gamekeeper.core.names import LONGEST_KEY, fold

SHORTEST = 2

# Both take the bounds of a `Search`. Beginnings are a range of the index by name; only
# resemblance needs the one by trigrams, which costs much more.
BEGINS: LiteralString = "name_key >= $1 AND name_key < $2"
RESEMBLES: LiteralString = "name_key % $1 AND $2::text IS NOT NULL"

LAST_CHARACTER = "\U0010ffff"


class Search(Struct, frozen=True):
    name: str

    @classmethod
    def of(cls, asked: str | None) -> "Search | None":
        if not asked:
            return None
        if not SHORTEST <= len(asked) <= LONGEST_KEY:
            raise InvalidQuery(f"'search' must have {SHORTEST} to {LONGEST_KEY} characters.")
        return cls(fold(asked))

    @property
    def bounds(self) -> tuple[str, str]:
        """The first name that begins with it, and one after the last."""
        return self.name, self.name + LAST_CHARACTER
