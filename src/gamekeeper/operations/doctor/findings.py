"""Findings: what a check says, and what it needs to look."""

from collections.abc import Awaitable, Callable
from typing import Literal
from urllib.parse import unquote, urlsplit

from msgspec import Struct

from gamekeeper.core.settings import Settings
from gamekeeper.db.database import Reader

State = Literal["ok", "warning", "wrong", "unknown"]
"""`unknown`: the check could not look."""


class CheckResult(Struct, frozen=True, kw_only=True):
    check: str
    state: State
    message: str
    """One sentence."""
    remedy: str | None = None
    """The fix, unless the check passed."""


class Installation(Struct, frozen=True, kw_only=True):
    """What is checked."""

    settings: Settings
    reader: Reader


Look = Callable[[Installation], Awaitable[list[CheckResult]]]


class HealthCheck(Struct, frozen=True, kw_only=True):
    """One check: its name, and how it looks."""

    name: str
    look: Look
    needs_database: bool = True


def ok(check: str, message: str) -> list[CheckResult]:
    return [CheckResult(check=check, state="ok", message=message)]


def warning(check: str, message: str, remedy: str) -> list[CheckResult]:
    return [CheckResult(check=check, state="warning", message=message, remedy=remedy)]


def wrong(check: str, message: str, remedy: str) -> list[CheckResult]:
    return [CheckResult(check=check, state="wrong", message=message, remedy=remedy)]


def unknown(check: str, message: str, remedy: str | None = None) -> list[CheckResult]:
    return [CheckResult(check=check, state="unknown", message=message, remedy=remedy)]


def without_secrets(said: object, url: str) -> str:
    """What another program said about `url`, without the URL and its password."""
    text = str(said)
    password = urlsplit(url).password or ""
    # The longest first: a password may be part of the URL.
    for secret in (url, password, unquote(password)):
        text = text.replace(secret, "***") if secret else text
    return text


def counted(number: float, thing: str) -> str:
    """`1 day`, `3 days`."""
    whole = round(number)
    return f"{whole:,} {thing}" if whole == 1 else f"{whole:,} {thing}s"
