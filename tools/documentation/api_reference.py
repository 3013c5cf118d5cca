"""The reference of the API, by group, from the OpenAPI document."""

import shlex
from collections.abc import Iterator
from typing import Any

import msgspec

from gamekeeper.api import document as api_document
from gamekeeper.api import pages as web_pages
from gamekeeper.app import ROUTES
from tools.documentation.text import cell, folded, plain, pretty, table

Json = dict[str, Any]

FOLDER = "reference/api"
LONG = 24
"""An example of more lines than this is folded."""
WHOLE = {-(2**31), 2**31 - 1, -(2**63), 2**63 - 1}
"""Bounds that only say how many bits there are."""
KINDS = {"uuid": "guid", "date-time": "instant", "date": "date", "binary": "file"}

INTRODUCTION = """\
# API reference

All {count} operations, written from the OpenAPI document of version {version}. A running service
has the same document at `/api/openapi.json`, and an interactive page at `/api/docs`. What bodies
and responses contain: [schemas](schemas.md). Every error has a code: [errors](../errors.md). Edge
cases and their reasons: [API behaviour](../../contract.md).
"""


def document() -> Json:
    """The OpenAPI document as `/api/openapi.json` has it."""
    routes = [route for route in ROUTES if route.path not in web_pages.PAGES]
    return msgspec.to_builtins(api_document.describe(routes))


def pages(document: Json) -> dict[str, str]:
    found = {f"{FOLDER}/index.md": _index(document), f"{FOLDER}/schemas.md": _schemas(document)}
    for tag in document["tags"]:
        found[f"{FOLDER}/{tag['name']}.md"] = _group(document, tag)
    return found


def operations(document: Json) -> Iterator[tuple[str, str, Json]]:
    """Method, path and description of each operation."""
    for path, methods in document["paths"].items():
        for method, operation in methods.items():
            yield method.upper(), path, operation


def codes(operation: Json) -> Iterator[tuple[str, str]]:
    """The status and the code of each error of an operation."""
    for status, response in operation["responses"].items():
        for content in response.get("content", {}).values():
            for code, example in content.get("examples", {}).items():
                if "Code" in example["value"]:
                    yield status, code


# ── Pages ──


def _index(document: Json) -> str:
    counts = [tag for _, _, operation in operations(document) for tag in operation["tags"]]
    rows = [
        (f"[{tag['name']}]({tag['name']}.md)", str(counts.count(tag["name"])), cell(about))
        for tag in document["tags"]
        if (about := tag["description"])
    ]
    about = INTRODUCTION.format(count=len(counts), version=document["info"]["version"])
    groups = table(["Group", "Operations", "What it is about"], rows)
    return "\n".join([about, *groups, "## Calling it", "", document["info"]["description"], ""])


def _group(document: Json, tag: Json) -> str:
    mine = [each for each in operations(document) if tag["name"] in each[2]["tags"]]
    rows = [
        (f"[`{method} {path}`](#{each['operationId']})", cell(each["summary"]))
        for method, path, each in mine
    ]
    lines = [f"# {tag['name'].capitalize()}", "", plain(tag["description"]), ""]
    lines += table(["Operation", "What it does"], rows)
    for method, path, operation in mine:
        lines += _operation(document, method, path, operation)
    return "\n".join(lines)


def _operation(document: Json, method: str, path: str, operation: Json) -> list[str]:
    name = operation["operationId"]
    lines = [f"## {plain(operation['summary'])} {{ #{name} }}", ""]
    lines += [f"`{method} {path}`{{ .operation .{method.lower()} }}", ""]
    if operation.get("deprecated"):
        lines += ["**Deprecated.**", ""]
    lines += [plain(operation["description"]), ""]
    parameters = [
        (f"`{one['name']}`", one["in"], _type(one["schema"]), cell(_about(one)))
        for one in operation["parameters"]
    ]
    lines += table(["Parameter", "In", "Type", "Meaning"], parameters)
    lines += _body(document, method, path, operation)
    lines += _answer(operation)
    return [*lines, *_errors(operation)]


def _about(described: Json) -> str:
    must = "Required. " if described.get("required") and described.get("in") != "path" else ""
    return must + described.get("description", "")


