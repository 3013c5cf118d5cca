"""Schema names of the OpenAPI document: what a generated client calls its classes."""

import re
from typing import Any

from gamekeeper.http.openapi.operations import REF, Json

GENERIC = re.compile(r"(Legacy|)Page_(\w+)_")
PREFIX = REF.format(name="")


def renamed(document: Json, names: dict[str, str]) -> Json:
    """`document` with its schemas, and all references to them, under their public names."""
    schemas = document["components"]["schemas"]
    public = {name: public_name(name, names) for name in schemas}
    assert len(set(public.values())) == len(public), "two schemas have one name"
    renamed = {
        public[name]: schema | {"title": public[name]} for name, schema in sorted(schemas.items())
    }
    components = document["components"] | {"schemas": dict(sorted(renamed.items()))}
    return _walk(document | {"components": components}, public)


def public_name(name: str, names: dict[str, str]) -> str:
    """`Page_Entry_`, of the class `Page[Entry]`, becomes `AuditLogEntryPage`."""
    if generic := GENERIC.fullmatch(name):
        legacy, inner = generic.groups()
        return f"{legacy}{names.get(inner, inner)}Page"
    return names.get(name, name)


def _walk(value: Any, public: dict[str, str]) -> Any:
    if isinstance(value, list):
        return [_walk(inner, public) for inner in value]
    if not isinstance(value, dict):
        return value
    return {
        key: PREFIX + public[inner.removeprefix(PREFIX)] if key == "$ref" else _walk(inner, public)
        for key, inner in value.items()
    }
