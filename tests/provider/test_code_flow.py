"""The authorization code flow: what OpenID Connect asks of a provider (Basic OP, Config OP)."""

import sys
from base64 import b64encode
from urllib.parse import quote_plus
from uuid import UUID

import httpx2
import pytest

from gamekeeper.core.settings import Settings
from gamekeeper.db.database import Database
from gamekeeper.users import verified_emails
from tests import processes
from tests.in_process import in_process
from tests.make import make_player, make_user
from tests.provider.relying_party import (
    CALLBACK,
    ISSUER,
    PASSWORD,
    Browser,
    RelyingParty,
    answer_in,
    register,
)
from tests.server import environment


async def test_a_player_signs_in_at_a_website(browser: Browser, party: RelyingParty):
    answer = await browser.sign_in(party.query())
    assert answer == {
        "from": "game",
        "code": answer["code"],
        "state": party.state,
        "iss": ISSUER,
    }

    got = await party.exchange(answer["code"])

    assert got.status_code == 200, got.text
    assert got.headers["cache-control"] == "no-store"
    tokens = got.json()
    assert {name: tokens[name] for name in ("token_type", "expires_in", "scope")} == {
        "token_type": "Bearer",
        "expires_in": 600,
        "scope": "openid profile email",
    }
    assert "refresh_token" not in tokens
    claims = await party.claims(tokens["id_token"])
    assert claims["iss"] == ISSUER
    assert (claims["aud"], claims["sub"]) == (party.id, str(browser.user))
    assert claims["nonce"] == party.nonce
    assert 0 < claims["exp"] - claims["iat"] <= 600
    assert claims["auth_time"] <= claims["iat"]
    info = await party.user_info(tokens["access_token"])
    assert info.json() == {
        "sub": str(browser.user),
        "name": "Ana",
        "preferred_username": "Ana",
        "banned": False,
        "email_verified": False,
    }


async def test_the_second_sign_in_asks_nothing(browser: Browser, party: RelyingParty):
    await browser.sign_in(party.query())

    again = await browser.authorize(party.query())

    assert again.status_code == 303
    assert again.headers["location"].startswith(f"{CALLBACK}&code=")
    assert again.headers["referrer-policy"] == "no-referrer"
    assert again.headers["cache-control"] == "no-store"
    assert (await party.exchange(answer_in(again.headers["location"])["code"])).status_code == 200


async def test_an_address_is_shared_only_when_it_is_verified(
    browser: Browser, party: RelyingParty, database: Database
):
    await database.write(lambda writer: verified_emails.record(writer, {browser.user: "mail"}))

    answer = await browser.sign_in(party.query())
    tokens = (await party.exchange(answer["code"])).json()

    info = (await party.user_info(tokens["access_token"])).json()
    assert (info["email"], info["email_verified"]) == ("Ana@example.com", True)
    claims = await party.claims(tokens["id_token"])
    assert (claims["email"], claims["email_verified"]) == ("Ana@example.com", True)


async def test_characters_and_roles_are_shared_by_scope(
    browser: Browser, party: RelyingParty, database: Database
):
    hero = await make_player(database, "Hero", user=browser.user, level=7)

    answer = await browser.sign_in(party.query(scope="openid characters roles unknown"))
    tokens = (await party.exchange(answer["code"])).json()

    assert tokens["scope"] == "openid characters roles"
    assert (await party.user_info(tokens["access_token"])).json() == {
        "sub": str(browser.user),
        "roles": [],
        "characters": [{"id": str(hero), "name": "Hero", "level": 7}],
    }


async def test_discovery_names_what_there_is(http: httpx2.AsyncClient):
    found = await http.get("/.well-known/openid-configuration")
    document = found.json()

    assert document["issuer"] == ISSUER
    assert document["id_token_signing_alg_values_supported"] == ["RS256"]
    assert document["code_challenge_methods_supported"] == ["S256"]
    for name, address in document.items():
        if name.endswith(("_endpoint", "_uri")):
            answer = await http.get(str(address).removeprefix(ISSUER))
            assert answer.status_code != 404, name
    keys = (await http.get("/openid/keys")).json()["keys"]
    assert [(key["kty"], key["use"], key["alg"]) for key in keys] == [("RSA", "sig", "RS256")]
    assert not {"d", "p", "q"} & set(keys[0])


@pytest.mark.parametrize(
    "path", ["/.well-known/openid-configuration", "/openid/keys", "/openid/authorize"]
)
async def test_without_an_issuer_there_is_no_provider(client: httpx2.AsyncClient, path: str):
    assert (await client.get(path)).json()["Code"] == "route_not_found"


