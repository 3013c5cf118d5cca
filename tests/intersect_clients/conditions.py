"""
Conditions on an answer, as the clients' code applies them.

A path names a value in JSON: `Values[0].Name`, `entries[].Key` (each of a list, which must not be
empty), `[].Slot`, `[*]` (any key of an object). The empty path is the whole. A path that ends in
`?` may be missing. Types are those that a deserialiser binds: `int32`, `int64`, `number`, `bool`,
`string`, `guid`, `datetime`, `array`, `object`, `any`; with a `?` the value may be null.
"""

import re
from collections.abc import Callable, Iterator
from datetime import datetime
from typing import Any
from uuid import UUID

from msgspec import UNSET

from tests.intersect_clients.recordings import Expectation

STEP = re.compile(r"[^.\[\]]+|\[\d+\]|\[\]|\[\*\]")


class Missing(Exception):
    """Nothing is where the path leads."""


def faults(expected: Expectation, status: int, text: str, body: Any) -> list[str]:
    """What is wrong with an answer; nothing if the client is content."""
    found = list(_status_faults(expected, status))
    if expected.message is not None:
        found += _value_faults(body, "Message", expected.message)
    for path, kind in expected.keys.items():
        found += _type_faults(body, path, kind)
    for path, value in expected.values.items():
        found += _value_faults(body, path, value)
    for path, least in expected.least.items():
        found += _check(body, path, lambda value, least=least: value >= least, f"at least {least}")
    found += [f"{path} is there" for path in expected.lacks if _is_there(body, path)]
    if expected.contains is not None and expected.contains not in text:
        found.append(f"{expected.contains!r} is not in it")
    if expected.whole is not UNSET and body != expected.whole:
        found.append(f"it is not {expected.whole!r}")
    return found


def _status_faults(expected: Expectation, status: int) -> Iterator[str]:
    wanted = [expected.status] if isinstance(expected.status, int) else expected.status
    if wanted is not None and status not in wanted:
        yield f"the status is {status}, not {' or '.join(map(str, wanted))}"


def _value_faults(body: Any, path: str, value: Any) -> list[str]:
    # True == 1 in Python, and in no client.
    return _check(
        body, path, lambda found: type(found) is type(value) and found == value, repr(value)
    )


def _type_faults(body: Any, path: str, kind: str) -> list[str]:
    accepts = TYPES[kind.removesuffix("?")]
    if kind.endswith("?"):
        return _check(body, path, lambda value: value is None or accepts(value), kind)
    return _check(body, path, accepts, kind)


def _check(body: Any, path: str, accepts: Callable[[Any], bool], wanted: str) -> list[str]:
    bare = path.removesuffix("?")
    try:
        values = list(find(body, bare))
    except Missing as gap:
        return [] if path.endswith("?") else [f"{bare}: {gap}"]
    wrong = [value for value in values if not accepts(value)]
    return [f"{bare} is {wrong[0]!r:.80}, not {wanted}"] if wrong else []


def _is_there(body: Any, path: str) -> bool:
    try:
        return bool(list(find(body, path)))
    except Missing:
        return False


def find(body: Any, path: str) -> Iterator[Any]:
    """The values that a path leads to, or Missing."""
    values = [body]
    for step in STEP.findall(path):
        values = [below for value in values for below in _step(value, step)]
    yield from values


def _step(value: Any, step: str) -> list[Any]:
    if step == "[]":
        if not isinstance(value, list) or not value:
            raise Missing(f"{value!r:.80} is no list with entries")
        return value
    if step == "[*]":
        if not isinstance(value, dict) or not value:
            raise Missing(f"{value!r:.80} is no object with keys")
        return list(value.values())
    if step.startswith("["):
        number = int(step[1:-1])
        if not isinstance(value, list) or number >= len(value):
            raise Missing(f"{value!r:.80} has no entry {number}")
        return [value[number]]
    if not isinstance(value, dict) or step not in value:
        raise Missing(f"there is no {step} in {value!r:.80}")
    return [value[step]]


def _is_integer(bits: int) -> Callable[[Any], bool]:
    limit = 2 ** (bits - 1)
    return lambda value: type(value) is int and -limit <= value < limit


def _is_guid(value: Any) -> bool:
    try:
        return isinstance(value, str) and str(UUID(value)) == value
    except ValueError:
        return False


def _is_datetime(value: Any) -> bool:
    try:
        return isinstance(value, str) and "T" in value and bool(datetime.fromisoformat(value))
    except ValueError:
        return False


TYPES: dict[str, Callable[[Any], bool]] = {
    "int32": _is_integer(32),
    "int64": _is_integer(64),
    "number": lambda value: type(value) in (int, float),
    "bool": lambda value: isinstance(value, bool),
    "string": lambda value: isinstance(value, str),
    "guid": _is_guid,
    "datetime": _is_datetime,
    "array": lambda value: isinstance(value, list),
    "object": lambda value: isinstance(value, dict),
    "any": lambda _: True,
}
