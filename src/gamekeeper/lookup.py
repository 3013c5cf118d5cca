"""
A lookup key is a name or an id; both players and users are found by one.

Names are compared by their folded form, made by one function and stored beside
the name, so that no two places can disagree about which names are equal.
"""

import itertools
import re
import unicodedata
from uuid import UUID

LONGEST_KEY = 64

GUID = re.compile(
    r"[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}"
    r"|[0-9a-fA-F]{32}"
)

# Words that stand in paths after /players/ or /users/: a name that is one of them
# would hide the route or be hidden by it.
RESERVED = frozenset(
    {"actions", "admin", "api", "bag", "batch", "count", "economy", "events", "export", "import"}
    | {"me", "new", "online", "password", "players", "rank", "register", "reset", "restore"}
    | {"search", "servers", "transactions", "undo", "users", "webhooks"}
)


def fold(name: str) -> str:
    """The form in which names are compared."""
    # One pass of NFKC and case folding is not enough for 637 code points; this is.
    return unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", name).casefold())


def parse_guid(text: str) -> UUID | None:
    """36 characters with hyphens or 32 without, in braces or not; anything else is no id."""
    if text.startswith("{") and text.endswith("}"):
        text = text[1:-1]
    return UUID(text) if GUID.fullmatch(text) else None


def parse(key: str) -> UUID | str | None:
    """The id or the folded name that `key` stands for; None if nothing can have it."""
    if (guid := parse_guid(key)) is not None:
        return guid
    if len(key) > LONGEST_KEY or any(unicodedata.category(char) in ("Cc", "Cs") for char in key):
        return None
    return fold(key)


def missing(thing: str, key: str) -> str:
    """The sentence clients know for a key that nothing has."""
    asked = parse(key)
    if asked is None:
        return f"No {thing} with that name."
    if isinstance(asked, UUID):
        return f"No {thing} with id '{asked}'."
    return f"No {thing} with name '{key}'."


def is_name(name: str, *, joiners: str) -> bool:
    """
    Whether a new player or user may be called that.

    2 to 20 letters or digits of any script, single `joiners` between them, and
    at least one letter, so that a name is never an id or an index.
    """
    if not 2 <= len(name) <= 20 or fold(name) in RESERVED:
        return False
    kinds = [_kind(char, joiners) for char in name]
    return (
        None not in kinds
        and "letter" in kinds
        and kinds[0] in ("letter", "digit")
        and kinds[-1] != "joiner"
        and all(pair != ("joiner", "joiner") for pair in itertools.pairwise(kinds))
    )


# Letters by their category, and nothing to be seen.
FILLERS = "\u115f\u1160\u3164\uffa0"


def _kind(char: str, joiners: str) -> str | None:
    if char in FILLERS:
        return None
    if char in joiners:
        return "joiner"
    category = unicodedata.category(char)
    if category == "Nd":
        return "digit"
    if category.startswith("L"):
        return "letter"
    # Scripts such as Devanagari and Thai write vowels as marks on a letter.
    return "mark" if category in ("Mn", "Mc") else None
