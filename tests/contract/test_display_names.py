"""`names=true`: names beside ids."""

import re
from datetime import UTC, datetime, timedelta

import pytest

from tests.contract.outcomes import outcome, refusal
from tests.make import make_bag_item, make_item, make_player, make_spell, make_user, make_variable

ANA = "/api/v1/players/Ana"
LONG_AGO = "2020-01-01T00:00:00Z"


@pytest.fixture(scope="module")
async def ana(client, database) -> None:
    await make_player(database, "Ana", user=await make_user(database))
    potion = await make_item(database, "Health Potion")
    satchel = await make_bag_item(database)
    fire = await make_spell(database, "Fireball")
    karma = await make_variable(database, "integer", "Karma")
    calls = [
        ("items/give", {"itemid": str(potion), "quantity": 12, "bankoverflow": True}),
        ("items/give", {"itemid": str(satchel), "quantity": 1}),
        ("spells/teach", {"spellid": str(fire)}),
        (f"variables/{karma}", {"value": 5}),
    ]
    for path, body in calls:
        answer = await client.post(f"{ANA}/{path}", json=body)
        assert answer.status_code == 200, answer.text


def then() -> str:
    return (datetime.now(UTC) + timedelta(hours=1)).isoformat()


@pytest.mark.parametrize("at", [False, True])
async def test_slots_have_the_names_of_their_items(client, ana, at):
    query = {"names": "true"} | ({"at": then()} if at else {})
    everything = (await client.get(f"{ANA}/items", params=query)).json()
    inventory = (await client.get(f"{ANA}/items/inventory", params=query)).json()
    bank = (await client.get(f"{ANA}/items/bank", params=query)).json()

    assert (everything["inventory"], everything["bank"]) == (inventory, bank)
    assert [slot["ItemName"] for slot in inventory[:4]] == [
        *("Health Potion", "Health Potion", "Satchel", ""),
    ]
    assert {slot["ItemName"] for slot in bank} == {""}
    bag = inventory[2]["BagId"]
    inside = (await client.get(f"/api/v1/players/bag/{bag}", params=query)).json()
    assert [slot["ItemName"] for slot in inside["Slots"]] == [""] * 4


@pytest.mark.parametrize("at", [False, True])
async def test_spells_and_variables_have_names(client, ana, at):
    query = {"names": "TRUE"} | ({"at": then()} if at else {})
    [spell] = (await client.get(f"{ANA}/spells", params=query)).json()
    [variable] = (await client.get(f"{ANA}/variables", params=query)).json()
    assert (spell["SpellName"], variable["VariableName"]) == ("Fireball", "Karma")


async def test_the_timeline_and_the_changes_have_names(client, ana):
    page = (await client.get(f"{ANA}/history?names=true")).json()["Values"]
    shown = [(one["Kind"], one["ItemName"]) for one in page if one["Kind"] != "players.create"]
    assert shown[-4:] == [
        ("variables.set", None),
        ("spells.teach", None),
        ("items.give", "Satchel"),
        ("items.give", "Health Potion"),
    ]
    moved = {posting["ItemName"] for one in page for posting in one["Postings"]}
    assert moved == {"Health Potion", "Satchel"}
    query = {"names": "true", "from": LONG_AGO}
    changed = (await client.get(f"{ANA}/items/changes", params=query)).json()["Values"]
    assert {one["ItemName"] for one in changed} <= {"Health Potion", "Satchel"}


@pytest.mark.parametrize(
    "path", ["items", "items/inventory", "items/bank", "spells", "variables", "history"]
)
async def test_without_it_nothing_is_added(client, ana, path):
    answer = await client.get(f"{ANA}/{path}")
    of_people = re.compile(rb"ActorName|ApprovedByName")
    assert b"Name" not in of_people.sub(b"", answer.content)
    assert (await client.get(f"{ANA}/{path}?names=false")).json() == answer.json()


async def test_the_log_has_names(client, ana):
    query = {"player": "Ana", "kind": "items.give", "names": "true"}
    satchel, potion = (await client.get("/api/v1/actions", params=query)).json()["Values"]
    assert [one["ItemName"] for one in (potion, satchel)] == ["Health Potion", "Satchel"]
    assert (potion["PlayerName"], potion["UserName"]) == ("Ana", None)
    path = f"/api/v1/actions/{potion['Id']}"
    assert (await client.get(path, params={"names": "true"})).json() == potion
    added = {"ItemName", "PlayerName", "UserName"}
    assert potion.keys() - (await client.get(path)).json().keys() == added


async def test_what_is_neither_true_nor_false_is_refused(client, ana):
    answer = await client.get(f"{ANA}/items?names=yes")
    message = "'names' must be true or false."
    assert outcome(answer) == refusal(400, "invalid_query", message, Field="names")
