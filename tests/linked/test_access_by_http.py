"""Access bans over HTTP, behind a proxy: sign-ins of games and browsers, by address and device."""

from collections.abc import AsyncIterator
from datetime import timedelta
from typing import Any

import httpx2
import pytest
from msgspec import structs

from gamekeeper.db.database import Database
from gamekeeper.moderation import access_bans
from gamekeeper.moderation.access_bans import AccessImposition, AccessLifting
from gamekeeper.sanctions.access_bans import AccessBan
from tests.deadlines import until
from tests.in_process import in_process
from tests.linked.rows import device_of
from tests.make import BY, make_user, sha
from tests.moderation.complaints import refused
from tests.staff.signed_in import OURS, PASSWORD, Person, staff_session
from tests.staff.test_invitations import accept, code_of, invite

BANNED, FREE = "203.0.113.9", "198.51.100.1"
BANNED_V6, FREE_V6 = "2001:db8:1:2::3", "2001:db8:2::1"


@pytest.fixture
async def client(settings) -> AsyncIterator[httpx2.AsyncClient]:
    """The application behind a trusted proxy, which says where each caller is."""
    async with in_process(structs.replace(settings, trusted_proxies="127.0.0.1")) as client:
        yield client


def at(address: str) -> dict[str, str]:
    return {"X-Forwarded-For": address}


async def impose(database: Database, **about: Any) -> AccessBan:
    order = {"by": BY, "reason": "bots", "message": "No bots.", "duration": timedelta(days=1)}
    planned = await access_bans.impose.one(database, AccessImposition(**(order | about)))
    assert planned.made
    return planned.made


async def lift(database: Database, ban: AccessBan) -> None:
    await access_bans.lift.one(database, AccessLifting(by=BY, ban=ban.code, reason="mistake"))


async def token(client: httpx2.AsyncClient, address: str, **about: str) -> httpx2.Response:
    body = {"grant_type": "password", "username": "ana", "password": sha("secret")} | about
    return await client.post("/api/oauth/token", json=body, headers=at(address))


async def test_a_game_cannot_sign_in_from_a_banned_range(client, database):
    await make_user(database, "ana", password="secret", api=True)
    before = (await token(client, BANNED)).json()
    ban = await impose(database, range="203.0.113.0/24")

    answer = await token(client, BANNED)
    assert (answer.status_code, answer.json()) == (
        400,
        {"error": "invalid_grant", "error_description": f"No bots. Code: {ban.code}"},
    )
    assert (await token(client, FREE)).status_code == 200
    # What began there ends, wherever it is used; what began elsewhere cannot be renewed there.
    own = {"Authorization": f"Bearer {before['access_token']}"} | at(FREE)
    assert (await client.get("/api/v1/players", headers=own)).status_code == 401
    renewal = {"grant_type": "refresh_token"}
    old = renewal | {"refresh_token": before["refresh_token"]}
    new = renewal | {"refresh_token": (await token(client, FREE)).json()["refresh_token"]}
    for body, address in ((old, FREE), (new, BANNED)):
        answer = await client.post("/api/oauth/token", json=body, headers=at(address))
        assert (answer.status_code, answer.json()["error"]) == (400, "invalid_grant")
    answer = await client.post("/api/oauth/token", json=new, headers=at(FREE))
    assert answer.status_code == 200, answer.text

    await lift(database, ban)
    assert (await token(client, BANNED)).status_code == 200


async def test_a_range_of_ipv6_stops_its_homes_and_no_others(client, database):
    await make_user(database, "ana", password="secret", api=True)
    await impose(database, range="2001:db8:1::/48")

    assert (await token(client, BANNED_V6)).status_code == 400
    assert (await token(client, FREE_V6)).status_code == 200


async def test_who_says_another_address_without_the_proxy_is_where_they_are(settings, database):
    """The header of a stranger is not believed: it can neither evade a ban nor be hit by one."""
    await make_user(database, "ana", password="secret", api=True)
    await impose(database, range="203.0.113.0/24")
    async with in_process(settings) as direct:
        assert (await token(direct, BANNED)).status_code == 200


