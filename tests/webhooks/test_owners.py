"""A webhook is its owner's: it carries what the owner may see now, and dies with the key."""

import asyncio
from uuid import UUID

import asyncpg
import httpx2
import pytest
from msgspec import structs

from gamekeeper.auth import keys
from gamekeeper.auth.keys import NewKey, Revocation
from gamekeeper.core.settings import Settings
from gamekeeper.db.database import Database
from gamekeeper.events.webhooks import management
from gamekeeper.worker import run
from tests.deadlines import until
from tests.make import BY
from tests.webhooks import test_deliveries
from tests.webhooks.receivers import Receiver, receiver
from tests.webhooks.test_deliveries import PATH, act, hook, settled

couriers, target = test_deliveries.couriers, test_deliveries.target
quick_sequencer = test_deliveries.quick_sequencer

OWNER = ("webhooks", "events.read")
EMAIL = {"kind": "users.email", "after": {"email": "ana@example.com"}}


@pytest.fixture
async def settings(settings: Settings) -> Settings:
    return structs.replace(settings, webhook_hosts="127.0.0.1:*")


async def bearer(
    database: Database, *scopes: str, name: str = "shop", days: int | None = None
) -> dict[str, str]:
    order = NewKey(by=BY, name=name, scopes=scopes or None, days=days)
    return {"Authorization": f"Bearer {await keys.create.one(database, order)}"}


async def made(
    client: httpx2.AsyncClient, target: Receiver, owner: dict[str, str], **about: str
) -> str:
    """The path of a webhook that `owner` made; it hears of no webhook."""
    body = {"url": target.url, "kinds": "variables.set,users.email", **about}
    answer = await client.post(PATH, json=body, headers=owner)
    assert answer.status_code == 200, answer.text
    return f"{PATH}/{answer.json()['Id']}"


REVOKED = "UPDATE api_keys SET revoked_at = now() WHERE name = 'shop'"
EXPIRED = "UPDATE api_keys SET expires_at = now() WHERE name = 'shop'"
NARROWED = "UPDATE api_keys SET scopes = '{webhooks}' WHERE name = 'shop'"


@pytest.mark.parametrize(
    ("end", "reason"),
    [
        (REVOKED, "owner_revoked"),
        (EXPIRED, "owner_expired"),
        (NARROWED, "owner_not_permitted"),
    ],
)
async def test_a_webhook_dies_with_its_key(client, database, couriers, target, end, reason):
    """Nothing that is done afterwards arrives, and what waited does not either."""
    owner = await bearer(database, *OWNER)
    path = await made(client, target, owner)
    await act(database)
    await target.got(1)
    await database.write(lambda writer: writer.run(end))
    watched, _ = await hook(client, target)
    target.received.clear()

    await act(database, 3)

    # The other webhook to the same target shows that all three were sent by then.
    await settled(client, watched, *[("delivered", 1, 200)] * 3)
    await asyncio.sleep(5 * test_deliveries.SEQUENCER_SECONDS)
    assert len(target.received) == 3
    shown = (await client.get(path)).json()
    assert (shown["Enabled"], shown["OffReason"]) == (False, reason)
    assert shown["OwnerName"] == "shop"
    span = {"from": "2020-01-01T00:00:00Z", "to": "2099-01-01T00:00:00Z"}
    again = await client.post(f"{path}/replay", json=span)
    assert (again.status_code, again.json()["Code"]) == (409, "webhook_off")


async def test_what_waits_is_not_sent_after_the_key_was_revoked(
    client, database, couriers, target, monkeypatch
):
    monkeypatch.setattr(test_deliveries.attempts, "RETRY_DELAYS", [0.1] * 1000)
    target.answer = lambda _: test_deliveries.answer(500)
    path = await made(client, target, await bearer(database, *OWNER))
    async with receiver() as watched:
        watched.answer = target.answer
        await hook(client, watched)
        await act(database)
        await target.got(1)
        await keys.revoke.one(database, Revocation(by=BY, key="shop"))
        tried = len(target.received)

        # Another webhook with the same delays is tried three times meanwhile.
        await watched.got(len(watched.received) + 3)

    # One attempt may have been under way.
    assert len(target.received) <= tried + 1
    assert (await client.get(path)).json()["OffReason"] == "owner_revoked"


