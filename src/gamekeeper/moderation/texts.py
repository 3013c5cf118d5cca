"""Bounds of what staff write: reasons, messages and links to evidence."""

from collections.abc import Sequence
from urllib.parse import urlsplit

from gamekeeper.core.errors import Invalid

LONGEST_TEXT = 2000
LONGEST_REASON = 500
"""As every reason of a request."""
LONGEST_LINK = 500
MOST_LINKS = 20


class InvalidText(Invalid):
    """The text is too long or contains control characters."""

    def __init__(self, field: str = "message", longest: int = LONGEST_TEXT) -> None:
        super().__init__(
            f"'{field}' must be at most {longest:,} characters, "
            "without control characters other than line breaks.",
            field=field,
        )


class InvalidEvidence(Invalid):
    """Evidence must be at most 20 links (http or https), of at most 500 characters each."""


def check_reason(text: str) -> str:
    """The reason without space around it, or InvalidText."""
    return check_text("reason", text, LONGEST_REASON)


def check_text(field: str, text: str, longest: int = LONGEST_TEXT) -> str:
    """The text without space around it, or InvalidText."""
    text = text.strip()
    plain = text.replace("\n", "").replace("\r", "").replace("\t", "")
    # Not `isprintable`, which refuses the joiners of some scripts and of emoji.
    if len(text) > longest or any(ord(char) < 32 or 127 <= ord(char) < 160 for char in plain):
        raise InvalidText(field, longest)
    return text


def check_evidence(links: Sequence[str]) -> tuple[str, ...]:
    """The links, each once, or InvalidEvidence."""
    if len(links) > MOST_LINKS or not all(_is_link(link) for link in links):
        raise InvalidEvidence
    return tuple(dict.fromkeys(links))


def _is_link(text: str) -> bool:
    if len(text) > LONGEST_LINK or not text.isprintable() or " " in text:
        return False
    try:
        parts = urlsplit(text)
    except ValueError:
        return False
    return parts.scheme in ("http", "https") and bool(parts.hostname)
