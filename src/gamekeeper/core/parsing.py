"""
Parsing and validation of request fields, exactly as lenient as the contract.

Forms carry only strings and existing clients spell keys as they like, so keys
match in any letter case and ``"5"`` is an int; but ``true``, ``1.0`` and ``1e2``
never are: a quantity must not depend on how a language writes its numbers.
"""

import re
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from functools import cache, partial
from types import NoneType, UnionType
from typing import Annotated, Any, TypeVar, Union, get_args, get_origin
from uuid import UUID

from msgspec import NODEFAULT, Meta, Struct, structs

from gamekeeper.core.errors import Invalid, InvalidBody
from gamekeeper.core.names import parse_guid
from gamekeeper.core.schemas import SortDirection

S = TypeVar("S", bound=Struct)
T = TypeVar("T")

INT32 = range(-(2**31), 2**31)
INT64 = range(-(2**63), 2**63)

Scalar = bool | int | float | str
"""A value of a player variable; the declaration of the variable decides its type."""

JsonObject = dict[str, Any]
"""Any JSON object; what is in it is checked where it is used."""

Wide = Annotated[int, Meta(ge=INT64.start, le=INT64.stop - 1)]
"""A 64-bit integer, where the contract says so."""

# Longer than any integer we store, short enough to parse quickly.
_DIGITS = re.compile(r"-?[0-9]{1,1000}")

_INSTANT = re.compile(
    r"([0-9]{4}-[0-9]{2}-[0-9]{2})[T ]([0-9]{2}:[0-9]{2}(?::[0-9]{2}(?:\.[0-9]{1,9})?)?)"
    r"(Z|[+ -][0-9]{2}:[0-9]{2})",
    re.IGNORECASE,
)


class Unreadable(Exception):
    """A value has the wrong type; the message says which type is expected."""

    path: str = ""
    """Where the value is, below what is being read: `moves[1].itemid`."""

    @property
    def sentence(self) -> str:
        return f"'{self.path}' must be {self}."

    def below(self, step: str) -> "Unreadable":
        """The same error, seen from one level above."""
        self.path = f"{step}.{self.path}" if self.path[:1].isalpha() else step + self.path
        return self


class Missing(Unreadable):
    """A required field is absent."""

    @property
    def sentence(self) -> str:
        return f"'{self.path}' is required."


def read(
    shape: type[S], given: Mapping[str, object], problem: type[Invalid], *, bounded: bool = True
) -> S:
    """
    Convert the `given` fields to a `shape`, or raise `problem` with the path of the field.

    An unreadable value of a field in `shape.lenient` counts as absent. `bounded` rejects
    integers outside int32; the query string clamps them instead.
    """
    try:
        return _struct(shape, given, bounded=bounded)
    except Unreadable as wrong:
        field = wrong.path.partition("[")[0]
        inner = {} if field == wrong.path else {"path": wrong.path}
        raise problem(wrong.sentence, field=field, **inner) from None


def _struct(shape: type[S], given: Mapping[str, object], *, bounded: bool) -> S:
    found = {key.lower(): value for key, value in given.items()}
    lenient: frozenset[str] = getattr(shape, "lenient", frozenset())
    values = {}
    for key, attribute, name, reader, required in _fields(shape, bounded=bounded):
        raw = found.get(key)
        if raw is None:
            if required:
                raise Missing().below(name)
            continue
        try:
            values[attribute] = reader(raw)
        except Unreadable as wrong:
            if attribute not in lenient:
                raise wrong.below(name) from None
    return shape(**values)


def _reader(kind: Any, *, bounded: bool) -> Callable[[object], Any]:
    """What reads a value of this type; to look it up takes longer than to read."""
    readers = _BOUNDED if bounded else _READERS
    if kind in readers:
        return readers[kind]
    if get_origin(kind) is Annotated:
        kind, bound = get_args(kind)
        if kind in readers:
            # A pattern is for the document; the operation refuses with an error of its own.
            return readers[kind]
        return partial(_several, get_args(kind)[0], most=bound.max_length)
    if get_origin(kind) is list:
        return partial(_several, get_args(kind)[0], most=None)
    if isinstance(kind, type) and issubclass(kind, Struct):
        return partial(_object, kind)
    return partial(_word, get_args(kind))


def _several(kind: Any, raw: object, *, most: int | None) -> list[Any]:
    """A list of objects or of scalars, with at most `most` elements."""
    if isinstance(raw, list) and most is not None and len(raw) > most:
        raise Unreadable(f"a list of at most {most}")
    if kind not in _BOUNDED:
        return _objects(kind, raw)
    if not isinstance(raw, list):
        raise Unreadable("a list")
    return [_element(_BOUNDED[kind], number, element) for number, element in enumerate(raw)]


