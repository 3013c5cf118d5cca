"""Recordings: the calls of one program, and the condition that its code applies to each answer."""

from pathlib import Path
from typing import Any, Literal

import msgspec
from msgspec import UNSET, Struct, UnsetType

HERE = Path(__file__).parent
PROGRAMS = tuple(sorted((HERE / "programs").glob("*.toml")))
ENDPOINTS = HERE / "endpoints.toml"

Version = Literal["0.7", "0.8"]


class Strict(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A misspelt key of a recording would be a condition that is never looked at."""


class Expectation(Strict, frozen=True, kw_only=True):
    """What an answer must be; what is not said is not looked at."""

    status: int | list[int] | None = None
    message: str | None = None
    """The exact sentence under `Message`."""
    keys: dict[str, str] = {}
    """A type for each path: see conditions.py."""
    values: dict[str, Any] = {}
    """The exact value for each path."""
    least: dict[str, int] = {}
    """The smallest number for each path."""
    lacks: list[str] = []
    """Keys that must not be there."""
    contains: str | None = None
    """A text that the program looks for anywhere in the answer."""
    whole: Any = UNSET
    """The whole answer."""


class RecordedCall(Strict, frozen=True, kw_only=True):
    what: str
    """What the program does this for."""
    send: str
    """Method, path and query, with `{names}` of the world or of earlier answers."""
    json: Any = UNSET
    form: dict[str, str] | UnsetType = UNSET
    text: str | UnsetType = UNSET
    """A body as it is, called JSON."""
    headers: dict[str, str] = {}
    anonymous: bool = False
    api_key: bool = False
    """With an API key: no power of an account opens this, though in the engine any token did."""
    stale: bool = False
    """The stored token has expired or was revoked: first comes the denial, then what follows."""
    expect: Expectation = Expectation()
    newer: Expectation | None = None
    """What is expected instead of it in version 0.8."""
    only: Version | None = None
    """The one version that has this call."""
    keep: dict[str, str] = {}
    """Names for values of the answer, which later calls use."""
    essential: bool = False
    """Without this the program is of no use: it does not start, or says that we are offline."""
    impossible: str | None = None
    """Why the condition cannot hold."""

    def expected(self, version: Version) -> Expectation:
        return self.newer if version == "0.8" and self.newer else self.expect


class SignInHabit(Strict, frozen=True, kw_only=True):
    when: Literal["once", "before every call", "never"]
    body: Literal["json", "form"]
    renews: bool = False
    """Whether it signs in again when denied, and repeats the call."""
    denied: Expectation = Expectation()
    """How it knows that it is denied."""


class Recording(Strict, frozen=True, kw_only=True):
    name: str
    repository: str
    kind: str
    note: str = ""
    time_limit: str = "none"
    """How long the program waits for an answer."""
    sign_in: SignInHabit
    calls: list[RecordedCall]

    def calls_of(self, version: Version) -> list[RecordedCall]:
        return [call for call in self.calls if call.only in (None, version)]


def read(file: Path) -> Recording:
    return msgspec.toml.decode(file.read_bytes(), type=Recording)
