"""Characters created, renamed, changed and deleted over HTTP: the whole answers."""

from uuid import UUID, uuid4

import pytest

from tests.contract.outcomes import outcome, refusal
from tests.make import (
    KNIGHT,
    MAGE,
    join,
    make_class,
    make_mage,
    make_player,
    make_server,
    make_user,
    shown_player,
)

PLAYERS = "/api/v1/players"


def fresh(word: str) -> str:
    """A name that no other test has."""
    return f"{word} {uuid4().hex[:12]}"


async def listed(client) -> int:
    return (await client.get(PLAYERS)).json()["Total"]


SHEET = {
    "ClassId": str(KNIGHT),
    "Gender": 0,
    "StatPoints": 0,
    "Vitals": [100, 100],
    "MaxVitals": [100, 100],
    "BaseStats": [10, 10, 10, 10, 10],
    "StatPointAllocations": [0, 0, 0, 0, 0],
    "Equipment": [-1, -1, -1, -1, -1],
    "MapId": "00000000-0000-0000-0000-000000000000",
    "MapName": "",
    "X": 0,
    "Y": 0,
    "Z": 0,
    "Dir": 0,
    "Sprite": "",
    "Face": "",
    "NameColor": "",
}


async def test_a_created_character_is_shown_and_found(client, database):
    await make_class(database)
    user = await make_user(database, "owner")
    name, before = fresh("Ana"), await listed(client)
    body = {"Name": name, "ClassId": str(KNIGHT), "GENDER": "1", "sprite": "knight_f.png"}

    status, made = outcome(await client.post("/api/v1/users/Owner/players", json=body))

    about = {"Gender": 1, "Sprite": "knight_f.png", "CreationDate": made["CreationDate"]}
    assert (status, made) == (200, shown_player(UUID(made["Id"]), user, name, **about))
    assert outcome(await client.get(f"{PLAYERS}/{name.upper()}")) == (200, made)
    assert outcome(await client.get("/api/v1/users/owner/players")) == (200, [made])
    assert await listed(client) == before + 1


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ({}, refusal(400, "invalid_body", "'name' is required.", Field="name")),
        ({"name": "Cy"}, refusal(400, "invalid_body", "'classid' is required.", Field="classid")),
        ({"name": "rank", "classid": str(KNIGHT)}, refusal(400, "invalid_name", "Invalid name.")),
        (
            {"name": "Cy", "classid": str(MAGE)},
            refusal(400, "unknown_class", "Invalid class id."),
        ),
        (
            {"name": "Cy", "classid": str(KNIGHT), "dir": 256},
            refusal(400, "invalid_sheet", "'dir' must be from 0 to 255.", Field="dir"),
        ),
        (
            {"name": "BO", "classid": str(KNIGHT)},
            refusal(409, "name_taken", "Name already taken."),
        ),
    ],
)
async def test_why_there_is_no_character(client, database, body, expected):
    taken = fresh("bo")
    await make_player(database, taken)
    user, before = await make_user(database), await listed(client)
    if body.get("name") == "BO":
        body = body | {"name": taken.upper()}
    answer = await client.post(f"/api/v1/users/{user}/players", json=body)
    assert outcome(answer) == expected
    assert await listed(client) == before


async def test_one_too_many_and_the_account_of_nobody(client, database):
    user = await make_user(database)
    await make_player(database, user=user)
    body = {"name": fresh("Cy"), "classid": str(KNIGHT)}
    assert outcome(await client.post(f"/api/v1/users/{user}/players", json=body)) == refusal(
        409,
        "too_many_characters",
        "The account already has the maximum number of characters.",
        Most=1,
    )
    assert outcome(await client.post("/api/v1/users/nobody/players", json=body)) == refusal(
        404, "user_not_found", "No user with name 'nobody'."
    )


async def test_the_same_creation_again_makes_one_character(client, database):
    await make_class(database)
    user = await make_user(database)
    body, headers = {"name": fresh("Cy"), "classid": str(KNIGHT)}, {"Idempotency-Key": "once"}
    path = f"/api/v1/users/{user}/players"
    first = await client.post(path, json=body, headers=headers)
    again = await client.post(path, json=body, headers=headers)
    assert (first.status_code, first.content) == (200, again.content)
    assert again.headers["idempotency-replayed"] == "true"


