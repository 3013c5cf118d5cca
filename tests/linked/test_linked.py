"""Linked accounts: what is stored of a sign-in, and what is said of two accounts."""

import asyncio
from uuid import uuid4

import pytest
from msgspec import structs

from gamekeeper.auth import client_traces
from gamekeeper.auth.client_traces import MAX_DEVICES, ClientTrace
from gamekeeper.auth.secrets import Vault
from gamekeeper.users import linked
from tests.linked.rows import device_of, linked_at, paid, seen, sign_in, unlink
from tests.make import make_player, make_server, make_user
from tests.security.callers import key_with


async def rows(database, table: str):
    return await database.reader.rows(
        f"SELECT *, (SELECT sum(upper(d) - lower(d)) FROM unnest(days) AS d) AS count FROM {table}"
    )


async def test_a_sign_in_stores_a_hash_of_the_device_and_the_address(client, database):
    ana = await make_user(database, "ana", password="secret", api=True)
    answer = await sign_in(client, "ana", "phone-1")
    assert answer.status_code == 200, answer.text
    [device] = await rows(database, "user_devices")
    assert (device["user_id"], device["device"]) == (ana, device_of(database, "phone-1"))
    assert device["count"] == 1
    [address] = await rows(database, "user_addresses")
    assert str(address["address"]) == "127.0.0.1"
    [family] = await database.reader.rows("SELECT device, address FROM token_families")
    assert family["device"] == device["device"]


async def test_a_wrong_password_stores_nothing(client, database):
    await make_user(database, "ana", password="other", api=True)
    assert (await sign_in(client, "ana", "phone-1")).status_code == 400
    assert await rows(database, "user_devices") == await rows(database, "user_addresses") == []


@pytest.mark.parametrize("device", ["x" * 129, "a\nb", "\x00"])
async def test_an_odd_device_id_is_refused(client, database, device):
    await make_user(database, "ana", password="secret", api=True)
    answer = await sign_in(client, "ana", device)
    assert answer.status_code == 400
    assert await rows(database, "user_devices") == []


async def test_a_day_counts_once_and_a_second_day_again(client, database):
    ana = await make_user(database, "ana", password="secret", api=True)
    device = device_of(database, "phone-1")
    await seen(database, ana, by="device", value=device, days=2, ago=1)
    for _ in range(2):
        await sign_in(client, "ana", "phone-1")
    [row] = await rows(database, "user_devices")
    assert row["count"] == 3


async def test_twenty_at_once_are_one_row(database):
    users = [await make_user(database) for _ in range(3)]
    trace = ClientTrace("203.0.113.1", (uuid4(),))

    async def note(order: list) -> None:
        await database.write(
            lambda writer: client_traces.note(writer, [(user, trace) for user in order])
        )

    await asyncio.gather(*(note(users[:: 1 if turn % 2 else -1]) for turn in range(20)))
    assert len(await rows(database, "user_devices")) == 3
    assert {row["count"] for row in await rows(database, "user_addresses")} == {1}


async def test_the_devices_of_an_account_are_few_and_the_often_used_stay(database):
    ana = await make_user(database)
    often = uuid4()
    await seen(database, ana, by="device", value=often, days=9, ago=5)
    traces = [ClientTrace("203.0.113.1", (uuid4(),)) for _ in range(MAX_DEVICES + 10)]
    for trace in traces:
        await database.write(lambda writer, trace=trace: client_traces.note(writer, [(ana, trace)]))
    kept = {row["device"] for row in await rows(database, "user_devices")}
    assert len(kept) == MAX_DEVICES
    assert {often, traces[-1].devices[0]} <= kept


async def test_days_beyond_the_retention_are_forgotten(database):
    ana = await make_user(database)
    device = uuid4()
    await seen(database, ana, by="device", value=device, days=400, ago=1)
    trace = ClientTrace(None, (device,))
    await database.write(lambda writer: client_traces.note(writer, [(ana, trace)]))
    [row] = await rows(database, "user_devices")
    assert row["count"] == database.settings.linked_account_days + 1


