"""Lists of names: uploaded in parts, matched, bounded, used and deleted."""

import asyncio

import pytest

from gamekeeper.segments import name_lists
from tests.make import make_player, make_user

LISTS = "/api/v1/segment-lists"


async def add(client, *names: str, to: str = "event"):
    return await client.post(f"{LISTS}/{to}/names", json={"names": list(names)})


async def members(client, name: str = "event") -> list[str]:
    condition = {"field": "list", "list": name}
    body = {"groups": [{"conditions": [condition]}], "exact": True}
    answer = await client.post("/api/v1/segments/preview", json=body)
    assert answer.status_code == 200, answer.text
    return sorted(member["Name"] for member in answer.json()["Samples"])


async def test_names_and_ids_are_matched_and_the_rest_is_listed(client, database):
    ana = await make_player(database, "Ana")
    bo = await make_player(database, "Bo")
    made = await add(client, "ANA", str(bo), "Cyd", "O'Neil; --", "Ana")
    assert made.json() | {"ChangedAt": None} == {
        "Name": "event",
        "Received": 5,
        "Matched": 2,
        "Unmatched": 2,
        "ChangedAt": None,
        "ChangedByName": "tests",
    }
    again = await add(client, "Ana", "Cyd", "Eve")
    assert (again.json()["Received"], again.json()["Matched"], again.json()["Unmatched"]) == (
        *(8, 2, 3),
    )
    assert (await client.get(f"{LISTS}/event")).json() == again.json()
    assert (await client.get(LISTS)).json()["Values"] == [again.json()]
    unmatched = (await client.get(f"{LISTS}/event/unmatched")).json()
    assert unmatched == {"Values": ["Cyd", "Eve", "O'Neil; --"], "Next": None}
    assert await members(client) == ["Ana", "Bo"]
    assert ana != bo


async def test_pages_of_unmatched_names_follow_each_other(client):
    await add(client, *(f"name {number:03}" for number in range(25)))
    found, cursor = [], ""
    while cursor is not None:
        path = f"{LISTS}/event/unmatched?limit=10" + (f"&cursor={cursor}" if cursor else "")
        page = (await client.get(path)).json()
        found += page["Values"]
        cursor = page["Next"]
    assert found == [f"name {number:03}" for number in range(25)]


async def test_a_renamed_character_stays_on_the_list(client, database):
    """And the character that takes the name does not come onto it."""
    ana = await make_player(database, "Ana")
    await add(client, "Ana")
    await client.post(f"/api/v1/players/{ana}/name", json={"name": "Anouk"})
    await make_player(database, "Ana")
    assert await members(client) == ["Anouk"]


@pytest.mark.parametrize(
    ("to", "names"),
    [
        ("Event", ["Ana"]),
        ("event", []),
        ("event", [""]),
        ("event", ["x" * 65]),
        ("event", ["a\tb"]),
        ("event", ["a\u0000b"]),
        ("event", ["Ana"] * 2_001),
        ("event", [1]),
    ],
    ids=["name", "none", "empty", "long", "control", "nul", "many", "number"],
)
async def test_a_part_that_cannot_be_stored_is_refused(client, database, to, names):
    answer = await client.post(f"{LISTS}/{to}/names", json={"names": names})
    assert answer.status_code == 400, answer.text
    assert await database.reader.value("SELECT count(*) FROM segment_lists") == 0
    assert await database.reader.value("SELECT count(*) FROM segment_list_unmatched") == 0


async def test_a_list_is_bounded(client, database):
    await add(client, "Ana")
    fill = "UPDATE segment_lists SET received = 999999"
    await database.write(lambda writer: writer.run(fill))
    assert (await add(client, "Bo", "Cyd")).json()["Code"] == "list_full"
    assert (await add(client, "Bo")).json()["Received"] == 1_000_000
    assert (await add(client, "Cyd")).json()["Code"] == "list_full"


async def test_twenty_new_lists_at_once_do_not_exceed_a_hundred(client, database):
    fill = """
        INSERT INTO segment_lists (name, changed_by_name)
        SELECT 'list-' || number, 'tests' FROM generate_series(1, $1) AS number
    """
    await database.write(lambda writer: writer.run(fill, name_lists.MAX_LISTS - 5))
    answers = await asyncio.gather(*(add(client, "Ana", to=f"new-{n}") for n in range(20)))
    codes = [answer.json().get("Code") for answer in answers]
    assert (codes.count(None), codes.count("too_many_lists")) == (5, 15)


async def test_a_list_in_use_is_not_deleted(client, database, monkeypatch):
    monkeypatch.setattr(name_lists, "DELETED_AT_ONCE", 2)
    await make_player(database, "Ana")
    await add(client, "Ana", "B", "C", "D", "E", "F")
    body = {"groups": [{"conditions": [{"field": "list", "list": "event", "negate": True}]}]}
    assert (await client.put("/api/v1/segments/others", json=body)).status_code == 200
    refused = await client.delete(f"{LISTS}/event")
    assert (refused.status_code, refused.json()["Code"]) == (409, "list_in_use")
    assert "others" in refused.json()["Message"]
    await client.delete("/api/v1/segments/others")
    assert (await client.delete(f"{LISTS}/event")).json()["Unmatched"] == 5
    assert (await client.delete(f"{LISTS}/event")).json()["Code"] == "list_not_found"
    for table in ("segment_lists", "segment_list_players", "segment_list_unmatched"):
        assert await database.reader.value(f"SELECT count(*) FROM {table}") == 0
    kinds = "SELECT kind FROM actions WHERE kind LIKE 'segment_lists%' ORDER BY id"
    found = [row["kind"] for row in await database.reader.rows(kinds)]
    assert found == ["segment_lists.add", "segment_lists.remove"]


async def test_erasing_an_account_removes_its_characters_from_lists(client, database):
    user = await make_user(database)
    ana = await make_player(database, "Ana", user=user)
    await make_player(database, "Bo")
    await add(client, "Ana", "Bo")
    erased = await client.delete(f"/api/v1/users/{user}")
    assert erased.status_code == 200, erased.text
    rows = await database.reader.rows("SELECT player_id FROM segment_list_players")
    assert [row["player_id"] == ana for row in rows] == [False]
    assert await members(client) == ["Bo"]
