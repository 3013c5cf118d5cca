"""
Webhooks and game servers have owners: each operation, by the owner, by others, by a manager.

And with each scope alone, which must reach nothing of anybody else's.
"""

from typing import Any

import httpx2
import pytest

from gamekeeper.auth import keys
from gamekeeper.auth.keys import NewKey, Revocation
from gamekeeper.auth.principal import SCOPES
from gamekeeper.db.database import Database
from tests.make import BY, make_player
from tests.staff.make import make_role, make_staff
from tests.staff.signed_in import staff_session

HOOKS = "/api/v1/webhooks"
SERVERS = "/api/v1/servers"
TARGET = "https://8.8.8.8/hook?token=very-secret"
OWNER = ("webhooks", "events.read")
SPAN = {"from": "2020-01-01T00:00:00Z", "to": "2099-01-01T00:00:00Z"}

Headers = dict[str, str]


async def bearer(database: Database, *scopes: str, name: str) -> Headers:
    order = NewKey(by=BY, name=name, scopes=scopes or None)
    return {"Authorization": f"Bearer {await keys.create.one(database, order)}"}


# --- webhooks -----------------------------------------------------------------


def operations(webhook: str, delivery: str) -> list[tuple[str, str, Any]]:
    """All there are on one webhook, those that take it away last."""
    path = f"{HOOKS}/{webhook}"
    return [
        ("GET", path, None),
        ("GET", f"{path}/deliveries", None),
        ("GET", f"{path}/deliveries/{delivery}", None),
        ("POST", f"{path}/test", {}),
        ("POST", f"{path}/replay", SPAN),
        ("PATCH", path, {"kinds": "items.give"}),
        ("PATCH", path, {"enabled": True}),
        ("PATCH", path, {"url": "https://8.8.4.4/mine"}),
        ("POST", f"{path}/secret", {}),
        ("DELETE", path, None),
    ]


async def webhook(client: httpx2.AsyncClient, owner: Headers) -> tuple[str, str]:
    """A webhook of `owner` and one of its deliveries, by their ids."""
    made = await client.post(HOOKS, json={"url": TARGET}, headers=owner)
    assert made.status_code == 200, made.text
    id_ = made.json()["Id"]
    tested = await client.post(f"{HOOKS}/{id_}/test", headers=owner)
    return id_, tested.json()["Id"]


async def asked(
    client: httpx2.AsyncClient, operation: tuple[str, str, Any], headers: Headers
) -> httpx2.Response:
    method, path, body = operation
    return await client.request(method, path, json=body, headers=headers)


async def rows(database: Database) -> list[str]:
    """All that is stored about webhooks and what was done."""
    found = await database.reader.rows(
        "SELECT webhooks::text FROM webhooks UNION ALL SELECT d::text FROM webhook_deliveries d"
        " UNION ALL SELECT actions::text FROM actions ORDER BY 1"
    )
    return [row[0] for row in found]


async def test_the_owner_may_do_everything(client, database):
    owner = await bearer(database, *OWNER, name="shop")
    made = await webhook(client, owner)

    for operation in operations(*made):
        answer = await asked(client, operation, owner)
        assert answer.status_code == 200, (operation, answer.text)


@pytest.mark.parametrize("scopes", [OWNER, tuple(sorted(SCOPES.keys() - {"webhooks.manage"}))])
async def test_others_are_told_that_there_is_none(client, database, scopes):
    """In the same words as if there were none, and nothing is changed."""
    owner = await bearer(database, *OWNER, name="shop")
    other = await bearer(database, *scopes, name="shop")
    made = await webhook(client, owner)
    gone = await webhook(client, other)
    await client.delete(f"{HOOKS}/{gone[0]}", headers=other)
    before = await rows(database)

    for theirs, none in zip(operations(*made), operations(*gone), strict=True):
        refused, missing = await asked(client, theirs, other), await asked(client, none, other)
        assert refused.status_code == 404, (theirs, refused.text)
        said = [one.json() | {"RequestId": ""} for one in (refused, missing)]
        said[0]["Message"] = said[0]["Message"].replace(made[0], gone[0])
        assert said[0] == said[1]
    assert (await client.get(HOOKS, headers=other)).json() == {"Values": []}
    assert await rows(database) == before


@pytest.mark.parametrize("scopes", [(), (*OWNER, "webhooks.manage")])
async def test_a_manager_may_do_everything(client, database, scopes):
    made = await webhook(client, await bearer(database, *OWNER, name="shop"))
    manager = await bearer(database, *scopes, name="manager")

    [listed] = (await client.get(HOOKS, headers=manager)).json()["Values"]
    assert (listed["Id"], listed["OwnerName"], listed["Url"]) == (made[0], "shop", TARGET)
    for operation in operations(*made):
        answer = await asked(client, operation, manager)
        assert answer.status_code == 200, (operation, answer.text)


