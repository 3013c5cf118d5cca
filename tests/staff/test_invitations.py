"""Invitations of staff: a link gives a role once, and never more than its inviter may grant."""

import asyncio
from collections.abc import AsyncIterator
from typing import Any
from urllib.parse import urlsplit
from uuid import UUID, uuid4

import httpx2
import pytest
from msgspec import structs

from gamekeeper.app import App
from gamekeeper.auth.secrets import Vault
from gamekeeper.core.settings import Hidden, Settings
from gamekeeper.db.database import Database
from gamekeeper.moderation import sanctions
from gamekeeper.moderation.sanctions import Imposition
from gamekeeper.users.staff import invitations, members
from gamekeeper.users.staff.invitations import MAX_OPEN, NewInvitation
from gamekeeper.users.staff.members import RoleWithdrawal
from tests.make import BY, make_user, sha
from tests.own_server import database, key, settings
from tests.staff.signed_in import OURS, staff_session

__all__ = ["database", "key", "settings"]

INVITATIONS = "/api/v1/staff/invitations"
ACCEPT = "/api/v1/session/invitation"
PASSWORD = "a long walk to the harbour"


@pytest.fixture(scope="module")
async def client(settings: Settings) -> AsyncIterator[httpx2.AsyncClient]:
    app = App(settings)
    await app.start()
    transport = httpx2.ASGITransport(app)
    async with httpx2.AsyncClient(transport=transport, base_url="http://gamekeeper") as client:
        yield client
    await app.stop()


@pytest.fixture(autouse=True)
async def clean(database: Database) -> None:
    await run(database, "DELETE FROM staff_invitations")
    # The tests share an address, and some guess.
    await run(database, "DELETE FROM guess_budgets")


async def run(database: Database, sql: str, *given: object) -> None:
    await database.write(lambda writer: writer.run(sql, *given))


async def invite(
    client: httpx2.AsyncClient, headers: dict[str, str], role: str = "support", **body: Any
) -> httpx2.Response:
    return await client.post(INVITATIONS, json={"role": role, **body}, headers=headers)


def code_of(answer: httpx2.Response) -> str:
    assert answer.status_code == 200, answer.text
    mark, _, code = urlsplit(answer.json()["Link"]).fragment.partition("=")
    assert mark == "invitation"
    return code


async def accept(
    client: httpx2.AsyncClient, code: str, name: str = "", headers: Any = None, **body: Any
) -> httpx2.Response:
    name = name or f"new-{uuid4().hex[:8]}"
    about = {"code": code, "username": name, "password": sha(PASSWORD), **body}
    return await client.post(ACCEPT, json=about, headers=OURS | (headers or {}))


async def accept_as_new(client: httpx2.AsyncClient, code: str) -> httpx2.Response:
    name = f"new-{uuid4().hex[:8]}"
    return await accept(client, code, name, email=f"{name}@example.com")


def refusal(answer: httpx2.Response) -> tuple[int, str]:
    return answer.status_code, answer.json()["Code"]


async def owners_invitation(client: httpx2.AsyncClient, database: Database, **body: Any) -> str:
    return code_of(await invite(client, await staff_session(database, "owner"), **body))


async def held(database: Database, name: str) -> list[str]:
    sql = "SELECT role FROM staff_roles JOIN users ON id = user_id WHERE name = $1 ORDER BY role"
    return [row["role"] for row in await database.reader.rows(sql, name)]


async def test_a_new_person_registers_and_enrols(client, database):
    code = await owners_invitation(client, database)
    answer = await accept(client, code, "Newcomer", email="newcomer@example.com")
    assert answer.status_code == 200, answer.text
    # The link is no second factor: the session may do nothing yet.
    assert (answer.json()["State"], answer.json()["Methods"]) == ("enrolment_required", [])
    assert "set-cookie" in answer.headers
    assert await held(database, "Newcomer") == ["support"]
    rows = await database.reader.rows(
        "SELECT kind, actor_name, after->>'role' AS role FROM actions ORDER BY id DESC LIMIT 3"
    )
    told = {(row["kind"], row["actor_name"], row["role"]) for row in rows}
    assert ("staff.grant", "Newcomer", "support") in told
    assert ("users.register", "Newcomer", None) in told


async def test_an_account_that_exists_needs_its_password(client, database):
    code = await owners_invitation(client, database)
    await make_user(database, name="Veteran", password=PASSWORD)
    wrong = await accept(client, code, "Veteran", password=sha("another guess"))
    assert refusal(wrong) == (403, "acceptance_refused")
    unknown = await accept(client, code, "Nobodyhere")
    assert refusal(unknown) == (403, "acceptance_refused")
    assert await held(database, "Veteran") == []

    assert (await accept(client, code, "Veteran")).status_code == 200
    assert await held(database, "Veteran") == ["support"]


async def test_a_link_works_once_even_for_many_at_once(client, database):
    code = await owners_invitation(client, database)
    before = await database.reader.value("SELECT count(*) FROM users")
    answers = await asyncio.gather(*(accept_as_new(client, code) for _ in range(4)))
    assert sorted(answer.status_code for answer in answers) == [200] + [403] * 3
    # The others got no account either.
    assert await database.reader.value("SELECT count(*) FROM users") == before + 1


