"""Bans of linked accounts: ordinary bans, previewed and imposed together; and erasure."""

from uuid import uuid4

from gamekeeper.auth.secrets import Vault
from gamekeeper.users.erasure import Erasure, erase
from tests.linked.rows import device_of, seen, sign_in
from tests.make import BY, make_user
from tests.security.callers import key_with


async def two_of_one_person(database):
    ana, bo = [await make_user(database, name) for name in ("Ana", "Bo")]
    device = uuid4()
    for user in (ana, bo):
        await seen(database, user, by="device", value=device)
    return ana, bo


async def test_all_are_previewed_then_banned_and_a_second_time_nobody(client, database):
    ana, bo = await two_of_one_person(database)
    stranger = await make_user(database, "Cy")
    body = {"users": [str(ana), str(bo), str(stranger)], "reason": "two accounts"}
    path = "/api/v1/users/ana/linked/ban"

    preview = (await client.post(path, json=body | {"dryrun": True})).json()
    assert [(one["UserName"], one["IsDone"], one["Refusal"]) for one in preview["Values"]] == [
        ("Ana", True, None),
        ("Bo", True, None),
        ("Cy", False, "not_linked"),
    ]
    assert await database.reader.value("SELECT count(*) FROM sanctions") == 0

    done = (await client.post(path, json=body)).json()
    assert [bool(one["Code"]) for one in done["Values"]] == [True, True, False]
    kinds = await database.reader.rows("SELECT kind, user_id FROM sanctions")
    assert {row["user_id"] for row in kinds} == {ana, bo}
    again = (await client.post(path, json=body)).json()
    assert [one["Refusal"] for one in again["Values"]] == [
        *("already_sanctioned", "already_sanctioned", "not_linked")
    ]
    assert (await client.get("/api/v1/users/ana/linked")).json()["Values"][0]["IsBanned"] is True


async def test_each_permission_alone_bans_nobody(client, database):
    ana, _ = await two_of_one_person(database)
    body = {"users": [str(ana)], "reason": "x"}
    for scopes in (["users.query", "users.linked"], ["users.query", "sanctions.manage"]):
        headers = await key_with(database, *scopes)
        answer = await client.post("/api/v1/users/ana/linked/ban", json=body, headers=headers)
        assert answer.status_code == 403


async def test_an_erased_account_leaves_no_trace(client, database):
    await make_user(database, "ana", password="secret")
    ana = await make_user(database, "bo", password="secret", api=True)
    assert (await sign_in(client, "bo", "a very own device")).status_code == 200
    order = Erasure(by=BY, user=str(ana))
    await erase(Vault(database.settings)).one(database, order)
    device = str(device_of(database, "a very own device"))
    tables = await database.reader.rows(
        "SELECT relname FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace"
    )
    for table in tables:
        text = await database.reader.rows(f"SELECT t::text AS row FROM {table['relname']} AS t")
        assert not [row for row in text if device in row["row"]], table["relname"]
    for name in ("user_devices", "user_addresses", "token_families"):
        assert await database.reader.value(f"SELECT count(*) FROM {name}") == 0