def test_without_an_issuer_no_library_of_it_is_loaded(settings: Settings):
    program = """
import asyncio, sys
from gamekeeper.app import App
from gamekeeper.core.settings import Settings

async def main():
    app = App(Settings.read())
    await app.start()
    await app.stop()

asyncio.run(main())
print(*sorted(name for name in sys.modules if name.startswith(("joserfc", "gamekeeper"))))
"""
    done = processes.run(
        [sys.executable, "-c", program], env=environment(settings), timeout=processes.PATIENCE
    )

    assert done.returncode == 0, done.stderr
    loaded = done.stdout.split()
    assert "gamekeeper.app" in loaded
    assert not [name for name in loaded if name.startswith(("joserfc", "gamekeeper.api.openid"))]


async def test_a_secret_is_sent_by_basic_authentication_too(browser: Browser, party: RelyingParty):
    code = (await browser.sign_in(party.query()))["code"]
    pair = f"{quote_plus(party.id)}:{quote_plus(str(party.secret))}"
    fields = {
        "grant_type": "authorization_code",
        "code": code,
        "redirect_uri": CALLBACK,
        "code_verifier": party.verifier,
    }
    headers = {"Authorization": f"Basic {b64encode(pair.encode()).decode()}"}

    both = await party.http.post(
        "/openid/token", data=fields | {"client_secret": "x"}, headers=headers
    )
    got = await party.http.post("/openid/token", data=fields, headers=headers)

    assert both.json()["error"] == "invalid_request"
    assert got.status_code == 200, got.text


async def test_user_info_by_post(browser: Browser, party: RelyingParty):
    code = (await browser.sign_in(party.query()))["code"]
    token = (await party.exchange(code)).json()["access_token"]

    by_header = await party.http.post(
        "/openid/userinfo", headers={"Authorization": f"Bearer {token}"}
    )
    by_body = await party.http.post("/openid/userinfo", data={"access_token": token})

    assert by_header.json() == by_body.json()
    assert by_header.json()["sub"] == str(browser.user)


async def test_an_authorization_request_by_post(browser: Browser, party: RelyingParty):
    await browser.sign_in(party.query())

    sent = await browser.http.post(
        "/openid/authorize",
        content=party.query(),
        headers={"Content-Type": "application/x-www-form-urlencoded"},
    )

    assert sent.status_code == 303
    assert sent.headers["location"] == f"{ISSUER}/openid/authorize?{party.query()}"


async def test_a_silent_request_never_shows_a_page(browser: Browser, party: RelyingParty):
    query = party.query(prompt="none")

    signed_out = await browser.authorize(query)
    await browser.enter_password(party.query())
    not_agreed = await browser.authorize(query)
    await browser.decide(party.query())
    agreed = await browser.authorize(query)

    errors = [answer_in(a.headers["location"]).get("error") for a in (signed_out, not_agreed)]
    assert errors == ["login_required", "consent_required"]
    assert "code" in answer_in(agreed.headers["location"])


async def test_a_client_asks_for_the_password_again(
    browser: Browser, party: RelyingParty, database: Database
):
    await browser.sign_in(party.query())
    await database.write(
        lambda writer: writer.run(
            "UPDATE openid_sessions SET authenticated_at = now() - interval '1 hour'"
        )
    )
    await database.write(
        lambda writer: writer.run("UPDATE passwords SET changed_at = now() - interval '1 day'")
    )
    old = await party.claims(
        (
            await party.exchange(
                answer_in((await browser.authorize(party.query())).headers["location"])["code"]
            )
        ).json()["id_token"]
    )

    by_age = await browser.authorize(party.query(max_age="60"))
    young_enough = await browser.authorize(party.query(max_age="7200"))
    by_prompt = await browser.authorize(party.query(prompt="login"))
    answer = await browser.sign_in(party.query(prompt="login"))

    assert (by_age.status_code, by_prompt.status_code) == (200, 200)
    assert young_enough.status_code == 303
    new = await party.claims((await party.exchange(answer["code"])).json()["id_token"])
    assert new["auth_time"] >= old["auth_time"] + 3590
    # The clients know the player by the session, which goes on.
    assert new["sid"] == old["sid"]


async def test_a_client_asks_for_consent_again(browser: Browser, party: RelyingParty):
    await browser.sign_in(party.query())

    shown = await browser.authorize(party.query(prompt="consent"))

    assert shown.status_code == 200
    assert "forum.example.org" in shown.text
    refused = await browser.decide(party.query(prompt="consent"), allow=False)
    assert answer_in(refused.json()["next"])["error"] == "access_denied"


async def test_more_scopes_need_another_consent(browser: Browser, party: RelyingParty):
    await browser.sign_in(party.query(scope="openid"))

    assert (await browser.authorize(party.query(scope="openid"))).status_code == 303
    assert (await browser.authorize(party.query(scope="openid email"))).status_code == 200


