"""A webhook of a staff member: it carries what their roles let them see, and ends with those."""

import asyncio
from uuid import UUID

import httpx2
import pytest
from msgspec import structs

from gamekeeper.auth.roles import BUILT_IN
from gamekeeper.auth.staff_scopes import ASKED_FOR, STAFF
from gamekeeper.core.settings import Settings
from gamekeeper.db.database import Database
from gamekeeper.events.webhooks import dispatcher
from gamekeeper.moderation import sanctions
from gamekeeper.moderation.sanctions import Imposition, Lifting
from gamekeeper.users.staff import members
from gamekeeper.users.staff.members import RoleWithdrawal
from tests.make import BY
from tests.staff.make import make_role, make_staff
from tests.staff.signed_in import staff_session
from tests.webhooks import test_deliveries
from tests.webhooks.receivers import Receiver
from tests.webhooks.test_deliveries import PATH, act, hook, settled
from tests.webhooks.test_owners import EMAIL, OWNER, made

couriers, target = test_deliveries.couriers, test_deliveries.target
quick_sequencer = test_deliveries.quick_sequencer


@pytest.fixture
async def settings(settings: Settings) -> Settings:
    return structs.replace(settings, webhook_hosts="127.0.0.1:*")


@pytest.fixture
def browser(client: httpx2.AsyncClient) -> httpx2.AsyncClient:
    """The same application, called with a cookie and no key."""
    return httpx2.AsyncClient(transport=client._transport, base_url=client.base_url)


async def withdraw(database: Database, user: UUID, role: str) -> None:
    await members.withdraw.one(
        database, RoleWithdrawal(by=BY, caller=None, user=str(user), role=role)
    )


async def ban(database: Database, user: UUID) -> str:
    order = Imposition(by=BY, user=str(user), kind="ban", reason="x")
    return (await sanctions.impose.one(database, order)).code


async def sends_nothing(client: httpx2.AsyncClient, database: Database, target: Receiver) -> None:
    """Of what is done now, only another webhook to the same target hears."""
    watched, _ = await hook(client, target)
    target.received.clear()
    await act(database, 2)
    await settled(client, watched, *[("delivered", 1, 200)] * 2)
    await asyncio.sleep(5 * test_deliveries.SEQUENCER_SECONDS)
    assert len(target.received) == 2
    await client.delete(watched)


async def state(client: httpx2.AsyncClient, path: str) -> tuple[bool, str | None, str | None]:
    shown = (await client.get(path)).json()
    return shown["Enabled"], shown["OffReason"], shown["OwnerName"]


@pytest.mark.parametrize("role", ["live-operations", "hooks"])
async def test_a_webhook_made_in_a_browser_is_sent_until_the_role_is_withdrawn(
    client, browser, database, couriers, target, role
):
    """By a built-in role and by one of the game's own."""
    await make_role(database, "hooks", OWNER)
    user = await make_staff(database, role, name="ana")
    path = await made(browser, target, await staff_session(database, user=user))
    await act(database)
    await target.got(1)
    assert await state(client, path) == (True, None, "ana")

    await withdraw(database, user, role)

    await sends_nothing(client, database, target)
    assert await state(client, path) == (False, "owner_revoked", None)


async def test_a_role_that_is_left_may_be_too_little(client, browser, database, couriers, target):
    user = await make_staff(database, "analyst", "live-operations", name="ana")
    path = await made(browser, target, await staff_session(database, user=user))

    await withdraw(database, user, "live-operations")

    await sends_nothing(client, database, target)
    assert await state(client, path) == (False, "owner_not_permitted", "ana")


async def test_a_role_of_the_games_own_that_is_narrowed_counts_as_it_is_now(
    client, browser, database, target
):
    user = await make_staff(database, await make_role(database, "hooks", OWNER), name="ana")
    path = await made(browser, target, await staff_session(database, user=user))
    for scopes in ("{webhooks}", "{}"):
        await database.write(
            lambda writer, scopes=scopes: writer.run(
                "UPDATE roles SET scopes = $1::text::text[] WHERE name = 'hooks'", scopes
            )
        )
        assert await state(client, path) == (False, "owner_not_permitted", "ana")


async def test_a_banned_owner_hears_nothing_until_the_ban_is_over(
    client, browser, database, couriers, target, monkeypatch
):
    monkeypatch.setattr(dispatcher, "LOOK_SECONDS", 0.1)
    user = await make_staff(database, "live-operations", name="ana")
    path = await made(browser, target, await staff_session(database, user=user))
    code = await ban(database, user)
    await sends_nothing(client, database, target)
    assert await state(client, path) == (False, "owner_not_permitted", "ana")
    target.received.clear()

    await sanctions.lift.one(database, Lifting(by=BY, sanction=code, reason="mistake"))

    await target.got(2)
    assert await state(client, path) == (True, None, "ana")


@pytest.mark.parametrize(
    ("roles", "email"),
    [
        (["live-operations"], "a•••@e•••.com"),
        (["live-operations", "support"], "ana@example.com"),
        (["administrator"], "ana@example.com"),
    ],
    ids=["without", "by-another-role", "with"],
)
async def test_it_carries_what_all_roles_of_the_owner_let_them_see(
    browser, database, couriers, target, roles, email
):
    headers = await staff_session(database, *roles)
    await made(browser, target, headers, kinds="users.email")
    await act(database, **EMAIL)

    [got] = await target.got(1)

    assert got.data["After"] == {"email": email}


async def test_staff_see_their_own_and_managers_those_of_others(browser, database, target):
    mine, other, manager = [
        await staff_session(database, role)
        for role in ("live-operations", "live-operations", "administrator")
    ]
    path = await made(browser, target, mine)

    assert (await browser.get(path, headers=mine)).status_code == 200
    assert (await browser.get(path, headers=other)).status_code == 404
    assert (await browser.get(PATH, headers=other)).json() == {"Values": []}
    assert (await browser.get(path, headers=manager)).status_code == 200


async def test_the_statement_knows_the_scopes_of_every_built_in_role(database):
    staff = {f"user:{await make_staff(database, role)}": role for role in BUILT_IN}

    rows = await database.reader.rows(f"SELECT staff_actor, staff_scopes FROM ({STAFF}) AS staff")

    known = {staff[row["staff_actor"]]: set(row["staff_scopes"]) for row in rows}
    assert known == {role: scopes & ASKED_FOR for role, scopes in BUILT_IN.items()}


async def test_a_role_that_only_a_newer_version_builds_in_grants_nothing(database):
    user = await make_staff(database, await make_role(database, "newer", None))
    [row] = await database.reader.rows(f"SELECT * FROM ({STAFF}) AS staff")
    assert (row["staff_actor"], row["staff_scopes"]) == (f"user:{user}", [None])
