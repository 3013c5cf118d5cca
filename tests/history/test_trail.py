"""The trail of items: by which hands they went, and who has them now."""

from datetime import UTC, datetime
from uuid import UUID, uuid4

import pytest

from tests.make import make_bag_item, make_item, make_player
from tests.transactions.test_transactions import bag_of, items, send

LONG_AGO = "2020-01-01T00:00:00Z"


@pytest.fixture
async def players(database) -> dict[str, UUID]:
    return {name: await make_player(database, name) for name in ("Ana", "Bo", "Cy", "Di")}


async def trail(client, path: str) -> dict[str, object]:
    answer = await client.get(f"/api/v1/players/{path}")
    assert answer.status_code == 200, answer.text
    return answer.json()


def hands(found) -> list[tuple[str, list[str], int]]:
    return [
        (
            transfer["Giver"]["Name"],
            [to["Name"] for to in transfer["Receivers"]],
            transfer["Quantity"],
        )
        for transfer in found["Transfers"]
    ]


def held(found) -> dict[str, int]:
    return {holder["Name"]: holder["Quantity"] for holder in found["Holders"]}


async def test_flows_are_followed_through_several_hands(client, database, players):
    """Those before the instant, of other items and of other buffs are not on the trail."""
    potion, gem = await make_item(database), await make_item(database, "Gem")
    await send(client, [items(potion, 5, to="Ana"), items(gem, 5, to="Ana")])
    await send(client, [items(potion, 1, to="Bo", statbuffs=[1, 0, 0, 0, 0])])
    await send(client, [items(potion, 1, from_="Ana", to="Di")])
    since = (await database.reader.value("SELECT clock_timestamp()")).isoformat()
    sent = await send(
        client,
        [items(gem, 5, from_="Ana", to="Di")],
        [items(potion, 4, from_="Ana", to="Bo")],
        [items(potion, 1, from_="Bo", fromslot=0, to="Di")],
        [items(potion, 3, from_="Bo", fromslot=1, to="Cy")],
        [items(potion, 1, from_="Cy")],
    )
    assert all(one["Done"] for one in sent), sent

    path = f"Ana/items/{potion}/trail?from={since.replace('+', '%2B')}"
    found = await trail(client, path)
    assert hands(found) == [("Ana", ["Bo"], 4), ("Bo", ["Cy"], 3)]
    assert held(found) == {"Cy": 2, "Bo": 1}
    assert (found["IsExact"], found["IsComplete"]) == (False, True)
    assert found["Transfers"][0]["TransactionId"] == sent[1]["Done"]["Id"]


async def test_an_undone_trade_is_a_transfer_back(client, database, players):
    potion = await make_item(database)
    await send(client, [items(potion, 5, to="Ana")])
    [trade] = await send(client, [items(potion, 5, from_="Ana", to="Bo")])
    await client.post(f"/api/v1/transactions/{trade['Done']['Id']}/undo", json={})

    found = await trail(client, f"Ana/items/{potion}/trail?from={LONG_AGO}")
    assert hands(found) == [("Ana", ["Bo"], 5), ("Bo", ["Ana"], 5)]
    assert held(found) == {"Ana": 5}


async def test_a_bag_is_followed_exactly(client, database, players):
    """Another bag of the same kind goes other ways."""
    satchel = await make_bag_item(database)
    await send(client, [items(satchel, 2, to="Ana")])
    bag, other = await bag_of(client, players["Ana"], 0), await bag_of(client, players["Ana"], 1)
    await send(
        client,
        [items(from_="Ana", fromslot=0, to="Bo")],
        [items(from_="Ana", fromslot=1, to="Di")],
        [items(from_="Bo", fromslot=0, to="Bo", toplace="bank")],
        [items(satchel, 1, from_="Bo", fromplace="bank", to="Cy")],
    )

    found = await trail(client, f"bag/{bag}/trail")
    assert hands(found) == [("Ana", ["Bo"], 1), ("Bo", ["Cy"], 1)]
    assert (held(found), found["IsExact"]) == ({"Cy": 1}, True)
    assert hands(await trail(client, f"bag/{other}/trail")) == [("Ana", ["Di"], 1)]
    await send(client, [items(satchel, 1, from_="Cy")])
    assert held(await trail(client, f"bag/{bag}/trail")) == {}


async def test_who_traded_in_a_ring_is_told_once(client, database, players):
    potion = await make_item(database)
    await send(client, [items(potion, 1, to="Ana")])
    ring = [("Ana", "Bo"), ("Bo", "Cy"), ("Cy", "Ana")] * 5
    await send(client, *([items(potion, 1, from_=a, to=b)] for a, b in ring))

    found = await trail(client, f"Ana/items/{potion}/trail?from={LONG_AGO}")
    assert [(giver, to) for giver, [to], _ in hands(found)] == ring
    assert held(found) == {"Ana": 1}


async def test_what_nobody_has_or_had(client, database, players):
    now = datetime.now(UTC).isoformat().replace("+", "%2B")
    nothing = await trail(client, f"Ana/items/{uuid4()}/trail?from={now}")
    assert (nothing["Transfers"], nothing["Holders"]) == ([], [])
    for path, code in (
        (f"bag/{uuid4()}/trail", "bag_not_found"),
        (f"nobody/items/{uuid4()}/trail?from={now}", "player_not_found"),
    ):
        answer = await client.get(f"/api/v1/players/{path}")
        assert (answer.status_code, answer.json()["Code"]) == (404, code)
