"""`items=true` in the audit log: how many of which items came and went, at which cost."""

from uuid import uuid4

from tests.make import make_item, make_player

ACTIONS = "/api/v1/actions"


async def test_a_trade_says_on_both_sides_what_came_and_what_went(client, database):
    sword, coin = await make_item(database, "Sword"), await make_item(database, "Coin")
    await trade(client, database, sword, coin)

    page = (await client.get(f"{ACTIONS}?items=true&names=true&kind=items.move")).json()

    assert {entry["PlayerName"]: balance(entry) for entry in page["Values"]} == {
        "Ana": {"Sword": -1, "Coin": 5},
        "Bo": {"Sword": 1, "Coin": -5},
    }
    given = (await client.get(f"{ACTIONS}?items=true&names=true&kind=items.give")).json()["Values"]
    assert [balance(entry) for entry in given] == [{"Coin": 9}, {"Sword": 1}]


async def test_what_only_changes_its_place_is_left_out(client, database):
    potion = await make_item(database)
    await make_player(database, "Ana")
    await give(client, "Ana", potion, 3)
    await send(client, move(potion, 3, "Ana", "Ana", toplace="bank"))

    [moved, given] = (await client.get(f"{ACTIONS}?items=true")).json()["Values"][:2]

    assert (moved["Kind"], moved["Items"]) == ("items.move", [])
    assert [item["Quantity"] for item in given["Items"]] == [3]
    assert "ItemName" not in given["Items"][0], "without names=true"


async def test_it_costs_two_statements_and_only_if_asked(client, database, statements):
    sword, coin = await make_item(database, "Sword"), await make_item(database, "Coin")
    await trade(client, database, sword, coin)
    with statements() as plain:
        page = await client.get(ACTIONS)
    with statements() as counted:
        await client.get(f"{ACTIONS}?items=true")

    assert b'"Items"' not in page.content
    assert len(counted) - len(plain) == 2


async def trade(client, database, sword, coin) -> None:
    for name in ("Ana", "Bo"):
        await make_player(database, name)
    await give(client, "Ana", sword, 1)
    await give(client, "Bo", coin, 9)
    await send(client, move(sword, 1, "Ana", "Bo"), move(coin, 5, "Bo", "Ana"))


async def give(client, name, item, quantity) -> None:
    body = {"itemid": str(item), "quantity": quantity}
    assert (await client.post(f"/api/v1/players/{name}/items/give", json=body)).is_success


def move(item, quantity, giver, receiver, **about):
    ends = {"from": giver, "to": receiver, **about}
    return {"do": "items", "itemid": str(item), "quantity": quantity, **ends}


async def send(client, *moves) -> None:
    body = {"transactions": [{"key": uuid4().hex, "moves": moves}]}
    [outcome] = (await client.post("/api/v1/transactions", json=body)).json()["Values"]
    assert outcome["Done"], outcome


def balance(entry):
    return {item["ItemName"]: item["Quantity"] for item in entry["Items"]}
