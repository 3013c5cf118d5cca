"""Attacks on a provider (RFC 9700 and its practice), each refused by one defence."""

from typing import Any

import httpx2
import pytest
from msgspec import structs

from gamekeeper.core.settings import Hidden, Settings
from gamekeeper.db.database import Database
from gamekeeper.provider import clients, redirects
from gamekeeper.provider.client_commands import ClientChange, PublicClient
from gamekeeper.provider.redirects import InvalidRedirectUri
from tests.in_process import in_process
from tests.make import BY, make_user
from tests.provider.relying_party import (
    CALLBACK,
    PASSWORD,
    Browser,
    RelyingParty,
    answer_in,
    register,
)

LOOPBACK = "http://127.0.0.1/callback"

FOREIGN = [
    "https://evil.example.org/callback",
    CALLBACK + "/",
    CALLBACK + "#",
    CALLBACK.replace("?from=game", ""),
    CALLBACK.replace("https:", "http:"),
    CALLBACK.replace("forum.example.org", "FORUM.example.org"),
    CALLBACK.replace("forum.example.org", "forum.example.org:443"),
    CALLBACK.replace("forum.example.org", "forum.example.org@evil.example.org"),
    CALLBACK.replace("forum.", "forum.evil."),
    CALLBACK + "%00",
    "",
]


@pytest.mark.parametrize("uri", FOREIGN)
async def test_a_browser_is_never_sent_to_another_address(
    browser: Browser, party: RelyingParty, uri: str
):
    answer = await browser.authorize(party.query(redirect_uri=uri, prompt="none"))

    assert answer.status_code == 400
    assert "location" not in answer.headers
    assert "evil" not in answer.text


@pytest.mark.parametrize(
    ("uri", "is_one"),
    [
        (LOOPBACK, True),
        ("http://127.0.0.1:49152/callback", True),
        ("http://[::1]:49152/callback", False),
        ("http://127.0.0.1:49152/other", False),
        ("http://127.0.0.1:80@evil.example.org/callback", False),
        ("http://127.0.0.1.evil.example.org/callback", False),
        ("http://localhost:49152/callback", False),
        ("https://127.0.0.1:49152/callback", False),
    ],
)
def test_only_the_port_of_a_loopback_address_varies(uri: str, is_one: bool):
    assert redirects.is_registered(uri, [LOOPBACK]) is is_one
    assert not redirects.is_registered(CALLBACK.replace("org/", "org:444/"), [CALLBACK])


@pytest.mark.parametrize(
    "uri",
    [
        "http://forum.example.org/callback",
        "https://*.example.org/callback",
        "https://forum.example.org/callback#there",
        "https://user@forum.example.org/callback",
        "javascript:alert(1)",
        "data:text/html,hello",
        "https:///callback",
        "https://forum.example.org/a b",
        "https://forum.example.org/" + "a" * 2000,
    ],
)
async def test_an_address_that_is_not_safe_cannot_be_registered(database: Database, uri: str):
    with pytest.raises(InvalidRedirectUri):
        await register(database, redirect_uris=(uri,))


@pytest.mark.parametrize(
    ("change", "error"),
    [
        ({"response_type": "token"}, "unsupported_response_type"),
        ({"response_type": "code id_token"}, "unsupported_response_type"),
        ({"response_type": None}, "invalid_request"),
        ({"response_mode": "fragment"}, "invalid_request"),
        ({"scope": "profile"}, "invalid_scope"),
        ({"scope": None}, "invalid_scope"),
        ({"code_challenge": None, "code_challenge_method": None}, "invalid_request"),
        ({"code_challenge_method": "plain"}, "invalid_request"),
        ({"code_challenge_method": None}, "invalid_request"),
        ({"code_challenge": "short"}, "invalid_request"),
        ({"prompt": "none login"}, "invalid_request"),
        ({"prompt": "create"}, "invalid_request"),
        ({"max_age": "-1"}, "invalid_request"),
        ({"request": "a.b.c"}, "request_not_supported"),
        ({"request_uri": "https://a.example/"}, "request_uri_not_supported"),
        ({"id_token_hint": "nonsense"}, "invalid_request"),
        ({"nonce": "a" * 1001}, "invalid_request"),
    ],
)
async def test_a_wrong_request_is_refused_with_state_and_issuer(
    browser: Browser, party: RelyingParty, change: dict[str, str | None], error: str
):
    answer = await browser.authorize(party.query(**change))

    assert answer.status_code == 303
    assert answer.headers["location"].startswith(CALLBACK)
    told = answer_in(answer.headers["location"])
    assert (told["error"], told["state"], told["iss"]) == (
        error,
        party.state,
        "http://127.0.0.1:8000",
    )


