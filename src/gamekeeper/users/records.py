"""Response records of accounts, and masking of email addresses (redaction)."""

from typing import Any, LiteralString
from uuid import UUID

from msgspec import UNSET, UnsetType

from gamekeeper.core.schemas import Instant, Record
from gamekeeper.sanctions.in_force import STANDING


class Power(Record, frozen=True):
    """The powers of an account, as lists and lookups show them."""

    editor: bool
    ban: bool
    kick: bool
    mute: bool
    api: bool
    personal_information: bool


# That its fields differ from those of `Power` is the contract.
class ApiPower(Record, frozen=True):
    """The powers of an account, as the two changes of an email show them."""

    editor: bool
    ban: bool
    kick: bool
    mute: bool
    api: bool
    api_personal_information: bool
    api_user_management: bool


class User(Record, frozen=True, kw_only=True):
    id: UUID
    name: str
    email: str
    """In full for callers that may see personal information, otherwise masked."""
    power: Power
    password_reset_code: str | None = None
    """Always null: it is a secret."""
    is_muted: bool
    mute_reason: str | None
    """The text that the player reads; the reason for staff is in the sanction."""
    is_banned: bool
    registration_date: Instant
    play_time_seconds: int
    """The total of all its characters."""
    # Absent unless set, so that the answers which clients of Intersect know stay as they are.
    language: str | UnsetType = UNSET
    """The language of its emails; absent: the operator's default language."""


class ChangedUser(Record, frozen=True, kw_only=True):
    id: UUID
    name: str
    email: str
    power: ApiPower
    password_reset_code: str | None = None
    """Always null: it is a secret."""
    is_muted: bool
    mute_reason: str | None
    is_banned: bool
    registration_date: Instant


COLUMNS: LiteralString = f"""
    users.id, users.name, users.email, editor, ban, kick, mute, api,
    personal_information, user_management, {STANDING},
    users.created_at AS registration_date, users.language
"""


def user(row: Any, *, sees_emails: bool, play_time_seconds: int) -> User:
    return User(
        id=row["id"],
        name=row["name"],
        email=row["email"] if sees_emails else masked(row["email"]),
        power=Power(
            **{name: row[name] for name in ("editor", "ban", "kick", "mute", "api")},
            personal_information=row["personal_information"],
        ),
        is_muted=row["is_muted"],
        mute_reason=row["mute_reason"],
        is_banned=row["is_banned"],
        registration_date=row["registration_date"],
        play_time_seconds=play_time_seconds,
        language=row["language"] or UNSET,
    )


def changed_user(row: Any) -> ChangedUser:
    """Show the email in full: the caller has just sent it."""
    return ChangedUser(
        id=row["id"],
        name=row["name"],
        email=row["email"],
        power=ApiPower(
            **{name: row[name] for name in ("editor", "ban", "kick", "mute", "api")},
            api_personal_information=row["personal_information"],
            api_user_management=row["user_management"],
        ),
        is_muted=row["is_muted"],
        mute_reason=row["mute_reason"],
        is_banned=row["is_banned"],
        registration_date=row["registration_date"],
    )


def without_emails(value: Any) -> Any:
    """Mask the email address, if any, in an action's `before` or `after`."""
    if isinstance(value, dict) and isinstance(value.get("email"), str):
        return value | {"email": masked(value["email"])}
    return value


def masked(email: str) -> str:
    """`a•••@e•••.org`: enough to recognise an address, too little to write to it."""
    local, _, domain = email.rpartition("@")
    name, dot, last = domain.rpartition(".")
    return f"{local[:1]}•••@{(name or domain)[:1]}•••{dot}{last if dot else ''}"
