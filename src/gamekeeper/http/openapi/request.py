"""The OpenAPI description of requests: path, query and bodies."""

from datetime import datetime
from types import NoneType
from typing import Annotated, Any, Literal, get_args, get_origin
from uuid import UUID

from msgspec import NODEFAULT, structs

from gamekeeper.core.parsing import INT32, INT64, JsonObject, Scalar, Wide
from gamekeeper.core.schemas import Body, SortDirection
from gamekeeper.http.application import FORM
from gamekeeper.http.openapi.field_docs import described
from gamekeeper.http.openapi.operations import (
    PLAIN_JSON,
    REF,
    SCALAR,
    Example,
    Json,
    OpenApiOperation,
    beside,
)
from gamekeeper.http.requests import LONGEST_REASON

# What a generated client sends. core/parsing.py also reads "5" as an integer, "True" as true
# and a guid in braces; the introduction says so, because a union type spoils every generator.
INTEGER: Json = {
    "type": "integer",
    "format": "int32",
    "minimum": INT32.start,
    "maximum": INT32.stop - 1,
}
WIDE: Json = {
    "type": "integer",
    "format": "int64",
    "minimum": INT64.start,
    "maximum": INT64.stop - 1,
}
UUIDS: Json = {"type": "string", "format": "uuid"}
INSTANT: Json = {"type": "string", "format": "date-time"}
# Examples of what a query must have: an instant, a part of a name to search for, a character.
ASKED_FOR: dict[Any, str] = {
    datetime: "2026-03-14T18:00:00Z",
    str: "ana",
    UUID: "0c6a4f5e-8f0b-4d1c-9a77-3f2f6f9f1b20",
}

IN_BODY: dict[Any, Json] = {
    int: INTEGER,
    Wide: WIDE,
    bool: {"type": "boolean"},
    str: {"type": "string"},
    UUID: UUIDS,
    datetime: INSTANT,
    Scalar: {"$ref": REF.format(name=SCALAR)},
    JsonObject: {"type": "object", "additionalProperties": True},
}
IN_PATH: dict[Any, Json] = {str: {"type": "string", "minLength": 1}, UUID: UUIDS}
IN_QUERY: dict[Any, Json] = {
    int: {"type": "integer", "format": "int32"},
    bool: {"type": "boolean"},
    str: {"type": "string"},
    UUID: UUIDS,
    datetime: INSTANT,
    SortDirection: {"type": "string", "enum": [direction.value for direction in SortDirection]},
}

IDEMPOTENCY_KEY: Json = {
    "name": "Idempotency-Key",
    "in": "header",
    "required": False,
    "description": "A key that you choose for this request, such as an order number: if you "
    "send the request again with it, nothing is executed twice.",
    "schema": {"type": "string", "minLength": 1, "maxLength": 255, "pattern": "^[!-~]+$"},
}
REASON: Json = {
    "name": "X-Reason",
    "in": "header",
    "required": False,
    "description": "The reason, for the audit log; you can send `reason` in the body instead.",
    "schema": {"type": "string", "maxLength": LONGEST_REASON},
}
REASON_FIELD = "The reason, for the audit log; you can send the header `X-Reason` instead."


def parameters(operation: OpenApiOperation) -> list[Json]:
    headers = [IDEMPOTENCY_KEY] if operation.idempotent else []
    headers += [REASON] if operation.audited else []
    return [*_path(operation), *_query(operation), *headers]


def _path(operation: OpenApiOperation) -> list[Json]:
    parameters = []
    for name, annotated in operation.path.items():
        kind, about = get_args(annotated)
        parameters.append(
            {
                "name": name,
                "in": "path",
                "required": True,
                "description": about.description,
                "schema": IN_PATH[kind],
                "example": str(about.example),
            }
        )
    return parameters


def _query(operation: OpenApiOperation) -> list[Json]:
    if operation.query is None:
        return []
    return [
        {
            "name": field.encode_name,
            "in": "query",
            "required": field.required,
            "schema": _field(field, IN_QUERY),
        }
        | ({"example": ASKED_FOR[field.type]} if field.required else {})
        | described(operation.query, field.name)
        for field in structs.fields(operation.query)
    ]


def request(operation: OpenApiOperation, shape: type[Body], example: Example | None) -> Json:
    content: Json = {"schema": {"$ref": REF.format(name=shape.__name__)}}
    if example is not None and example.body is not None:
        content["example"] = example.body
    # Forms are read everywhere, but two kinds of content cost a generated client the type of its
    # body. RFC 6749, whose error format tells its routes, has forms only.
    kinds = [PLAIN_JSON, FORM] if operation.route.failure else [PLAIN_JSON]
    required = any(field.required for field in structs.fields(shape))
    return {"required": required, "content": dict.fromkeys(kinds, content)}


def schemas(operations: list[OpenApiOperation]) -> Json:
    """The schemas of bodies and of the objects in them, by name."""
    found: Json = {}
    for operation in operations:
        if operation.body is not None:
            for shape in _shapes(operation.body):
                found[shape.__name__] = _object(shape)
            if operation.audited:
                fields = found[operation.body.__name__]["properties"]
                fields.setdefault("reason", REASON["schema"] | {"description": REASON_FIELD})
    return found


def _shapes(shape: type[Body]) -> list[type[Body]]:
    """A body, and the objects in it and in its lists."""
    kinds = [_item(field.type) for field in structs.fields(shape)]
    return [shape, *(inner for kind in kinds if _is_body(kind) for inner in _shapes(kind))]


def _item(kind: Any) -> Any:
    """The type of the elements, if `kind` is a list, however it is annotated."""
    while get_args(kind) and get_origin(kind) is not Literal:
        kind = get_args(kind)[0]
    return kind


def _is_body(kind: Any) -> bool:
    return isinstance(kind, type) and issubclass(kind, Body)


def _object(shape: type[Body]) -> Json:
    fields = structs.fields(shape)
    return {
        "title": shape.__name__,
        "description": "Keys are case-insensitive; unknown keys are ignored.",
        "type": "object",
        "properties": {
            field.encode_name: beside(_field(field, IN_BODY), described(shape, field.name))
            for field in fields
        },
        "required": [field.encode_name for field in fields if field.required],
    }


def _field(field: structs.FieldInfo, kinds: dict[Any, Json]) -> Json:
    """The schema of one field; null means the same as absence, so `| None` adds nothing."""
    schema = _schema(field.type, kinds)
    known = field.default not in (NODEFAULT, None)
    return beside(schema, {"default": field.default}) if known else schema


def _schema(kind: Any, kinds: dict[Any, Json]) -> Json:
    if kind in kinds:
        return kinds[kind]
    if _is_body(kind):
        return {"$ref": REF.format(name=kind.__name__)}
    [inner, *others] = [part for part in get_args(kind) if part is not NoneType]
    if get_origin(kind) is Annotated:
        [about] = others
        bound = {"pattern": about.pattern} if about.pattern else {"maxItems": about.max_length}
        return _schema(inner, kinds) | bound
    if get_origin(kind) is list:
        items = kinds[inner] if inner in kinds else {"$ref": REF.format(name=inner.__name__)}
        return {"type": "array", "items": items}
    if get_origin(kind) is Literal:
        return {"type": "string", "enum": [inner, *others]}
    return _schema(Scalar if others else inner, kinds)