async def test_a_manager_who_may_not_read_events_takes_over_nothing(client, database):
    """Neither a target nor a secret, nor what was sent; the rest they may."""
    made = await webhook(client, await bearer(database, *OWNER, name="shop"))
    manager = await bearer(database, "webhooks", "webhooks.manage", name="manager")
    before = await database.reader.rows("SELECT owner, url, secret, emails FROM webhooks")

    refused = {
        (method, path.partition(made[0])[2], *(body or {}))
        for method, path, body in operations(*made)[:-1]
        if (await asked(client, (method, path, body), manager)).status_code == 403
    }

    assert refused == {
        ("GET", f"/deliveries/{made[1]}"),
        ("PATCH", "", "url"),
        ("POST", "/secret"),
    }
    assert await database.reader.rows("SELECT owner, url, secret, emails FROM webhooks") == before


@pytest.mark.parametrize("scope", sorted(SCOPES))
async def test_one_scope_alone_reaches_no_webhook_of_others(client, database, scope):
    made = await webhook(client, await bearer(database, *OWNER, name="shop"))
    alone = await bearer(database, scope, name="alone")
    before = await database.reader.rows("SELECT * FROM webhooks")

    answers = [await asked(client, operation, alone) for operation in operations(*made)]
    created = await client.post(HOOKS, json={"url": TARGET}, headers=alone)

    assert created.status_code == 403
    assert {answer.status_code for answer in answers} <= (
        {403, 404} if scope == "webhooks" else {403}
    )
    assert not [answer for answer in answers if "very-secret" in answer.text]
    assert await database.reader.rows("SELECT * FROM webhooks") == before


async def test_the_token_in_an_url_stands_in_no_action(client, database):
    owner = await bearer(database, *OWNER, name="shop")
    made = await webhook(client, owner)
    await client.patch(f"{HOOKS}/{made[0]}", json={"url": TARGET + "2"}, headers=owner)
    await client.delete(f"{HOOKS}/{made[0]}", headers=owner)

    log = await client.get("/api/v1/actions")

    kinds = [
        entry["Kind"] for entry in log.json()["Values"] if entry["Kind"].startswith("webhooks")
    ]
    assert kinds == ["webhooks.remove", "webhooks.change", "webhooks.create"]
    assert "very-secret" not in log.text
    assert log.json()["Values"][0]["Before"]["url"] == "https://8.8.8.8/"


# --- game servers -------------------------------------------------------------


def calls(lease: dict[str, Any], player: object) -> list[tuple[str, dict[str, Any]]]:
    """Everything that is said in the name of a game server."""
    path, fence = f"{SERVERS}/{lease['Id']}", {"fence": lease["Fence"]}
    players = fence | {"players": [str(player)]}
    return [
        (f"{path}/heartbeat", fence),
        (f"{path}/join", players),
        (f"{path}/bank", fence | {"opened": [str(player)]}),
        (f"{path}/leave", players),
        (f"{path}/stop", fence),
    ]


async def registered(
    client: httpx2.AsyncClient, headers: Headers, **about: object
) -> httpx2.Response:
    return await client.post(SERVERS, json={"name": "Realm", **about}, headers=headers)


async def leases(database: Database) -> list[Any]:
    return await database.reader.rows("SELECT id, name, fence, lease_until, owner FROM servers")


async def test_a_server_belongs_to_the_key_that_registered_it(client, database):
    owner = await bearer(database, "servers", name="realm")
    other = await bearer(database, "servers", "transactions", "players.read", name="other")
    player = await make_player(database)
    lease = (await registered(client, owner)).json()
    before = await leases(database)

    for about in ({}, {"name": "REALM"}, {"id": lease["Id"]}, {"id": lease["Id"], "name": "My"}):
        refused = await registered(client, other, **about)
        assert (refused.status_code, refused.json()["Code"]) == (403, "server_owned"), about
    for fence in (lease["Fence"], lease["Fence"] + 1):
        for path, body in calls(lease, player):
            refused = await client.post(path, json=body | {"fence": fence}, headers=other)
            assert (refused.status_code, refused.json()["Code"]) == (403, "server_owned"), path
    assert await leases(database) == before
    for path, body in calls(lease, player):
        assert (await client.post(path, json=body, headers=owner)).status_code == 200
    assert (await registered(client, owner)).json()["Fence"] > lease["Fence"]


