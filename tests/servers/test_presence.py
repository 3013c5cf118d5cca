"""Who plays where: leases, fences, sessions and what is shown of them."""

import asyncio
from datetime import datetime
from uuid import UUID, uuid4

import pytest

from gamekeeper.db.paging.orderings import ONLINE
from gamekeeper.db.paging.verify import check
from gamekeeper.servers import online_history, session_expiry
from tests.deadlines import PATIENCE
from tests.make import make_player, make_user
from tests.servers.game_server import GameServer

FENCED = (
    409,
    "fenced",
    "The lease has expired or another process took over. Register again. Nothing changed.",
)


def refused(answer) -> tuple[int, str, str]:
    body = answer.json()
    return answer.status_code, body["Code"], body["Message"]


async def shown(client, player: UUID) -> dict[str, object]:
    return (await client.get(f"/api/v1/players/{player}")).json()


async def online(client) -> tuple[int, list[str]]:
    """How many are online, by the count and both lists, which agree; and who."""
    count = (await client.get("/api/v1/players/online/count")).json()["onlineCount"]
    new = (await client.get("/api/v1/players/online?pageSize=100")).json()
    old = (await client.post("/api/v1/players/online", json={"count": 100})).json()
    assert new["Values"] == old["entries"]
    assert new["Total"] == old["total"] == new["Count"] == count
    return count, [player["Id"] for player in new["Values"]]


async def expire(database, server: GameServer, seconds: float = 0) -> datetime:
    """End a server's lease as the clock would, so many seconds ago; when it ended."""
    return await database.write(
        lambda writer: writer.value(
            """
            UPDATE servers SET lease_until = clock_timestamp() - make_interval(secs => $2)
             WHERE id = $1 RETURNING lease_until
            """,
            server.id,
            float(seconds),
        )
    )


async def age(database, player: UUID, seconds: float) -> None:
    """Let a session have begun so many seconds earlier."""
    await database.write(
        lambda writer: writer.run(
            """
            UPDATE presences SET joined_at = joined_at - make_interval(secs => $2)
             WHERE player_id = $1
            """,
            player,
            float(seconds),
        )
    )


async def sessions(database, player: UUID) -> list[tuple[UUID, float]]:
    rows = await database.reader.rows(
        "SELECT server_id, left_at - joined_at AS long FROM sessions WHERE player_id = $1"
        " ORDER BY joined_at",
        player,
    )
    return [(row["server_id"], row["long"].total_seconds()) for row in rows]


async def test_a_server_registers_and_renews_its_lease(client, database):
    server = await GameServer.register(client)
    lease = (await server.say("heartbeat")).json()

    assert (lease["Id"], lease["Name"], lease["Fence"]) == (str(server.id), "Realm", server.fence)
    assert (lease["LeaseSeconds"], lease["HeartbeatSeconds"]) == (30, 10)
    left = await database.reader.value(
        "SELECT extract(epoch FROM lease_until - now())::float8 FROM servers WHERE id = $1",
        server.id,
    )
    assert 28 < left <= 30


async def test_who_joins_is_online_and_who_leaves_is_not(client, database):
    server = await GameServer.register(client)
    ana, bo = await make_player(database, "Ana"), await make_player(database, "Bo")

    answer = await server.join("ANA", bo, "nobody", ana)
    assert answer["Unknown"] == ["nobody"]
    expected = [
        {"PlayerId": str(one), "Seq": 0, "MovedFrom": None, "Restrictions": []}
        for one in sorted([ana, bo], key=str)
    ]
    assert answer["Values"] == expected
    assert await online(client) == (2, [str(ana), str(bo)])
    assert (await shown(client, ana))["Online"] is True

    assert await server.leave(ana, "nobody") == {"Changed": 1, "NotHere": ["nobody"]}
    assert await online(client) == (1, [str(bo)])
    here = await shown(client, ana)
    assert (here["Online"], here["InBank"]) == (False, False)
    assert [at for at, _ in await sessions(database, ana)] == [server.id]


