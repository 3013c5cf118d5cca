"""Game objects, as clients of the Intersect Engine ask for them and read them."""

from uuid import UUID, uuid4

import pytest

from gamekeeper.catalog.object_types import DEFAULTS, TYPES
from tests.contract.outcomes import outcome, refusal
from tests.make import make_bag_item, make_item, make_mage, make_object, make_spell, make_variable

OBJECTS = "/api/v1/gameobjects"
NOT_FOUND = refusal(400, "object_not_found", "Object not found!")
INVALID = refusal(400, "invalid_object_type", "Invalid object type.")
FORM = {"Content-Type": "application/x-www-form-urlencoded"}


@pytest.fixture(scope="module")
async def maps(database) -> list[UUID]:
    """Twelve maps, in the order of their names."""
    names = ["", "amber Coast", "Ashen Wastes", "ashen wastes", *(f"Mine {n}" for n in range(8))]
    return [await make_object(database, "map", name, {"Music": f"{name}.ogg"}) for name in names]


async def test_a_list_has_the_older_envelope_and_ids_beside_the_objects(client, maps):
    answer = await client.post(f"{OBJECTS}/map", json={"page": 1, "count": 5})

    status, body = outcome(answer)
    assert (status, list(body)) == (
        200,
        ["total", "Page", "count", "entries", "PageSize", "Values"],
    )
    assert (body["total"], body["Page"], body["count"]) == (12, 1, 5)
    assert body["entries"][0] == {
        "Key": str(maps[5]),
        "Value": {
            "Name": "Mine 1",
            "Folder": "",
            "Music": "Mine 1.ogg",
            "Id": str(maps[5]),
            "TimeCreated": 0,
        },
    }
    assert body["Values"] == body["entries"]


@pytest.mark.parametrize(
    ("sent", "count"),
    [
        ({}, 5),
        ({"json": {"page": 0, "count": 20}}, 12),
        ({"json": {"page": 0, "count": 99999}}, 12),
        ({"json": {"page": 0, "count": 1}}, 5),
        ({"json": {"page": -3, "count": -1}}, 5),
        ({"json": {"page": 0, "count": 10**30}}, 5),
        ({"json": {"count": "12", "page": "zero"}}, 12),
        ({"json": {"count": None}}, 5),
        ({"json": []}, 5),
        ({"json": {"username": "ana", "password": "0" * 64}}, 5),
        ({"params": {"pageSize": 5000}}, 5),
        ({"content": "page=0&count=11", "headers": FORM}, 11),
        ({"json": {"Page": 2**31 - 1, "Count": 100}}, 0),
    ],
)
async def test_any_body_that_a_client_sends_is_taken(client, maps, sent, count):
    for path in (f"{OBJECTS}/map", f"{OBJECTS}/map/", f"{OBJECTS.upper()}/MAP"):
        status, body = outcome(await client.post(path, **sent))
        assert (status, body["count"], body["total"]) == (200, count, 12)
        assert len(body["entries"]) == count


async def test_objects_are_in_order_of_their_names_in_any_letter_case(client, maps):
    body = (await client.post(f"{OBJECTS}/map", json={"count": 100})).json()

    found = [UUID(entry["Key"]) for entry in body["entries"]]
    assert [*found[:2], *found[4:]] == [*maps[:2], *maps[4:]]
    assert set(found[2:4]) == set(maps[2:4])


async def test_the_newer_form_is_a_get_with_the_objects_alone(client, maps):
    status, body = outcome(await client.get(f"{OBJECTS}/map", params={"page": 1, "pageSize": 5}))

    assert status == 200
    assert list(body) == ["Total", "Page", "PageSize", "Count", "Values"]
    assert [body[key] for key in ("Total", "Page", "PageSize", "Count")] == [12, 1, 5, 5]
    assert [entry["Id"] for entry in body["Values"]] == [str(map_id) for map_id in maps[5:10]]
    assert outcome(await client.get(f"{OBJECTS}/map?page=0pageSize=25"))[1]["PageSize"] == 10
    assert outcome(await client.get(f"{OBJECTS}/map?pageSize=5000"))[1]["PageSize"] == 100


async def test_names_come_by_id_or_alone(client, maps):
    status, by_id = outcome(await client.post(f"{OBJECTS}/map/names"))
    assert (status, len(by_id), by_id[str(maps[1])]) == (200, 12, "amber Coast")

    status, body = outcome(await client.get(f"{OBJECTS}/map/names"))
    assert (status, body["Total"], body["PageSize"], body["Count"]) == (200, 12, 12, 12)
    assert body["Values"] == list(by_id.values())


@pytest.mark.parametrize("type_", sorted(TYPES))
async def test_every_type_has_a_list_in_both_forms_and_names(client, type_):
    for answer in (
        await client.post(f"{OBJECTS}/{type_}"),
        await client.get(f"{OBJECTS}/{type_}"),
        await client.post(f"{OBJECTS}/{type_}/names"),
        await client.get(f"{OBJECTS}/{type_}/names"),
    ):
        assert answer.status_code == 200, answer.text
    assert outcome(await client.get(f"{OBJECTS}/{type_}/{uuid4()}")) == NOT_FOUND


