"""Name search: a prefix match or, if there is none, similarity by trigrams."""

from typing import LiteralString

from msgspec import Struct

from gamekeeper.core.errors import InvalidQuery
from gamekeeper.core.names import LONGEST_KEY, fold

SHORTEST = 2

# Both take the bounds of a `Search`. A prefix is a range of the name index; only similarity
# needs the trigram index, which costs much more.
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
        """The range of the prefix: the first name in it, and an end after the last."""
        return self.name, self.name + LAST_CHARACTER
