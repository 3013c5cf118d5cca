"""Renaming of accounts: who may, which names, and what else must follow."""

import asyncio

import pytest

from gamekeeper.users import name_changes
from gamekeeper.users.lookup import UserNotFound
from gamekeeper.users.name_changes import UsernameTaken, UserRenaming
from tests.contract.outcomes import outcome, refusal
from tests.make import BY, make_user, sha
from tests.security.callers import account_with, key_with

INVALID = refusal(400, "invalid_username", "Invalid name.")
TAKEN = refusal(400, "username_taken", "Name already taken.")


async def renamed(client, key: object, name: object, **headers: str):
    return await client.post(f"/api/v1/users/{key}/name", json={"name": name}, headers=headers)


async def test_an_account_has_another_name_everywhere(client, database):
    user = await make_user(database, "ana", password="secret", email="ana@example.com")

    answer = await renamed(client, "Ana", "Anabel")

    assert answer.status_code == 200, answer.text
    assert (answer.json()["Id"], answer.json()["Name"]) == (str(user), "Anabel")
    assert answer.json() == (await client.get("/api/v1/users/anabel")).json()
    assert (await client.get("/api/v1/users/ana")).status_code == 404
    names = [entry["Name"] for entry in (await client.get("/api/v1/users")).json()["Values"]]
    assert names == ["Anabel"]
    right = {"password": sha("secret")}
    valid = await client.post("/api/v1/users/anabel/password/validate", json=right)
    assert valid.status_code == 200
    [row] = await database.reader.rows(
        "SELECT user_id, before, after FROM actions WHERE kind = 'users.rename'"
    )
    assert tuple(row) == (user, {"name": "ana"}, {"name": "Anabel"})
    assert await make_user(database, "ana", email="other@example.com"), "its former name is free"


@pytest.mark.parametrize("name", ["", "a", "a b", "x" * 21, "1234", "admin", "a\0b", "me", "аnа"])
async def test_a_name_that_nobody_may_register_is_invalid(client, database, name):
    await make_user(database, "bo")
    answer = await renamed(client, "bo", name)
    if name != "аnа":  # Cyrillic throughout is one script, and so a name.
        assert answer.status_code == 400
    if "\0" not in name and name != "аnа":
        assert outcome(answer) == INVALID


async def test_a_name_of_another_or_one_that_looks_like_it_is_taken(client, database):
    await make_user(database, "bo")
    registered = {"username": "paul", "email": "p@example.com", "password": sha("a long one")}
    assert (await client.post("/api/v1/users/register", json=registered)).status_code == 200

    for name in ("PAUL", "pau1"):
        assert outcome(await renamed(client, "bo", name)) == TAKEN
    assert (await renamed(client, "paul", "Paul")).status_code == 200
    assert (await renamed(client, "paul", "pau1")).status_code == 200

    count = "SELECT count(*) FROM user_names"
    assert await database.reader.value(count) == 2
    assert outcome(await renamed(client, "bo", "paul")) == TAKEN, "it still looks the same"


async def test_of_twenty_who_want_a_name_at_once_one_gets_it(client, database):
    users = [await make_user(database) for _ in range(20)]

    answers = await asyncio.gather(*(renamed(client, user, "winner") for user in users))

    assert sorted(answer.status_code for answer in answers) == [200] + [400] * 19
    assert await database.reader.value("SELECT count(*) FROM user_names") == 20
    assert await database.reader.value("SELECT count(*) FROM user_skeletons") == 1


async def test_in_a_batch_each_sees_what_the_one_before_left(database):
    ana, bo = [await make_user(database, name) for name in ("ana", "bo")]
    orders = [
        UserRenaming(by=BY, user=str(user), name=name)
        for user, name in ((ana, "bo"), (bo, "cy"), (ana, "bo"), (bo, "ana"))
    ]
    orders.append(UserRenaming(by=BY, user="nobody", name="dee"))

    outcomes = await name_changes.rename(database, orders)

    assert [type(outcome) for outcome in outcomes[::4]] == [UsernameTaken, UserNotFound]
    rows = await database.reader.rows("SELECT name FROM users ORDER BY name")
    assert [row["name"] for row in rows] == ["ana", "bo"]


async def test_who_may_rename(client, database):
    name, manages = await account_with(database, "user_query", "user_management")
    above, _ = await account_with(database, "user_query", "user_management", "ban")
    await make_user(database, "bo")
    for scope in ("users.query", "users.manage"):
        headers = await key_with(database, scope)
        assert (await renamed(client, "bo", "cy", **headers)).status_code == 403
    refused = await renamed(client, above, "cy", **manages)
    assert (refused.status_code, refused.json()["Code"]) == (403, "outranked")
    assert (await renamed(client, "bo", "cy", **manages)).status_code == 200
    assert (await renamed(client, name, "dee", **manages)).status_code == 200
