"""Roles through real browser sessions: who the caller is, owners by owners, a recent factor."""

import asyncio
from datetime import datetime, timedelta

import httpx2
import pytest

from gamekeeper.auth import authenticator
from gamekeeper.auth.roles import BUILT_IN
from tests.contract.outcomes import outcome
from tests.deadlines import PATIENCE
from tests.make import make_user
from tests.staff.make import make_staff
from tests.staff.signed_in import open_session, staff_session


@pytest.fixture
def browser(client: httpx2.AsyncClient) -> httpx2.AsyncClient:
    """The same application, called with whatever cookie a test gives and no key."""
    return httpx2.AsyncClient(transport=client._transport, base_url=client.base_url)


async def test_a_session_is_told_its_roles_and_until_when_its_factor_counts(browser, database):
    user = await make_staff(database, "support", "analyst", name="ana")
    session = await open_session(database, user)

    status, told = outcome(await browser.get("/api/v1/me", headers=session.headers))

    facts = told.pop("Session")
    assert (status, told) == (
        200,
        {
            "Id": f"user:{user}",
            "Kind": "session",
            "Name": "ana",
            "UserId": str(user),
            "Roles": ["analyst", "support"],
            "Scopes": sorted(BUILT_IN["support"]),
            "Limits": dict.fromkeys(("PiecesPerDay", "ValuePerDay", "LargestGift", "UndosPerDay")),
        },
    )
    assert facts["Id"] == str(session.session_id)
    verified, until = (
        datetime.fromisoformat(facts[name]) for name in ("VerifiedAt", "StepUpUntil")
    )
    assert until - verified == timedelta(minutes=10)


async def test_an_owner_makes_an_owner_and_an_administrator_does_not(browser, database):
    await make_user(database, "ana")
    path = "/api/v1/staff/ana/roles/owner"

    refused = await browser.put(path, headers=await staff_session(database, "administrator"))
    stale = await browser.put(
        path, headers=await staff_session(database, "owner", verified_minutes_ago=11)
    )
    done = await browser.put(path, headers=await staff_session(database, "owner"))

    assert (refused.status_code, refused.json()["Code"]) == (403, "owner_required")
    assert (stale.status_code, stale.json()["Code"]) == (403, "step_up_required")
    assert (done.status_code, [role["Name"] for role in done.json()["Roles"]]) == (200, ["owner"])


async def test_who_loses_the_role_gives_nothing_any_more(client, browser, database, monkeypatch):
    """Not even in the moments in which a process remembers the session."""
    monkeypatch.setattr(authenticator, "REMEMBERED_SECONDS", 0.5)
    await make_user(database, "ana")
    user = await make_staff(database, "administrator", name="deputy")
    headers = (await open_session(database, user)).headers
    assert (await browser.get("/api/v1/me", headers=headers)).status_code == 200

    taken = await client.delete("/api/v1/staff/deputy/roles/administrator")
    at_once = await browser.put("/api/v1/staff/ana/roles/analyst", headers=headers)

    assert taken.status_code == 200
    assert at_once.status_code in (401, 403)
    async with asyncio.timeout(PATIENCE):
        while (await browser.get("/api/v1/me", headers=headers)).status_code != 401:
            await asyncio.sleep(0.02)
    assert await database.reader.value("SELECT count(*) FROM staff_roles") == 0
