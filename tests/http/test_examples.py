"""The examples of the document: as new as the schemas, and readable by the operations."""

from typing import Any

import msgspec
import pytest

from gamekeeper import app
from gamekeeper.api import document, pages
from gamekeeper.core import parsing
from gamekeeper.core.errors import InvalidBody
from gamekeeper.http.openapi import OpenApiOperation
from gamekeeper.http.openapi.operations import error_name
from tools import examples

ROUTES = [route for route in app.ROUTES if route.path not in pages.PAGES]
OPERATIONS = [OpenApiOperation.of(route, document.words()) for route in ROUTES]
STORED: dict[str, Any] = msgspec.json.decode(examples.FILE.read_bytes())


def test_they_are_as_new_as_the_schemas():
    text = examples.FILE.read_text("utf-8")
    assert examples.document(text.encode()) == text, "run `python tools/examples.py`"


@pytest.mark.parametrize(
    "operation",
    [operation for operation in OPERATIONS if operation.body],
    ids=lambda operation: operation.name,
)
def test_a_body_is_what_its_operation_reads(operation: OpenApiOperation):
    body = STORED["operations"][operation.name].get("body", {})
    assert operation.body is not None
    read = parsing.read(operation.body, body, InvalidBody)
    known = {name.lower() for name in read.__struct_encode_fields__}
    assert known | ({"reason"} if operation.audited else set()) >= body.keys()


def test_every_error_is_one_that_an_operation_lists():
    listed = {error for route in ROUTES for error in route.raises}
    assert {error_name(error) for error in listed.union(document.UNLISTED)} >= STORED[
        "errors"
    ].keys()


def test_a_new_operation_gets_an_example_of_what_others_show():
    known = STORED["operations"]
    left = {name: known[name] for name in known if name not in ("list_players", "give_item")}
    made = examples.written(STORED | {"operations": left})["operations"]

    assert made["list_players"]["answer"]["Values"] == known["list_players"]["answer"]["Values"]
    assert made["give_item"]["body"].keys() == {"itemid", "quantity"}
    assert made["give_item"]["answer"].keys() == known["give_item"]["answer"].keys()
    assert made["get_player"] == known["get_player"]


def test_a_field_comes_and_goes_with_its_schema():
    player = STORED["operations"]["get_player"]["answer"]
    without = {name: value for name, value in player.items() if name != "Level"}
    stale = {"get_player": {"answer": without | {"Strength": 9}}}
    made = examples.written(STORED | {"operations": STORED["operations"] | stale})

    assert list(made["operations"]["get_player"]["answer"]) == list(player)
    assert made["operations"]["get_player"]["answer"]["Level"] == player["Level"]