@pytest.mark.parametrize("wrong", ["monster", "items", "1", "%00", "it%20em", "a" * 5000, "%F0"])
async def test_an_unknown_type_is_refused(client, wrong):
    assert outcome(await client.post(f"{OBJECTS}/{wrong}")) == INVALID
    assert outcome(await client.get(f"{OBJECTS}/{wrong}")) == INVALID
    assert outcome(await client.post(f"{OBJECTS}/{wrong}/names")) == INVALID
    assert outcome(await client.get(f"{OBJECTS}/{wrong}/{uuid4()}")) == INVALID


async def test_the_time_is_no_list(client):
    assert outcome(await client.get(f"{OBJECTS}/time/names")) == INVALID
    assert outcome(await client.get(f"{OBJECTS}/time/{uuid4()}")) == INVALID
    assert (await client.post(f"{OBJECTS}/time")).status_code == 405


@pytest.mark.parametrize("wrong", ["potion", "00000000-0000-0000-0000-000000000000", "%00"])
async def test_an_unreadable_id_is_of_no_object(client, wrong):
    assert outcome(await client.get(f"{OBJECTS}/item/{wrong}")) == NOT_FOUND


async def test_an_item_of_a_bare_catalog_has_every_key_of_intersect(client, database):
    potion = await make_item(
        database, "Health Potion", inventory_stack=20, bank_stack=100, value=12, bankable=False
    )

    status, item = outcome(await client.get(f"{OBJECTS}/item/{potion}"))

    assert status == 200
    assert item == DEFAULTS["item"] | {
        "Name": "Health Potion",
        "ItemType": 2,
        "Stackable": True,
        "MaxInventoryStack": 20,
        "MaxBankStack": 100,
        "CanBank": False,
        "Price": 12,
        "Id": str(potion),
        "TimeCreated": 0,
    }
    assert next(iter(item)) == "Name"


async def test_what_was_imported_of_an_item_stands_but_the_catalog_is_right(client, database):
    bag = await make_bag_item(database, slots=4)
    about = {
        "Name": "Old name",
        "ItemType": 1,
        "SlotCount": 99,
        "Id": str(uuid4()),
        "Icon": "bag.png",
        "Price": 7,
        "Rarity": 3,
        "Plugin": {"Deep": [1, None]},
        "TimeCreated": 638,
        "StatsGiven": [1, 2, 3, 4, 5],
    }
    await make_object(database, "item", "x", about, guid=bag)

    item = (await client.get(f"{OBJECTS}/item/{bag}")).json()

    assert (item["ItemType"], item["SlotCount"], item["Id"]) == (6, 4, str(bag))
    assert item["Name"] != "Old name"
    assert [item[key] for key in ("Icon", "Price", "Rarity", "TimeCreated")] == [
        *("bag.png", 7, 3, 638)
    ]
    assert item["Plugin"] == {"Deep": [1, None]}
    assert item["StatsGiven"] == [1, 2, 3, 4, 5]
    assert item.keys() >= DEFAULTS["item"].keys()


async def test_spells_classes_and_variables_have_the_keys_of_intersect(client, database):
    spell = await make_spell(database, "Fireball", bound=True)
    mage = await make_mage(database, base_exp=250)
    number = await make_variable(database, "number", "Karma")

    shown = (await client.get(f"{OBJECTS}/spell/{spell}")).json()
    assert shown.keys() == {*DEFAULTS["spell"], "Id", "TimeCreated"}
    assert (shown["Name"], shown["Bound"]) == ("Fireball", True)

    shown = (await client.get(f"{OBJECTS}/class/{mage}")).json()
    assert shown.keys() == {*DEFAULTS["class"], "Id", "TimeCreated"}
    assert (shown["Name"], shown["BaseExp"], len(shown["BaseStat"])) == ("Mage", 250, 5)

    shown = (await client.get(f"{OBJECTS}/playervariable/{number}")).json()
    assert shown == {
        "Name": "Karma",
        "TextId": "",
        "Type": 4,
        "Folder": "",
        "Id": str(number),
        "TimeCreated": 0,
    }


async def test_a_variable_is_listed_with_its_owners(client, database):
    number = await make_variable(database, "integer", "Tax", owner="game")

    names = (await client.post(f"{OBJECTS}/servervariable/names")).json()
    assert names == {str(number): "Tax"}
    assert str(number) not in (await client.post(f"{OBJECTS}/playervariable/names")).json()
    assert outcome(await client.get(f"{OBJECTS}/uservariable/{number}")) == NOT_FOUND


async def test_the_day_has_two_hues_until_an_import_brings_its_own(client, database):
    status, day = outcome(await client.get(f"{OBJECTS}/time"))
    assert (status, list(day)) == (
        200,
        ["Id", "DaylightHues", "RangeInterval", "Rate", "SyncTime"],
    )

    made = await make_object(database, "time", "", {"RangeInterval": 60, "Rate": 2.5})

    day = (await client.get(f"{OBJECTS}/TIME/")).json()
    assert (day["Id"], day["RangeInterval"], day["Rate"], day["SyncTime"]) == (
        *(str(made), 60, 2.5, True),
    )
