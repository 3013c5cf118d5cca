"""Access bans: whom they stop, whom they may not stop, and how they end."""

import asyncio
from datetime import timedelta
from typing import Any
from uuid import uuid4

import pytest
from msgspec import structs

from gamekeeper.auth.authenticator import Authenticator
from gamekeeper.auth.principal import Principal
from gamekeeper.core.errors import Problem, Unauthorized
from gamekeeper.db.database import Database
from gamekeeper.history.undo import execute
from gamekeeper.history.undo.execute import UndoConflict, Undoing
from gamekeeper.moderation import access_ban_lists, access_bans
from gamekeeper.moderation.access_bans import AccessImposition, AccessLifting, PlannedBan
from gamekeeper.sanctions.access_bans import AccessBan
from tests.linked.rows import device_of, seen, sign_in
from tests.make import BY, make_player, make_server, make_user
from tests.security.callers import key_with

PATH = "/api/v1/access-bans"
DAY = timedelta(days=1)


def order(**about: Any) -> AccessImposition:
    return AccessImposition(**({"by": BY, "reason": "bots", "duration": DAY} | about))


async def impose(database: Database, **about: Any) -> AccessBan:
    planned = await access_bans.impose.one(database, order(**about))
    assert planned.made
    return planned.made


async def count(database: Database) -> int:
    return await database.reader.value("SELECT count(*) FROM access_bans")


# ── Enforcement ──


async def test_a_banned_device_cannot_sign_in_with_any_account(client, database):
    for name in ("ana", "bo"):
        await make_user(database, name, password="secret", api=True)
    ban = await impose(database, device=device_of(database, "pc"), message="No bots.")
    for name in ("ana", "bo"):
        answer = await sign_in(client, name, "pc")
        assert (answer.status_code, answer.json()) == (
            400,
            {"error": "invalid_grant", "error_description": f"No bots. Code: {ban.code}"},
        )
        assert (await sign_in(client, name, "phone")).status_code == 200
    assert await database.reader.value("SELECT count(*) FROM token_families") == 2


async def test_a_ban_stops_refresh_and_tokens_of_the_device_even_without_its_id(client, database):
    """A client that no longer says which device it is still has the sign-in of the device."""
    await make_user(database, "ana", password="secret", api=True)
    tokens = (await sign_in(client, "ana", "pc")).json()
    ban = await impose(database, device=device_of(database, "pc"))
    fresh = Authenticator(database)
    with pytest.raises(Unauthorized):
        await fresh.authenticate(tokens["access_token"])
    body = {"grant_type": "refresh_token", "refresh_token": tokens["refresh_token"]}
    for device in ({}, {"device_id": "pc"}):
        answer = await client.post("/api/oauth/token", json=body | device)
        assert (answer.status_code, answer.json()["error"]) == (400, "invalid_grant")

    await access_bans.lift.one(database, AccessLifting(by=BY, ban=ban.code, reason="mistake"))

    assert (await fresh.authenticate(tokens["access_token"])).name == "ana"
    assert (await client.post("/api/oauth/token", json=body)).status_code == 200
    await fresh.close()


async def test_a_refresh_remembers_a_device_that_is_banned_later(client, database):
    await make_user(database, "ana", password="secret", api=True)
    tokens = (await sign_in(client, "ana")).json()
    body = {"grant_type": "refresh_token", "refresh_token": tokens["refresh_token"]}
    renewed = await client.post("/api/oauth/token", json=body | {"device_id": "pc"})
    await impose(database, device=device_of(database, "pc"))
    body["refresh_token"] = renewed.json()["refresh_token"]
    assert (await client.post("/api/oauth/token", json=body)).status_code == 400


async def test_a_shared_sign_in_is_stopped_too(client, database):
    await make_user(database, "ana", password="secret", api=True)
    for _ in range(33):
        await sign_in(client, "ana", "pc")
    tokens = (await sign_in(client, "ana", "pc")).json()
    other = (await sign_in(client, "ana", "phone")).json()
    await impose(database, device=device_of(database, "pc"))
    fresh = Authenticator(database)
    with pytest.raises(Unauthorized):
        await fresh.authenticate(tokens["access_token"])
    assert await fresh.authenticate(other["access_token"])
    await fresh.close()


async def test_a_banned_address_cannot_sign_in(database, client):
    ana = await make_user(database, "ana", password="secret", api=True)
    tokens = (await sign_in(client, "ana")).json()
    # The address of the tests is protected: as if it were another one.
    await database.write(
        lambda writer: writer.run("UPDATE token_families SET address = '203.0.113.9'")
    )
    await impose(database, range="203.0.113.0/24")
    fresh = Authenticator(database)
    with pytest.raises(Unauthorized):
        await fresh.authenticate(tokens["access_token"])
    await fresh.close()
    assert ana


