"""Payloads of commands: what each kind of command says, checked (validation)."""

import re
from collections.abc import Callable, Mapping
from typing import Any, Literal
from uuid import UUID

import msgspec

from gamekeeper.core.errors import Invalid

CommandKind = Literal["kick", "kill", "warp", "message", "custom"]

LARGEST = 8 * 1024
LONGEST_TEXT = 500
LARGEST_PLACE = 65_535

COLOR = re.compile(r"#(?:[0-9A-Fa-f]{2}){3,4}")


class InvalidCommand(Invalid):
    """The command has missing or unknown fields."""


def checked(kind: CommandKind, payload: Mapping[str, Any]) -> dict[str, Any]:
    """The payload as the game server reads it, or raise InvalidCommand."""
    if kind == "custom":
        return _custom(payload)
    required, optional = FIELDS[kind]
    for name in required:
        if name not in payload:
            raise InvalidCommand(
                f"The command '{kind}' requires '{_spelled(name)}'.", field=_spelled(name)
            )
    for name in payload:
        if name not in (*required, *optional):
            raise InvalidCommand(
                f"The command '{kind}' does not accept '{_spelled(name)}'.", field=_spelled(name)
            )
    return {name: CHECKS[name](name, value) for name, value in payload.items()}


def _custom(payload: Mapping[str, Any]) -> dict[str, Any]:
    encoded = msgspec.json.encode(payload)
    if len(encoded) > LARGEST:
        raise InvalidCommand("'payload' is larger than 8 KiB.", field="payload")
    # PostgreSQL cannot store NUL; a backslash before it means it is written out.
    if re.search(rb"(?<!\\)(?:\\\\)*\\u0000", encoded):
        raise InvalidCommand("'payload' must not contain NUL.", field="payload")
    return dict(payload)


def _text(name: str, value: Any) -> str:
    if not isinstance(value, str) or not 1 <= len(value.strip()) <= len(value) <= LONGEST_TEXT:
        field = _spelled(name)
        raise InvalidCommand(f"'{field}' must have 1 to {LONGEST_TEXT} characters.", field=field)
    return value


def _color(name: str, value: Any) -> str:
    if not isinstance(value, str) or not COLOR.fullmatch(value):
        raise InvalidCommand(
            "'color' must be '#RRGGBB' or '#AARRGGBB' (opacity first).", field=_spelled(name)
        )
    return value.upper()


def _map(name: str, value: Any) -> str:
    if not isinstance(value, UUID):
        raise InvalidCommand("'mapid' must be a guid.", field=_spelled(name))
    return str(value)


def _place(name: str, value: Any) -> int:
    if not isinstance(value, int) or not 0 <= value <= LARGEST_PLACE:
        field = _spelled(name)
        raise InvalidCommand(f"'{field}' must be a number from 0 to {LARGEST_PLACE}.", field=field)
    return value


def _spelled(name: str) -> str:
    """A field as the body of a request spells it."""
    return name.lower()


CHECKS: Mapping[str, Callable[[str, Any], Any]] = {
    "Text": _text,
    "Color": _color,
    "MapId": _map,
    "X": _place,
    "Y": _place,
}

FIELDS: Mapping[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "kick": ((), ("Text",)),
    "kill": ((), ()),
    "warp": (("MapId", "X", "Y"), ()),
    "message": (("Text",), ("Color", "MapId")),
}
"""Of each kind, what it must say and what it may. A message with a map is for those on it."""
