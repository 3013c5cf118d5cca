"""When a character played and where, as staff ask."""

from tests.make import make_player
from tests.servers.game_server import GameServer
from tests.servers.test_presence import age, expire


async def played(client, player, **query) -> dict:
    answer = await client.get(f"/api/v1/players/{player}/sessions", params=query)
    assert answer.status_code == 200, answer.text
    return answer.json()


async def test_the_sessions_of_a_character_newest_first(client, database):
    ana = await make_player(database, "Ana")
    realm, marsh = await GameServer.register(client), await GameServer.register(client, "Marsh")
    await realm.join(ana)
    await marsh.join(ana)
    await marsh.leave(ana)
    await realm.join(ana)

    shown = await played(client, "ana")
    assert [entry["ServerName"] for entry in shown["Values"]] == ["Realm", "Marsh", "Realm"]
    assert [entry["LeftAt"] is None for entry in shown["Values"]] == [True, False, False]
    joined = [entry["JoinedAt"] for entry in shown["Values"]]
    assert joined == sorted(joined, reverse=True)
    assert shown["Next"] is None
    assert await played(client, await make_player(database, "Bo")) == {"Values": [], "Next": None}


async def test_page_by_page_each_session_comes_once(client, database):
    ana = await make_player(database, "Ana")
    server = await GameServer.register(client)
    for _ in range(4):
        await server.join(ana)
        await server.leave(ana)
    await server.join(ana)

    whole = (await played(client, ana))["Values"]
    pages, before = [], {}
    while before is not None:
        page = await played(client, ana, limit=2, **before)
        pages.append(page["Values"])
        before = {"before": page["Next"]} if page["Next"] else None
    assert [len(page) for page in pages] == [2, 2, 1]
    assert [one for page in pages for one in page] == whole


async def test_on_a_server_that_died_it_ended_with_the_lease(client, database):
    ana = await make_player(database, "Ana")
    server = await GameServer.register(client)
    await server.join(ana)
    await age(database, ana, 60)
    ended = await expire(database, server, 20)

    [session] = (await played(client, ana))["Values"]
    assert session["LeftAt"] == ended.isoformat().replace("+00:00", "Z")


async def test_nobody_has_no_sessions(client):
    answer = await client.get("/api/v1/players/nobody/sessions")
    assert (answer.status_code, answer.json()["Code"]) == (404, "player_not_found")
