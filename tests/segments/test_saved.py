"""Saved segments: written, refused, bounded, and recorded."""

import asyncio
from uuid import UUID

import pytest

from gamekeeper.db.database import Database
from gamekeeper.segments import saved
from gamekeeper.segments.records import MAX_SEGMENTS, Condition, ConditionGroup, Definition
from gamekeeper.segments.saved import SegmentChange
from tests.make import BY, KNIGHT, make_class, make_item, make_variable

SEGMENTS = "/api/v1/segments"
ABSENT = str(UUID(int=7))
ONLINE = {"conditions": [{"field": "online"}]}


async def put(client, name: str = "players", *conditions: dict, **about: object):
    groups = [{"conditions": list(conditions)}] if conditions else [ONLINE]
    return await client.put(f"{SEGMENTS}/{name}", json={"groups": groups} | about)


async def stored(database: Database) -> tuple[int, int]:
    count = await database.reader.value("SELECT count(*) FROM segments")
    kinds = "SELECT count(*) FROM actions WHERE kind LIKE 'segment%'"
    return count, await database.reader.value(kinds)


async def test_a_segment_is_created_replaced_and_deleted(client, database):
    item = await make_item(database)
    made = await put(client, "keys", {"field": "item", "id": str(item), "atleast": 3})
    assert made.status_code == 200, made.text
    empty = dict.fromkeys(["AtMost", "Since", "Before", "WithinDays", "Equals", "Kind", "List"])
    condition = {"Field": "item", "Negate": False, "AtLeast": 3, "Id": str(item)} | empty
    assert made.json() | {"ChangedAt": None} == {
        "Name": "keys",
        "Description": "",
        "Match": "all",
        "Groups": [{"Match": "all", "Conditions": [condition]}],
        "ChangedAt": None,
        "ChangedByName": "tests",
    }
    assert (await client.get(SEGMENTS)).json()["Values"] == [made.json()]
    # What was read can be sent again.
    again = await client.put(
        f"{SEGMENTS}/keys", json={"Groups": made.json()["Groups"], "Description": " Owners "}
    )
    assert again.json()["Groups"] == made.json()["Groups"]
    assert again.json()["Description"] == "Owners"
    assert (await client.get(f"{SEGMENTS}/keys")).json() == again.json()
    assert (await client.delete(f"{SEGMENTS}/keys")).json() == again.json()
    assert (await client.delete(f"{SEGMENTS}/keys")).json()["Code"] == "segment_not_found"
    rows = await database.reader.rows(
        "SELECT kind, before, after FROM actions WHERE kind LIKE 'segments.%' ORDER BY id"
    )
    assert [row["kind"] for row in rows] == ["segments.change"] * 2 + ["segments.remove"]
    assert rows[1]["before"]["description"] == ""
    assert rows[1]["after"]["description"] == "Owners"
    assert rows[2]["after"] is None


REFUSED = [
    {"field": "level"},
    {"field": "level", "atleast": -1},
    {"field": "level", "atleast": "many"},
    {"field": "level", "atleast": 1, "id": str(KNIGHT)},
    {"field": "level", "atleast": 1, "atmots": 2},
    {"field": "email", "equals": "ana@example.com"},
    {"field": "class"},
    {"field": "class", "id": ABSENT},
    {"field": "created"},
    {"field": "created", "withindays": 0},
    {"field": "created", "since": "yesterday"},
    {"field": "created", "since": "2026-01-01T00:00:00"},
    {"field": "hours_played", "atmost": 10**9 + 1},
    {"field": "online", "atleast": 1},
    {"field": "item", "id": ABSENT},
    {"field": "item", "atleast": 1},
    {"field": "guild", "id": ABSENT},
    {"field": "sanction", "kind": "note"},
    {"field": "list"},
    {"field": "list", "list": "absent"},
    {"field": "list", "list": "x'; DROP TABLE segments; --"},
    {"field": "list", "list": "a\u0000b"},
    {"field": "player_variable", "id": ABSENT, "equals": 1},
    {"field": "online", "negate": "perhaps"},
]


