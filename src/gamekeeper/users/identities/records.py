"""Identities as they are stored and shown, and the names of issuers."""

import re
from typing import LiteralString
from uuid import UUID

from gamekeeper.auth.secrets import Vault
from gamekeeper.core.errors import Conflict, Invalid, NotFound
from gamekeeper.core.schemas import Instant, Record

DISCORD = "discord"
STEAM = "steam"
MAX_ISSUER_LENGTH = 255
MAX_SUBJECT_LENGTH = 255
MAX_NAME_LENGTH = 100

ISSUER_URL = re.compile(r"https://[!-~]{1,247}")
SUBJECTS = {
    DISCORD: re.compile(r"[0-9]{15,20}"),
    STEAM: re.compile(r"76561[0-9]{12}"),
}
"""The ids that these services give: a snowflake, and a SteamID64 of an individual account."""
SUBJECT = re.compile(r"[!-~]{1,255}")


class LinkedIdentity(Record, frozen=True):
    """The account of a person at another service, linked with an account here."""

    id: UUID
    issuer: str
    """`discord`, `steam`, or the URL of an OpenID issuer."""
    subject: str
    """The id of the person at the issuer; it never changes, unlike names and email addresses."""
    display_name: str | None
    """The name at the issuer when it was last used; null if the issuer sent none."""
    linked_at: Instant
    last_used_at: Instant | None
    """The last sign-in with it; null: never."""


class FormerIdentity(Record, frozen=True):
    """An identity that was unlinked."""

    issuer: str
    subject: str
    display_name: str | None
    linked_at: Instant
    unlinked_at: Instant


class OwnIdentities(Record, frozen=True):
    values: list[LinkedIdentity]


class AccountIdentities(Record, frozen=True):
    """The identities of an account, with those that it had."""

    values: list[LinkedIdentity]
    former: list[FormerIdentity]
    """Unlinked identities, newest first, at most 100."""


class IdentityNotFound(NotFound):
    """The account has no identity with this id."""


class InvalidIdentity(Invalid):
    """The issuer or the subject is not valid."""


class IdentityTaken(Conflict):
    """This identity is linked with another account. Sign in to that account and unlink it first."""


class IssuerAlreadyLinked(Conflict):
    """The account already has an identity of this issuer. Unlink that one first."""


class IdentityOfBannedAccount(Conflict):
    """This identity was linked with another account that is banned now. Appeal that ban first."""

    cacheable = False


class LastSignInMethod(Conflict):
    """This is the only way to sign in to the account. Set a password first."""

    cacheable = False


COLUMNS: LiteralString = "id, issuer, subject, display_name, linked_at, last_used_at"


def check(issuer: str, subject: str) -> None:
    """Raise InvalidIdentity unless an issuer could have an account with this id."""
    if issuer not in SUBJECTS and not ISSUER_URL.fullmatch(issuer):
        message = "'issuer' must be discord, steam or the https URL of an OpenID issuer."
        raise InvalidIdentity(message, field="issuer")
    if not SUBJECTS.get(issuer, SUBJECT).fullmatch(subject):
        raise InvalidIdentity("'subject' is not an id of this issuer.", field="subject")


def tag_text(issuer: str, subject: str) -> str:
    """What is hashed with a key, to recognise the identity of an erased account."""
    return f"erased identity;{issuer};{subject}"


def tags(vault: Vault, issuer: str, subject: str) -> list[bytes]:
    """The keyed hashes of an identity under all keys, to compare with those of erased accounts."""
    return vault.hmacs(tag_text(issuer, subject))


def shown_name(name: str | None) -> str | None:
    """A display name as it is stored: without control characters, of limited length."""
    kept = "".join(symbol for symbol in name or "" if symbol.isprintable()).strip()
    return kept[:MAX_NAME_LENGTH] or None