async def test_name_class_and_level_answer_the_record(client, database):
    await make_mage(database)
    user = await make_user(database)
    ana = await make_player(database, user=user, level=2, exp=50)
    path = f"{PLAYERS}/{ana}"
    more = {"Level": 2, "Exp": 50, "ExperienceToNextLevel": 110}

    named = outcome(await client.post(f"{path}/name", data={"name": "Éowyn d'Or"}))
    assert named == (200, shown_player(ana, user, "Éowyn d'Or", **more))

    _, changed = outcome(await client.post(f"{path}/class", json={"classId": str(MAGE)}))
    of_mage = {
        "ClassId": str(MAGE),
        "ClassName": "Mage",
        "MaxVitals": [70, 210],
        "Vitals": [70, 100],
        "BaseStats": [5, 20, 5, 15, 9],
    }
    assert changed == named[1] | of_mage

    _, raised = outcome(await client.post(f"{path}/level", json={"level": 1000}))
    assert raised == changed | {"Level": 100, "Exp": 0, "ExperienceToNextLevel": -1}
    assert outcome(await client.post(f"{path}/level", json={"level": 0})) == refusal(
        400,
        "invalid_progress",
        "The level must be from 1 to the class maximum; experience must be at least 0.",
        Highest=100,
    )


async def test_a_deleted_character_is_shown_once_more_and_then_nowhere(client, database):
    user = await make_user(database)
    name, before = fresh("ana"), await listed(client)
    ana = await make_player(database, name, user=user)

    answer = outcome(await client.delete(f"{PLAYERS}/{name.upper()}"))

    assert answer == (200, shown_player(ana, user, name))
    missing = refusal(404, "player_not_found", f"No player with name '{name}'.")
    assert outcome(await client.get(f"{PLAYERS}/{name}")) == missing
    assert outcome(await client.delete(f"{PLAYERS}/{name}")) == missing
    assert await listed(client) == before

    [action] = (await client.get("/api/v1/actions")).json()["Values"][:1]
    assert action["Kind"] == "players.delete"
    undone = await client.post(f"/api/v1/actions/{action['Id']}/undo")
    assert undone.status_code == 200, undone.text
    assert outcome(await client.get(f"{PLAYERS}/{name}")) == (200, shown_player(ana, user, name))


async def test_who_plays_is_deleted_by_its_server_only(client, database):
    name = fresh("ana")
    ana = await make_player(database, name)
    server = await make_server(database, fence=7)
    await join(database, ana, server)
    path = f"{PLAYERS}/{name}"

    assert outcome(await client.delete(path)) == refusal(
        409, "player_online", "Failed to delete player because they are online!"
    )
    half = await client.request("DELETE", path, json={"server": str(server)})
    assert outcome(half) == refusal(
        400, "fence_missing", "'server' and 'fence' must be sent together."
    )
    stale = await client.request("DELETE", path, json={"server": str(server), "fence": 6})
    assert outcome(stale)[1]["Code"] == "fenced"
    nobody = await client.request("DELETE", path, json={"server": str(uuid4()), "fence": 7})
    assert outcome(nobody)[1]["Code"] == "server_not_found"
    done = await client.request("DELETE", path, json={"server": str(server), "fence": 7})
    assert done.status_code == 200


async def test_a_sheet_is_saved_read_and_read_as_it_was(client, database):
    path = f"{PLAYERS}/{await make_player(database)}/sheet"
    assert outcome(await client.get(path)) == (200, SHEET)
    then = await database.reader.value("SELECT clock_timestamp()")
    change = {
        "mapId": str(MAGE),
        "MapName": "Meadow",
        "x": 3,
        "vitals": [5, 6],
        "nameColor": "#c0a0ff",
    }

    saved = outcome(await client.post(path, json=change))

    now = SHEET | {"MapId": str(MAGE), "MapName": "Meadow", "X": 3, "Vitals": [5, 6]}
    now |= {"NameColor": "#FFC0A0FF"}
    assert saved == outcome(await client.get(path)) == (200, now)
    past = await client.get(path, params={"at": then.isoformat()})
    assert outcome(past) == (200, SHEET)
    assert outcome(await client.post(path, json={"vitals": [101, 0]})) == refusal(
        400, "invalid_sheet", "'vitals' must be not above 'maxvitals'.", Field="vitals"
    )