@pytest.mark.parametrize("scopes", [(), ("servers", "servers.manage")])
async def test_a_manager_takes_the_place_of_a_server(client, database, scopes):
    """And then it is the manager's."""
    owner = await bearer(database, "servers", name="realm")
    manager = await bearer(database, *scopes, name="manager")
    lease = (await registered(client, owner)).json()

    taken = await registered(client, manager)

    assert (taken.status_code, taken.json()["Id"]) == (200, lease["Id"])
    assert (await registered(client, owner)).status_code == 403


async def test_a_key_of_the_same_name_is_the_same_server(client, database):
    """So that a key is replaced while both are valid."""
    old = await bearer(database, "servers", name="realm")
    new = await bearer(database, "servers", name="realm")
    player = await make_player(database)
    lease = (await registered(client, old)).json()

    for path, body in calls(lease, player)[:-1]:
        assert (await client.post(path, json=body, headers=new)).status_code == 200, path
    again = await registered(client, new)

    assert (again.status_code, again.json()["Id"]) == (200, lease["Id"])


@pytest.mark.parametrize(
    "end",
    [
        "UPDATE api_keys SET revoked_at = now() WHERE name = 'realm'",
        "UPDATE api_keys SET expires_at = now() WHERE name = 'realm'",
        "UPDATE api_keys SET scopes = '{players.read}' WHERE name = 'realm'",
    ],
)
async def test_the_server_of_a_key_that_ended_is_the_next_ones(client, database, end):
    other = await bearer(database, "servers", name="other")
    lease = (await registered(client, await bearer(database, "servers", name="realm"))).json()
    assert (await registered(client, other)).status_code == 403
    await database.write(lambda writer: writer.run(end))

    taken = await registered(client, other)

    assert (taken.status_code, taken.json()["Id"]) == (200, lease["Id"])
    third = await bearer(database, "servers", name="third")
    assert (await registered(client, third)).status_code == 403


async def test_a_server_from_before_there_were_owners_is_taken_by_the_first(client, database):
    first, second = [await bearer(database, "servers", name=name) for name in ("one", "two")]
    lease = (await registered(client, first)).json()
    await database.write(lambda writer: writer.run("UPDATE servers SET owner = NULL"))
    path, body = calls(lease, "")[0]
    assert (await client.post(path, json=body, headers=second)).status_code == 200

    taken = await registered(client, second)

    assert (taken.status_code, taken.json()["Id"]) == (200, lease["Id"])
    assert (await registered(client, first)).status_code == 403


async def test_a_server_goes_to_the_key_that_replaced_the_revoked_one(client, database):
    owner = await bearer(database, "servers", name="realm")
    lease = (await registered(client, owner)).json()
    stored = await database.reader.value("SELECT owner FROM servers")
    key = await database.reader.value(
        "SELECT 'key:' || id::text FROM api_keys WHERE name = 'realm'"
    )
    assert stored == key

    await keys.revoke.one(database, Revocation(by=BY, key="realm"))
    new = await bearer(database, "servers", name="realm")
    again = (await registered(client, new, id=lease["Id"])).json()

    assert again["Id"] == lease["Id"]
    assert await database.reader.value("SELECT owner FROM servers") != stored


async def test_the_server_of_a_staff_member_is_theirs_while_their_role_lasts(client, database):
    """A cookie registers it seldom, but then no other key may take it."""
    browser = httpx2.AsyncClient(transport=client._transport, base_url=client.base_url)
    user = await make_staff(database, await make_role(database, "hosts", ["servers"]))
    other = await bearer(database, "servers", name="other")
    lease = await registered(browser, await staff_session(database, user=user))
    assert lease.status_code == 200, lease.text
    refused = await registered(client, other)
    assert (refused.status_code, refused.json()["Code"]) == (403, "server_owned")

    await database.write(lambda writer: writer.run("DELETE FROM staff_roles"))

    taken = await registered(client, other)
    assert (taken.status_code, taken.json()["Id"]) == (200, lease.json()["Id"])


@pytest.mark.parametrize(("role", "status"), [("owner", 200), ("hosts", 403)])
async def test_staff_take_the_place_of_a_server_if_they_manage_those_of_others(
    client, database, role, status
):
    browser = httpx2.AsyncClient(transport=client._transport, base_url=client.base_url)
    await make_role(database, "hosts", ["servers"])
    await registered(client, await bearer(database, "servers", name="realm"))

    taken = await registered(browser, await staff_session(database, role))

    assert taken.status_code == status, taken.text