async def test_a_parameter_twice_is_refused_on_a_page(browser: Browser, party: RelyingParty):
    answer = await browser.authorize(party.query() + "&redirect_uri=https://evil.example.org/")
    assert answer.status_code == 400


# ── Codes ──


async def test_a_code_that_is_used_twice_ends_what_it_began(browser: Browser, party: RelyingParty):
    code = (await browser.sign_in(party.query(scope="openid offline_access")))["code"]
    tokens = (await party.exchange(code)).json()

    replayed = await party.exchange(code)

    assert (replayed.status_code, replayed.json()["error"]) == (400, "invalid_grant")
    assert (await party.user_info(tokens["access_token"])).status_code == 401
    assert (await party.refresh(tokens["refresh_token"])).json()["error"] == "invalid_grant"


@pytest.mark.parametrize(
    "change",
    [
        {"code_verifier": "x" * 43},
        {"code_verifier": None},
        {"redirect_uri": CALLBACK + "2"},
        {"redirect_uri": None},
    ],
)
async def test_a_code_is_bound_to_what_it_was_made_for(
    browser: Browser, party: RelyingParty, change: dict[str, str | None]
):
    code = (await browser.sign_in(party.query()))["code"]

    refused = await party.exchange(code, **change)

    assert (refused.status_code, refused.json()["error"]) == (400, "invalid_grant")
    assert (await party.exchange(code)).status_code == 200


async def test_a_code_of_one_client_is_nothing_to_another(
    browser: Browser, party: RelyingParty, database: Database
):
    other = RelyingParty(party.http, await register(database, name="Wiki"))
    code = (await browser.sign_in(party.query()))["code"]

    stolen = await other.exchange(code, code_verifier=party.verifier)

    assert stolen.json()["error"] == "invalid_grant"
    assert (await party.exchange(code)).status_code == 200


async def test_a_code_expires_after_a_minute(
    browser: Browser, party: RelyingParty, database: Database
):
    code = (await browser.sign_in(party.query()))["code"]
    assert await _seconds(database, "code_expires_at - created_at") <= 60
    await _move(database, "openid_sign_ins", "code_expires_at", "61 seconds")

    assert (await party.exchange(code)).json()["error"] == "invalid_grant"


async def test_a_verifier_without_a_challenge_is_refused(
    browser: Browser, http: httpx2.AsyncClient, database: Database
):
    """Somebody removed the challenge from the request (PKCE downgrade)."""
    old = RelyingParty(http, await register(database, requires_pkce=False))
    query = old.query(code_challenge=None, code_challenge_method=None)
    code = (await browser.sign_in(query))["code"]

    assert (await old.exchange(code)).json()["error"] == "invalid_grant"
    assert (await old.exchange(code, code_verifier=None)).status_code == 200


# ── Clients ──


@pytest.mark.parametrize("secret", [None, "", "gkox_wrong"])
async def test_a_confidential_client_needs_its_secret(
    browser: Browser, party: RelyingParty, secret: str | None
):
    code = (await browser.sign_in(party.query()))["code"]

    refused = await party.exchange(code, client_secret=secret)

    assert (refused.status_code, refused.json()["error"]) == (401, "invalid_client")
    assert refused.headers["www-authenticate"].startswith("Basic")


async def test_a_launcher_always_asks_on_a_loopback_address(
    browser: Browser, http: httpx2.AsyncClient, database: Database
):
    registration = await register(database, redirect_uris=(LOOPBACK,), secret=None)
    launcher = RelyingParty(http, registration, "http://127.0.0.1:50123/callback")
    answer = await browser.sign_in(launcher.query())
    assert (await launcher.exchange(answer["code"])).status_code == 200

    again = await browser.authorize(launcher.query())
    silent = await browser.authorize(launcher.query(prompt="none"))

    assert again.status_code == 200
    assert "127.0.0.1:50123" in again.text
    assert answer_in(silent.headers["location"])["error"] == "consent_required"


