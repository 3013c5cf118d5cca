"""
The client's records, written from the OpenAPI document.

`python -m tests.clients.records` writes them anew; a test says when that is due.
"""

from pathlib import Path
from typing import Any

import msgspec

from gamekeeper import app
from gamekeeper.api.openapi_text.descriptions import WORDS
from gamekeeper.api.pages import PAGES
from gamekeeper.http import openapi

FILE = Path(__file__).parents[2] / "clients/python/src/gamekeeper_client/records.py"
DOCUMENT: dict[str, Any] = msgspec.to_builtins(
    openapi.describe([route for route in app.ROUTES if route.path not in PAGES], WORDS)
)
SCHEMAS: dict[str, Any] = DOCUMENT["components"]["schemas"]
PLAIN = {"string": "str", "integer": "int", "number": "float", "boolean": "bool", "null": "None"}
CURSORS = {"Timeline", "AuditLogPage", "Deliveries"}
"""The client has generic shapes for these, and for pages."""
WORDS_ONLY = {"Scalar", "ErrorCode"}

HEAD = '''"""
What the service answers, as it is spelled on the wire.

Written from the OpenAPI document by tests/clients/records.py; not by hand.
"""

from typing import Any, NotRequired, TypedDict
'''


def written() -> str:
    """The whole module, with each record after those it is made of."""
    done: dict[str, str] = {}
    for operations in DOCUMENT["paths"].values():
        for operation in operations.values():
            for content in operation["responses"]["200"].get("content", {}).values():
                _add(content.get("schema", {}), done)
    return HEAD + "".join(f"\n\n{text}" for text in done.values())


def _add(schema: dict[str, Any], done: dict[str, str]) -> None:
    for name in _named(schema):
        if name in done or name in WORDS_ONLY:
            continue
        for part in SCHEMAS[name].get("properties", {}).values():
            _add(part, done)
        if not name.endswith("Page") and name not in CURSORS:
            done[name] = _record(name, SCHEMAS[name])


def _named(schema: Any) -> list[str]:
    if isinstance(schema, list):
        return [name for part in schema for name in _named(part)]
    if not isinstance(schema, dict):
        return []
    if "$ref" in schema:
        return [schema["$ref"].rpartition("/")[2]]
    return [name for part in schema.values() for name in _named(part)]


def _record(name: str, schema: dict[str, Any]) -> str:
    fields = {field: _type(part) for field, part in schema.get("properties", {}).items()}
    required = set(schema.get("required", ()))
    shown = {
        field: kind if field in required else f"NotRequired[{kind}]"
        for field, kind in fields.items()
    }
    if all(field.isidentifier() for field in fields):
        lines = [f"    {field}: {kind}\n" for field, kind in shown.items()] or ["    pass\n"]
        return f"class {name}(TypedDict):\n" + "".join(lines)
    lines = [f'        "{field}": {kind},\n' for field, kind in shown.items()]
    return f'{name} = TypedDict(\n    "{name}",\n    {{\n' + "".join(lines) + "    },\n)\n"


def _type(schema: dict[str, Any]) -> str:
    """In annotations; a word out of a list is a string, because words may be added."""
    if "$ref" in schema:
        name = schema["$ref"].rpartition("/")[2]
        if name in WORDS_ONLY:
            return "str" if name == "ErrorCode" else "bool | int | float | str"
        return name
    if "allOf" in schema:
        return _type(schema["allOf"][0])
    if "anyOf" in schema:
        return " | ".join(dict.fromkeys(_type(part) for part in schema["anyOf"]))
    kind = schema.get("type")
    if isinstance(kind, list):
        return " | ".join(_type(schema | {"type": one}) for one in kind)
    if kind == "array":
        return f"list[{_type(schema['items'])}]" if schema.get("items") else "list[Any]"
    return PLAIN.get(kind or "", "dict[str, Any]" if kind == "object" else "Any")


if __name__ == "__main__":
    from tests.clients import operation_ids

    FILE.write_text(written())
    operation_ids.add_new()