async def test_a_join_from_a_banned_device_or_address_is_refused_and_others_join(client, database):
    for name in ("Hero", "Thief", "Bot", "Fine"):
        await make_player(database, name)
    server = await make_server(database)
    device = await impose(database, device=device_of(database, "pc"), message="No bots.")
    network = await impose(database, range="2001:db8:1::/48")
    clients = [
        {"player": "hero", "deviceid": "pc", "address": "198.51.100.1"},
        {"player": "thief", "address": "2001:db8:1:2::3"},
        {"player": "fine", "address": "2001:db8:2::1", "deviceid": "phone"},
    ]
    body = {"fence": 0, "players": ["hero", "thief", "bot", "fine"], "clients": clients}

    answer = (await client.post(f"/api/v1/servers/{server}/join", json=body)).json()

    assert [(one["Player"], one["Code"], one["Message"]) for one in answer["Refused"]] == [
        ("hero", device.code, "No bots."),
        ("thief", network.code, ""),
    ]
    assert len(answer["Values"]) == 2
    # A refused one leaves no trace.
    assert await database.reader.value("SELECT count(*) FROM user_devices") == 1


async def test_an_ended_ban_stops_nobody(client, database):
    await make_user(database, "ana", password="secret", api=True)
    await impose(database, device=device_of(database, "pc"))
    await database.write(
        lambda writer: writer.run(
            "UPDATE access_bans SET imposed_at = now() - interval '2 s', ends_at = now()"
        )
    )
    assert (await sign_in(client, "ana", "pc")).status_code == 200


# ── Imposing ──


async def test_a_preview_lists_the_accounts_and_writes_nothing(client, database):
    users = [await make_user(database, f"user-{number:02}") for number in range(60)]
    for user in users:
        await seen(database, user, by="address", value=f"203.0.{users.index(user)}.1")
    body = {"range": "203.0.113.9/16", "durationseconds": 3600, "reason": "bots", "dryrun": True}

    found = (await client.post(PATH, json=body)).json()

    assert (found["Accounts"], len(found["Affected"]), found["MoreAccounts"]) == (60, 50, False)
    assert (found["Id"], found["DryRun"], found["Network"]) == (None, True, "203.0.0.0/16")
    assert await count(database) == 0
    kinds = await database.reader.rows("SELECT kind FROM actions")
    assert "access_bans.impose" not in {row["kind"] for row in kinds}
    made = (await client.post(PATH, json=body | {"dryrun": False})).json()
    assert (made["Accounts"], made["DryRun"]) == (60, False)
    [listed] = (await client.get(PATH)).json()["Values"]
    assert (listed["Code"], listed["PrefixLength"], listed["InForce"]) == (made["Code"], 16, True)
    assert (await client.get(f"{PATH}/{made['Code'].lower()}")).json() == listed


@pytest.mark.parametrize(
    ("about", "code"),
    [
        ({"range": "203.0.0.0/15"}, "invalid_range"),
        ({"range": "2001::/31"}, "invalid_range"),
        ({"range": "0.0.0.0/0"}, "invalid_range"),
        ({"range": "::ffff:0:0/95"}, "protected_range"),
        ({"range": "somewhere"}, "invalid_range"),
        ({"range": ""}, "invalid_range"),
        ({"range": "127.0.0.1"}, "protected_range"),
        ({"range": "::1"}, "protected_range"),
        ({"range": "::ffff:127.0.0.1"}, "protected_range"),
        ({"range": "10.9.8.0/24"}, "protected_range"),
        ({}, "invalid_access_ban"),
        ({"range": "203.0.113.1", "device": uuid4()}, "invalid_access_ban"),
        ({"device": uuid4(), "duration": None}, "invalid_access_ban"),
        ({"device": uuid4(), "duration": timedelta(days=367)}, "invalid_access_ban"),
        ({"device": uuid4(), "duration": timedelta(seconds=-1)}, "invalid_access_ban"),
        ({"device": uuid4(), "reason": " "}, "invalid_access_ban"),
        ({"device": uuid4(), "message": "x" * 2001}, "invalid_text"),
    ],
    ids=range(17),
)
async def test_what_cannot_be_banned_is_refused(shared_database, settings, about, code):
    database = shared_database.database(structs.replace(settings, trusted_proxies="10.9.0.0/16"))
    for act in (access_bans.preview, access_bans.impose):
        [refusal] = await act(database, [order(**about)])
        assert isinstance(refusal, Problem)
        assert refusal.code == code
    assert await count(database) == 0


async def test_twenty_at_once_are_one_ban(database):
    device = uuid4()
    outcomes = await asyncio.gather(
        *(access_bans.impose(database, [order(device=device)]) for _ in range(20))
    )
    made = [found for [found] in outcomes if isinstance(found, PlannedBan)]
    refused = [found for [found] in outcomes if isinstance(found, Problem)]
    assert (len(made), {one.code for one in refused}) == (1, {"already_banned_access"})
    assert await count(database) == 1


