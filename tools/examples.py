"""
Write the examples of the API anew: src/gamekeeper/api/static/examples.json.

Each answer gets exactly the fields that its schema has now, in their order. A value that is there
stays; a new field takes the value it has in another example, or one by its type, to be replaced
by hand. An operation without an example gets one that is made the same way.
"""

import json
from enum import Enum
from pathlib import Path
from typing import Any

import msgspec
from msgspec import UNSET, inspect, structs

from gamekeeper.api import document as api
from gamekeeper.api import pages
from gamekeeper.app import ROUTES
from gamekeeper.core.schemas import Body
from gamekeeper.http.openapi import OpenApiOperation

FILE = Path(__file__).parents[1] / "src/gamekeeper/api/static/examples.json"
WIDTH = 100
BY_TYPE: dict[type[inspect.Type], Any] = {
    inspect.BoolType: False,
    inspect.IntType: 1,
    inspect.FloatType: 1.5,
    inspect.StrType: "text",
    inspect.UUIDType: "0c6a4f5e-8f0b-4d1c-9a77-3f2f6f9f1b20",
    inspect.DateTimeType: "2026-03-14T18:22:05Z",
    inspect.DateType: "2026-03-14",
    inspect.DictType: {},
    inspect.AnyType: None,
    inspect.NoneType: None,
}

Known = dict[type, dict[str, Any]]
"""An example of each schema that an answer contains."""


def written(stored: dict[str, Any]) -> dict[str, Any]:
    """The examples as they should be, from those that are `stored`."""
    known: Known = {}
    described = [
        OpenApiOperation.of(route, api.words()) for route in ROUTES if route.path not in pages.PAGES
    ]
    operations = [operation for operation in described if operation.answer is not None]
    for operation in operations:
        if example := stored["operations"].get(operation.name):
            _learn(example["answer"], inspect.type_info(operation.answer), known)
    return {
        "operations": {
            operation.name: _example(operation, stored["operations"].get(operation.name), known)
            for operation in sorted(operations, key=lambda operation: operation.name)
        },
        "errors": dict(sorted(stored["errors"].items())),
    }


def _example(
    operation: OpenApiOperation, stored: dict[str, Any] | None, known: Known
) -> dict[str, Any]:
    kind = inspect.type_info(operation.answer)
    if stored is None:
        body = {} if operation.body is None else {"body": _least(operation.body)}
        return body | {"answer": _conformed(UNSET, kind, known)}
    return stored | {"answer": _conformed(stored["answer"], kind, known)}


def _least(shape: type[Body]) -> dict[str, Any]:
    """The required fields of a body."""
    info = inspect.type_info(shape)
    assert isinstance(info, inspect.StructType)
    return {
        field.encode_name: _conformed(UNSET, field.type, {})
        for field in info.fields
        if field.required
    }


def _learn(value: Any, kind: inspect.Type, known: Known) -> None:
    """Remember the first example of each schema."""
    match kind:
        case inspect.StructType() if isinstance(value, dict):
            known.setdefault(kind.cls, value)
            for field in kind.fields:
                _learn(value.get(field.encode_name), field.type, known)
        case inspect.UnionType():
            for part in kind.types:
                _learn(value, part, known)
        case inspect.ListType() if isinstance(value, list):
            for element in value:
                _learn(element, kind.item_type, known)


def _conformed(value: Any, kind: inspect.Type, known: Known) -> Any:
    """`value` with the fields that its schema has; UNSET: a new value."""
    match kind:
        case inspect.StructType():
            given = known.get(kind.cls, {}) if value is UNSET else value
            return _fields(given, kind, known)
        case inspect.ListType():
            elements = [UNSET] if value is UNSET else value
            return [_conformed(element, kind.item_type, known) for element in elements]
        case inspect.UnionType():
            return None if value is None else _conformed(value, _chosen(kind, value), known)
        case inspect.EnumType() if value is UNSET:
            first = next(iter(kind.cls))
            return first.value if isinstance(first, Enum) else first
        case inspect.LiteralType() if value is UNSET:
            return kind.values[0]
        case _:
            return BY_TYPE[type(kind)] if value is UNSET else value


def _fields(given: dict[str, Any], kind: inspect.StructType, known: Known) -> dict[str, Any]:
    shown, elsewhere = {}, known.get(kind.cls, {})
    for field in kind.fields:
        name = field.encode_name
        if name in given:
            shown[name] = _conformed(given[name], field.type, known)
        elif name not in _asked_for(kind.cls):
            shown[name] = _conformed(elsewhere.get(name, UNSET), field.type, known)
    return shown


def _asked_for(shape: Any) -> set[str]:
    """Fields that an answer has only if they are asked for."""
    return {field.encode_name for field in structs.fields(shape) if field.default is UNSET}


def _chosen(kind: inspect.UnionType, value: Any) -> inspect.Type:
    """The part of a union that the value has."""
    parts = [part for part in kind.types if not isinstance(part, inspect.NoneType)]
    if isinstance(value, dict):
        parts = [part for part in parts if isinstance(part, inspect.StructType)] or parts
    return parts[0]


def rendered(value: Any, indent: int = 0) -> str:
    """JSON with as much on a line as fits: one field per line would be 6,000 lines."""
    line = json.dumps(value, ensure_ascii=False)
    if len(line) + indent < WIDTH or not isinstance(value, dict | list) or not value:
        return line
    inner = indent + 1
    if isinstance(value, dict):
        parts = [f"{json.dumps(key)}: {rendered(part, inner)}" for key, part in value.items()]
    else:
        parts = [rendered(part, inner) for part in value]
    start, end = "{}" if isinstance(value, dict) else "[]"
    return f"{start}\n{_filled(parts, inner)}\n{' ' * indent}{end}"


def _filled(parts: list[str], indent: int) -> str:
    """The parts, with commas; those of several lines stand alone."""
    lines = [""]
    for number, part in enumerate(parts, 1):
        said = part + ("," if number < len(parts) else "")
        alone = "\n" in said or "\n" in lines[-1]
        if lines[-1] and (alone or indent + len(lines[-1]) + 1 + len(said) > WIDTH):
            lines.append(said)
        else:
            lines[-1] = f"{lines[-1]} {said}".strip()
    return "\n".join(" " * indent + line for line in lines)


def document(stored: bytes) -> str:
    return rendered(written(msgspec.json.decode(stored))) + "\n"


if __name__ == "__main__":
    FILE.write_text(document(FILE.read_bytes()), "utf-8")
