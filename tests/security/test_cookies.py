"""Attacks on browser sessions: forged requests, planted, stolen and mistaken cookies."""

from collections.abc import AsyncIterator
from uuid import UUID

import httpx2
import pytest

from gamekeeper.app import App
from gamekeeper.auth import authenticator, credentials, keys
from gamekeeper.auth.keys import NewKey
from gamekeeper.db.database import Database
from gamekeeper.http.cookies import NAME
from tests.databases import cloned
from tests.make import BY, make_item, make_player, sha
from tests.staff.make import make_staff
from tests.staff.signed_in import OURS, PASSWORD, Person, open_session, staff_session

GIVE = "/api/v1/players/{}/items/give"
OWN = "http://gamekeeper"
FOREIGN = "https://evil.example"

FORGED = {
    "no header at all": {},
    "a form of another site": {"Sec-Fetch-Site": "cross-site", "Origin": FOREIGN},
    "a page of another host of the domain": {
        "Sec-Fetch-Site": "same-site",
        "X-Gamekeeper": "1",
        "Origin": "https://forum.gamekeeper",
    },
    "another site with our header": {"Sec-Fetch-Site": "cross-site", "X-Gamekeeper": "1"},
    "our origin claimed, another site": {
        "Sec-Fetch-Site": "cross-site",
        "Origin": OWN,
        "X-Gamekeeper": "1",
    },
    "our own page without the header": {"Sec-Fetch-Site": "same-origin", "Origin": OWN},
    "the header with another value": OURS | {"X-Gamekeeper": "true"},
    "an opaque origin": {"Origin": "null", "X-Gamekeeper": "1"},
    "no origin": {"X-Gamekeeper": "1"},
    "an origin that begins like ours": {"Origin": OWN + ".evil.example", "X-Gamekeeper": "1"},
    "an origin that ends like ours": {"Origin": "http://notgamekeeper", "X-Gamekeeper": "1"},
    "another port": {"Origin": OWN + ":8443", "X-Gamekeeper": "1"},
    "a user before the host": {"Origin": "http://evil@gamekeeper", "X-Gamekeeper": "1"},
    "another scheme": {"Origin": "ftp://gamekeeper", "X-Gamekeeper": "1"},
    "a typed address": {"Sec-Fetch-Site": "none", "X-Gamekeeper": "1"},
}

BODIES = {
    "json": ("application/json", '{{"itemid": "{}", "quantity": 1}}'),
    "form": ("application/x-www-form-urlencoded", "itemid={}&quantity=1"),
    "plain text": ("text/plain", '{{"itemid": "{}", "quantity": 1}}'),
    "multipart": (
        "multipart/form-data; boundary=x",
        '--x\r\nContent-Disposition: form-data; name="itemid"\r\n\r\n{}\r\n--x--\r\n',
    ),
    "no type": ("", '{{"itemid": "{}", "quantity": 1}}'),
}


def cookie_of(headers: dict[str, str]) -> dict[str, str]:
    return {"Cookie": headers["Cookie"]}


@pytest.fixture(scope="module")
async def shared(template) -> AsyncIterator[tuple[httpx2.AsyncClient, Database, dict[str, str]]]:
    """One service for the many that are refused, and the cookie of an owner."""
    async with cloned(template) as settings, Database.open(settings) as database:
        app = App(settings)
        await app.start()
        transport = httpx2.ASGITransport(app)
        async with httpx2.AsyncClient(transport=transport, base_url=OWN) as client:
            yield client, database, cookie_of(await staff_session(database, "owner"))
        await app.stop()


async def without_key(client, method: str, path: str, headers: dict[str, str], **body):
    """By a browser: the client of these tests has a key, and a browser has none."""
    request = client.build_request(method, path, headers=headers, **body)
    request.headers.pop("Authorization", None)
    answer = await client.send(request)
    client.cookies.clear()
    return answer


GIVEN = "SELECT count(*) FROM actions WHERE kind = 'items.give'"


@pytest.mark.parametrize("forged", FORGED)
async def test_a_page_of_another_site_gives_nothing_with_the_cookie_of_staff(shared, forged):
    """Whatever a form or a script can send, with each kind of body."""
    client, database, cookie = shared
    player, item = await make_player(database), await make_item(database)
    for content_type, body in BODIES.values():
        typed = {"Content-Type": content_type} if content_type else {}
        answer = await without_key(
            client,
            "POST",
            GIVE.format(player),
            FORGED[forged] | cookie | typed,
            content=body.format(item),
        )
        assert (answer.status_code, answer.json()["Code"]) == (403, "cross_site_request")
    assert await database.reader.value(GIVEN) == 0


async def test_our_own_pages_give_by_json_and_by_form(client, database):
    player, item = await make_player(database), await make_item(database)
    cookie = cookie_of(await staff_session(database, "owner"))
    for headers in (OURS, {"Origin": OWN, "X-Gamekeeper": "1"}):
        for kind in ("json", "form"):
            content_type, body = BODIES[kind]
            answer = await without_key(
                client,
                "POST",
                GIVE.format(player),
                cookie | headers | {"Content-Type": content_type},
                content=body.format(item),
            )
            assert answer.status_code == 200, answer.text