@pytest.mark.parametrize("weaker", [{"requires_pkce": False}, {"asks_consent": False}])
async def test_a_public_client_keeps_pkce_and_consent(database: Database, weaker: dict[str, Any]):
    with pytest.raises(PublicClient):
        await register(database, secret=None, **weaker)


@pytest.mark.parametrize(
    "weaker",
    [{"requires_pkce": False}, {"asks_consent": False}, {"secret": Hidden("gkox_anything")}],
)
async def test_a_public_client_stays_public(database: Database, weaker: dict[str, Any]):
    launcher = await register(database, secret=None)

    with pytest.raises(PublicClient):
        await clients.change.one(database, ClientChange(by=BY, client=launcher.id, **weaker))


# ── Browsers ──


@pytest.mark.parametrize("path", ["authorize", "logout"])
@pytest.mark.parametrize("line_end", ["\r\n", "\n", "\r"])
async def test_a_form_adds_no_header(http: httpx2.AsyncClient, path: str, line_end: str):
    """The fields of a form become the query of a redirect."""
    sent = await http.post(
        f"/openid/{path}",
        content=f"state=a{line_end}Set-Cookie: gamekeeper-player-dev=planted&nonce=%0d%0aX-A: b",
        headers={"Content-Type": "application/x-www-form-urlencoded"},
    )

    assert sent.status_code == 303
    assert "set-cookie" not in sent.headers
    fields = answer_in(sent.headers["location"])
    assert fields == {
        "state": f"a{line_end}Set-Cookie: gamekeeper-player-dev=planted",
        "nonce": "\r\nX-A: b",
    }


@pytest.mark.parametrize("path", ["authorize", "logout"])
async def test_a_form_with_a_field_twice_is_refused_on_a_page(http: httpx2.AsyncClient, path: str):
    sent = await http.post(
        f"/openid/{path}",
        content="state=a&state=b",
        headers={"Content-Type": "application/x-www-form-urlencoded"},
    )
    assert (sent.status_code, "location" in sent.headers) == (400, False)


async def test_the_cookie_is_for_this_host_and_https_only(
    browser: Browser, party: RelyingParty, provider_settings: Settings
):
    issuer = "https://play.example.org"
    public = structs.replace(provider_settings, openid_issuer=issuer, public_url=issuer)
    async with in_process(public) as http:
        elsewhere = Browser(http, "Ana", browser.user)
        entered = await elsewhere.enter_password(party.query())

    name, _, rest = entered.headers["set-cookie"].partition("=")
    assert name == "__Host-gamekeeper-player"
    assert rest.partition("; ")[2] == "Path=/; Secure; HttpOnly; SameSite=Lax"


@pytest.mark.parametrize(
    "headers",
    [{}, {"X-Gamekeeper": "1", "Sec-Fetch-Site": "cross-site"}, {"Sec-Fetch-Site": "same-origin"}],
)
@pytest.mark.parametrize("path", ["/openid/sign-in", "/openid/decision", "/openid/sign-out"])
async def test_a_page_of_another_site_changes_nothing(
    browser: Browser, party: RelyingParty, headers: dict[str, str], path: str
):
    """It could sign the victim in as the attacker, allow what it asks for, or sign out."""
    await browser.enter_password(party.query())
    cookie = browser.cookie
    fields = {"username": "Ana", "password": "0" * 64, "account": str(browser.user), "allow": True}

    refused = await browser.send(path, headers, request=party.query(), **fields)

    assert refused.json()["Code"] == "cross_site_request"
    assert browser.cookie == cookie
    assert (await browser.decide(party.query())).status_code == 200


async def test_the_pages_cannot_be_framed_and_send_no_referrer(
    browser: Browser, party: RelyingParty
):
    signing_in = await browser.authorize(party.query())
    await browser.enter_password(party.query())
    consent = await browser.authorize(party.query())

    for page in (signing_in, consent):
        assert "frame-ancestors 'none'" in page.headers["content-security-policy"]
        assert page.headers["x-frame-options"] == "DENY"
        assert page.headers["referrer-policy"] == "no-referrer"
        assert page.headers["cache-control"] == "no-store"