async def test_joining_and_leaving_twice_changes_nothing_more(client, database):
    server = await GameServer.register(client)
    ana = await make_player(database)
    await server.join(ana)
    first = await shown(client, ana)
    await server.join(ana)

    assert await shown(client, ana) == first
    assert await online(client) == (1, [str(ana)])
    await server.leave(ana)
    assert await server.leave(ana) == {"Changed": 0, "NotHere": [str(ana)]}
    assert (await online(client))[0] == 0
    assert len(await sessions(database, ana)) == 1


async def test_a_character_is_on_one_server_and_the_other_can_act_for_it_no_more(client, database):
    east, west = [await GameServer.register(client, name) for name in ("East", "West")]
    ana, bo = await make_player(database, "Ana"), await make_player(database, "Bo")
    await east.join(ana, bo)

    [moved] = (await west.join(ana))["Values"]
    assert moved["MovedFrom"] == str(east.id)
    assert await east.leave(ana) == {"Changed": 0, "NotHere": [str(ana)]}
    assert (await east.say("bank", opened=[str(ana)])).json()["NotHere"] == [str(ana)]
    assert await online(client) == (2, [str(ana), str(bo)])
    listed = (await client.get("/api/v1/servers")).json()
    assert [(entry["Name"], entry["Online"]) for entry in listed["Values"]] == [
        ("East", 1),
        ("West", 1),
    ]


async def test_a_server_that_dies_takes_its_players_and_nobody_else_offline(client, database):
    dying, living = [await GameServer.register(client, name) for name in ("A", "B")]
    ana, bo = await make_player(database, "Ana"), await make_player(database, "Bo")
    await dying.join(ana)
    await living.join(bo)

    await expire(database, dying)

    assert await online(client) == (1, [str(bo)])
    [a, b] = (await client.get("/api/v1/servers")).json()["Values"]
    assert (a["Alive"], a["Online"], b["Alive"], b["Online"]) == (False, 0, True, 1)


async def test_time_played_counts_until_the_lease_ended_however_late_it_is_noticed(
    client, database
):
    server = await GameServer.register(client)
    ana = await make_player(database, play_time_seconds=100)
    await server.join(ana)
    await age(database, ana, 7200)
    running = await shown(client, ana)
    ended = await expire(database, server, seconds=3600)

    read = await shown(client, ana)
    await session_expiry.sweep(database, asyncio.Event())
    swept = await shown(client, ana)

    assert 7300 <= running["PlayTimeSeconds"] <= 7310
    assert 3700 <= read["PlayTimeSeconds"] <= 3710
    assert read == swept
    assert datetime.fromisoformat(str(swept["LastOnline"])) == ended
    [(_, long)] = await sessions(database, ana)
    assert 100 + int(long) == swept["PlayTimeSeconds"]
    assert await database.reader.value("SELECT online FROM crowds") == 0


async def test_many_who_sweep_at_once_end_each_session_once(client, database, settings):
    """And a server that lives, or came back meanwhile, keeps its players."""
    owner = await make_user(database)
    dying, living, back = [await GameServer.register(client, name) for name in ("A", "B", "C")]
    players = [await make_player(database, user=owner) for _ in range(12)]
    for server, theirs in zip(
        (dying, living, back), (players[:4], players[4:8], players[8:]), strict=True
    ):
        await server.join(*theirs)
    for server in (dying, back):
        await expire(database, server)
    back = await GameServer.register(client, "C")
    await back.join(*players[8:])

    await asyncio.gather(*(session_expiry.sweep(database, asyncio.Event()) for _ in range(5)))

    assert (await online(client))[0] == 8
    ended = [await sessions(database, player) for player in players]
    assert [len(one) for one in ended] == [1] * 4 + [0] * 4 + [1] * 4
    rows = await database.reader.rows("SELECT online FROM crowds ORDER BY online")
    assert [row["online"] for row in rows] == [0, 4, 4]
    assert (await check(settings, ONLINE)).wrong == []


