"""
Storage forms of the Intersect Engine: ids, dates, numbers and JSON, each read by its value.

A column's declared type says little: files that were upgraded hold text in BLOB columns and
blobs beside text. Nothing here fails on a wrong type; `UnreadableValue` says that a value is none.
"""

import re
from collections.abc import Sequence
from datetime import UTC, datetime, tzinfo
from functools import lru_cache
from typing import Any
from uuid import UUID

import msgspec

INT32, INT64 = 2**31 - 1, 2**63 - 1
ZERO = UUID(int=0)
USUAL_GUID = 40
"""Characters; what is longer is not worth remembering."""
_GUID = re.compile(r"\{?([0-9A-Fa-f]{8})-?((?:[0-9A-Fa-f]{4}-?){3})([0-9A-Fa-f]{12})\}?")
_DATE = re.compile(
    r"(\d{4}-\d\d-\d\d)[ T](\d\d:\d\d:\d\d)(?:\.(\d{1,9}))?\s*(Z|[+-]\d\d:\d\d)?", re.ASCII
)
_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\ud800-\udfff]")


class UnreadableValue(Exception):
    """The value has an unknown format."""


def guid_bytes(value: Any) -> bytes | None:
    """
    The 16 bytes of an id in network order; None for the zero id, NULL, and what is no id.

    A blob of 16 bytes is in the order of .NET, whose first three groups are little-endian.
    """
    if not isinstance(value, bytes | str):
        return None
    return _usual_guid(value) if len(value) <= USUAL_GUID else _parse_guid(value)


def _parse_guid(value: bytes | str) -> bytes | None:
    if isinstance(value, bytes):
        if len(value) == 16:
            found = value[3::-1] + value[5:3:-1] + value[7:5:-1] + value[8:]
            return found if any(found) else None
        value = value.decode("ascii", "replace")
    match = _GUID.fullmatch(value.strip())
    if match is None:
        return None
    found = bytes.fromhex("".join(match.groups()).replace("-", ""))
    return found if any(found) else None


# The rows of a character name it a hundred times, and all rows name the same few items.
_usual_guid = lru_cache(65_536)(_parse_guid)


def guid(value: Any) -> UUID | None:
    """The id; None for the zero id and NULL. Raises UnreadableValue for what is no id."""
    found = guid_bytes(value)
    if found is not None:
        return _uuid(found)
    if value is None or value in (b"", "", bytes(16)) or str(value).strip("{}0- ") == "":
        return None
    raise UnreadableValue("no id")


@lru_cache(65_536)
def _uuid(found: bytes) -> UUID:
    return UUID(bytes=found)


def moment(value: Any, zone: tzinfo = UTC) -> datetime | None:
    """A date in UTC, written in `zone`; None for NULL and the zero date of .NET."""
    if value is None or value == "":
        return None
    match = _DATE.fullmatch(value.strip()) if isinstance(value, str) else None
    if match is None:
        raise UnreadableValue("no date")
    day, time, fraction, offset = match.groups()
    if day.startswith("0001-01-01"):
        return None
    try:
        text = f"{day}T{time}.{(fraction or '0')[:6]:0<6}"
        if offset:
            return datetime.fromisoformat(text + offset).astimezone(UTC)
        return datetime.fromisoformat(text).replace(tzinfo=zone).astimezone(UTC)
    except (ValueError, OverflowError):
        raise UnreadableValue("no date") from None


def integer(value: Any, low: int = 0, high: int = INT32, default: int = 0) -> int:
    """A number within bounds; `default` for what is none."""
    if type(value) is int and low <= value <= high:
        return value  # As nearly all are.
    if isinstance(value, str) and re.fullmatch(r"-?\d{1,20}", value.strip(), re.ASCII):
        value = int(value)
    if isinstance(value, float) and value == value and abs(value) < 2**64:
        value = int(value)
    if not isinstance(value, int):
        return default
    return min(max(value, low), high)


def text(value: Any, longest: int) -> str:
    """A text without control characters, at most so long."""
    if isinstance(value, bytes):
        value = value.decode("utf-8", "replace")
    if value is None:
        return ""
    return _CONTROL.sub("", str(value)[: 4 * longest])[:longest]


@lru_cache(4096)
def _decoded(value: str) -> Any:
    try:
        return msgspec.json.decode(value)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        raise UnreadableValue("no JSON") from None


def json(value: Any) -> Any:
    """Decoded JSON; None for NULL and an empty text. What is returned must not be changed."""
    if isinstance(value, bytes):
        value = value.decode("utf-8", "replace")
    if value is None or value == "":
        return None
    if not isinstance(value, str):
        raise UnreadableValue("no JSON")
    # A byte order mark and unpaired surrogates are not JSON, but files have them.
    return _decoded(value.lstrip("\ufeff").encode("utf-8", "replace").decode())


def numbers(value: Any, length: int, default: int = 0, *, low: int = 0) -> list[int]:
    """A JSON list of `length` numbers: padded with the default, and cut."""
    try:
        given: Any = json(value)
    except UnreadableValue:
        given = None
    found: Sequence[Any] = given if isinstance(given, list) else ()
    padded = [integer(number, low, INT32, default) for number in found[:length]]
    return padded + [default] * (length - len(padded))


def color(value: Any) -> str:
    """`{"A","R","G","B"}` as #AARRGGBB; empty for none."""
    try:
        given: Any = json(value)
    except UnreadableValue:
        return ""
    if not isinstance(given, dict) or "R" not in given:
        return ""
    parts = (given.get("A", 255), given.get("R"), given.get("G"), given.get("B"))
    return "#" + "".join(f"{integer(part, 0, 255):02X}" for part in parts)


def plain(value: Any, *, depth: int = 12) -> Any:
    """Any stored value as JSON that PostgreSQL can keep: ids as text, no NUL, bounded depth."""
    if isinstance(value, bytes):
        if len(value) == 16:
            return str(UUID(bytes_le=value))
        return value.hex()
    if isinstance(value, str):
        return value.replace("\x00", "").encode("utf-8", "replace").decode()
    if isinstance(value, dict):
        if depth == 0:
            return None
        return {plain(str(key)): plain(element, depth=depth - 1) for key, element in value.items()}
    if isinstance(value, list):
        return [plain(element, depth=depth - 1) for element in value] if depth else None
    if isinstance(value, float) and (value != value or abs(value) == float("inf")):
        return None
    return value


def facts(value: Any) -> Any:
    """A stored value as JSON, and what is stored as JSON decoded."""
    if isinstance(value, str) and value[:1] in ("{", "["):
        try:
            return plain(json(value))
        except UnreadableValue:
            pass
    if isinstance(value, str) and len(value) == 36 and _GUID.fullmatch(value):
        return value.lower()
    return plain(value)
