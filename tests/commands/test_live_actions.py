"""Kick, kill and warp as Intersect's panels ask for them, and hear of them."""

from uuid import uuid4

from gamekeeper.auth import keys
from gamekeeper.servers.commands import acknowledgement
from tests.commands.orders import code, obedient
from tests.make import BY, make_user


async def asked(client, path: str, **about: object) -> tuple[int, str]:
    answer = await client.post(f"/api/v1/{path}", **about)
    return answer.status_code, answer.json()["Message"]


async def test_a_character_is_kicked_killed_and_warped(client, realm, ana):
    place = uuid4()
    async with obedient(realm) as told:
        assert await asked(client, "players/ana/admin/kick", json=[]) == (
            200,
            "Ana has been kicked by the server!",
        )
        assert await asked(client, "players/ana/admin/Kill") == (200, "Ana has been killed!")
        body = {"MapId": str(place), "x": 3, "y": 4}
        for action in ("WarpTo", "warptoloc"):
            assert await asked(client, f"players/ana/admin/{action}", json=body) == (
                200,
                f"Warped 'Ana' to {place} (3, 4).",
            )
        without = {"mapid": str(place)}
        status, said = await asked(client, "players/ana/admin/warpto", data=without)
        assert (status, said) == (200, f"Warped 'Ana' to {place} (0, 0).")
    assert [command["Kind"] for command in told] == ["kick", "kill", "warp", "warp", "warp"]
    assert {command["PlayerId"] for command in told} == {str(ana)}


async def test_an_account_is_kicked_by_the_character_it_plays(client, database, realm, ana):
    user = await database.reader.value("SELECT user_id FROM players WHERE id = $1", ana)
    async with obedient(realm) as told:
        status, said = await asked(client, f"users/{user}/admin/kick")

    assert (status, said.endswith(" has been kicked by the server!")) == (200, True)
    assert [command["PlayerId"] for command in told] == [str(ana)]
    missing = await asked(client, f"users/{user}/admin/warptoloc", json={"x": 1})
    assert missing == (400, "Expected a map ID.")


async def test_a_character_is_warped_within_its_own_map(client, database, realm, ana):
    body = {"x": 5, "y": 6}
    path = "players/ana/admin/warptoloc"
    assert await asked(client, path, json=body) == (400, "Expected a map ID.")
    place = uuid4()
    await database.write(
        lambda writer: writer.run("UPDATE players SET map_id = $2 WHERE id = $1", ana, place)
    )
    async with obedient(realm) as told:
        assert await asked(client, path, json=body) == (200, f"Warped 'Ana' to {place} (5, 6).")
    assert [command["Payload"] for command in told] == [{"MapId": str(place), "X": 5, "Y": 6}]


async def test_who_is_not_online_is_said_so_at_once(client, database, realm, ana):
    await realm.leave(ana)
    user = await database.reader.value("SELECT user_id FROM players WHERE id = $1", ana)

    for path in ("players/ana", f"users/{user}"):
        assert await asked(client, f"{path}/admin/kick") == (404, "User not online!")


async def test_a_game_that_does_not_answer_or_cannot_is_said_so(client, realm, ana, monkeypatch):
    with monkeypatch.context() as brief:
        brief.setattr(acknowledgement, "WAIT_SECONDS", 0.2)
        assert code(await client.post("/api/v1/players/ana/admin/kick")) == (504, "not_answered")
    async with obedient(realm, done=False, text="She is in a duel."):
        assert await asked(client, "players/ana/admin/kill") == (504, "She is in a duel.")


async def test_it_needs_the_scope_for_commands(client, database, realm, ana):
    for scopes, status in (
        (("players.read",), 400),
        (("players.read", "sanctions.manage"), 400),
        (("players.read", "commands"), 200),
    ):
        new = keys.NewKey(by=BY, name="-".join(scopes), scopes=scopes)
        key = await keys.create.one(database, new)
        async with obedient(realm):
            answer = await client.post(
                "/api/v1/players/ana/admin/kick", headers={"Authorization": f"Bearer {key}"}
            )
        assert answer.status_code == status, answer.text


async def test_nobody_kicks_who_holds_more(client, database, realm, ana):
    boss = await make_user(database, ban=True)
    await database.write(
        lambda writer: writer.run("UPDATE players SET user_id = $2 WHERE id = $1", ana, boss)
    )
    new = keys.NewKey(by=BY, name="low", scopes=("players.read", "commands"))
    key = await keys.create.one(database, new)

    answer = await client.post(
        "/api/v1/players/ana/admin/kick", headers={"Authorization": f"Bearer {key}"}
    )

    assert (answer.status_code, answer.json()["Message"]) == (
        400,
        "You do not have the permission to do this.",
    )
