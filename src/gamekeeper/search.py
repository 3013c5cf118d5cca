"""A search among names: what begins with it, or resembles it."""

from msgspec import Struct

from gamekeeper.errors import InvalidQuery
from gamekeeper.lookup import LONGEST_KEY, fold

SHORTEST = 2


class Search(Struct, frozen=True):
    name: str
    prefix: str
    """A pattern for LIKE."""

    @classmethod
    def of(cls, asked: str | None) -> "Search | None":
        if not asked:
            return None
        if not SHORTEST <= len(asked) <= LONGEST_KEY:
            raise InvalidQuery(f"'search' must have {SHORTEST} to {LONGEST_KEY} characters.")
        name = fold(asked)
        escaped = name.replace("\\", r"\\").replace("%", r"\%").replace("_", r"\_")
        return cls(name, escaped + "%")