async def test_a_join_stores_where_the_player_is(client, database):
    ana = await make_user(database)
    await make_player(database, "Hero", user=ana)
    server = await make_server(database)
    body = {"fence": 0, "players": ["hero"]}
    body["clients"] = [{"player": "hero", "address": "2001:db8::7", "deviceid": "pc"}]
    answer = await client.post(f"/api/v1/servers/{server}/join", json=body)
    assert answer.status_code == 200, answer.text
    [device] = await rows(database, "user_devices")
    assert device["device"] == device_of(database, "pc")
    [address] = await rows(database, "user_addresses")
    assert str(address["address"]) == "2001:db8::/64"


async def test_a_join_with_an_odd_address_changes_nothing(client, database):
    await make_player(database, "Hero")
    server = await make_server(database)
    body = {"fence": 0, "players": ["hero"], "clients": [{"player": "hero", "address": "x"}]}
    answer = await client.post(f"/api/v1/servers/{server}/join", json=body)
    assert (answer.status_code, answer.json()["Code"]) == (400, "invalid_client_address")
    assert await database.reader.value("SELECT count(*) FROM presences") == 0


async def test_adding_a_key_keeps_devices_and_removing_the_oldest_does_not(database):
    def hashes(*names: str):
        keys = ",".join(f"{name}:{name.encode().hex() * 64:.64}" for name in names)
        return client_traces.device_hashes(
            Vault(structs.replace(database.settings, password_keys=keys)), "pc"
        )

    assert hashes("a")[-1] == hashes("b", "a")[-1]
    assert hashes("b")[-1] != hashes("a")[-1]


async def test_accounts_on_one_device_are_linked_in_words(client, database):
    ana, bo, cy = [await make_user(database, name) for name in ("Ana", "Bo", "Cy")]
    device = uuid4()
    await seen(database, ana, by="device", value=device, days=20)
    await seen(database, bo, by="device", value=device, days=14)
    await seen(database, ana, by="address", value="203.0.113.9", days=3)
    await seen(database, bo, by="address", value="203.0.113.9", days=3)
    await seen(database, cy, by="address", value="203.0.113.9", days=2)

    found = (await client.get("/api/v1/users/ana/linked")).json()

    assert [(one["UserName"], one["Strength"], one["Summary"]) for one in found["Values"]] == [
        ("Bo", "strong", "Same device, 14 days in common"),
        ("Cy", "weak", "Same address, 2 days in common"),
    ]
    assert [link["Strength"] for link in found["Values"][0]["Links"]] == ["strong", "likely"]
    assert found["Values"][0]["Links"][1]["Address"] == "203.0.113.9"
    assert (found["UserName"], found["IsCut"], len(found["Seen"])) == ("Ana", False, 2)


async def test_accounts_that_pay_for_each_other_are_linked(client, database):
    ana, bo, cy = [await make_user(database, name) for name in ("Ana", "Bo", "Cy")]
    for days_ago in (1, 2, 3):
        await paid(database, receiver=ana, buyer=bo, days_ago=days_ago)
    await paid(database, receiver=cy, buyer=ana)
    await paid(database, receiver=ana, buyer=ana)
    await paid(database, receiver=ana, buyer=None)

    found = (await client.get("/api/v1/users/ana/linked")).json()

    assert [(one["UserName"], one["Strength"], one["Summary"]) for one in found["Values"]] == [
        ("Bo", "likely", "One account paid for the other on 3 days"),
        ("Cy", "weak", "One account paid for the other on 1 day"),
    ]
    assert {one["Links"][0]["By"] for one in found["Values"]} == {"payment"}
    assert (found["Seen"], found["IsCut"]) == ([], False)
    other_side = (await client.get("/api/v1/users/bo/linked")).json()
    assert [one["UserName"] for one in other_side["Values"]] == ["Ana"]