async def test_a_hinted_account_must_be_the_one_that_is_signed_in(
    browser: Browser, party: RelyingParty, database: Database
):
    answer = await browser.sign_in(party.query())
    hint = (await party.exchange(answer["code"])).json()["id_token"]
    other = Browser(browser.http, "Bo", await make_user(database, "Bo", password=PASSWORD))
    await other.sign_in(party.query())
    query = party.query(prompt="none", id_token_hint=hint)

    assert "code" in answer_in((await browser.authorize(query)).headers["location"])
    refused = answer_in((await other.authorize(query)).headers["location"])
    forged = answer_in(
        (await browser.authorize(party.query(id_token_hint=hint[:-8] + "AAAAAAAA"))).headers[
            "location"
        ]
    )
    assert (refused["error"], forged["error"]) == ("login_required", "invalid_request")


async def test_the_page_names_the_client_and_fills_in_the_hinted_name(
    browser: Browser, party: RelyingParty
):
    page = await browser.authorize(party.query(login_hint='A"na', ui_locales="de fr"))

    assert page.headers["content-language"] == "de"
    assert "Weiter zu" in page.text
    assert 'value="A&#34;na"' in page.text


async def test_an_operator_may_vouch_for_a_website(
    browser: Browser, http: httpx2.AsyncClient, database: Database
):
    own = RelyingParty(http, await register(database, asks_consent=False))

    entered = await browser.enter_password(own.query())
    back = await browser.get(entered.json()["next"])

    assert "code" in answer_in(back.headers["location"])


async def test_the_keys_rotate_with_an_overlap(
    browser: Browser, party: RelyingParty, provider_settings: Settings
):
    from gamekeeper.auth.secrets import Vault
    from gamekeeper.provider import keys

    async def kids() -> list[str]:
        return [key["kid"] for key in (await party.http.get("/openid/keys")).json()["keys"]]

    async def move(interval: str) -> None:
        sql = "UPDATE openid_keys SET signs_from = signs_from - $1::text::interval"
        await database.write(lambda writer: writer.run(sql, interval))

    old = (await party.exchange((await browser.sign_in(party.query()))["code"])).json()["id_token"]
    async with Database.open(provider_settings) as database:
        vault = Vault(provider_settings)
        [first] = await kids()
        await keys.rotate(database, vault)
        assert await kids() == [first]
        await move("91 days")
        await keys.rotate(database, vault)
        [second, _] = await kids()
        # Published, and not used yet.
        await party.claims(old)
        assert await _signer(browser, party) == first
        await move("1 day")
        assert await _signer(browser, party) == second
        await party.claims(old)
        await move("90 days")
        await keys.rotate(database, vault)
        assert first not in await kids()


async def _signer(browser: Browser, party: RelyingParty) -> str:
    from joserfc import jws

    back = await browser.authorize(party.query())
    code = answer_in(back.headers["location"])["code"]
    token = (await party.exchange(code)).json()["id_token"]
    return str(jws.extract_compact(token.encode()).headers()["kid"])


async def test_a_staff_member_needs_the_second_factor(
    http: httpx2.AsyncClient, database: Database, party: RelyingParty
):
    from tests.staff.signed_in import PASSWORD as STAFF_PASSWORD
    from tests.staff.signed_in import Person

    person = await Person.make(http, database)
    await person.sign_in()
    browser = Browser(http, person.name, UUID(str(person.user_id)))
    query = party.query(scope="openid roles")

    without = await browser.enter_password(query, STAFF_PASSWORD)
    wrong = await browser.enter_password(query, STAFF_PASSWORD, code="000000")
    code = person.code()
    right = await browser.enter_password(query, STAFF_PASSWORD, code=code)
    again = await browser.enter_password(query, STAFF_PASSWORD, code=code)

    assert without.json()["Code"] == "second_factor_required"
    assert (wrong.json()["Code"], again.json()["Code"]) == ("wrong_code", "wrong_code")
    assert right.status_code == 200
    answer = answer_in((await browser.decide(query)).json()["next"])
    tokens = (await party.exchange(answer["code"])).json()
    assert (await party.user_info(tokens["access_token"])).json()["roles"] == ["support"]


async def test_a_prefix_of_the_issuer_is_part_of_every_address(settings: Settings):
    from msgspec import structs

    prefixed = structs.replace(settings, openid_issuer=f"{ISSUER}/keeper")
    async with in_process(prefixed) as http:
        found = (await http.get("/.well-known/openid-configuration")).json()
    assert found["token_endpoint"] == f"{ISSUER}/keeper/openid/token"


async def test_optional_parameters_may_be_left_out_and_unknown_ones_are_ignored(
    browser: Browser, party: RelyingParty
):
    query = party.query(
        nonce=None,
        state=None,
        scope="email phone openid address",
        display="popup",
        acr_values="1 2",
        claims='{"userinfo": {"name": {"essential": true}}}',
        unknown="parameter",
    )

    answer = await browser.sign_in(query)

    assert set(answer) == {"from", "code", "iss"}
    tokens = (await party.exchange(answer["code"])).json()
    assert "nonce" not in await party.claims(tokens["id_token"])
    assert tokens["scope"] == "openid email"
