"""
The languages there are, and which of them a reader gets (RFC 9110, Accept-Language).

A tag without texts of its own gets those of the nearest: `de-AT` gets `de`, and `pt-PT` gets
`pt-BR`, which its readers understand better than English.
"""

import re
from collections.abc import Iterator
from typing import Literal, get_args

Language = Literal["de", "en", "es", "fr", "pl", "pt-BR", "ru"]
"""BCP 47 tags. Each has a file in `catalogues/`, except English, which is their source."""
LANGUAGES: tuple[Language, ...] = get_args(Language)

MAX_HEADER_LENGTH = 1000
"""Browsers send less than 200 characters; what comes after this is not read."""

RANGE = re.compile(
    r"\s*(?P<range>\*|[A-Za-z]{1,8}(?:-[A-Za-z0-9]{1,8})*)"
    r"\s*(?:;\s*[qQ]=(?P<quality>0(?:\.[0-9]{0,3})?|1(?:\.0{0,3})?)\s*)?",
    re.ASCII,
)


def lookup(tag: str) -> Language | None:
    """The language for a tag: the same, a more general one, or another of the same language."""
    folded = tag.strip().lower()
    while folded:
        for language in LANGUAGES:
            if language.lower() == folded:
                return language
        folded = folded.rpartition("-")[0]
    primary = tag.strip().lower().partition("-")[0]
    return next((each for each in LANGUAGES if each.partition("-")[0] == primary), None)


def negotiate(header: str, default: Language) -> Language:
    """The language for an Accept-Language header; the default if it names none of ours."""
    return preferred(header) or default


def preferred(header: str) -> Language | None:
    """The language that an Accept-Language header names, the one of highest quality first."""
    wanted = list(_ranges(header[:MAX_HEADER_LENGTH]))
    refused = {lookup(tag) for tag, quality in wanted if quality == 0}
    # `sorted` is stable: of equal qualities the first counts, as browsers mean it.
    for tag, quality in sorted(wanted, key=lambda each: each[1], reverse=True):
        # `*` names no language: what comes after it is no more wanted than the default.
        if tag == "*" or quality == 0:
            return None
        if (found := lookup(tag)) and found not in refused:
            return found
    return None


def _ranges(header: str) -> Iterator[tuple[str, float]]:
    """Language ranges with their qualities; a part that is malformed is left out."""
    for part in header.split(","):
        if found := RANGE.fullmatch(part):
            yield found["range"], float(found["quality"] or 1)
