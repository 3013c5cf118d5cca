"""The catalog: items, spells, variables and classes, whole, by part of a name, and by ids."""

from uuid import UUID, uuid4

import pytest

from gamekeeper.db.database import Database
from tests.contract.outcomes import outcome, refusal
from tests.make import make_bag_item, make_item, make_mage, make_spell, make_variable

CATALOG = "/api/v1/catalog"
KINDS = ["items", "spells", "variables", "classes"]


@pytest.fixture(scope="module")
async def ids(database: Database) -> dict[str, UUID]:
    made = {
        "Potion": await make_item(database, "Health Potion", inventory_stack=20, bank_stack=100),
        "elixir": await make_item(database, "elixir of Health"),
        "Bag": await make_bag_item(database, slots=4),
        "Fireball": await make_spell(database, "Fireball", bound=True),
        "Frost": await make_spell(database, "Frost Ray"),
        "Mage": await make_mage(database),
    }
    for kind in ("boolean", "integer", "string", "number"):
        made[kind] = await make_variable(database, kind, f"A {kind}")
    return made


async def names(client, path: str, **query: object) -> list[str]:
    answer = await client.get(f"{CATALOG}/{path}", params=query)
    assert answer.status_code == 200, answer.text
    return [entry["Name"] for entry in answer.json()["Values"]]


async def test_an_item_has_all_that_the_catalog_holds(client, ids):
    answer = await client.get(f"{CATALOG}/items/{ids['Potion']}")
    assert outcome(answer) == (
        200,
        {
            "Id": str(ids["Potion"]),
            "Name": "Health Potion",
            "Type": "consumable",
            "Stackable": True,
            "InventoryStack": 20,
            "BankStack": 100,
            "BagSlots": 0,
            "Bankable": True,
            "Value": None,
            "Icon": None,
        },
    )
    bag = (await client.get(f"{CATALOG}/items/{ids['Bag']}")).json()
    assert (bag["Type"], bag["BagSlots"], bag["Stackable"]) == ("bag", 4, False)


async def test_a_spell_and_a_class_have_all_that_the_catalog_holds(client, ids):
    spell = await client.get(f"{CATALOG}/spells/{ids['Fireball']}")
    assert outcome(spell) == (200, {"Id": str(ids["Fireball"]), "Name": "Fireball", "Bound": True})
    mage = (await client.get(f"{CATALOG}/classes/{ids['Mage']}")).json()
    assert list(mage) == [
        *("Id", "Name", "BaseVitals", "VitalIncreases", "BaseStats"),
        *("BaseExp", "ExpIncrease", "MaxLevel"),
    ]
    assert mage["Id"] == str(ids["Mage"])


@pytest.mark.parametrize(
    ("kind", "default"), [("boolean", False), ("integer", 0), ("string", ""), ("number", 0)]
)
async def test_a_variable_has_its_type_and_default(client, ids, kind, default):
    answer = await client.get(f"{CATALOG}/variables/{ids[kind]}")
    shown = {
        "Id": str(ids[kind]),
        "Name": f"A {kind}",
        "Type": kind,
        "Owner": "player",
        "Default": default,
    }
    assert outcome(answer) == (200, shown)


async def test_lists_are_by_name_in_any_letter_case_and_have_pages(client, ids):
    everything = await names(client, "items")
    assert everything == sorted(everything, key=str.lower)
    answer = (await client.get(f"{CATALOG}/items?pageSize=1&page=1")).json()
    assert answer["Values"][0]["Name"] == everything[1]
    assert {name: answer[name] for name in ("Total", "Page", "PageSize", "Count")} == {
        "Total": len(everything),
        "Page": 1,
        "PageSize": 1,
        "Count": 1,
    }
    answer = (await client.get(f"{CATALOG}/items?page=9")).json()
    assert (answer["Total"], answer["Values"]) == (len(everything), [])


async def test_any_part_of_a_name_is_found(client, ids):
    assert await names(client, "items", search="HEALTH") == ["elixir of Health", "Health Potion"]
    assert await names(client, "spells", search="st r") == ["Frost Ray"]
    assert await names(client, "spells", search="__") == []
    assert await names(client, "spells", search="%%") == []


async def test_many_are_found_by_their_ids(client, ids):
    wanted = f"{ids['Frost']}, {{{ids['Fireball']}}},{uuid4()}"
    assert await names(client, "spells", ids=wanted) == ["Fireball", "Frost Ray"]
    assert await names(client, "spells", ids=wanted, search="frost") == ["Frost Ray"]
    assert await names(client, "items", ids=str(ids["Frost"])) == []
    assert await names(client, "spells", ids="") == []


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("wrong", ["x", "1,2", ",".join(str(UUID(int=n)) for n in range(101))])
async def test_wrong_ids_are_refused(client, kind, wrong):
    answer = await client.get(f"{CATALOG}/{kind}", params={"ids": wrong})
    message = "'ids' must be at most 100 guids, separated by commas."
    assert outcome(answer) == refusal(400, "invalid_query", message, Field="ids")


@pytest.mark.parametrize(
    ("kind", "code", "message"),
    [
        ("items", "item_not_found", "No item has that id."),
        ("spells", "spell_not_found", "No spell has that id."),
        ("variables", "variable_not_found", "No player variable has that id."),
        ("classes", "class_not_found", "No class has that id."),
    ],
)
@pytest.mark.parametrize("wanted", [str(UUID(int=7)), "potion"])
async def test_what_is_not_there_is_not_found(client, kind, code, message, wanted):
    answer = await client.get(f"{CATALOG}/{kind}/{wanted}")
    assert outcome(answer) == refusal(404, code, message)


@pytest.mark.parametrize("kind", KINDS)
async def test_a_client_that_has_it_is_told_so(client, database, ids, kind):
    path = f"{CATALOG}/{kind}"
    first = await client.get(path)
    tag = first.headers["etag"]
    assert first.headers["cache-control"] == "private, no-cache"
    for known in (tag, f'"other", {tag}', f"W/{tag}", "*"):
        again = await client.get(path, headers={"If-None-Match": known})
        assert (again.status_code, again.content) == (304, b""), known
        assert again.headers["etag"] == tag
    assert (await client.get(path, headers={"If-None-Match": '"x"'})).status_code == 200
    if kind == "spells":
        await make_spell(database, "Another")
        changed = await client.get(path, headers={"If-None-Match": tag})
        assert (changed.status_code, changed.headers["etag"] != tag) == (200, True)


async def test_nothing_else_may_be_kept(client):
    answer = await client.get("/api/v1/players")
    assert answer.headers["cache-control"] == "no-store"
    assert "etag" not in answer.headers
