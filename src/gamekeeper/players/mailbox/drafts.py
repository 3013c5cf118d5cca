"""Drafts of letters: what is to be sent, and the bounds that it must keep."""

from datetime import timedelta

from msgspec import Struct

from gamekeeper.core.errors import Invalid
from gamekeeper.players.mailbox.records import (
    DEFAULT_LIFETIME,
    MAX_ITEMS,
    MAX_LIFETIME,
    MAX_SUBJECT_LENGTH,
    MAX_TEXT_LENGTH,
    LetterItem,
    LetterSender,
    OnExpiry,
)
from gamekeeper.players.rules import MAX_HELD, InvalidQuantity


class InvalidLetter(Invalid):
    """The letter is not valid."""


class Draft(Struct, frozen=True, kw_only=True):
    """A letter to be sent, within its bounds once it is checked."""

    sender: LetterSender
    subject: str
    text: str = ""
    items: tuple[LetterItem, ...] = ()
    lifetime: timedelta = DEFAULT_LIFETIME
    on_expiry: OnExpiry = "destroy"

    def check(self) -> None:
        """Raise InvalidLetter or InvalidQuantity."""
        if not 1 <= len(self.subject.strip()) <= MAX_SUBJECT_LENGTH or _has_controls(self.subject):
            raise InvalidLetter(
                f"'subject' must be 1 to {MAX_SUBJECT_LENGTH} characters, "
                "without control characters.",
                field="subject",
            )
        plain = self.text.replace("\n", "").replace("\r", "").replace("\t", "")
        if len(self.text) > MAX_TEXT_LENGTH or _has_controls(plain):
            raise InvalidLetter(
                f"'text' must be at most {MAX_TEXT_LENGTH:,} characters, "
                "without control characters other than line breaks.",
                field="text",
            )
        if len(self.items) > MAX_ITEMS:
            raise InvalidLetter(f"A letter holds at most {MAX_ITEMS} stacks.", field="items")
        if not timedelta() < self.lifetime <= MAX_LIFETIME:
            raise InvalidLetter(
                f"A letter expires within {MAX_LIFETIME.days} days.", field="expiresat"
            )
        if any(not 1 <= item.quantity <= MAX_HELD for item in self.items):
            raise InvalidQuantity


def _has_controls(text: str) -> bool:
    # Not `isprintable`, which refuses the joiners of some scripts and of emoji.
    return any(ord(char) < 32 or 127 <= ord(char) < 160 for char in text)