async def test_a_worker_sweeps_until_it_is_told_to_stop(client, database):
    server = await GameServer.register(client)
    await server.join(await make_player(database))
    await expire(database, server)
    stop = asyncio.Event()
    sweeper = asyncio.create_task(session_expiry.follow(database, stop))
    async with asyncio.timeout(PATIENCE):
        while await database.reader.value("SELECT count(*) FROM presences"):
            await asyncio.sleep(0.02)
    stop.set()
    async with asyncio.timeout(PATIENCE):
        await sweeper


async def test_while_online_last_online_is_since_when_and_afterwards_until_when(client, database):
    server = await GameServer.register(client)
    ana = await make_player(database)
    await server.join(ana)
    await age(database, ana, 60)

    since = datetime.fromisoformat(str((await shown(client, ana))["LastOnline"]))
    await server.leave(ana)
    until = datetime.fromisoformat(str((await shown(client, ana))["LastOnline"]))

    assert 60 <= (until - since).total_seconds() < 65


async def test_a_lease_that_ran_out_is_not_revived(client, database):
    server = await GameServer.register(client)
    ana = await make_player(database)
    await server.join(ana)
    await expire(database, server)

    for what in ("heartbeat", "bank", "stop"):
        assert refused(await server.say(what)) == FENCED
    for what in ("join", "leave"):
        assert refused(await server.say(what, players=[str(ana)])) == FENCED
    assert (await online(client))[0] == 0


@pytest.mark.parametrize("by", ["name", "id"])
async def test_who_registers_again_takes_the_place_and_the_one_before_is_fenced(
    client, database, by
):
    old = await GameServer.register(client, "Realm")
    ana = await make_player(database)
    await old.join(ana)
    about = {"id": str(old.id), "name": "Realm two"} if by == "id" else {"name": "REALM"}
    new = await GameServer.register(client, **about)

    assert new.id == old.id
    assert new.fence > old.fence
    assert (await online(client))[0] == 0
    assert [at for at, _ in await sessions(database, ana)] == [old.id]
    for what in ("heartbeat", "bank", "stop"):
        assert refused(await old.say(what)) == FENCED
    for what in ("join", "leave"):
        assert refused(await old.say(what, players=[str(ana)])) == FENCED
    await new.join(ana)
    assert (await online(client))[0] == 1


async def test_a_server_that_stops_leaves_nobody_behind(client, database):
    server = await GameServer.register(client)
    ana = await make_player(database)
    await server.join(ana)

    answer = await server.say("stop")

    assert answer.json() == {"Id": str(server.id), "Fence": server.fence}
    assert (await online(client))[0] == 0
    assert len(await sessions(database, ana)) == 1
    assert refused(await server.say("heartbeat")) == FENCED
    kinds = await database.reader.rows("SELECT kind FROM actions WHERE kind LIKE 'servers.%'")
    assert sorted(row["kind"] for row in kinds) == ["servers.register", "servers.stop"]


async def test_a_name_belongs_to_one_server_and_an_unknown_server_is_not_found(client):
    east, west = [await GameServer.register(client, name) for name in ("East", "West")]

    answer = await client.post("/api/v1/servers", json={"name": "east", "id": str(west.id)})
    assert refused(answer) == (409, "server_name_taken", "Another server is named 'east'.")
    assert (await east.say("heartbeat")).status_code == 200
    assert (await west.say("heartbeat")).status_code == 200
    for name in ("", "   ", "x" * 65, "a\x07b"):
        answer = await client.post("/api/v1/servers", json={"name": name})
        assert refused(answer)[:2] == (400, "invalid_server_name")
    nowhere = uuid4()
    answer = await client.post(f"/api/v1/servers/{nowhere}/heartbeat", json={"fence": 1})
    assert refused(answer) == (404, "server_not_found", f"No server with id '{nowhere}'.")


async def test_the_bank_window_opens_and_closes(client, database):
    server = await GameServer.register(client)
    ana, bo = await make_player(database), await make_player(database)
    await server.join(ana, bo)

    answer = await server.say("bank", opened=[str(ana), str(bo)], closed=[str(bo)])
    assert answer.json() == {"Changed": 1, "NotHere": []}
    assert [(await shown(client, one))["InBank"] for one in (ana, bo)] == [True, False]
    await expire(database, server)
    assert (await shown(client, ana))["InBank"] is False