@pytest.mark.parametrize("site", ["cross-site", "same-site", "something else"])
async def test_a_page_of_another_site_reads_nothing_with_the_cookie(client, database, site):
    """Not even what it could only see by how long it takes."""
    cookie = cookie_of(await staff_session(database, "owner"))

    answer = await without_key(client, "GET", "/api/v1/players", cookie | {"Sec-Fetch-Site": site})

    assert (answer.status_code, answer.json()["Code"]) == (403, "cross_site_request")
    assert "access-control-allow-credentials" not in answer.headers


@pytest.mark.parametrize(
    "forged",
    ["a form of another site", "no origin", "our own page without the header", "another port"],
)
async def test_nobody_is_signed_in_by_a_page_of_another_site(client, database, forged):
    """Login CSRF: the victim would work in a session of the attacker."""
    person = await Person.make(client, database, "support")
    body = f"username={person.name}&password={'0' * 64}"
    form = {"Content-Type": "application/x-www-form-urlencoded"}

    answer = await without_key(
        client, "POST", "/api/v1/session", FORGED[forged] | form, content=body
    )

    assert (answer.status_code, answer.json()["Code"]) == (403, "cross_site_request")
    assert "set-cookie" not in answer.headers


# ── One credential in the place of another ──


async def test_no_credential_is_good_in_the_place_of_another(client, database):
    key = await keys.create.one(database, NewKey(by=BY, name="all"))
    session = await open_session(database, await owner(database))
    for headers in (
        {"Cookie": f"{NAME}={key}"} | OURS,
        {"Authorization": f"Bearer {session.cookie}"},
        {"Cookie": f"{NAME}={credentials.new_credential('gks')}"} | OURS,
        {"Cookie": f"{NAME}="} | OURS,
        {"Cookie": f"other={session.cookie}"} | OURS,
        # The development cookie is for a machine of one's own, which this is not.
        {"Cookie": f"gamekeeper-dev={session.cookie}", "X-Forwarded-For": "192.0.2.9"} | OURS,
    ):
        answer = await without_bearer(client, headers)
        assert answer.status_code == 401, headers
    assert (await without_bearer(client, session.headers)).status_code == 200


async def without_bearer(client, headers: dict[str, str]):
    request = client.build_request("GET", "/api/v1/players", headers=headers)
    if "Authorization" not in headers:
        request.headers.pop("Authorization", None)
    return await client.send(request)


async def owner(database: Database) -> UUID:
    return await make_staff(database, "owner")


async def test_of_two_cookies_of_one_name_the_first_counts(client, database):
    """Browsers send the one with the longer path first; `__Host-` has no path but `/`."""
    good = await open_session(database, await owner(database))
    bad = credentials.new_credential("gks")

    both = {"Cookie": f"{NAME}={bad}; {NAME}={good.cookie}"} | OURS
    assert (await without_bearer(client, both)).status_code == 401
    assert (
        await without_bearer(client, {"Cookie": f"a=b; {NAME}={good.cookie}; {NAME}={bad}"} | OURS)
    ).status_code == 200


async def test_the_cookie_is_host_only_secure_http_only_and_strict(client, database):
    """No script reads it, no other host plants it, no other site has it sent."""
    person = await Person.make(client, database, "support")

    # Behind a proxy it is the cookie of production.
    begun = await person.call(
        "POST",
        "/api/v1/session",
        headers={"X-Forwarded-Proto": "https"},
        username=person.name,
        password=sha(PASSWORD),
    )

    [header] = begun.headers.get_list("set-cookie")
    value, *flags = [part.strip() for part in header.split(";")]
    assert value.startswith(f"{NAME}=gks_")
    assert set(flags) == {"Path=/", "Secure", "HttpOnly", "SameSite=Strict"}
    assert begun.headers["cache-control"] == "no-store"


# ── Fixation, theft, the end ──


async def test_a_new_sign_in_ends_the_session_of_the_same_browser(client, database, monkeypatch):
    monkeypatch.setattr(authenticator, "REMEMBERED_SECONDS", 0.0)
    person = await Person.make(client, database, "support")
    await person.sign_in()
    before = person.cookie

    await person.enter_password()

    headers = {"Cookie": f"{NAME}={before}"} | OURS
    assert (await without_bearer(client, headers)).status_code == 401


async def test_a_session_of_an_account_uses_no_idempotency_key_of_its_other_sessions(
    client, database
):
    """The same key for another request is refused; for the same request it is one gift."""
    player, item = await make_player(database), await make_item(database)
    user = await owner(database)
    one, two = [await open_session(database, user) for _ in range(2)]
    gift = {"itemid": str(item), "quantity": 1}
    key = {"Idempotency-Key": "one"}

    first = await without_key(client, "POST", GIVE.format(player), one.headers | key, json=gift)
    again = await without_key(client, "POST", GIVE.format(player), two.headers | key, json=gift)
    other = await without_key(
        client, "POST", GIVE.format(player), two.headers | key, json=gift | {"quantity": 2}
    )

    assert (first.status_code, again.status_code, other.status_code) == (200, 200, 422)
    assert again.headers["idempotency-replayed"] == "true"
    assert await database.reader.value(GIVEN) == 1


async def test_a_password_in_the_place_of_a_code_is_no_second_factor(client, database):
    person = await Person.make(client, database, "support")
    await person.sign_in()
    await person.call("DELETE", "/api/v1/session")
    await person.enter_password()

    for code in (PASSWORD, "", "000000\n", "00000٠", " 12345", "1" * 65):
        assert (await person.enter_code(code or "x")).status_code in (400, 403, 429)
    assert (await person.call("GET", "/api/v1/players")).status_code == 403