async def test_the_name_of_a_client_is_no_markup(
    browser: Browser, http: httpx2.AsyncClient, database: Database
):
    rude = RelyingParty(http, await register(database, name="<script>alert(1)</script>"))
    assert "<script>alert" not in (await browser.authorize(rude.query())).text


async def test_another_tab_signed_in_as_somebody_else(
    browser: Browser, party: RelyingParty, database: Database
):
    """The player would allow for an account that the page did not show."""
    await browser.enter_password(party.query())
    other = Browser(browser.http, "Bo", await make_user(database, "Bo", password=PASSWORD))
    other.cookie = browser.cookie
    await other.enter_password(party.query())
    browser.cookie = other.cookie

    stale = await browser.decide(party.query())

    assert (stale.status_code, stale.json()["Code"]) == (409, "stale_request")


async def test_two_tabs_sign_in_at_once(browser: Browser, party: RelyingParty, database: Database):
    wiki = RelyingParty(party.http, await register(database, name="Wiki"))
    first = await browser.sign_in(party.query())
    second = await browser.sign_in(wiki.query())

    assert (first["state"], second["state"]) == (party.state, wiki.state)
    assert (await wiki.exchange(second["code"])).status_code == 200
    assert (await party.exchange(first["code"])).status_code == 200


async def test_a_sign_in_changes_the_cookie(browser: Browser, party: RelyingParty):
    """A cookie that was planted before (session fixation) is worth nothing."""
    await browser.enter_password(party.query())
    planted = browser.cookie
    await browser.enter_password(party.query())

    assert browser.cookie != planted
    browser.cookie = planted
    assert (await browser.authorize(party.query())).status_code == 200


async def test_wrong_passwords_are_throttled(browser: Browser, party: RelyingParty):
    answers = [await browser.enter_password(party.query(), "guess") for _ in range(7)]

    assert {answer.json()["Code"] for answer in answers} == {
        "invalid_credentials",
        "too_many_requests",
    }
    assert browser.cookie == ""


async def test_the_cookie_of_the_console_opens_nothing_here(
    party: RelyingParty, database: Database
):
    from tests.staff.signed_in import staff_session

    headers = await staff_session(database, "owner")
    page = await party.http.get(f"/openid/authorize?{party.query(prompt='none')}", headers=headers)
    assert answer_in(page.headers["location"])["error"] == "login_required"


async def test_a_token_of_a_player_opens_no_other_operation(browser: Browser, party: RelyingParty):
    code = (await browser.sign_in(party.query()))["code"]
    token = (await party.exchange(code)).json()["access_token"]

    for credential in (token, browser.cookie):
        answer = await party.http.get(
            "/api/v1/me", headers={"Authorization": f"Bearer {credential}"}
        )
        assert answer.status_code == 401


async def test_nothing_in_the_database_is_a_credential(
    browser: Browser, party: RelyingParty, database: Database, provider_settings: Settings
):
    answer = await browser.sign_in(party.query(scope="openid offline_access"))
    tokens = (await party.exchange(answer["code"])).json()
    secrets = [answer["code"], tokens["access_token"], tokens["refresh_token"], browser.cookie]
    tables = ("clients", "keys", "sessions", "sign_ins", "tokens")
    stored = [
        str([dict(row) for row in await database.reader.rows(f"SELECT * FROM openid_{table}")])
        for table in tables
    ]

    for secret in [*secrets, str(party.secret), '"d":']:
        assert not any(secret in rows for rows in stored)


async def _move(database: Database, table: str, column: str, interval: str) -> None:
    """Move an instant into the past."""
    sql: Any = f"UPDATE {table} SET {column} = {column} - $1::text::interval"
    await database.write(lambda writer: writer.run(sql, interval))


async def _seconds(database: Database, interval: str) -> float:
    sql: Any = f"SELECT extract(epoch FROM {interval})::float8 FROM openid_sign_ins"
    return await database.reader.value(sql)
