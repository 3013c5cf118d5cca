"""
What clients send, read into the shapes we want, no more and no less leniently
than the contract says.

Forms carry only strings and existing clients spell keys as they like, so keys
match in any letter case and ``"5"`` is an int; but ``true``, ``1.0`` and ``1e2``
never are: a quantity must not depend on how a language writes its numbers.
"""

import re
from collections.abc import Callable, Mapping
from functools import cache
from types import NoneType, UnionType
from typing import Any, TypeVar, Union, get_args, get_origin
from uuid import UUID

from msgspec import NODEFAULT, Struct, structs

from gamekeeper.errors import Invalid, InvalidBody
from gamekeeper.lookup import parse_guid
from gamekeeper.shapes import SortDirection

S = TypeVar("S", bound=Struct)

INT32 = range(-(2**31), 2**31)
INT64 = range(-(2**63), 2**63)

Scalar = bool | int | float | str
"""A value whose type is decided by what it is for: a player variable's."""

# Longer than any integer we store, shorter than what takes time to read.
_DIGITS = re.compile(r"-?[0-9]{1,1000}")


class Unreadable(Exception):
    """A value is not of the kind wanted; the text says what was."""


def read(
    shape: type[S], given: Mapping[str, object], problem: type[Invalid], *, bounded: bool = True
) -> S:
    """
    Make a `shape` of what was `given`, or raise `problem` naming the field.

    `bounded` refuses integers outside int32; the query string clamps them instead.
    """
    found = {key.lower(): value for key, value in given.items()}
    values = {}
    readers = _BOUNDED if bounded else _READERS
    for attribute, name, kind, required in _fields(shape):
        raw = found.get(name.lower())
        if raw is None:
            if required:
                raise problem(f"'{name}' is required.", field=name)
            continue
        try:
            values[attribute] = readers[kind](raw)
        except Unreadable as wanted:
            raise problem(f"'{name}' must be {wanted}.", field=name) from None
    return shape(**values)


@cache
def _fields(shape: type[Struct]) -> list[tuple[str, str, Any, bool]]:
    return [
        (
            field.name,
            field.encode_name,
            _plain(field.type),
            field.default is NODEFAULT and field.default_factory is NODEFAULT,
        )
        for field in structs.fields(shape)
    ]


def _plain(kind: Any) -> Any:
    """`int | None` is read as an int: null and absence are the same to us."""
    if kind == Scalar or get_origin(kind) not in (Union, UnionType):
        return kind
    [only] = [part for part in get_args(kind) if part is not NoneType]
    return only


def integer(raw: object) -> int:
    if type(raw) is int:
        return raw
    if isinstance(raw, str) and _DIGITS.fullmatch(raw):
        return int(raw)
    raise Unreadable("an integer")


def small_integer(raw: object) -> int:
    number = integer(raw)
    if number not in INT32:
        raise Unreadable("an integer of 32 bits")
    return number


def boolean(raw: object) -> bool:
    if isinstance(raw, bool):
        return raw
    if isinstance(raw, str) and raw.lower() in ("true", "false"):
        return raw.lower() == "true"
    raise Unreadable("true or false")


def text(raw: object) -> str:
    # PostgreSQL cannot store NUL, and half a surrogate pair is not text at all.
    if isinstance(raw, str) and "\x00" not in raw:
        return raw
    raise Unreadable("a string without NUL")


def guid(raw: object) -> UUID:
    if isinstance(raw, str) and (found := parse_guid(raw)) is not None:
        return found
    raise Unreadable("a guid")


def scalar(raw: object) -> Scalar:
    if isinstance(raw, str):
        return text(raw)
    if isinstance(raw, bool | int | float):
        return raw
    raise Unreadable("an integer or a boolean")


def direction(raw: object) -> SortDirection:
    words = {"ascending": SortDirection.ASCENDING, "descending": SortDirection.DESCENDING}
    words |= {"0": SortDirection.ASCENDING, "1": SortDirection.DESCENDING}
    found = words.get(str(raw).lower())
    if found is None:
        raise Unreadable("Ascending or Descending")
    return found


_READERS: dict[Any, Callable[[object], Any]] = {
    int: integer,
    bool: boolean,
    str: text,
    UUID: guid,
    Scalar: scalar,
    SortDirection: direction,
}
_BOUNDED = _READERS | {int: small_integer}

DEEPEST = 32


def shallow(value: object, depth: int = DEEPEST) -> bool:
    """Whether `value` nests no deeper than `depth` lists or objects."""
    if isinstance(value, dict):
        value = list(value.values())
    if not isinstance(value, list):
        return True
    return depth > 0 and all(shallow(inner, depth - 1) for inner in value)


def fields_of(document: object) -> Mapping[str, object]:
    """The fields of a decoded JSON document; an empty list means none, as clients send it."""
    if not shallow(document):
        raise InvalidBody(f"The body nests deeper than {DEEPEST}.")
    if document == []:
        return {}
    if not isinstance(document, dict):
        raise InvalidBody("The body must be a JSON object.")
    return document