async def test_a_test_is_not_sent_for_an_owner_who_is_gone(client, database, settings, target):
    path = await made(client, target, await bearer(database, *OWNER))
    asked = (await client.post(f"{path}/test")).json()
    await keys.revoke.one(database, Revocation(by=BY, key="shop"))
    stop = asyncio.Event()
    working = asyncio.create_task(run(settings, stop))
    await settled(client, path, ("failed", 1, None))
    stop.set()
    await asyncio.wait_for(working, 30)

    refused = await client.post(f"{path}/test")

    assert (refused.status_code, refused.json()["Code"]) == (409, "webhook_off")
    shown = (await client.get(f"{path}/deliveries/{asked['Id']}")).json()
    assert (shown["State"], shown["Fault"]) == ("failed", "owner_revoked")
    assert target.received == []


@pytest.mark.parametrize(
    ("scopes", "email", "has_address"),
    [
        (OWNER, "a•••@e•••.com", False),
        ((*OWNER, "users.personal"), "ana@example.com", True),
        ((), "ana@example.com", True),
    ],
)
async def test_it_carries_what_the_owner_may_see(
    client, database, couriers, target, scopes, email, has_address
):
    path = await made(client, target, await bearer(database, *scopes), kinds="users.email")
    by = structs.replace(BY, address="203.0.113.7")
    await act(database, by=by, **EMAIL)

    [got] = await target.got(1)

    assert got.data["After"] == {"email": email}
    assert got.data["Address"] == ("203.0.113.7" if has_address else None)
    await settled(client, path, ("delivered", 1, 200))


async def test_it_carries_no_more_than_the_owner_may_see_at_the_time_of_sending(
    client, database, couriers, target
):
    path = await made(
        client, target, await bearer(database, *OWNER, "users.personal"), kinds="users.email"
    )
    await act(database, **EMAIL)
    await target.got(1)
    await database.write(
        lambda writer: writer.run(
            "UPDATE api_keys SET scopes = array_remove(scopes, 'users.personal')"
            " WHERE name = 'shop'"
        )
    )

    await act(database, **EMAIL)
    got = await target.got(2)

    assert [one.data["After"]["email"] for one in got] == ["ana@example.com", "a•••@e•••.com"]
    await settled(client, path, *[("delivered", 1, 200)] * 2)


async def test_what_is_found_late_is_sent_if_nothing_has_changed_meanwhile(
    client, database, couriers, target, monkeypatch
):
    """As after a long way through the log: its owner is asked for once more, and it is sent."""
    monkeypatch.setattr("gamekeeper.events.webhooks.dispatcher.FRESH_SECONDS", 0)
    monkeypatch.setattr(test_deliveries.attempts, "RETRY_DELAYS", [0.1] * 9)
    target.answer = lambda _: test_deliveries.answer(200 if len(target.received) > 1 else 500)
    path = await made(client, target, await bearer(database, *OWNER))
    await act(database, 2)

    await settled(client, path, ("delivered", 2, 200), ("delivered", 1, 200))


async def test_who_reads_a_delivery_sees_no_more_than_they_may(client, database, couriers, target):
    """A manager without personal information, though the owner has it; and the reverse."""
    manager = await bearer(database, *OWNER, "webhooks.manage", name="manager")
    full, narrow = [
        await made(client, target, await bearer(database, *scopes, name=name), kinds="users.email")
        for scopes, name in (((*OWNER, "users.personal"), "full"), (OWNER, "narrow"))
    ]
    await act(database, **EMAIL)
    for path in (full, narrow):
        await settled(client, path, ("delivered", 1, 200))

    async def seen(path: str, headers: dict[str, str]) -> str:
        [one] = (await client.get(f"{path}/deliveries", headers=headers)).json()["Values"]
        shown = await client.get(f"{path}/deliveries/{one['Id']}", headers=headers)
        return shown.json()["Payload"]["data"]["After"]["email"]

    assert await seen(full, manager) == "a•••@e•••.com"
    assert await seen(full, {}) == "ana@example.com"
    assert await seen(narrow, {}) == "a•••@e•••.com"