async def test_an_account_that_pays_for_many_says_little(client, database):
    patron = await make_user(database, "Patron")
    for _ in range(linked.MAX_ACCOUNTS["payment"]):
        receiver = await make_user(database)
        for days_ago in (1, 2, 3):
            await paid(database, receiver=receiver, buyer=patron, days_ago=days_ago)

    found = (await client.get("/api/v1/users/patron/linked")).json()

    assert {one["Strength"] for one in found["Values"]} == {"weak"}
    assert (
        found["Values"][0]["Summary"]
        == "One account paid for the other on 3 days (payments with many accounts)"
    )


async def test_accounts_that_had_the_same_identity_are_linked(client, database):
    """Also if neither of them has it any more; and one that has it now."""
    ana, bo, cy, dee = [await make_user(database, name) for name in ("Ana", "Bo", "Cy", "Dee")]
    for user in (bo, ana, cy):
        await unlink(database, await linked_at(database, user, subject="1"))
    await linked_at(database, ana, subject="2")
    await linked_at(database, dee, subject="3")

    found = (await client.get("/api/v1/users/ana/linked")).json()

    assert [(one["UserName"], one["Strength"], one["Summary"]) for one in found["Values"]] == [
        ("Cy", "strong", "Same account at Discord"),
        ("Bo", "strong", "Same account at Discord"),
    ]
    [[link], _] = [one["Links"] for one in found["Values"]]
    assert (link["By"], link["Issuer"], link["DaysInCommon"]) == ("identity", "discord", 0)
    assert (link["Accounts"], link["IsShared"], link["Device"]) == (3, False, None)
    await linked_at(database, bo, subject="1")
    found = (await client.get("/api/v1/users/ana/linked")).json()
    assert [one["UserName"] for one in found["Values"]] == ["Bo", "Cy"]


async def test_an_identity_that_many_accounts_had_says_little(client, database):
    for number in range(linked.MAX_ACCOUNTS["identity"] + 1):
        user = await make_user(database, f"Ana{number}")
        await unlink(database, await linked_at(database, user, subject="1"))

    found = (await client.get("/api/v1/users/ana0/linked")).json()

    assert {one["Strength"] for one in found["Values"]} == {"weak"}


async def test_a_cafe_is_marked_as_shared_and_weighs_less(client, database):
    ana = await make_user(database, "Ana")
    await seen(database, ana, by="address", value="198.51.100.1", days=30)
    for _ in range(40):
        user = await make_user(database)
        await seen(database, user, by="address", value="198.51.100.1", days=30)
    found = (await client.get("/api/v1/users/ana/linked")).json()
    assert found["IsCut"] is True
    assert len(found["Values"]) == linked.MAX_OTHERS
    assert {one["Strength"] for one in found["Values"]} == {"weak"}
    assert {one["Links"][0]["IsShared"] for one in found["Values"]} == {True}
    assert found["Values"][0]["Summary"].startswith("Same shared address (many accounts)")


async def test_addresses_need_their_own_permission(client, database):
    ana, bo = [await make_user(database, name) for name in ("Ana", "Bo")]
    for user in (ana, bo):
        await seen(database, user, by="address", value="203.0.113.9")
    headers = await key_with(database, "users.query", "users.linked")
    text = (await client.get("/api/v1/users/ana/linked", headers=headers)).text
    assert "Bo" in text
    assert "203.0.113" not in text


@pytest.mark.parametrize(
    "scopes", [["users.query"], ["users.linked"], ["users.query", "users.personal"]]
)
async def test_each_permission_alone_shows_nothing(client, database, scopes):
    await make_user(database, "Ana")
    headers = await key_with(database, *scopes)
    assert (await client.get("/api/v1/users/ana/linked", headers=headers)).status_code == 403


async def test_an_account_without_traces_has_no_links(client, database):
    await make_user(database, "Ana")
    found = (await client.get("/api/v1/users/ana/linked")).json()
    assert (found["Values"], found["Seen"], found["IsCut"]) == ([], [], False)
    assert (await client.get("/api/v1/users/nobody/linked")).status_code == 404
