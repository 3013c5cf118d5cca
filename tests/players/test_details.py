"""Lists of characters for people: account, server, last online, and who is on a server."""

from datetime import UTC, datetime, timedelta
from uuid import uuid4

import asyncpg
import pytest

from gamekeeper.db.pools import LOOKUPS
from gamekeeper.players import last_online
from tests.make import join, make_player, make_server, make_user

API = "/api/v1/players"
DETAILS = {"AccountName", "ServerId", "ServerName"}
PLAYERS = 4000
MORE = """
    INSERT INTO players (user_id, name, name_key, class_id, created_at)
    SELECT user_id, name || number, name_key || number, class_id,
           created_at - number * 7919 % $2 * interval '1 hour'
      FROM players, generate_series(1, $2) AS number
     WHERE id = $1
"""


async def _get(client, path: str, **query):
    answer = await client.get(path, params=query)
    assert answer.status_code == 200, answer.text
    return answer.json()


@pytest.mark.parametrize("path", ["", "/rank", "/online"])
async def test_details_have_the_account_and_the_server(client, database, path):
    user = await make_user(database, "annika")
    ana = await make_player(database, "Ana", user=user)
    server = await make_server(database)
    await join(database, ana, server)

    [plain] = (await _get(client, API + path))["Values"]
    [detailed] = (await _get(client, API + path, details=True))["Values"]

    assert detailed.keys() - plain.keys() == DETAILS
    assert detailed["AccountName"] == "annika"
    [known] = (await _get(client, "/api/v1/servers"))["Values"]
    assert (detailed["ServerId"], detailed["ServerName"]) == (str(server), known["Name"])


async def test_an_offline_character_has_no_server(client, database):
    await make_player(database, "Bo")

    shown = await _get(client, f"{API}/Bo", details=True)

    assert (shown["ServerId"], shown["ServerName"]) == (None, None)
    assert shown["AccountName"]
    assert not DETAILS & (await _get(client, f"{API}/Bo")).keys()


async def test_details_of_a_page_are_one_statement(client, database, statements):
    for number in range(8):
        await make_player(database, f"Hero{number}")

    # The first call of a key is looked up in the database.
    await _get(client, API, pageSize=1)
    with statements() as plain:
        await _get(client, API, pageSize=8)
    with statements() as detailed:
        page = await _get(client, API, pageSize=8, details=True)

    assert page["Count"] == 8
    assert len(detailed) == len(plain) + 1


async def test_players_are_sorted_by_when_they_were_last_online(client, database):
    now = datetime.now(UTC)
    never = "UPDATE players SET last_online = NULL, created_at = $2 WHERE id = $1"
    once = "UPDATE players SET last_online = $2 WHERE id = $1"
    # Dee never played, so it counts from its creation.
    for name, days, sql in (("Ana", 4, once), ("Bo", 1, once), ("Cyd", 2, once), ("Dee", 3, never)):
        player, seen = await make_player(database, name), now - timedelta(days=days)
        await database.write(
            lambda writer, sql=sql, player=player, seen=seen: writer.run(sql, player, seen)
        )

    async def names(**query) -> list[str]:
        page = await _get(client, API, sortBy="lastonline", **query)
        return [player["Name"] for player in page["Values"]]

    assert await names(sortDirection="Descending") == ["Bo", "Cyd", "Dee", "Ana"]
    assert await names() == ["Ana", "Dee", "Cyd", "Bo"]
    assert await names(sortDirection="Descending", page=1, pageSize=2) == ["Dee", "Ana"]
    assert await names(search="Bo") == ["Bo"]


