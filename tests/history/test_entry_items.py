"""`items=true` in the audit log: how many of which items came and went, at which cost."""

from uuid import UUID, uuid4

from tests.make import make_bag_item, make_item, make_player

ACTIONS = "/api/v1/actions"
LONG_AGO, FAR_AHEAD = "2020-01-01T00:00:00Z", "2100-01-01T00:00:00Z"


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


BEYOND_INT32 = 3 * (2**31 - 1)
"""More than PostgreSQL's int holds: a slot takes 2^31 - 1, and a bag has several slots."""


async def test_an_action_may_move_more_than_an_int32_holds(client, database):
    coin = await fill_a_bag(client, database)

    [given, *_] = (await client.get(f"{ACTIONS}?items=true&player=Ana")).json()["Values"]

    assert given["Items"] == [{"ItemId": str(coin), "Quantity": BEYOND_INT32}]


async def test_other_pages_count_beyond_an_int32_too(client, database):
    """The trade log, the trail of an item, and the dry runs of an undo and a restore."""
    coin = await fill_a_bag(client, database)
    bags = [await bag_of(client, name) for name in ("Ana", "Bo")]
    between = {"fromplace": "bag", "frombag": bags[0], "toplace": "bag", "tobag": bags[1]}
    await send(client, *[move(coin, 2**31 - 1, "Ana", "Bo", **between)] * 3)

    [trade] = (await client.get("/api/v1/logs/trade")).json()["Values"]
    assert [item["Quantity"] for item in trade["Items"]] == [BEYOND_INT32]
    path = f"/api/v1/players/Ana/items/{coin}/trail?from={LONG_AGO}"
    trail = (await client.get(path)).json()
    assert [holder["Quantity"] for holder in trail["Holders"]] == [BEYOND_INT32]
    body = {"player": "Ana", "from": LONG_AGO, "to": FAR_AHEAD, "dryrun": True}
    [recipient] = (await client.post(f"{ACTIONS}/undo", json=body)).json()["Recipients"]
    assert [item["Quantity"] for item in recipient["Items"]] == [BEYOND_INT32]


async def fill_a_bag(client, database) -> UUID:
    """Ana gets 3 × (2^31 - 1) coins in a bag, by one action; Bo gets an empty bag."""
    full = 2**31 - 1
    satchel, coin = await make_bag_item(database), await make_item(database, inventory_stack=full)
    for name in ("Ana", "Bo"):
        await make_player(database, name)
        await give(client, name, satchel, 1)
    into = {"toplace": "bag", "tobag": await bag_of(client, "Ana")}
    await send(client, *[move(coin, full, None, "Ana", **into)] * 3)
    return coin


async def bag_of(client, name) -> str:
    slots = (await client.get(f"/api/v1/players/{name}/items/inventory")).json()
    return slots[0]["BagId"]


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
    ends = {"to": receiver, **about} | ({"from": giver} if giver else {})
    return {"do": "items", "itemid": str(item), "quantity": quantity, **ends}


async def send(client, *moves) -> None:
    body = {"transactions": [{"key": uuid4().hex, "moves": moves}]}
    [outcome] = (await client.post("/api/v1/transactions", json=body)).json()["Values"]
    assert outcome["Done"], outcome


def balance(entry):
    return {item["ItemName"]: item["Quantity"] for item in entry["Items"]}
