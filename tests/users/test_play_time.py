"""The play time of an account: what its characters' own records show, together."""

from datetime import timedelta

from gamekeeper.users.play_time import play_times
from tests.deadlines import PATIENCE
from tests.make import CREATED, join, make_player, make_server, make_user


async def test_it_is_the_sum_over_the_characters_with_the_session_that_goes_on(client, database):
    ana, bob, eve = [await make_user(database) for _ in range(3)]
    await make_player(database, user=ana, play_time_seconds=100)
    playing = await make_player(database, user=ana, play_time_seconds=20)
    lost = await make_player(database, user=ana, play_time_seconds=3)
    await make_player(database, user=bob, play_time_seconds=7)
    await join(database, playing, await make_server(database))
    await join(database, lost, await make_server(database, lease_seconds=-600))
    await database.write(
        lambda writer: writer.run("UPDATE presences SET joined_at = now() - interval '1 hour'")
    )

    before = await play_times(database.reader, [ana, bob, eve])
    characters = (await client.get(f"/api/v1/users/{ana}/players")).json()
    after = (await client.get(f"/api/v1/users/{ana}")).json()["PlayTimeSeconds"]

    assert before[ana] <= sum(character["PlayTimeSeconds"] for character in characters) <= after
    assert abs(after - (100 + 20 + 3 + 3600 + 3000)) < PATIENCE
    assert (before[bob], before[eve]) == (7, 0)


async def test_an_account_shows_when_it_was_registered_and_what_it_played(client, database):
    """In the list and by name; a change of the address looks at no characters."""
    at = CREATED + timedelta(days=3)
    ana = await make_user(database, "ana", created_at=at)
    await make_player(database, user=ana, play_time_seconds=50)
    shown = {
        "IsBanned": False,
        "RegistrationDate": "2026-01-05T03:04:05Z",
        "PlayTimeSeconds": 50,
    }

    by_name = (await client.get("/api/v1/users/ana")).json()
    [listed] = (await client.get("/api/v1/users")).json()["Values"]
    [found] = (await client.get("/api/v1/users?search=ana")).json()["Values"]
    path = "/api/v1/users/ana/manage/email/change"
    changed = (await client.post(path, json={"new": "a@example.org"})).json()

    for record in (by_name, listed, found):
        assert {field: record[field] for field in shown} == shown
    del shown["PlayTimeSeconds"]
    assert {field: changed[field] for field in shown} == shown
    assert "PlayTimeSeconds" not in changed
