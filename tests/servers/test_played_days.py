"""Play time by day: every second counts once, on the day in UTC on which it was played."""

from datetime import UTC, datetime, timedelta

from tests.make import make_player
from tests.servers.game_server import GameServer
from tests.servers.test_presence import age, expire

NOON = datetime.now(UTC).replace(hour=12, minute=0, second=0, microsecond=0)
HOUR = timedelta(hours=1)
DAY = timedelta(days=1)


async def days(client, player, **query) -> dict:
    answer = await client.get(f"/api/v1/players/{player}/sessions/days", params=query)
    assert answer.status_code == 200, answer.text
    return answer.json()


async def seconds(client, player, **query) -> dict[int, tuple[int, int]]:
    """By days ago, the seconds and sessions."""
    return {
        (NOON.date() - datetime.fromisoformat(entry["Day"]).date()).days: (
            entry["Seconds"],
            entry["Sessions"],
        )
        for entry in (await days(client, player, **query))["Values"]
    }


async def play(database, player, *spans: tuple[datetime, timedelta]) -> None:
    for joined, lasted in spans:
        await database.write(
            lambda writer, joined=joined, lasted=lasted: writer.run(
                "INSERT INTO sessions VALUES ($1, $2, $3, gen_random_uuid())",
                *(player, joined, joined + lasted),
            )
        )


async def test_each_day_has_what_was_played_on_it(client, database, statements):
    ana, bo = await make_player(database, "Ana"), await make_player(database, "Bo")
    await play(
        database,
        ana,
        (NOON - 3 * DAY, HOUR),
        (NOON - 3 * DAY + 2 * HOUR, HOUR / 2),
        # Over midnight, and one that ends with the day.
        (NOON - 5 * DAY, 13 * HOUR),
        (NOON - 8 * DAY, 12 * HOUR),
    )
    await play(database, bo, (NOON - DAY, HOUR))
    await client.get("/api/v1/players/ana")

    with statements() as made:
        shown = await seconds(client, "ana")

    assert shown == {8: (43200, 1), 5: (43200, 1), 4: (3600, 1), 3: (5400, 2)}
    assert sum("api_keys" not in sql for sql in made) == 2


async def test_a_session_that_began_before_the_first_day_counts_from_there(client, database):
    ana = await make_player(database, "Ana")
    await play(database, ana, (NOON - 10 * DAY, HOUR), (NOON - 4 * DAY, 3 * DAY))

    to = (NOON - DAY).isoformat()
    shown = await seconds(client, ana, days=2, to=to)

    assert shown == {2: (86400, 1), 1: (43200, 1)}
    found = await days(client, ana, days=2, to=to)
    assert (found["From"], found["To"]) == (
        str((NOON - 2 * DAY).date()),
        str((NOON - DAY).date()),
    )


async def test_who_plays_now_has_played_until_now(client, database):
    ana = await make_player(database, "Ana")
    server = await GameServer.register(client)
    await server.join(ana)
    await age(database, ana, 3 * 86400)

    shown = await seconds(client, ana)

    assert abs(sum(one for one, _ in shown.values()) - 3 * 86400) < 60
    assert shown[1] == (86400, 1)

    await expire(database, server, 86400)
    shown = await seconds(client, ana)
    assert abs(sum(one for one, _ in shown.values()) - 2 * 86400) < 60


async def test_a_year_at_most_and_no_day_that_there_is_not(client, database):
    ana = await make_player(database, "Ana")
    await play(database, ana, (NOON - 364 * DAY, HOUR), (NOON - 370 * DAY, HOUR))

    assert set(await seconds(client, ana)) == {364}
    assert set(await seconds(client, ana, days=100_000)) == {364}
    assert await seconds(client, ana, days=-1) == {}
    for to in ("0001-01-01T00:00:00Z", "9999-12-31T23:59:59Z"):
        assert (await days(client, ana, to=to))["Values"] is not None


async def test_nobody_played_on_no_day(client):
    answer = await client.get("/api/v1/players/nobody/sessions/days")
    assert (answer.status_code, answer.json()["Code"]) == (404, "player_not_found")