async def test_in_one_batch_a_refused_one_does_not_stop_its_neighbour(database):
    outcomes = await access_bans.impose(database, [order(range="0.0.0.0/0"), order(device=uuid4())])
    assert [isinstance(one, Problem) for one in outcomes] == [True, False]


async def test_nobody_bans_what_they_use_themselves(database):
    ana = await make_user(database)
    device = uuid4()
    await seen(database, ana, by="device", value=device)
    await seen(database, ana, by="address", value="203.0.113.9")
    caller = Principal(id=f"user:{ana}", name="ana", user_id=ana)
    for about in ({"device": device}, {"range": "203.0.113.0/24"}):
        [refusal] = await access_bans.impose(database, [order(**about, caller=caller)])
        assert isinstance(refusal, Problem)
        assert refusal.code == "own_access"
    here = structs.replace(BY, address="198.51.100.7")
    [refusal] = await access_bans.impose(database, [order(range="198.51.100.0/24", by=here)])
    assert isinstance(refusal, Problem)
    assert refusal.code == "own_access"
    assert await count(database) == 0


async def test_nobody_bans_the_device_of_staff_above_them(database):
    owner, ana = [await make_user(database) for _ in range(2)]
    device = uuid4()
    await seen(database, owner, by="device", value=device)
    await database.write(
        lambda writer: writer.run(
            "INSERT INTO staff_roles (user_id, role) VALUES ($1, 'owner')", owner
        )
    )
    caller = Principal(id=f"user:{ana}", name="ana", user_id=ana)
    [refusal] = await access_bans.impose(database, [order(device=device, caller=caller)])
    assert isinstance(refusal, Problem)
    assert refusal.code == "outranked"


# ── Permissions ──


async def test_ranges_need_the_permission_to_see_addresses(client, database):
    await impose(database, range="203.0.113.0/24")
    body = {"range": "198.51.100.1", "durationseconds": 60, "reason": "x", "dryrun": True}
    headers = await key_with(database, "sanctions.access", "sanctions.read")
    answer = await client.post(PATH, json=body, headers=headers)
    assert (answer.status_code, answer.json()["Code"]) == (403, "role_required")
    [listed] = (await client.get(PATH, headers=headers)).json()["Values"]
    assert (listed["Network"], listed["PrefixLength"]) == (None, 24)
    more = await key_with(database, "sanctions.access", "users.personal")
    assert (await client.post(PATH, json=body, headers=more)).status_code == 200


async def test_the_audit_log_names_neither_device_nor_address(client, database):
    device = uuid4()
    await impose(database, device=device)
    ban = await impose(database, range="203.0.113.0/24")
    await client.post(f"{PATH}/{ban.code}/lift", json={"reason": "mistake"})
    rows = await database.reader.rows("SELECT kind, before::text, after::text FROM actions")
    assert {row["kind"] for row in rows} >= {"access_bans.impose", "access_bans.lift"}
    text = " ".join(str(dict(row)) for row in rows)
    assert str(device) not in text
    assert "203.0.113" not in text


# ── The end ──


async def test_a_ban_is_lifted_once(client, database):
    ban = await impose(database, device=uuid4())
    answers = await asyncio.gather(
        *(client.post(f"{PATH}/{ban.id}/lift", json={"reason": "mistake"}) for _ in range(5))
    )
    codes = sorted(answer.status_code for answer in answers)
    assert codes == [200, 409, 409, 409, 409]
    found = await access_ban_lists.find_access_ban(database.reader, ban.code)
    assert (found.in_force, found.lift_reason) == (False, "mistake")
    assert (await client.post(f"{PATH}/AAAA-AAAA/lift", json={"reason": "x"})).status_code == 404


async def test_an_undo_lifts_and_is_not_undone_itself(database):
    ban = await impose(database, device=uuid4())
    action = await database.reader.value("SELECT id FROM actions WHERE kind = 'access_bans.impose'")
    preview = await execute.undo.preview.one(database, Undoing(by=BY, action_id=action))
    assert (preview.complete, preview.done[0].what) == (True, "access_ban")
    undone = await execute.undo.one(database, Undoing(by=BY, action_id=action))
    found = await access_ban_lists.find_access_ban(database.reader, ban.code)
    assert (found.in_force, found.lifted_by) == (False, "system")
    assert undone.id
    with pytest.raises(UndoConflict):
        await execute.undo.one(database, Undoing(by=BY, action_id=undone.id))


async def test_lists_go_on_where_they_ended(client, database):
    made = [await impose(database, device=uuid4()) for _ in range(5)]
    codes, cursor = [], ""
    while cursor is not None:
        page = (await client.get(f"{PATH}?limit=2{cursor}")).json()
        codes += [entry["Code"] for entry in page["Values"]]
        cursor = page["Next"] and f"&cursor={page['Next']}"
    assert codes == [ban.code for ban in reversed(made)]
    assert (await client.get(f"{PATH}?inforce=false")).json()["Values"] == []
    assert (await client.get(f"{PATH}?cursor={uuid4()}")).status_code == 400
