"""
The client's records, written from the OpenAPI document.

`python -m tests.clients.records` writes them anew; a test says when that is due.
"""

import keyword
import re
from pathlib import Path
from typing import Any

import msgspec

from gamekeeper import app
from gamekeeper.api import document
from gamekeeper.api.pages import PAGES

FILE = Path(__file__).parents[2] / "clients/python/src/gamekeeper_client/records.py"
DOCUMENT: dict[str, Any] = msgspec.to_builtins(
    document.describe(route for route in app.ROUTES if route.path not in PAGES)
)
SCHEMAS: dict[str, Any] = DOCUMENT["components"]["schemas"]
PLAIN = {"string": "str", "integer": "int", "number": "float", "boolean": "bool", "null": "None"}
CURSORS = {
    "Timeline",
    "AuditLogPage",
    "Deliveries",
    "Sanctions",
    "SignIns",
    "AccessBans",
    "LetterPage",
    "Cases",
    "OwnPlayerReports",
    "SegmentMembers",
    "Campaigns",
    "CampaignRecipients",
    "Schedules",
    "ScheduleRuns",
    "CodeBatches",
    "CodeRedemptions",
    "Orders",
}
"""The client has generic shapes for these, and for pages."""
WORDS_ONLY = {"Scalar", "ErrorCode"}
RENAMED = {"Values": "entries"}
"""`values` is a method of a dict."""
TEXTS = {"date-time": ("datetime", "as_instant"), "date": ("date", "as_day")}
HTTP_DATE = ("datetime", "as_http_date")
"""What a text is, and what reads it."""

HEAD = '''"""
What the service answers: the keys as on the wire, the attributes with Python names.

Written from the OpenAPI document by tests/clients/records.py; not by hand.
"""

from datetime import date, datetime
from typing import Any

from gamekeeper_client.fields import (
    Field,
    Record,
    as_day,
    as_http_date,
    as_instant,
    as_list,
    as_record,
)
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
    required = set(schema.get("required", ()))
    lines = [
        _field(field, part, needed=field in required)
        for field, part in schema.get("properties", {}).items()
    ]
    return f"class {name}(Record):\n    __slots__ = ()\n" + "".join(lines)


def _field(key: str, schema: dict[str, Any], *, needed: bool) -> str:
    kind, read = _type(schema), _read(schema)
    if not needed and kind != "Any" and "None" not in kind:
        kind += " | None"
    arguments = [f'"{key}"', *([read] if read else []), *([] if needed else ["needed=False"])]
    return f"    {python_name(key)} = Field[{kind}]({', '.join(arguments)})\n"


def python_name(key: str) -> str:
    """The attribute of a field: `LastOnline` is last_online; no method of a dict is hidden."""
    words = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", key).lower()
    name = RENAMED.get(key) or re.sub(r"\W+", "", words)
    return f"{name}_" if keyword.iskeyword(name) or hasattr(dict, name) else name


def _read(schema: dict[str, Any]) -> str:
    """The function that reads a value, if it is not taken as it is."""
    if text := _text(schema):
        return text[1]
    names = [name for name in _named(schema) if name not in WORDS_ONLY]
    if not names:
        return ""
    return f"{'as_list' if schema.get('type') == 'array' else 'as_record'}({names[0]})"


def _text(schema: dict[str, Any]) -> tuple[str, str] | None:
    if schema.get("description", "").startswith("RFC 1123"):
        return HTTP_DATE
    return TEXTS.get(schema.get("format", ""))


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
    if kind == "string" and (text := _text(schema)):
        return text[0]
    if isinstance(kind, list):
        return " | ".join(_type(schema | {"type": one}) for one in kind)
    if kind == "array":
        return f"list[{_type(schema['items'])}]" if schema.get("items") else "list[Any]"
    return PLAIN.get(kind or "", "dict[str, Any]" if kind == "object" else "Any")


if __name__ == "__main__":
    from tests.clients import operation_ids

    FILE.write_text(written())
    operation_ids.add_new()