async def test_revoked_expired_and_forged_links_are_refused_alike(client, database, settings):
    owner = await staff_session(database, "owner")
    revoked = await invite(client, owner)
    gone = await client.delete(f"{INVITATIONS}/{revoked.json()['Id']}", headers=owner)
    assert (gone.status_code, gone.json()["State"]) == (200, "revoked")
    expired = await invite(client, owner)
    await run(
        database,
        "UPDATE staff_invitations SET created_at = now() - interval '4 days',"
        " expires_at = now() - interval '1 second' WHERE id = $1",
        UUID(expired.json()["Id"]),
    )
    other = structs.replace(settings, password_keys=Hidden("2:" + "ab" * 32))
    unknown = str(invitations.code_of(Vault(settings), uuid4()))
    forged = str(invitations.code_of(Vault(other), UUID(expired.json()["Id"])))
    for code in (code_of(revoked), code_of(expired), unknown, forged, "", "x" * 5000, "é"):
        await run(database, "DELETE FROM guess_budgets")
        assert refusal(await accept_as_new(client, code)) == (403, "invitation_refused")
    again = await client.delete(f"{INVITATIONS}/{revoked.json()['Id']}", headers=owner)
    assert refusal(again) == (409, "invitation_ended")


async def test_nobody_invites_above_their_own_authority(client, database):
    administrator = await staff_session(database, "administrator")
    assert refusal(await invite(client, administrator, "owner")) == (403, "owner_required")
    moderator = await staff_session(database, "moderator")
    assert (await invite(client, moderator)).status_code == 403
    assert await database.reader.value("SELECT count(*) FROM staff_invitations") == 0
    owners = await invite(client, await staff_session(database, "owner"), "owner")
    ended = await client.delete(f"{INVITATIONS}/{owners.json()['Id']}", headers=administrator)
    assert refusal(ended) == (403, "owner_required")


@pytest.mark.parametrize("loss", ["role", "ban"])
async def test_a_link_is_void_when_its_inviter_may_no_longer_grant(client, database, loss):
    manager = await make_user(database, name=f"manager-{loss}")
    await run(database, "INSERT INTO staff_roles VALUES ($1, 'administrator')", manager)
    code = code_of(await invite(client, await staff_session(database, user=manager)))
    if loss == "role":
        order = RoleWithdrawal(by=BY, caller=None, user=str(manager), role="administrator")
        await members.withdraw.one(database, order)
    else:
        await sanctions.impose.one(database, Imposition(by=BY, user=str(manager), kind="ban"))
    assert refusal(await accept_as_new(client, code)) == (403, "invitation_refused")


async def test_a_banned_account_gets_no_role(client, database):
    code = await owners_invitation(client, database)
    user = await make_user(database, name="Banished", password=PASSWORD)
    await sanctions.impose.one(database, Imposition(by=BY, user=str(user), kind="ban"))
    assert refusal(await accept(client, code, "Banished")) == (403, "acceptance_refused")
    assert await held(database, "Banished") == []


async def test_a_refused_registration_leaves_the_link_open(client, database):
    code = await owners_invitation(client, database)
    await make_user(database, name="Taken")
    taken = await accept(client, code, "Taken", email="else@example.com")
    assert refusal(taken) == (409, "username_taken")
    common = await accept(client, code, email="a@example.com", password=sha("password"))
    assert common.status_code == 400
    assert (await accept_as_new(client, code)).status_code == 200


async def test_inviting_needs_a_fresh_second_factor_and_a_session(client, database, key):
    stale = await staff_session(database, "owner", verified_minutes_ago=11)
    assert refusal(await invite(client, stale)) == (403, "step_up_required")
    by_key = await invite(client, {"Authorization": f"Bearer {key}"})
    assert refusal(by_key) == (403, "inviter_needs_session")


async def test_bounds_of_days_and_of_open_invitations(client, database):
    owner = await staff_session(database, "owner")
    for days in (0, 15, -1):
        assert refusal(await invite(client, owner, days=days)) == (400, "invalid_invitation")
    assert refusal(await invite(client, owner, "no-such-role"))[0] == 404
    for _ in range(MAX_OPEN):
        order = NewInvitation(by=BY, caller=None, role="analyst")
        await invitations.invite.one(database, order)
    assert refusal(await invite(client, owner)) == (409, "too_many_invitations")


async def test_the_address_is_seen_only_by_those_who_may(client, database):
    owner = await staff_session(database, "owner")
    made = await invite(client, owner, email="Friend@Example.com")
    assert made.json()["Mailed"] is False
    analyst = await staff_session(database, "administrator")
    [seen] = (await client.get(INVITATIONS, headers=owner)).json()["Values"]
    assert (seen["State"], seen["Email"].lower()) == ("open", "friend@example.com")
    assert "Link" not in seen
    listed = await client.get(f"{INVITATIONS}?state=accepted", headers=analyst)
    assert listed.json()["Total"] == 0
    logged = await database.reader.value(
        "SELECT after::text FROM actions WHERE kind = 'staff.invite' ORDER BY id DESC LIMIT 1"
    )
    assert "example" not in logged.lower()


async def test_guesses_are_throttled(client):
    answers = [await accept_as_new(client, "x") for _ in range(6)]
    assert answers[-1].status_code == 429


async def test_other_sites_cannot_accept(client, database):
    code = await owners_invitation(client, database)
    about = {"code": code, "username": "Else", "password": sha(PASSWORD), "email": "e@example.com"}
    answer = await client.post(ACCEPT, json=about, headers={"Sec-Fetch-Site": "cross-site"})
    assert answer.status_code == 403
    assert (await accept_as_new(client, code)).status_code == 200
