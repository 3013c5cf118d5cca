"""
JSON schemas of responses in the dialect that code generators understand.

msgspec's schemas are right, and some of them useless to a generator: it makes a class of
a union, a 32-bit number of an integer without a format, and a string of an instant.
"""

from collections.abc import Iterable, Iterator
from typing import Any, get_args, get_origin

import msgspec
from msgspec import UNSET, Struct, inspect, structs

from gamekeeper.http.openapi.field_docs import described
from gamekeeper.http.openapi.operations import REF, SCALAR, Json, beside

INT64: Json = {"type": "integer", "format": "int64"}
DOUBLE: Json = {"type": "number", "format": "double"}
NULL: Json = {"type": "null"}
SCALARS: Json = {
    "title": SCALAR,
    "description": "A boolean, a number or a string, as the type of the variable requires.",
    # Not a union: C# reads a number in one as null.
    "not": {"type": ["array", "null", "object"]},
}
KINDS = 4
"""So many simple types are a scalar: bool, int, float and str."""


def components(kinds: list[Any]) -> Json:
    """The schemas of all structs in `kinds`, by the name of the class, with descriptions."""
    _, shapes = msgspec.json.schema_components(kinds, ref_template=REF)
    shapes = {name: shape for name, shape in shapes.items() if "properties" in shape}
    for shape in shapes.values():
        fields = shape["properties"]
        shape["properties"] = {field: plain(schema) for field, schema in fields.items()}
    for struct in _structs(inspect.multi_type_info(kinds), set()):
        owner = get_origin(struct.cls) or struct.cls
        shape = shapes[_component(struct)]
        fields = shape["properties"]
        shape["required"] = [name for name in fields if name not in _optional(owner)]
        for field in struct.fields:
            schema = _instants(fields[field.encode_name], field.type)
            fields[field.encode_name] = beside(schema, described(owner, field.name))
    return shapes


def _optional(shape: type[Struct]) -> set[str]:
    """Fields that are there only if they are asked for; a default is no reason to be absent."""
    return {field.encode_name for field in structs.fields(shape) if field.default is UNSET}


def plain(schema: Json) -> Json:
    """One schema without unions where there is another word for it, and without defaults."""
    schema = {name: value for name, value in schema.items() if name != "default"}
    if "anyOf" in schema:
        return _union(schema.pop("anyOf")) | schema
    if "items" in schema:
        return schema | {"items": plain(schema["items"])}
    if "enum" in schema:
        return {"type": "string"} | schema
    if schema.get("type") == "object" and "properties" not in schema:
        values = schema.get("additionalProperties", True)
        return schema | {
            "additionalProperties": plain(values) if isinstance(values, dict) else values
        }
    return {"integer": INT64, "number": DOUBLE}.get(schema.get("type", ""), {}) | schema


def _union(parts: list[Json]) -> Json:
    """Null is a second type of a simple schema; four simple types are a scalar."""
    real = [plain(part) for part in parts if part != NULL]
    if len(real) == KINDS:
        real = [{"$ref": REF.format(name=SCALAR)}]
    if NULL not in parts:
        return real[0] if len(real) == 1 else {"anyOf": real}
    if len(real) == 1 and isinstance(real[0].get("type"), str) and "enum" not in real[0]:
        return real[0] | {"type": [real[0]["type"], "null"]}
    return {"anyOf": [*real, NULL]}


def _structs(kinds: Iterable[inspect.Type], seen: set[Any]) -> Iterator[inspect.StructType]:
    for kind in kinds:
        if isinstance(kind, inspect.StructType):
            if _component(kind) in seen:
                continue
            seen.add(_component(kind))
            yield kind
            yield from _structs([field.type for field in kind.fields], seen)
        elif isinstance(kind, inspect.UnionType):
            yield from _structs(kind.types, seen)
        elif isinstance(kind, inspect.ListType):
            yield from _structs([kind.item_type], seen)
        elif isinstance(kind, inspect.DictType):
            yield from _structs([kind.value_type], seen)


def _component(struct: inspect.StructType) -> str:
    """The name that msgspec gives to the schema of a struct: `Page[Player]` is `Page_Player_`."""
    generic, arguments = get_origin(struct.cls), get_args(struct.cls)
    if generic is None:
        return struct.cls.__name__
    return f"{generic.__name__}_{'_'.join(argument.__name__ for argument in arguments)}_"


def _instants(schema: Json, kind: inspect.Type) -> Json:
    """`date-time` for every datetime: those we answer with all carry their offset."""
    parts = kind.types if isinstance(kind, inspect.UnionType) else (kind,)
    if any(isinstance(part, inspect.DateTimeType) for part in parts):
        return schema | {"format": "date-time"}
    return schema