async def test_twenty_servers_that_take_players_from_each_other_at_once_lose_nobody(
    client, database, settings
):
    """All want everybody, in orders of their own; and some end or are replaced meanwhile."""
    owner = await make_user(database)
    players = [await make_player(database, user=owner) for _ in range(30)]
    servers = [await GameServer.register(client, f"Realm {n}") for n in range(20)]

    async def work(number: int) -> None:
        server = servers[number]
        for step in range(6):
            wanted = [str(player) for player in players[:: 1 if step % 2 else -1]]
            answer = await server.say("leave" if step % 3 == 2 else "join", players=wanted)
            assert answer.status_code == 200, answer.text
            if step == 3 and number % 5 == 0:
                await server.say("stop")
                server = await GameServer.register(client, f"Realm {number}")

    await asyncio.gather(*(work(number) for number in range(20)))

    counted = await database.reader.rows(
        """
        SELECT online, (SELECT count(*) FROM presences WHERE server_id = crowds.server_id) AS there
          FROM crowds
        """
    )
    assert [row for row in counted if row["online"] != row["there"]] == []
    assert (await check(settings, ONLINE)).wrong == []
    overlapping = await database.reader.value(
        """
        SELECT count(*) FROM sessions AS one JOIN sessions AS other USING (player_id)
         WHERE one.joined_at < other.joined_at AND one.left_at > other.joined_at
        """
    )
    assert overlapping == 0
    seconds = await database.reader.rows(
        """
        SELECT players.id FROM players
         WHERE play_time_seconds <> (SELECT coalesce(sum(floor(extract(epoch FROM
                                                left_at - joined_at))), 0)
                                       FROM sessions WHERE player_id = players.id)
        """
    )
    assert seconds == []


async def test_pages_of_who_is_online_are_the_same_from_either_end(client, database):
    owner = await make_user(database)
    server, dead = [await GameServer.register(client, name) for name in ("Here", "Gone")]
    names = [f"Player {chr(97 + n)}" for n in range(23)]
    players = [await make_player(database, name, user=owner) for name in names]
    await server.join(*players)
    await dead.join(*players[1::4])
    await expire(database, dead)
    there = [name for number, name in enumerate(names) if number % 4 != 1]

    for size in (1, 2, 5, 17, 18):
        for page in range(20):
            url = f"/api/v1/players/online?pageSize={size}&page={page}"
            answer = (await client.get(url)).json()
            shown = [player["Name"] for player in answer["Values"]]
            assert shown == there[page * size : (page + 1) * size], (size, page)
            assert answer["Total"] == len(there)


async def test_how_many_were_online_is_noted_once_a_minute(client, database):
    server = await GameServer.register(client)
    await server.join(await make_player(database), await make_player(database))
    await database.write(
        lambda writer: writer.run(
            """
            INSERT INTO online_counts (span, at, samples, total, lowest, highest)
            SELECT span, date_trunc(span, now(), 'UTC'), 3, 30, 5, 15
              FROM unnest(ARRAY['hour', 'day']) AS span
            """
        )
    )
    await asyncio.gather(*(database.write(online_history.sample) for _ in range(5)))

    for span, expected in [("minute", (2, 2, 2)), ("hour", (8, 2, 15)), ("Day", (8, 2, 15))]:
        answer = await client.get(f"/api/v1/players/online/history?span={span}")
        values = answer.json()["Values"]
        assert [(entry["Average"], entry["Lowest"], entry["Highest"]) for entry in values[-1:]] == [
            expected
        ]
        assert len(values) <= 2, "a minute may have ended meanwhile"
    later = "/api/v1/players/online/history?from=2099-01-01T00:00:00Z"
    assert (await client.get(later)).json() == {"Span": "hour", "Values": []}
    wrong = await client.get("/api/v1/players/online/history?span=week")
    assert refused(wrong)[:2] == (400, "invalid_query")
