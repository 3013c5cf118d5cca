"""What people read about guilds: details, the bank at an instant, the history."""

from datetime import UTC, datetime, timedelta

import pytest

from tests.guilds.halls import API, Hall, good, refused
from tests.make import make_item, make_player


@pytest.fixture
async def hall(client, database) -> Hall:
    return await Hall.make(client, database)


async def test_details_have_the_owner_and_the_value_of_the_bank(hall, client, database):
    gem = await make_item(database, "Gem", value=250)
    await hall.give("Ana", gem, 3)
    await hall.give("Ana", hall.potion, 2)
    good(await hall.deposit("Ana", 3, itemid=str(gem)))
    good(await hall.deposit("Ana", 2))

    shown = good(await hall.get("?details=true"))
    [listed] = good(await client.get(f"{API}?details=true"))["Values"]

    assert listed == {"Key": shown, "Value": 2}
    assert shown["Owner"] == {"PlayerId": str(hall.ana), "Name": "Ana"}
    # The potion has no value.
    assert (shown["Members"], shown["BankValue"], shown["BankSlotsUsed"]) == (2, 750, 2)
    assert shown.keys() - hall.record.keys() == {"Owner", "Members", "BankValue", "BankSlotsUsed"}


async def test_an_empty_guild_has_no_owner_and_an_empty_bank(hall, database):
    await database.write(lambda writer: writer.run("DELETE FROM guild_members"))

    shown = good(await hall.get("?details=true"))

    assert (shown["Owner"], shown["Members"], shown["BankValue"]) == (None, 0, 0)


async def test_a_page_of_details_takes_one_statement_more(hall, client, database, statements):
    for number in range(6):
        await make_player(database, f"Lord{number}")
        body = {"name": f"House {number}", "owner": f"Lord{number}"}
        good(await client.post(f"{API}/create", json=body))

    with statements() as plain:
        good(await client.get(f"{API}?pageSize=50&sortBy=members"))
    with statements() as detailed:
        page = good(await client.get(f"{API}?pageSize=50&details=true&sortBy=foundingdate"))

    assert page["Total"] == 7
    assert {entry["Key"]["Owner"]["Name"] for entry in page["Values"]} >= {"Ana", "Lord0"}
    assert len(detailed) == len(plain) + 1


async def test_the_bank_is_shown_as_it_was(hall, client):
    before = datetime.now(UTC)
    await hall.give("Ana", hall.potion, 30)
    good(await hall.deposit("Ana", 25))
    [deposit] = good(await client.get("/api/v1/actions?kind=guilds.deposit"))["Values"]
    good(await hall.withdraw("Bo", 20))

    async def at(instant: str) -> list[int]:
        slots = good(await client.get(f"{API}/{hall.id}/bank", params={"at": instant}))
        assert len(slots) == 4
        return [slot["Quantity"] for slot in slots]

    future = datetime.now(UTC) + timedelta(hours=1)
    assert await at(before.isoformat()) == [0, 0, 0, 0]
    assert await at(deposit["At"]) == [25, 0, 0, 0]
    assert await at(future.isoformat()) == [5, 0, 0, 0]
    assert good(await hall.get("/bank?names=true"))[0]["ItemName"] == "Potion"
    gone = f"{API}/{hall.ana}/bank"
    assert refused(await client.get(gone, params={"at": deposit["At"]}))[0] == 404


async def test_the_history_has_everything_page_by_page(hall, client):
    await hall.give("Ana", hall.potion, 5)
    good(await hall.deposit("Ana", 5))
    good(await hall.post("rank/Bo", rank=1))
    good(await hall.post("name", name="Larkspur Keep"))

    whole = good(await hall.get("/history?names=true"))
    first = good(await hall.get("/history?limit=2"))
    second = good(await hall.get(f"/history?limit=2&cursor={first['Next']}"))

    kinds = [entry["Kind"] for entry in whole["Values"]]
    assert kinds == [
        *("guilds.rename", "guilds.rank", "guilds.deposit", "guilds.join", "guilds.create")
    ]
    assert [entry["PlayerName"] for entry in whole["Values"]] == [None, "Bo", "Ana", "Bo", "Ana"]
    assert whole["Values"][2]["ItemName"] == "Potion"
    assert whole["Next"] is None
    assert [entry["Kind"] for entry in first["Values"] + second["Values"]] == kinds[:4]


async def test_the_history_outlives_the_guild(hall):
    good(await hall.delete())

    values = good(await hall.get("/history"))["Values"]

    assert [entry["Kind"] for entry in values] == ["guilds.delete", "guilds.join", "guilds.create"]
