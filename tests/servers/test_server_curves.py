"""Online curves of each game server: stacked, they are the curve of the game."""

import asyncio
from uuid import UUID, uuid4

from gamekeeper.servers import online_history
from tests.make import make_player
from tests.servers.game_server import GameServer
from tests.servers.test_presence import expire


async def history(client, **query) -> dict:
    answer = await client.get(
        "/api/v1/players/online/history", params={"span": "minute", "servers": "true"} | query
    )
    assert answer.status_code == 200, answer.text
    return answer.json()


async def count(database, minute: int, server: UUID | None, online: int) -> None:
    """A sample of so many minutes ago; without a server, of the whole game."""
    table = "server_online_counts" if server else "online_counts"
    await database.write(
        lambda writer: writer.run(
            f"""
            INSERT INTO {table} (span, at, samples, total, lowest, highest
                                 {", server_id" if server else ""})
            SELECT 'minute', date_trunc('minute', now(), 'UTC') - $1::int * interval '1 minute',
                   1, $2::int, $2::int, $2::int {", $3" if server else ""}
            """,
            *(minute, online, *([server] if server else [])),
        )
    )


async def test_each_server_is_sampled_once_a_minute(client, database):
    realm, marsh = await GameServer.register(client), await GameServer.register(client, "Marsh")
    gone = await GameServer.register(client, "Gone")
    await GameServer.register(client, "Empty")
    await realm.join(await make_player(database), await make_player(database))
    await marsh.join(await make_player(database))
    await gone.join(await make_player(database))
    await expire(database, gone, 5)

    await asyncio.gather(*(database.write(online_history.sample) for _ in range(5)))

    for span in ("minute", "hour", "day"):
        found = await history(client, span=span)
        assert [entry["Average"] for entry in found["Values"]][-1] == 3
        curves = {server["ServerName"]: server["Averages"][-1] for server in found["Servers"]}
        assert curves == {"Realm": 2, "Marsh": 1}
        assert found["Servers"][0]["ServerId"] == str(realm.id)


async def test_a_minute_without_anybody_on_a_server_is_zero(client, database, statements):
    one, two = uuid4(), uuid4()
    for minute, parts in [(3, {one: 4}), (2, {one: 1, two: 2}), (1, {two: 5})]:
        await count(database, minute, None, sum(parts.values()))
        for server, online in parts.items():
            await count(database, minute, server, online)

    with statements() as made:
        found = await history(client)

    assert sum("online_counts" in sql for sql in made) == 2
    assert [value["Average"] for value in found["Values"]] == [4, 3, 5]
    assert {curve["ServerId"]: curve["Averages"] for curve in found["Servers"]} == {
        str(two): [0, 2, 5],
        str(one): [4, 1, 0],
    }
    # Nobody knows them any more.
    assert {curve["ServerName"] for curve in found["Servers"]} == {None}


async def test_beyond_twenty_servers_the_rest_is_one_curve(client, database):
    await count(database, 1, None, sum(range(1, 26)))
    for online in range(1, 26):
        await count(database, 1, uuid4(), online)

    *first, rest = (await history(client))["Servers"]

    assert [curve["Averages"] for curve in first] == [[online] for online in range(25, 5, -1)]
    assert (rest["ServerId"], rest["ServerName"], rest["Averages"]) == (None, None, [15])


async def test_without_asking_there_are_no_curves(client, database):
    await count(database, 1, None, 1)
    plain = (await client.get("/api/v1/players/online/history?span=minute")).json()
    assert list(plain) == ["Span", "Values"]
    assert (await history(client, **{"from": "2099-01-01T00:00:00Z"}))["Servers"] == []
