"""The OpenAPI description of requests: path, query and bodies."""

from datetime import datetime
from types import NoneType
from typing import Annotated, Any, Literal, get_args, get_origin
from uuid import UUID

from msgspec import NODEFAULT, structs

from gamekeeper.core.parsing import INT32, INT64, Scalar, Wide
from gamekeeper.core.schemas import Body, SortDirection
from gamekeeper.http.application import FORM
from gamekeeper.http.openapi.operations import (
    PLAIN_JSON,
    REF,
    Example,
    Json,
    OpenApiOperation,
    Words,
)

HEX = "[0-9a-fA-F]"
GUID = f"({HEX}{{8}}(-{HEX}{{4}}){{3}}-{HEX}{{12}}|{HEX}{{32}})"

# As lenient as core/parsing.py, which reads "5" as an integer and "True" as true.
SENT: Json = {
    "Guid": {
        "description": "36 characters with hyphens or 32 without, in braces or not, in any case.",
        "type": "string",
        "pattern": rf"^({GUID}|\{{{GUID}\}})$",
    },
    "Integer": {
        "description": "An integer of 32 bits, or its digits as a string.",
        "anyOf": [
            {"type": "integer", "minimum": INT32.start, "maximum": INT32.stop - 1},
            {"type": "string", "pattern": "^-?[0-9]{1,19}$"},
        ],
    },
    "WideInteger": {
        "description": "An integer of 64 bits, or its digits as a string.",
        "anyOf": [
            {"type": "integer", "minimum": INT64.start, "maximum": INT64.stop - 1},
            {"type": "string", "pattern": "^-?[0-9]{1,19}$"},
        ],
    },
    "Boolean": {
        "description": "true or false, or either word as a string, in any case.",
        "anyOf": [
            {"type": "boolean"},
            {"type": "string", "pattern": "^([Tt][Rr][Uu][Ee]|[Ff][Aa][Ll][Ss][Ee])$"},
        ],
    },
    "Scalar": {
        "description": "A value of the type that the variable was declared with.",
        "type": ["boolean", "integer", "number", "string"],
    },
}
IN_BODY: dict[Any, Json] = {
    int: {"$ref": REF.format(name="Integer")},
    Wide: {"$ref": REF.format(name="WideInteger")},
    bool: {"$ref": REF.format(name="Boolean")},
    str: {"type": "string"},
    UUID: {"$ref": REF.format(name="Guid")},
    datetime: {"type": "string", "format": "date-time"},
    Scalar: {"$ref": REF.format(name="Scalar")},
}
IN_PATH: dict[Any, Json] = {
    str: {"type": "string", "minLength": 1},
    UUID: {"$ref": REF.format(name="Guid")},
}
IN_QUERY: dict[Any, Json] = {
    int: {"type": "integer"},
    str: {"type": "string"},
    UUID: {"$ref": REF.format(name="Guid")},
    datetime: {"type": "string", "format": "date-time"},
    SortDirection: {"type": "string", "enum": [direction.value for direction in SortDirection]},
}


def parameters(operation: OpenApiOperation, words: Words) -> list[Json]:
    return [*_path(operation, words), *_query(operation, words)]


def _path(operation: OpenApiOperation, words: Words) -> list[Json]:
    described = []
    for name, kind in operation.path.items():
        meaning, example = words.parameters.get(f"{operation.tag}.{name}", ("", ""))
        described.append(
            {
                "name": name,
                "in": "path",
                "required": True,
                "description": meaning,
                "schema": IN_PATH[kind],
                "example": example,
            }
        )
    return described


def _query(operation: OpenApiOperation, words: Words) -> list[Json]:
    if operation.query is None:
        return []
    return [
        {
            "name": field.encode_name,
            "in": "query",
            "required": field.required,
            "schema": _field(field, IN_QUERY),
        }
        | words.about(f"{operation.query.__name__}.{field.encode_name}", field.encode_name)
        for field in structs.fields(operation.query)
    ]


def request(shape: type[Body], example: Example | None) -> Json:
    content: Json = {"schema": {"$ref": REF.format(name=shape.__name__)}}
    if example is not None and example.body is not None:
        content["example"] = example.body
    fields = [field for field in structs.fields(shape) if field.required]
    # A form cannot encode a list.
    kinds = [PLAIN_JSON] if any(_is_list(field.type) for field in fields) else [PLAIN_JSON, FORM]
    return {"required": bool(fields), "content": dict.fromkeys(kinds, content)}


def _is_list(kind: Any) -> bool:
    return get_origin(get_args(kind)[0] if get_origin(kind) is Annotated else kind) is list


def schemas(operations: list[OpenApiOperation], words: Words) -> Json:
    """The schemas of bodies and of their field types, by name."""
    shapes = {operation.body.__name__: operation.body for operation in operations if operation.body}
    return SENT | {
        name: {
            "title": name,
            "description": "Keys match in any letter case; unknown ones are ignored.",
            "type": "object",
            "properties": {
                field.encode_name: _field(field, IN_BODY) | _more(name, field.encode_name, words)
                for field in structs.fields(shape)
            },
            "required": [field.encode_name for field in structs.fields(shape) if field.required],
        }
        for name, shape in shapes.items()
    }


def _more(shape: str, field: str, words: Words) -> Json:
    """The description and the pattern of a field of a body."""
    pattern = words.patterns.get(f"{shape}.{field}")
    known = words.about(f"{shape}.{field}", field)
    return known if pattern is None else known | {"pattern": pattern}


def _field(field: structs.FieldInfo, kinds: dict[Any, Json]) -> Json:
    """The schema of one field; null means the same as absence, so `| None` adds nothing."""
    schema = _schema(field.type, kinds)
    return schema if field.default in (NODEFAULT, None) else schema | {"default": field.default}


def _schema(kind: Any, kinds: dict[Any, Json]) -> Json:
    if kind in kinds:
        return kinds[kind]
    [inner, *others] = [part for part in get_args(kind) if part is not NoneType]
    if get_origin(kind) is Annotated:
        return _schema(inner, kinds) | {"maxItems": others[0].max_length}
    if get_origin(kind) is list:
        items = kinds[inner] if inner in kinds else _object(inner, kinds)
        return {"type": "array", "items": items}
    if get_origin(kind) is Literal:
        return {"type": "string", "enum": [inner, *others]}
    return _schema(Scalar if others else inner, kinds)


def _object(shape: type[Body], kinds: dict[Any, Json]) -> Json:
    """The schema of an object in a list in a body."""
    fields = structs.fields(shape)
    return {
        "type": "object",
        "properties": {field.encode_name: _field(field, kinds) for field in fields},
        "required": [field.encode_name for field in fields if field.required],
    }
