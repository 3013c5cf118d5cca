"""Activity and trades, as clients of the Intersect Engine read them."""

from typing import Any
from uuid import UUID, uuid4

import pytest

from tests.make import make_item, make_player, make_user
from tests.servers.game_server import GameServer
from tests.transactions.test_transactions import items, send

TRADES = "/api/v1/logs/trade"


@pytest.fixture
async def user(database) -> UUID:
    return await make_user(database, "ana", password="secret")


@pytest.fixture
async def ana(database, user) -> UUID:
    return await make_player(database, "Ana", user=user)


async def values(client, path: str, **query: object) -> list[dict[str, Any]]:
    answer = await client.get(path, params={"pageSize": 100, **query})
    assert answer.status_code == 200, answer.text
    assert answer.json()["Total"] == answer.json()["Count"] == len(answer.json()["Values"])
    return answer.json()["Values"]


async def test_what_happened_to_a_character(client, ana, user):
    realm = await GameServer.register(client)
    await realm.join(ana)
    await realm.leave(ana)
    await client.post("/api/v1/players/Ana/name", json={"name": "Anna"})

    found = await values(client, "/api/v1/logs/player/Anna/activity")

    assert [one["Action"] for one in found] == ["NameChange", "Logout", "SelectPlayer"]
    assert found[0]["Meta"] == "Ana → Anna"
    assert {(one["UserId"], one["PlayerId"], one["Peer"]) for one in found} == {
        (str(user), str(ana), "Client")
    }
    turned = await values(client, "/api/v1/logs/player/Anna/activity", sortDirection="Ascending")
    assert turned == found[::-1]


async def test_an_account_has_its_own_and_that_of_its_characters(client, ana, user):
    await client.post("/api/v1/players/Ana/name", json={"name": "Anna"})
    await client.post("/api/v1/users/ana/manage/password/change", json={"new": "ab" * 32})
    await client.post("/api/v1/players/Anna/admin/mute", json={"duration": 1, "reason": "spam"})
    assert (await client.delete("/api/v1/players/Anna")).status_code == 200

    found = await values(client, f"/api/v1/logs/user/{user}/activity")

    assert [one["Action"] for one in found] == [
        "DeletePlayer",
        "Mute",
        "PasswordChanged",
        "NameChange",
    ]


async def test_nobody_has_no_activity(client):
    for path in ("user/nobody/activity", "player/nobody/activity", "user/nobody/ip"):
        assert (await client.get(f"/api/v1/logs/{path}")).status_code == 404


async def test_a_trade_has_two_sides(client, database, ana):
    bo = await make_player(database, "Bo")
    potion, gem = await make_item(database), await make_item(database, "Gem")
    await send(client, [items(potion, 5, to="Ana"), items(gem, 2, to="Bo")])
    [sent] = await send(
        client, [items(potion, 3, from_="Ana", to="Bo"), items(gem, 1, from_="Bo", to="Ana")]
    )
    await send(client, [items(potion, 1, from_="Ana", to="Ana", toplace="bank")])

    [once] = await values(client, TRADES)
    [hers] = await values(client, TRADES, playerId=ana)
    [his] = await values(client, TRADES, playerId=bo)

    assert once["TradeId"] == hers["TradeId"] == his["TradeId"] == sent["Done"]["Id"]
    assert hers["PlayerName"] == his["TargetName"] == "Ana"
    assert hers["TargetId"] == str(bo)
    assert [(item["ItemId"], item["Quantity"]) for item in hers["Items"]] == [(str(potion), 3)]
    assert [
        (target_item["ItemId"], target_item["Quantity"]) for target_item in hers["TargetItems"]
    ] == [(str(gem), 1)]
    assert (his["Items"], his["TargetItems"]) == (hers["TargetItems"], hers["Items"])
    assert await values(client, TRADES, userId=hers["UserId"]) == [hers]
    assert await values(client, TRADES, playerId=uuid4()) == []


async def test_trades_by_the_page(client, database, ana):
    await make_player(database, "Bo")
    potion = await make_item(database)
    await send(client, [items(potion, 7, to="Ana")])
    for number in range(1, 4):
        await send(client, [items(potion, number, from_="Ana", to="Bo")])

    async def quantities(**query: object) -> list[int]:
        page = (await client.get(TRADES, params=query)).json()
        assert page["Total"] == 3
        return [sum(item["Quantity"] for item in entry["Items"]) for entry in page["Values"]]

    assert await quantities(pageSize=2) == [3, 2]
    assert await quantities(pageSize=2, page=1) == [1]
    assert await quantities(pageSize=2, page=2**31 - 1) == []
    assert await quantities(pageSize=2, sortDirection="Ascending") == [1, 2]
