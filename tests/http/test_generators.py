"""What a code generator needs of the document, by rule: every new route has it too."""

import importlib
import inspect
import pkgutil
import re
from collections.abc import Iterator
from typing import Any, get_type_hints

import pytest

import gamekeeper
from gamekeeper.codes.generation import DownloadReplaced
from gamekeeper.core.errors import Problem, StoredReply
from gamekeeper.db.idempotency import DuplicateInBatch
from gamekeeper.db.operations import AuditContext
from gamekeeper.http.routing import Route
from gamekeeper.players.holds import HeldByRule
from tests.clients.operation_ids import FILE, identified
from tests.http.test_openapi import DESCRIBED, DOCUMENT, ERROR_CODE, operation_of

SCHEMAS: dict[str, Any] = DOCUMENT["components"]["schemas"]

# Of C# (System), TypeScript's global scope and Python, as far as a service could want them.
BUILT_IN = {
    "Action",
    "Array",
    "Attribute",
    "BigInt",
    "Boolean",
    "Buffer",
    "Byte",
    "Char",
    "Console",
    "Convert",
    "Date",
    "DateTime",
    "Decimal",
    "Delegate",
    "Double",
    "Enum",
    "Environment",
    "Error",
    "Event",
    "Exception",
    "File",
    "Func",
    "Function",
    "Guid",
    "Index",
    "Int32",
    "Int64",
    "Integer",
    "Iterator",
    "List",
    "Lock",
    "Map",
    "Math",
    "Module",
    "Number",
    "Object",
    "Option",
    "Path",
    "Promise",
    "Proxy",
    "Random",
    "Range",
    "Record",
    "Request",
    "Response",
    "Set",
    "Single",
    "String",
    "Symbol",
    "Task",
    "Text",
    "Thread",
    "Timer",
    "Tuple",
    "Type",
    "Uri",
    "Version",
    "Void",
    "Warning",
}
# Classes whose names only their modules explain; the document calls them otherwise.
UNCLEAR = {
    "Change",
    "Changed",
    "DeliveryShown",
    "Done",
    "Entries",
    "Entry",
    "Joined",
    "Joining",
    "Left",
    "NewlyKeyed",
    "Obstacle",
    "OnlineThen",
    "Registered",
    "Replayed",
    "ResetAsked",
    "Restored",
    "Returned",
    "Revoked",
    "Stood",
    "Swept",
    "Tally",
    "Undone",
    "WideInteger",
}
INSTANT = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z")


def schemas(value: Any, path: str = "") -> Iterator[tuple[str, dict[str, Any]]]:
    """Every object of the document that may be a schema, with its place; no examples."""
    if isinstance(value, dict):
        yield path, value
        for key, inner in value.items():
            if key not in ("example", "examples"):
                yield from schemas(inner, f"{path}/{key}")
    if isinstance(value, list):
        for place, inner in enumerate(value):
            yield from schemas(inner, f"{path}/{place}")


# ── Names ──


def test_schema_names_shadow_no_built_in_and_say_what_they_are():
    assert SCHEMAS.keys() & (BUILT_IN | UNCLEAR) == set()
    assert [name for name in SCHEMAS if not re.fullmatch(r"([A-Z][a-z0-9]+)+", name)] == []
    assert all(schema["title"] == name for name, schema in SCHEMAS.items())


def test_operation_ids_stay_as_they_are():
    """A generated client has a method of that name; `python -m tests.clients.records` adds one."""
    assert FILE.read_text().splitlines() == identified()


# ── Types ──


def test_nothing_stands_beside_a_reference():
    assert [
        path for path, schema in schemas(DOCUMENT) if "$ref" in schema and len(schema) > 1
    ] == []


def test_nothing_is_of_several_types():
    """A generator makes a class of a union, and an object on the wire or a null of that."""
    several = {
        path
        for path, schema in schemas(DOCUMENT)
        for word in ("anyOf", "oneOf")
        if [part for part in schema.get(word, []) if part != {"type": "null"}][1:]
    }
    assert several == set()
    kinds = [schema.get("type") for path, schema in schemas(DOCUMENT) if not path.endswith("/not")]
    assert not [kind for kind in kinds if isinstance(kind, list) and set(kind[1:]) != {"null"}]


def test_numbers_and_words_say_their_type():
    for path, schema in schemas(DOCUMENT):
        types = schema.get("type")
        if types == "integer" or (isinstance(types, list) and "integer" in types):
            assert schema["format"] in ("int32", "int64"), path
        if isinstance(schema.get("enum"), list):
            assert types == "string", path


def test_every_instant_is_a_date_time():
    """Every string of an example that is an instant has a schema that says so."""
    found: list[tuple[str, bool]] = []

    def compare(value: Any, schema: dict[str, Any], path: str) -> None:
        schema = _resolved(schema)
        if isinstance(value, dict):
            for key, inner in value.items():
                compare(inner, schema.get("properties", {}).get(key, {}), f"{path}/{key}")
        elif isinstance(value, list):
            for inner in value:
                compare(inner, schema.get("items", {}), path)
        elif isinstance(value, str) and INSTANT.fullmatch(value) and schema:
            found.append((path, schema.get("format") == "date-time"))

    for route in DESCRIBED:
        operation = operation_of(route)
        places = [operation["responses"]["200"], operation.get("requestBody", {"content": {}})]
        for content in [one for place in places for one in place["content"].values()]:
            compare(content.get("example"), content["schema"], operation["operationId"])
    assert [path for path, right in found if not right] == []
    assert len(found) > 30