@pytest.mark.parametrize("condition", REFUSED, ids=range(len(REFUSED)))
async def test_a_condition_that_makes_no_sense_is_refused(client, database, condition):
    await make_class(database)
    for path, method in ((f"{SEGMENTS}/players", "PUT"), (f"{SEGMENTS}/preview", "POST")):
        body = {"groups": [{"conditions": [condition]}]}
        answer = await client.request(method, path, json=body)
        assert answer.status_code == 400, answer.text
        assert answer.json()["Code"] in ("invalid_segment", "invalid_body")
    assert await stored(database) == (0, 0)


async def test_values_of_variables_must_be_of_their_types(client, database):
    flag = str(await make_variable(database, "boolean", "Flag"))
    number = str(await make_variable(database, "integer", "Karma"))
    for condition in (
        {"id": flag, "equals": "perhaps"},
        {"id": flag, "atleast": 1},
        {"id": number, "equals": "text"},
        {"id": number, "equals": 1, "atleast": 1},
        {"id": number},
    ):
        answer = await put(client, "players", {"field": "player_variable", **condition})
        assert answer.json()["Code"] == "invalid_segment", condition
    answer = await put(client, "players", {"field": "user_variable", "id": number, "equals": 1})
    assert answer.json()["Code"] == "invalid_segment"
    answer = await put(client, "players", {"field": "player_variable", "id": number, "equals": 1})
    assert answer.status_code == 200


@pytest.mark.parametrize(
    "groups",
    [
        [],
        [{"conditions": []}],
        [ONLINE] * 11,
        [{"conditions": [{"field": "online"}] * 21}],
        [{"conditions": [{"field": "online"}] * 11}] * 2,
        [{"conditions": [{"field": "online"}], "match": "none"}],
        [{"conditions": [{"conditions": [{"field": "online"}]}]}],
        [{"conditions": [{"field": "online"}], "groups": [ONLINE]}],
    ],
    ids=range(8),
)
async def test_a_segment_has_two_levels_and_few_conditions(client, database, groups):
    answer = await client.put(f"{SEGMENTS}/players", json={"groups": groups})
    assert answer.status_code == 400, answer.text
    assert await stored(database) == (0, 0)


@pytest.mark.parametrize(
    ("name", "about"),
    [
        ("Players", {}),
        ("p" * 41, {}),
        ("%20", {}),
        ("players", {"description": "x" * 501}),
        ("players", {"description": "two\nlines"}),
        ("players", {"match": "most"}),
    ],
)
async def test_names_and_descriptions_are_bounded(client, database, name, about):
    answer = await put(client, name, **about)
    assert answer.status_code == 400, answer.text
    assert await stored(database) == (0, 0)


async def test_twenty_at_once_do_not_exceed_two_hundred(client, database):
    fill = """
        INSERT INTO segments (name, definition, changed_by_name)
        SELECT 'segment-' || number, '{"Groups": []}', 'tests'
          FROM generate_series(1, $1) AS number
    """
    await database.write(lambda writer: writer.run(fill, MAX_SEGMENTS - 5))
    answers = await asyncio.gather(*(put(client, f"new-{number}") for number in range(20)))

    codes = [answer.json().get("Code") for answer in answers]
    assert (codes.count(None), codes.count("too_many_segments")) == (5, 15)


async def test_a_refused_neighbour_changes_nothing_for_the_others(database):
    fine = Definition(groups=[ConditionGroup(conditions=[Condition(field="online")])])
    wrong = Definition(groups=[ConditionGroup(conditions=[Condition(field="level")])])
    commands = [
        SegmentChange(by=BY, name=name, description="", definition=definition)
        for name, definition in (("one", fine), ("two", wrong), ("three", fine))
    ]
    outcomes = await saved.change(database, commands)
    assert [getattr(outcome, "code", None) for outcome in outcomes] == [
        None,
        "invalid_segment",
        None,
    ]
    found = await saved.list_segments(database.reader)
    assert [segment.name for segment in found] == ["one", "three"]
