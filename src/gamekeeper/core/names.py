"""
Names and lookup keys: a key is a name or an id, of a player or of a user.

Names are compared by their folded form. One function makes it and it is stored with
the name, so every comparison agrees on which names are equal.
"""

import itertools
import re
import unicodedata
from collections.abc import Iterable
from functools import cache
from uuid import UUID

from gamekeeper.core import confusables

LONGEST_KEY = 64

GUID = re.compile(
    r"[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}"
    r"|[0-9a-fA-F]{32}"
)

# Words that follow /players/ or /users/ in paths: a player or user with such a name
# would shadow the route or be shadowed by it.
RESERVED = frozenset(
    {"actions", "admin", "api", "bag", "batch", "count", "economy", "email", "events", "export"}
    | {
        "import",
        "me",
        "new",
        "online",
        "password",
        "players",
        "rank",
        "register",
        "reset",
        "restore",
    }
    | {"search", "servers", "transactions", "undo", "users", "webhooks"}
)


def fold(name: str) -> str:
    """The form in which names are compared."""
    # One pass of NFKC and case folding is not enough for 637 code points; this is.
    return unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", name).casefold())


def parse_guid(text: str) -> UUID | None:
    """36 characters with hyphens or 32 without, in braces or not; None for anything else."""
    if text.startswith("{") and text.endswith("}"):
        text = text[1:-1]
    return UUID(text) if GUID.fullmatch(text) else None


def parse(key: str) -> UUID | str | None:
    """The id or the folded name that `key` stands for; None if it is neither."""
    if (guid := parse_guid(key)) is not None:
        return guid
    if len(key) > LONGEST_KEY or any(unicodedata.category(char) in ("Cc", "Cs") for char in key):
        return None
    return fold(key)


def missing(thing: str, key: str) -> str:
    """The error message for a key that was not found; existing clients know its wording."""
    asked = parse(key)
    if asked is None:
        return f"No {thing} with that name."
    if isinstance(asked, UUID):
        return f"No {thing} with id '{asked}'."
    return f"No {thing} with name '{key}'."


def nearest(name: str, candidates: Iterable[str], most: int = 3) -> list[str]:
    """The candidates that resemble a misspelled name, best first; none if none does."""
    from difflib import get_close_matches

    folded = {fold(candidate): candidate for candidate in candidates}
    asked = fold(name)
    close = get_close_matches(asked, folded, n=most, cutoff=0.6)
    # A part of a name is less similar than it looks: "potion" for "Health Potion".
    parts = [name for name in folded if asked and asked in name and name not in close]
    return [folded[name] for name in [*close, *parts][:most]]


def look(name: str) -> str:
    """The confusable skeleton: equal for names that look alike, in any letter case."""
    return fold(confusables.skeleton(name))


def is_name(name: str, *, joiners: str) -> bool:
    """
    Whether the name is valid for a new player or user.

    2 to 20 letters or digits, single `joiners` between them, and at least one letter, so
    that a name is never an id or an index. No invisible characters, no stacked marks and
    no mixed scripts: the level Highly Restrictive of UTS 39.
    """
    if not 2 <= len(name) <= 20 or fold(name) in RESERVED:
        return False
    kinds = [_kind(char, joiners) for char in name]
    return (
        None not in kinds
        and "letter" in kinds
        and kinds[0] in ("letter", "digit")
        and kinds[-1] != "joiner"
        and NEVER_NEXT.isdisjoint(itertools.pairwise(kinds))
        and _is_plain("".join(char for char in name if char not in joiners))
    )


NEVER_NEXT = {("joiner", "joiner"), ("joiner", "mark"), ("digit", "mark")}


def _is_plain(letters: str) -> bool:
    return (
        confusables.is_highly_restrictive(letters)
        and not confusables.has_odd_marks(letters)
        and not confusables.has_mixed_numbers(letters)
    )


def _kind(char: str, joiners: str) -> str | None:
    if char in joiners:
        return "joiner"
    category = unicodedata.category(char)
    if category == "Nd":
        return "digit"
    if category.startswith("L"):
        return "letter"
    # Scripts such as Devanagari and Thai write vowels as marks on a letter.
    return "mark" if category in ("Mn", "Mc") else None


STAFF = frozenset(
    {"admin", "administrator", "console", "developer", "gamekeeper", "gamemaster", "gm", "mod"}
    | {"moderator", "official", "operator", "owner", "root", "server", "staff", "superuser"}
    | {"support", "sysadmin", "system"}
)


def is_staff_word(name: str) -> bool:
    """Whether a name is, or looks like, a title of staff (impersonation)."""
    letters = "".join(char for char in name if char.isalnum())
    return not _staff_looks().isdisjoint({look(letters), look(fold(letters))})


@cache
def _staff_looks() -> frozenset[str]:
    """The skeletons of the words in lower case, in upper case and in title case."""
    return frozenset(
        look(word) for staff in STAFF for word in (staff, staff.upper(), staff.title())
    )
