"""The conditions themselves: each is false where a client's code would fail."""

import json

import pytest

from tests.intersect_clients import conditions
from tests.intersect_clients.recordings import PROGRAMS, Expectation, read

BODY = {
    "Message": "Done",
    "Values": [{"Name": "Ana", "Level": 3}, {"Name": "Ben", "Level": None}],
    "Empty": [],
    "Id": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
    "When": "2026-01-02T03:04:05Z",
    "Large": 2**31,
    "Flag": True,
}


def faults(**expected: object) -> list[str]:
    return conditions.faults(Expectation(**expected), 200, json.dumps(BODY), BODY)


@pytest.mark.parametrize(
    "expected",
    [
        {"status": [200, 204], "message": "Done"},
        {"keys": {"Values[].Name": "string", "Values[1].Level": "int32?", "Gone?": "bool"}},
        {"keys": {"Id": "guid", "When": "datetime", "Large": "int64", "": "object"}},
        {"values": {"Values[0].Level": 3, "Flag": True}, "least": {"Large": 5}},
        {"lacks": ["Gone", "Values[2]"], "contains": "Ana", "whole": BODY},
    ],
)
def test_a_condition_that_holds(expected):
    assert faults(**expected) == []


@pytest.mark.parametrize(
    "expected",
    [
        {"status": 404},
        {"message": "done"},
        {"keys": {"Values[].Level": "int32"}},
        {"keys": {"Empty[].Name": "string"}},
        {"keys": {"Large": "int32"}},
        {"keys": {"Flag": "int32"}},
        {"keys": {"Message": "guid"}},
        {"keys": {"Message": "datetime"}},
        {"keys": {"Gone": "any"}},
        {"keys": {"Message?": "bool"}},
        {"values": {"Flag": 1}},
        {"values": {"Values[2].Name": "Cleo"}},
        {"least": {"Large": 2**31 + 1}},
        {"lacks": ["Flag"]},
        {"contains": "Cleo"},
        {"whole": "Done"},
    ],
)
def test_a_condition_that_does_not_hold(expected):
    assert len(faults(**expected)) == 1


@pytest.mark.parametrize("file", PROGRAMS, ids=lambda file: file.stem)
def test_every_recorded_call_has_a_condition(file):
    for call in read(file).calls:
        assert call.stale or call.expect != Expectation(), call.what