def _object(shape: type[S], raw: object) -> S:
    """
    A small object inside of a body, read like a body of its own, but without unknown fields.

    A misspelled limit that is ignored would be no limit at all.
    """
    if not isinstance(raw, dict):
        raise Unreadable("an object")
    known = {key for key, *_ in _fields(shape, bounded=True)}
    for key in raw:
        if str(key).lower() not in known:
            raise Unreadable("omitted: the field does not exist").below(str(key))
    return _struct(shape, raw, bounded=True)


def _objects(shape: type[S], raw: object) -> list[S]:
    """A list of small objects, each read like a body of its own."""
    if not isinstance(raw, list) or not all(isinstance(element, dict) for element in raw):
        raise Unreadable("a list of objects")
    is_strict = shape.__struct_config__.forbid_unknown_fields
    read_one = partial(_object, shape) if is_strict else partial(_struct, shape, bounded=True)
    return [_element(read_one, number, element) for number, element in enumerate(raw)]


def _element(read_one: Callable[[Any], T], number: int, raw: object) -> T:
    """One element of a list; an error names its index, from 0."""
    try:
        return read_one(raw)
    except Unreadable as wrong:
        raise wrong.below(f"[{number}]") from None


def _word(words: tuple[str, ...], raw: object) -> str:
    """One word of an enumeration, in any letter case."""
    if isinstance(raw, str) and raw.lower() in words:
        return raw.lower()
    raise Unreadable(" or ".join(f"'{word}'" for word in words))


@cache
def _fields(
    shape: type[Struct], *, bounded: bool
) -> list[tuple[str, str, str, Callable[[object], Any], bool]]:
    """Of each field: the key in lower case, attribute, key, reader, and whether it is required."""
    return [
        (
            field.encode_name.lower(),
            field.name,
            field.encode_name,
            _reader(_plain(field.type), bounded=bounded),
            field.default is NODEFAULT and field.default_factory is NODEFAULT,
        )
        for field in structs.fields(shape)
    ]


def _plain(kind: Any) -> Any:
    """`int | None` is read as an int: null means the same as an absent field."""
    if kind == Scalar or get_origin(kind) not in (Union, UnionType):
        return kind
    [only, *others] = [part for part in get_args(kind) if part is not NoneType]
    return Scalar if others else only


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


def wide_integer(raw: object) -> int:
    number = integer(raw)
    if number not in INT64:
        raise Unreadable("an integer of 64 bits")
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


def instant(raw: object) -> datetime:
    """An ISO 8601 timestamp; the UTC offset is required, without it the time is ambiguous."""
    # An unescaped plus sign in a query string is decoded as a space.
    if isinstance(raw, str) and (parts := _INSTANT.fullmatch(raw)):
        date, time, offset = parts.groups()
        try:
            return datetime.fromisoformat(
                f"{date}T{time}{offset.upper().replace(' ', '+')}"
            ).astimezone(UTC)
        except (ValueError, OverflowError):
            pass
    raise Unreadable("an instant with its offset, such as 2026-03-14T18:22:05Z")


def scalar(raw: object) -> Scalar:
    if isinstance(raw, str):
        return text(raw)
    if isinstance(raw, bool | int | float):
        return raw
    raise Unreadable("an integer or a boolean")


def json_object(raw: object) -> JsonObject:
    if isinstance(raw, dict):
        return raw
    raise Unreadable("an object")


def direction(raw: object) -> SortDirection:
    words = {"ascending": SortDirection.ASCENDING, "descending": SortDirection.DESCENDING}
    words |= {"0": SortDirection.ASCENDING, "1": SortDirection.DESCENDING}
    found = words.get(str(raw).lower())
    if found is None:
        raise Unreadable("Ascending or Descending")
    return found


_READERS: dict[Any, Callable[[object], Any]] = {
    int: integer,
    Wide: wide_integer,
    bool: boolean,
    str: text,
    UUID: guid,
    datetime: instant,
    Scalar: scalar,
    JsonObject: json_object,
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
    """The fields of a decoded JSON document; for none some clients send a list or a string."""
    if not shallow(document):
        raise InvalidBody(f"The body nests deeper than {DEEPEST}.")
    if document in ([], ""):
        return {}
    if not isinstance(document, dict):
        raise InvalidBody("The body must be a JSON object.")
    return document