async def test_by_last_online_those_who_are_online_come_first(client, database):
    """Whatever the last session says, and in both directions on every page."""
    now = datetime.now(UTC)
    alive, dead = await make_server(database), await make_server(database)
    online = {"Ana": 3, "Bo": 1, "Cay": 2}
    lost, gone = {"Dee": 50}, {"Eve": 60, "Fay": 70, "Gil": 80, "Hal": 90}
    for name, minutes in {**online, **lost, **gone}.items():
        player = await make_player(database, name)
        if name not in gone:
            await join(database, player, alive if name in online else dead)
        seen = now - timedelta(minutes=minutes)
        # Their last sessions are as old as the others'.
        ended = now - timedelta(minutes=100 - minutes) if name in online else seen
        for sql, at in (
            ("UPDATE players SET last_online = $2 WHERE id = $1", ended),
            ("UPDATE presences SET joined_at = $2 WHERE player_id = $1", seen),
        ):
            await database.write(
                lambda writer, sql=sql, player=player, at=at: writer.run(sql, player, at)
            )
    sql = "UPDATE servers SET lease_until = now() - interval '50 minutes' WHERE id = $1"
    await database.write(lambda writer: writer.run(sql, dead))

    async def names(**query) -> list[str]:
        page = await _get(client, API, **{"sortBy": "lastonline", "pageSize": 50} | query)
        assert page["Total"] == (2 if "search" in query else 8)
        return [player["Name"] for player in page["Values"]]

    newest = ["Bo", "Cay", "Ana", "Dee", "Eve", "Fay", "Gil", "Hal"]
    assert await names(sortDirection="Descending") == newest
    assert await names() == newest[::-1]
    # A search finds parts of names. Cay is online, and its last session is older than Fay's.
    assert await names(search="ay", sortDirection="Descending") == ["Cay", "Fay"]
    assert await names(search="ay") == ["Fay", "Cay"]
    assert await names(search="ay", sortDirection="Descending", page=1, pageSize=1) == ["Fay"]
    for size in (1, 2, 3, 5, 7):
        for direction, expected in (("Descending", newest), ("Ascending", newest[::-1])):
            paged = [
                name
                for page in range(8 // size + 1)
                for name in await names(sortDirection=direction, page=page, pageSize=size)
            ]
            assert paged == expected, (size, direction)


async def test_a_page_in_the_middle_of_the_order_by_last_online_reads_the_index_alone(
    database, settings
):
    """Else each of the rows before the page is read from the table, in no order."""
    ana = await make_player(database, "Ana")
    await database.write(lambda writer: writer.run(MORE, ana, PLAYERS))
    connection = await asyncpg.connect(settings.database_url, server_settings=LOOKUPS)
    try:
        await connection.execute("VACUUM ANALYZE players")
        await connection.execute(f"PREPARE page (bigint, bigint) AS {last_online.NEWEST_FIRST}")
        plan = await connection.fetch(f"EXPLAIN EXECUTE page (20, {PLAYERS // 2})")
    finally:
        await connection.close()

    assert "Index Only Scan Backward using players_last_seen_idx" in str(plan)


async def test_a_server_lists_who_is_on_it(client, database):
    server, other = await make_server(database), await make_server(database)
    for name in ("Cyd", "Ana", "Bo"):
        await join(database, await make_player(database, name), server)
    await join(database, await make_player(database, "Dee"), other)
    path = f"/api/v1/servers/{server}/players"

    page = await _get(client, path)
    second = await _get(client, path, page=1, pageSize=2)

    assert [player["Name"] for player in page["Values"]] == ["Ana", "Bo", "Cyd"]
    assert {player["ServerId"] for player in page["Values"]} == {str(server)}
    assert [player["Name"] for player in second["Values"]] == ["Cyd"]
    assert (page["Total"], second["Total"]) == (3, 3)


async def test_a_server_that_died_has_nobody_on_it(client, database):
    server = await make_server(database)
    await join(database, await make_player(database, "Ana"), server)
    sql = "UPDATE servers SET lease_until = now() - interval '1 minute' WHERE id = $1"
    await database.write(lambda writer: writer.run(sql, server))

    page = await _get(client, f"/api/v1/servers/{server}/players")

    assert (page["Values"], page["Total"]) == ([], 0)
    assert (await client.get(f"/api/v1/servers/{uuid4()}/players")).status_code == 404