async def begin(person: Person, address: str, **about: str) -> httpx2.Response:
    """The first step of a sign-in with a browser."""
    body = {"username": person.name, "password": sha(PASSWORD)} | about
    return await person.call("POST", "/api/v1/session", headers=at(address), **body)


@pytest.mark.parametrize(
    ("about", "address", "device"),
    [
        ({"range": "203.0.113.0/24"}, BANNED, "phone"),
        ({"range": "2001:db8:1::/48"}, BANNED_V6, "phone"),
        ({}, FREE, "pc"),
    ],
    ids=["address", "ipv6", "device"],
)
async def test_a_browser_cannot_sign_in_from_there(client, database, about, address, device):
    person = await Person.make(client, database)
    ban = await impose(database, **(about or {"device": device_of(database, "pc")}))
    sql = "SELECT count(*) FROM browser_sessions"

    answer = await begin(person, address, deviceid=device)

    assert refused(answer) == (403, "access_banned")
    assert (answer.json()["Message"], ban.code in answer.text) == (
        f"No bots. Code: {ban.code}",
        True,
    )
    # The refusal comes before the password, so it does not tell whether that is right.
    body = {"username": person.name, "password": sha("wrong"), "deviceid": device}
    wrong = await person.call("POST", "/api/v1/session", headers=at(address), **body)
    assert wrong.json()["Message"] == answer.json()["Message"]
    assert not person.cookie
    assert await database.reader.value(sql) == 0
    assert (await begin(person, FREE, deviceid="phone")).status_code == 200
    await lift(database, ban)
    assert (await begin(person, address, deviceid=device)).status_code == 200


async def test_a_browser_session_that_began_there_ends(client, database):
    people = [await Person.make(client, database, "support") for _ in range(2)]
    for person, address in zip(people, (BANNED, FREE), strict=True):
        assert (await begin(person, address)).json()["State"] == "enrolment_required"
        assert (await person.enrol()).status_code == 200
        mine = await person.call("GET", "/api/v1/me/filters", headers=at(address))
        assert mine.status_code == 200, mine.text

    ban = await impose(database, range="203.0.113.0/24")

    there, elsewhere = people

    async def is_over(address: str) -> bool:
        answer = await there.call("GET", "/api/v1/me/filters", headers=at(address))
        return answer.status_code == 401

    # A process keeps for two seconds what it knows of a session.
    for address in (BANNED, FREE):
        await until(lambda address=address: is_over(address), "the session has ended")
    answer = await elsewhere.call("GET", "/api/v1/me/filters", headers=at(FREE))
    assert answer.status_code == 200, answer.text
    await lift(database, ban)

    async def is_back() -> bool:
        return not await is_over(BANNED)

    await until(is_back, "the session is as it was")


async def test_an_invitation_is_not_accepted_from_there_and_stays_open(client, database):
    """A session that begins by an invitation has an address, as any other."""
    code = code_of(await invite(client, await staff_session(database, "owner")))
    ban = await impose(database, range="203.0.113.0/24")

    answer = await accept(client, code, "newcomer", headers=at(BANNED), email="new@example.com")
    assert refused(answer) == (403, "access_banned")
    count = "SELECT count(*) FROM users WHERE name = 'newcomer'"
    assert await database.reader.value(count) == 0

    await lift(database, ban)
    answer = await accept(client, code, "newcomer", headers=at(BANNED), email="new@example.com")
    assert answer.status_code == 200, answer.text
    cookie = {"Cookie": answer.headers["set-cookie"].partition(";")[0]} | OURS
    assert (await client.get("/api/v1/me/factors", headers=cookie)).status_code == 200
    await impose(database, range="203.0.113.0/24")

    async def is_over() -> bool:
        return (await client.get("/api/v1/me/factors", headers=cookie)).status_code == 401

    await until(is_over, "the session has ended")