async def test_a_manager_takes_over_and_it_goes_on_as_theirs(client, database, couriers, target):
    """It is off until they switch it on, and then dies with them."""
    path = await made(client, target, await bearer(database, *OWNER))
    await keys.revoke.one(database, Revocation(by=BY, key="shop"))
    manager = await bearer(database, *OWNER, "webhooks.manage", name="manager")

    secret = await client.post(f"{path}/secret", headers=manager)
    assert (secret.json()["OwnerName"], secret.json()["Enabled"]) == ("manager", False)
    await act(database)
    await asyncio.sleep(10 * test_deliveries.SEQUENCER_SECONDS)
    assert target.received == []
    on = (await client.patch(path, json={"enabled": True}, headers=manager)).json()
    assert (on["Enabled"], on["OffReason"], on["OwnerName"]) == (True, None, "manager")
    [got] = await target.got(1)
    assert test_deliveries.is_signed(got, secret.json()["Secret"])

    await keys.revoke.one(database, Revocation(by=BY, key="manager"))
    assert (await client.get(path)).json()["OffReason"] == "owner_revoked"


async def test_one_switched_on_by_a_manager_is_theirs_only_if_its_owner_is_gone(
    client, database, target
):
    owner = await bearer(database, *OWNER)
    path = await made(client, target, owner)
    mine = (await client.get(path, headers=owner)).json()["Owner"]

    for body in ({"enabled": False}, {"enabled": True}, {"kinds": "*"}):
        changed = (await client.patch(path, json=body)).json()
        assert changed["Owner"] == mine
    moved = (await client.patch(path, json={"url": target.url})).json()

    assert moved["OwnerName"] == "tests"
    assert (await client.get(path, headers=owner)).status_code == 404


async def test_webhooks_from_before_there_were_owners_go_on_and_are_the_managers(
    client, database, couriers, target
):
    """As the version before made them: without an owner, with what its maker could see."""
    path = await made(client, target, await bearer(database, *OWNER), kinds="users.email")
    await database.write(
        lambda writer: writer.run("UPDATE webhooks SET owner = NULL, emails = true")
    )
    await act(database, **EMAIL)

    [got] = await target.got(1)

    assert got.data["After"] == {"email": "ana@example.com"}
    other = await bearer(database, *OWNER, name="other")
    assert (await client.get(PATH, headers=other)).json() == {"Values": []}
    assert (await client.get(path, headers=other)).status_code == 404
    assert (await client.get(path)).json()["Owner"] is None


async def test_there_are_never_more_than_there_may_be(client, database, settings, monkeypatch):
    """Twenty at once, for the last two."""
    monkeypatch.setattr(management, "MAX_WEBHOOKS", 5)
    body = {"url": "http://127.0.0.1/"}
    for _ in range(3):
        assert (await client.post(PATH, json=body)).status_code == 200
    # Each waits here until all are there: without a lock all of them would then count three.
    other = await asyncpg.connect(settings.database_url)
    async with other.transaction():
        await other.execute("LOCK TABLE webhooks IN EXCLUSIVE MODE")
        asked = [asyncio.create_task(client.post(PATH, json=body)) for _ in range(20)]

        async def all_wait() -> bool:
            waiting = await database.reader.value(
                "SELECT count(*) FROM pg_stat_activity"
                " WHERE wait_event_type = 'Lock' AND datname = current_database()"
            )
            return waiting == settings.connections

        await until(all_wait, "all connections wait for the lock")
    await other.close()
    statuses = sorted([(await one).status_code for one in asked])

    assert statuses.count(200) == 2
    assert set(statuses) <= {200, 409, 503}
    assert await database.reader.value("SELECT count(*) FROM webhooks") == 5


async def test_a_webhook_is_sent_a_few_tests_a_minute(client, database, target):
    """However many ask at once; another webhook has its own."""
    owner = await bearer(database, *OWNER)
    first, second = await made(client, target, owner), await made(client, target, owner)
    asked = await asyncio.gather(*(client.post(f"{first}/test", headers=owner) for _ in range(20)))

    refused = [one for one in asked if one.status_code == 429]
    assert sorted(one.status_code for one in asked) == [200] * 10 + [429] * 10
    assert {one.json()["Code"] for one in refused} == {"too_many_tests"}
    assert 0 < int(refused[0].headers["retry-after"]) <= 61
    assert (await client.post(f"{second}/test", headers=owner)).status_code == 200
    jobs = await database.reader.value("SELECT count(*) FROM pgqueuer")
    assert jobs == 11
    await database.write(
        lambda writer: writer.run(
            "DELETE FROM webhook_deliveries WHERE webhook_id = $1", UUID(first.rpartition("/")[2])
        )
    )
    assert (await client.post(f"{first}/test", headers=owner)).status_code == 200