def _body(document: Json, method: str, path: str, operation: Json) -> list[str]:
    if "requestBody" not in operation:
        return []
    content = next(iter(operation["requestBody"]["content"].values()))
    shape = document["components"]["schemas"][content["schema"]["$ref"].rpartition("/")[2]]
    lines = table(["Field of the body", "Type", "Meaning"], _fields(shape, ""))
    if "example" in content:
        lines += ["```sh", _curl(method, path, operation, content["example"]), "```", ""]
    return lines


def _curl(method: str, path: str, operation: Json, body: Json) -> str:
    for one in operation["parameters"]:
        if one["in"] == "path":
            path = path.replace(
                f"{{{one['name']}}}", str(one.get("example", "")).replace(" ", "%20")
            )
    sent = shlex.quote(msgspec.json.encode(body).decode())
    wanted = "" if method == "POST" else f"-X {method} "
    credential = '-H "Authorization: Bearer $KEY" ' if operation["security"] else ""
    return (
        f'curl -s {wanted}{credential}-H "Content-Type: application/json" \\\n'
        f'  -d {sent} \\\n  "$URL{path}"'
    )


def _answer(operation: Json) -> list[str]:
    [[kind, content]] = operation["responses"]["200"]["content"].items()
    lines = [f"Answers {_type(content['schema'])} (`{kind}`).", ""]
    if "example" in content:
        shown = pretty(content["example"]).splitlines()
        block = ["```json", *shown, "```"]
        lines += folded("example", "An answer", block, is_open=len(shown) <= LONG)
    return lines


def _errors(operation: Json) -> list[str]:
    links = [f"{status} [`{code}`](../errors.md#{code})" for status, code in codes(operation)]
    return ["Errors: " + " · ".join(links) + ".", ""] if links else []


def _schemas(document: Json) -> str:
    lines = ["# Schemas", "", "What bodies and answers contain, by name.", ""]
    for name, shape in sorted(document["components"]["schemas"].items()):
        if name == "ErrorCode":
            continue
        lines += [f"## {name} {{ #{name} }}", ""]
        if shape.get("description"):
            lines += [plain(shape["description"]), ""]
        if "properties" in shape:
            lines += table(["Field", "Type", "Meaning"], _fields(shape, ""))
        else:
            lines += [f"{_type(shape, '').capitalize()}.", ""]
    return "\n".join(lines)


# ── Types ──


def _fields(shape: Json, page: str = "schemas.md") -> Iterator[tuple[str, str, str]]:
    required = set(shape.get("required", ()))
    is_body = set(shape["properties"]) != required
    for name, schema in shape["properties"].items():
        must = "Required. " if is_body and name in required else ""
        default = f" Default: `{schema['default']}`." if "default" in schema else ""
        text = cell(must + schema.get("description", "") + default)
        yield f"`{name}`", _type(schema, page or "schemas.md"), text


def _type(schema: Json, page: str = "schemas.md") -> str:
    """A type in words, with links to the schemas."""
    if "$ref" in schema:
        name = schema["$ref"].rpartition("/")[2]
        return "[error code](../errors.md)" if name == "ErrorCode" else f"[{name}]({page}#{name})"
    for union in ("allOf", "anyOf", "oneOf"):
        if union in schema:
            return " or ".join(dict.fromkeys(_type(each, page) for each in schema[union]))
    if "enum" in schema:
        return ", ".join(f"`{value}`" for value in schema["enum"] if value is not None)
    kind = schema.get("type", "any")
    if isinstance(kind, list):
        return " or ".join(_type(schema | {"type": each}, page) for each in kind)
    if kind == "array":
        return f"list of {_type(schema.get('items') or {}, page)}"
    if kind == "object" and isinstance(schema.get("additionalProperties"), dict):
        return f"object of {_type(schema['additionalProperties'], page)}"
    return KINDS.get(schema.get("format", ""), kind) + _bounds(schema)


def _bounds(schema: Json) -> str:
    low, high = schema.get("minimum"), schema.get("maximum")
    if schema.get("maxLength"):
        return f", at most {schema['maxLength']} characters"
    if low is not None and high is not None and not {low, high} & WHOLE:
        return f", {low} to {high}"
    return ""