def _resolved(schema: dict[str, Any]) -> dict[str, Any]:
    for word in ("allOf", "anyOf"):
        if word in schema and len(schema[word]) <= 2:
            schema = schema[word][0]
    return SCHEMAS[schema["$ref"].rpartition("/")[2]] if "$ref" in schema else schema


# ── Idempotency and the audit log ──

# Transactions have keys of their own, commands and orders their ids; Intersect's chat has none.
# A download of codes replaces the one before, and a code is revoked once. A sign-out from an OpenID
# client that is repeated ends what is left.
WITHOUT_KEYS = (
    *("download_codes", "revoke_code", "end_openid_sign_ins"),
    *("put_order", "assign_order", "refund_order", "dispute_order", "claim_my_order"),
    *("execute_transactions", "fetch_commands", "answer_commands"),
    *("send_chat", "send_global_chat", "send_direct_chat", "send_proximity_chat"),
)


@pytest.mark.parametrize("route", DESCRIBED, ids=lambda route: route.handler.__name__)
def test_what_is_recorded_takes_a_reason_and_a_key(route: Route):
    operation = operation_of(route)
    headers = {
        parameter["name"] for parameter in operation["parameters"] if parameter["in"] == "header"
    }
    audited = AuditContext in get_type_hints(route.handler).values()
    # Without a caller there is nobody whose key it is.
    keyed = audited and route.handler.__name__ not in WITHOUT_KEYS and route.roles is not None
    assert ("X-Reason" in headers) == audited
    assert ("Idempotency-Key" in headers) == keyed
    assert ("422" in operation["responses"]) == keyed
    if keyed:
        assert "Idempotency-Replayed" in operation["responses"]["200"]["headers"]
        codes = operation["responses"]["409"]["content"]["application/json"]["examples"]
        assert {"still_running", "already_done"} <= codes.keys()
    if audited and "requestBody" in operation:
        [content, *_] = operation["requestBody"]["content"].values()
        assert "reason" in _resolved(content["schema"])["properties"]


# ── Errors ──

NOT_ANSWERED: set[type[Problem]] = {StoredReply, DuplicateInBatch, DownloadReplaced, HeldByRule}
"""
Carriers of an answer, which is another; of the last, `approval_required`. `DownloadReplaced` ends
a download that has begun.
"""
OFFLINE = tuple(
    f"gamekeeper.{module}"
    for module in (
        "operations.backup",
        "catalog.files",
        "catalog.importer",
        "cli",
        "db.grants",
        "db.migrate",
        "db.paging.rebalance",
        "demo",
        "ledger.economy.aggregates",
        "history.retention",
        "ledger.anchors",
        "transfer",
    )
)
"""Where errors are only for those who sit at a terminal, or for a background loop."""
TERMINAL = {
    *("ambiguous_action_id", "ambiguous_actor", "ambiguous_name", "no_role_to_sign_in_with"),
    *("bad_url", "no_driver", "unreadable_source", "too_few_slots"),
}
"""
A command takes a part of a name or an id, the API all of it; and only a command makes links and
imports a game of the Intersect Engine.
"""
PROVIDER = ("gamekeeper.provider", "gamekeeper.api.openid")
"""Answers as OpenID Connect says, or with a page."""
OWN_FORMAT = {"grant_refused"}
"""The token endpoint answers as RFC 6749 says."""


def subclasses(kind: type[Problem]) -> Iterator[type[Problem]]:
    for inner in kind.__subclasses__():
        yield from subclasses(inner) if inner.__subclasses__() else [inner]


def test_every_error_that_can_be_answered_is_a_code_of_the_enum():
    """A client that knows the enum must not meet another code, in a transaction either."""
    for module in pkgutil.walk_packages(gamekeeper.__path__, "gamekeeper."):
        if not module.name.endswith("__main__"):
            importlib.import_module(module.name)
    codes = {
        kind.code
        for kind in subclasses(Problem)
        if kind.__module__.startswith("gamekeeper.")
        and not kind.__module__.startswith((*OFFLINE, *PROVIDER))
        and kind not in NOT_ANSWERED
    }
    assert codes - set(ERROR_CODE["enum"]) - TERMINAL == OWN_FORMAT
    assert len(codes) > 60


@pytest.mark.parametrize("route", DESCRIBED, ids=lambda route: route.handler.__name__)
def test_the_examples_of_a_status_are_its_codes(route: Route):
    for status, answer in operation_of(route)["responses"].items():
        for content in answer["content"].values():
            shown = content.get("examples", {})
            assert [one["value"]["Code"] for one in shown.values()] == list(shown), status


def test_every_operation_has_a_summary_of_one_line():
    for route in DESCRIBED:
        assert inspect.getdoc(route.handler), route.path
        assert 0 < len(operation_of(route)["summary"]) <= 100
