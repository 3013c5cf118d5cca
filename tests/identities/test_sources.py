"""
Sign-in and links by Discord, Steam and OpenID issuers, and each attack on them.

The numbers are those of the checklist of attacks: RFC 9700, and Sudhodanan and Paverd (2022).
"""

import asyncio
import hmac
import json
import re
import time
from base64 import urlsafe_b64encode
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from typing import Any
from urllib.parse import parse_qsl, urlsplit

import httpx2
import pytest
from joserfc import jwk, jwt
from msgspec import structs

from gamekeeper.app import ROUTES
from gamekeeper.auth import tokens
from gamekeeper.auth.secrets import Vault
from gamekeeper.core import sign_in_sources
from gamekeeper.core.settings import BadSettings, Hidden, Settings
from gamekeeper.egress import connection_pool
from gamekeeper.users import erasure
from gamekeeper.users.erasure import Erasure
from gamekeeper.users.identities import links, sign_ins
from gamekeeper.users.identities.links import IdentityLink, Unlink
from gamekeeper.users.identities.sources import discord, oidc, steam
from tests.identities.fakes import (
    CLIENT,
    NAMESPACE,
    SECRET,
    FakeApple,
    FakeDiscord,
    FakeIssuer,
    FakeSteam,
    running,
    visit,
)
from tests.identities.people import PASSWORD, Player, good, refused
from tests.in_process import in_process
from tests.make import BY, make_user, proved, sha
from tests.moderation.rows import make_sanction
from tests.security.callers import key_with
from tests.webhooks.authorities import Authority

HERE, BACK = "https://play.example", "https://game.example/signed-in"
APPLE_KEY = jwk.ECKey.generate_key("P-256", private=True)


class World:
    """The application with all sources, its clients, and what a browser does."""

    def __init__(self, client: httpx2.AsyncClient, database: Any) -> None:
        self.client, self.database = client, database
        self.discord, self.steam = FakeDiscord(), FakeSteam()
        self.google, self.apple = FakeIssuer(), FakeApple()

    def fake(self, source: str) -> Any:
        return {"google": self.google, "apple": self.apple}.get(source) or getattr(self, source)

    async def start(self, source: str, player: Player | None = None) -> dict[str, Any]:
        body = {"source": source, "returnto": BACK}
        if player is None:
            return good(await self.client.post("/api/v1/sign-in/start", json=body))
        body["password"] = sha(PASSWORD)
        path = "/api/v1/me/identities/start"
        return good(await self.client.post(path, json=body, headers=player.headers))

    async def finish(
        self, begun: dict, back: str, player: Player | None = None, **about: str
    ) -> httpx2.Response:
        came = dict(parse_qsl(urlsplit(back).query))
        body = {"flow": begun["Flow"], "secret": begun["Secret"], "result": came.get("result", "")}
        body |= about
        path = "/api/v1/me/identities/finish" if player else "/api/v1/sign-in/finish"
        headers = player.headers if player else None
        return await self.client.post(path, json=body, headers=headers)

    async def link(self, source: str, player: Player) -> dict[str, Any]:
        begun = await self.start(source, player)
        back = await Browser(self).through(source, begun["Url"])
        return good(await self.finish(begun, back, player))

    async def sign_in(self, source: str) -> httpx2.Response:
        begun = await self.start(source)
        return await self.finish(begun, await Browser(self).through(source, begun["Url"]))


class Browser:
    """A browser with the cookies that the application set."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.cookie = ""

    async def get(self, url: str) -> httpx2.Response:
        return await self._sent("GET", url)

    async def _sent(self, method: str, url: str, **about: Any) -> httpx2.Response:
        headers = {"Cookie": self.cookie} if self.cookie else {}
        path = url.removeprefix(HERE)
        answer = await self.world.client.request(method, path, headers=headers, **about)
        if found := answer.headers.get("set-cookie"):
            self.cookie = found.partition(";")[0]
        return answer

    async def open(self, url: str) -> str:
        """The address at the source to which a flow leads."""
        answer = await self.get(url)
        assert answer.status_code == 303, answer.text
        return answer.headers["location"]

    async def answered(self, source: str, parameters: dict[str, str]) -> httpx2.Response:
        """Come back from the source."""
        url = f"{HERE}/sign-in/{source}/callback"
        if source == "apple":
            return await self._sent("POST", url, data=parameters)
        return await self.get(visit(url, parameters))

    async def through(self, source: str, url: str) -> str:
        """The address where a whole flow ends."""
        said = await self.world.fake(source).answer_browser(await self.open(url))
        return location(await self.answered(source, said))


def location(answer: httpx2.Response) -> str:
    assert answer.status_code == 303, answer.text
    return answer.headers["location"]


def error_of(back: str) -> str | None:
    assert back.startswith(f"{BACK}?")
    return dict(parse_qsl(urlsplit(back).query)).get("error")


@pytest.fixture
async def world(settings, database, tmp_path, monkeypatch) -> AsyncIterator[World]:
    authority = Authority(tmp_path)
    monkeypatch.setenv("SSL_CERT_FILE", str(authority.file))
    connection_pool._trust.cache_clear()
    async with AsyncExitStack() as stack:
        made = World(None, database)  # type: ignore[arg-type]
        for fake in (made.discord, made.steam, made.google, made.apple):
            await stack.enter_async_context(running(fake, authority.server("127.0.0.1")))
        monkeypatch.setattr(discord, "API", f"{made.discord.url}/api/v10")
        monkeypatch.setattr(steam, "ENDPOINT", made.steam.endpoint)
        monkeypatch.setattr(steam, "TICKETS", f"{made.steam.url}/ticket")
        configured = structs.replace(
            settings,
            public_url=HERE,
            webhook_hosts="127.0.0.1:*",
            sign_in_sources=Hidden(json.dumps(sources(made))),
            sign_in_returns=f"{BACK}, https://other.example/",
        )
        made.client = await stack.enter_async_context(in_process(configured))
        yield made
    connection_pool._trust.cache_clear()


def sources(world: World) -> list[dict[str, Any]]:
    oidc = {"kind": "oidc", "client_id": CLIENT}
    return [
        {"kind": "discord", "client_id": CLIENT, "client_secret": SECRET},
        {"kind": "steam", "api_key": "publisher key", "app_id": 480},
        oidc
        | {
            "name": "google",
            "label": "Google",
            "issuer": world.google.url,
            "client_secret": SECRET,
        },
        oidc
        | {
            "name": "apple",
            "label": "Apple",
            "issuer": world.apple.url,
            "apple": {
                "team_id": world.apple.TEAM,
                "key_id": world.apple.KEY,
                "private_key": world.apple.client_key.as_pem(private=True).decode(),
            },
            "response_mode": "form_post",
        },
    ]


@pytest.fixture
async def ana(world, database) -> Player:
    return await Player.make(world.client, database, "ana")


@pytest.mark.parametrize(
    ("source", "subject"),
    [
        ("discord", "80351110224678912"),
        ("steam", "76561197960287930"),
        ("google", "person-1"),
        ("apple", "person-1"),
    ],
)
async def test_a_link_and_a_sign_in_by_each_source(world, ana, source, subject):
    linked = await world.link(source, ana)
    assert linked["Subject"] == subject
    granted = good(await world.sign_in(source))
    headers = {"Authorization": f"Bearer {granted['access_token']}"}
    me = good(await world.client.get("/api/v1/me", headers=headers))
    assert me["UserId"] == str(ana.user)
    [used] = await ana.identities()
    assert used["LastUsedAt"] is not None
    # The sign-in ends with the link, the others stay.
    good(await ana.call("DELETE", f"/{used['Id']}"))
    await asyncio.sleep(0)
    assert await ana.identities() == []
    ended = "SELECT count(*) FROM token_families WHERE revoked_at IS NOT NULL"
    assert await world.database.reader.value(ended) == 1
    assert refused(await world.sign_in(source)) == (404, "identity_not_linked")


async def test_a_website_gets_the_account_and_no_tokens(world, ana, database):
    await world.link("discord", ana)
    await database.write(lambda writer: writer.run("UPDATE users SET api = false"))
    assert (await world.sign_in("discord")).json()["Code"] == "invalid_grant"
    begun = await world.start("discord")
    back = await Browser(world).through("discord", begun["Url"])
    body = {"flow": begun["Flow"], "secret": begun["Secret"]}
    body["result"] = dict(parse_qsl(urlsplit(back).query))["result"]
    headers = await key_with(database, "users.query")
    answer = await world.client.post("/api/v1/sign-in/account", json=body, headers=headers)
    assert good(answer) == {"UserId": str(ana.user), "Username": "ana"}


@pytest.mark.parametrize("source", ["discord", "steam", "google", "apple"])
async def test_a_ban_holds_on_every_way_in(world, ana, database, source):
    """19: and no tokens are made."""
    await world.link(source, ana)
    await make_sanction(database, user_id=ana.user)
    assert refused(await world.sign_in(source)) == (403, "account_banned")
    headers = await key_with(database, "users.query")
    body = {"ticket": "14000000"}
    world.steam.tickets["14000000", "gamekeeper"] = {"steamid": world.steam.steam_id}
    path = "/api/v1/sign-in/steam-ticket"
    if source == "steam":
        answer = await world.client.post(path, json=body, headers=headers)
        assert refused(answer) == (403, "account_banned")


# ── 1: addresses ──


@pytest.mark.parametrize(
    "address",
    [
        *(f"{BACK}/", f"{BACK}?a=1", f"{BACK}#", "https://game.example/", "https://game.example"),
        *("https://evil.example/signed-in", "https://game.example@evil.example/signed-in"),
        *(BACK.upper(), "//game.example/signed-in", "javascript:alert(1)", ""),
    ],
)
async def test_1_a_return_address_is_compared_as_an_exact_string(world, address):
    body = {"source": "discord", "returnto": address}
    answer = await world.client.post("/api/v1/sign-in/start", json=body)
    assert refused(answer) == (400, "invalid_return_address")


def test_1_a_return_address_has_no_user_query_or_fragment():
    for wrong in ("http://game.example/", "https://a@game.example/", "https://game.example/#x"):
        with pytest.raises(ValueError, match=wrong):
            sign_in_sources.returns(wrong)


# ── 2 and 3: PKCE and codes ──


@pytest.mark.parametrize("source", ["discord", "google", "apple"])
async def test_2_every_request_has_a_challenge_and_a_state_of_its_own(world, source):
    asked = []
    for _ in range(2):
        url = await Browser(world).open((await world.start(source))["Url"])
        asked.append(dict(parse_qsl(urlsplit(url).query)))
    for name in ("code_challenge", "state"):
        assert len({each[name] for each in asked}) == 2
        assert all(re.fullmatch(r"[\w-]{43}", each[name]) for each in asked)
    assert {each["code_challenge_method"] for each in asked} == {"S256"}


async def test_2_a_code_of_another_flow_has_another_challenge(world, ana):
    """Code injection: the fake checks the verifier, as Discord does."""
    await world.link("discord", ana)
    stolen = await world.discord.answer_browser(
        await Browser(world).open((await world.start("discord"))["Url"])
    )
    browser = Browser(world)
    begun = await world.start("discord")
    state = dict(parse_qsl(urlsplit(await browser.open(begun["Url"])).query))["state"]
    back = location(await browser.answered("discord", {"code": stolen["code"], "state": state}))
    assert error_of(back) == "proof_refused"


async def test_3_an_answer_and_a_result_are_used_once(world, ana):
    await world.link("discord", ana)
    begun, browser = await world.start("discord"), Browser(world)
    said = await world.discord.answer_browser(await browser.open(begun["Url"]))
    back = location(await browser.answered("discord", said))
    assert refused(await browser.answered("discord", said)) == (404, "unknown_flow")
    good(await world.finish(begun, back))
    assert refused(await world.finish(begun, back)) == (404, "unknown_flow")
    assert (await browser.get(begun["Url"])).status_code == 404


async def test_a_flow_expires(world, ana, database):
    await world.link("discord", ana)
    begun, browser = await world.start("discord"), Browser(world)
    said = await world.discord.answer_browser(await browser.open(begun["Url"]))
    await database.write(lambda writer: writer.run("UPDATE identity_flows SET expires_at = now()"))
    assert refused(await browser.answered("discord", said)) == (404, "unknown_flow")


# ── 5: mix-up ──


async def test_5_an_answer_of_another_issuer_is_refused(world):
    begun, browser = await world.start("google"), Browser(world)
    said = await world.google.answer_browser(await browser.open(begun["Url"]))
    said["iss"] = world.apple.url
    assert error_of(location(await browser.answered("google", said))) == "proof_refused"
    assert not [each for each in world.google.asked if each.path == "/token"]


async def test_5_an_issuer_that_announces_iss_must_send_it(world):
    begun, browser = await world.start("google"), Browser(world)
    said = await world.google.answer_browser(await browser.open(begun["Url"]))
    del said["iss"]
    assert error_of(location(await browser.answered("google", said))) == "proof_refused"


async def test_5_each_source_has_an_address_of_its_own(world):
    begun, browser = await world.start("google"), Browser(world)
    said = await world.google.answer_browser(await browser.open(begun["Url"]))
    answer = await browser.answered("discord", said)
    assert refused(answer) == (404, "unknown_flow")
    assert world.discord.asked == []


async def test_5_the_configuration_must_name_the_configured_issuer(world):
    world.google.issuer = "https://accounts.example"
    back = await Browser(world).open((await world.start("google"))["Url"])
    assert error_of(back) == "source_unavailable"


# ── 6: state ──


async def test_6_an_answer_counts_only_in_the_browser_that_began(world, ana):
    """Login CSRF: the attacker's answer in the browser of the victim."""
    await world.link("discord", ana)
    attacker, begun = Browser(world), await world.start("discord")
    said = await world.discord.answer_browser(await attacker.open(begun["Url"]))
    victim = Browser(world)
    assert refused(await victim.answered("discord", said)) == (404, "unknown_flow")
    await victim.open((await world.start("discord"))["Url"])
    assert refused(await victim.answered("discord", said)) == (404, "unknown_flow")
    # It is not used up by that.
    assert error_of(location(await attacker.answered("discord", said))) is None


async def test_6_who_sends_a_link_to_somebody_gets_no_result(world, ana, database):
    """The victim signs in at Discord for the attacker's flow: it ends at the victim's browser."""
    attacker = await Player.make(world.client, database, "mallory")
    begun = await world.start("discord", attacker)
    back = await Browser(world).through("discord", begun["Url"])
    without = await world.finish(begun, BACK, attacker)
    assert refused(without) == (404, "unknown_flow")
    # The page in the victim's browser has the result, and the victim's token.
    assert refused(await world.finish(begun, back, ana)) == (404, "unknown_flow")
    assert refused(await world.finish(begun | {"Secret": "x"}, back, attacker)) == (
        404,
        "unknown_flow",
    )
    assert await ana.identities() == await attacker.identities() == []


async def test_6_a_flow_to_link_is_no_sign_in(world, ana):
    await world.link("discord", ana)
    begun = await world.start("google", ana)
    back = await Browser(world).through("google", begun["Url"])
    assert refused(await world.finish(begun, back)) == (404, "unknown_flow")


async def test_6_a_link_needs_the_password(world, ana):
    body = {"source": "discord", "returnto": BACK, "password": sha("a wrong password")}
    answer = await world.client.post("/api/v1/me/identities/start", json=body, headers=ana.headers)
    assert refused(answer) == (403, "invalid_credentials")


# ── 7: ID tokens ──


OTHER_KEY = jwk.RSAKey.generate_key(2048, {"kid": "one", "use": "sig"}, private=True)
BAD_CLAIMS: dict[str, dict[str, Any]] = {
    "the issuer": {"iss": "https://accounts.example"},
    "the audience": {"aud": "another client"},
    "audiences without azp": {"aud": [CLIENT, "another client"]},
    "azp": {"azp": "another client"},
    "the nonce": {"nonce": "another"},
    "no nonce": {"nonce": None},
    "no end": {"exp": None},
    "an end as text": {"exp": "9999999999"},
    "no subject": {"sub": None},
    "an empty subject": {"sub": ""},
}


@pytest.mark.parametrize("name", BAD_CLAIMS)
async def test_7_a_wrong_claim_is_refused(world, ana, name):
    await world.link("google", ana)
    world.google.change = lambda claims: claims.update(BAD_CLAIMS[name])
    begun = await world.start("google")
    assert error_of(await Browser(world).through("google", begun["Url"])) == "proof_refused"


@pytest.mark.parametrize(
    "claims",
    [
        {"aud": [CLIENT]},
        {"aud": [CLIENT, "another"], "azp": CLIENT},
        {"email_verified": "true"},
    ],
)
async def test_7_a_right_token_is_accepted(world, ana, claims):
    await world.link("google", ana)
    world.google.change = lambda token: token.update(claims)
    good(await world.sign_in("google"))


CLOCKS: dict[str, tuple[dict[str, int], bool]] = {
    "ended a moment ago": ({"exp": -20}, True),
    "ended before": ({"exp": -120}, False),
    "made in a moment": ({"iat": 30}, True),
    "of tomorrow": ({"iat": 86_400}, False),
    "valid in a moment": ({"nbf": 30}, True),
    "not yet valid": ({"nbf": 86_400}, False),
}
"""Seconds from now, as the token is made."""


@pytest.mark.parametrize("name", CLOCKS)
async def test_7_clocks_may_differ_by_a_minute(world, ana, name):
    await world.link("google", ana)
    offsets, is_right = CLOCKS[name]
    world.google.change = lambda token: token.update(
        {claim: int(time.time()) + offset for claim, offset in offsets.items()}
    )
    begun = await world.start("google")
    error = error_of(await Browser(world).through("google", begun["Url"]))
    assert error == (None if is_right else "proof_refused")


async def test_7_a_signature_of_another_key_is_refused(world, ana):
    await world.link("google", ana)
    world.google.signed_with = OTHER_KEY
    begun = await world.start("google")
    assert error_of(await Browser(world).through("google", begun["Url"])) == "proof_refused"


async def test_7_the_key_never_comes_from_the_header(world, ana):
    await world.link("google", ana)
    own = OTHER_KEY.as_dict(private=False) | {"kid": "mine"}
    for header in ({"kid": "mine", "jwk": own}, {"kid": "mine", "jku": "https://127.0.0.1/keys"}):
        world.google.header, world.google.signed_with = header, OTHER_KEY
        begun = await world.start("google")
        assert error_of(await Browser(world).through("google", begun["Url"])) == "proof_refused"


async def test_7_an_algorithm_that_is_not_allowed_is_refused(world, ana):
    await world.link("google", ana)
    for forged in ("none", "HS256"):
        world.google.token = lambda granted, forged=forged: forge(granted, forged, world)
        begun = await world.start("google")
        assert error_of(await Browser(world).through("google", begun["Url"])) == "proof_refused"
    del world.google.token
    world.google.algorithm = "RS512"
    begun = await world.start("google")
    assert error_of(await Browser(world).through("google", begun["Url"])) == "proof_refused"


def forge(granted: dict[str, str], algorithm: str, world: World) -> str:
    """A token without a signature, or signed with the public key as if it were a secret."""
    now = int(time.time())
    claims = {"iss": world.google.url, "sub": "person-1", "aud": CLIENT, "nonce": granted["nonce"]}
    claims |= {"iat": now, "exp": now + 300}
    head = {"alg": algorithm, "kid": "one"}
    signed = ".".join(_part(json.dumps(part).encode()) for part in (head, claims))
    if algorithm == "none":
        return f"{signed}."
    key = world.google.key.as_pem(private=False)
    return f"{signed}.{_part(hmac.digest(key, signed.encode(), 'sha256'))}"


def _part(raw: bytes) -> str:
    return urlsafe_b64encode(raw).rstrip(b"=").decode()


async def test_7_rotated_keys_are_fetched_again_but_not_at_any_time(world, ana, monkeypatch):
    await world.link("google", ana)
    new = jwk.RSAKey.generate_key(2048, {"kid": "two", "use": "sig"}, private=True)
    world.google.published.append(new)
    world.google.key = new
    # The keys were fetched just now: an unknown key must not make us fetch them at every token.
    begun = await world.start("google")
    assert error_of(await Browser(world).through("google", begun["Url"])) == "proof_refused"
    fetched = [each for each in world.google.asked if each.path == "/keys"]
    assert len(fetched) == 1
    monkeypatch.setattr("gamekeeper.users.identities.sources.oidc.REFRESH_SECONDS", 0)
    good(await world.sign_in("google"))


# ── 8: outgoing requests; 9: leaks ──


async def test_8_a_private_address_of_an_issuer_is_not_called(world, settings):
    hidden = structs.replace(
        settings,
        public_url=HERE,
        sign_in_sources=Hidden(json.dumps(sources(world))),
        sign_in_returns=BACK,
    )
    async with in_process(hidden) as client:
        body = {"source": "google", "returnto": BACK}
        begun = good(await client.post("/api/v1/sign-in/start", json=body))
        answer = await client.get(begun["Url"].removeprefix(HERE))
    assert error_of(location(answer)) == "source_unavailable"
    assert world.google.asked == []


@pytest.mark.parametrize("status", [302, 403, 429, 500, 503])
async def test_8_a_source_that_refuses_is_unavailable_and_no_failed_sign_in(world, ana, status):
    await world.link("steam", ana)
    world.steam.refusal = status
    begun = await world.start("steam")
    back = await Browser(world).through("steam", begun["Url"])
    assert error_of(back) == ("proof_refused" if status == 302 else "source_unavailable")


async def test_9_nothing_leaks_from_the_addresses_on_the_way(world, ana):
    browser, begun = Browser(world), await world.start("discord", ana)
    opened = await browser.get(begun["Url"])
    said = await world.discord.answer_browser(opened.headers["location"])
    for answer in (opened, await browser.answered("discord", said)):
        assert answer.status_code == 303
        assert answer.headers["referrer-policy"] == "no-referrer"
        assert answer.headers["cache-control"] == "no-store"
        assert "frame-ancestors 'none'" in answer.headers["content-security-policy"]
        assert answer.text == ""
    cookie = opened.headers["set-cookie"]
    assert cookie.startswith("__Host-gamekeeper-flow=")
    assert all(part in cookie for part in ("; Secure", "; HttpOnly", "; SameSite=Lax", "; Path=/"))
    apple = await Browser(world).get((await world.start("apple"))["Url"])
    assert "; SameSite=None" in apple.headers["set-cookie"]
    stored = str(await world.database.reader.rows("SELECT to_jsonb(f) FROM identity_flows AS f"))
    for secret in (begun["Secret"], said["state"], said["code"], cookie[23:66]):
        assert secret not in stored


# ── 11 to 15: pre-hijacking ──


@pytest.mark.parametrize("verified", [True, "true", False])
async def test_11_and_15_an_account_is_never_found_by_email(world, database, verified):
    """Classic-federated merge, and an issuer that does not verify addresses."""
    await make_user(database, "victim", email="ana@example.com", password=PASSWORD, api=True)
    world.google.change = lambda claims: claims.update(email_verified=verified)
    assert refused(await world.sign_in("google")) == (404, "identity_not_linked")
    assert await database.reader.value("SELECT count(*) FROM identities") == 0


async def test_12_a_sign_in_that_began_with_an_identity_ends_with_a_new_password(
    world, ana, database
):
    """Unexpired session."""
    await world.link("discord", ana)
    granted = good(await world.sign_in("discord"))
    headers = await key_with(database, "users.query")
    body = {"new": sha("a brand new password"), "authorization": sha(PASSWORD)}
    path = "/api/v1/users/ana/password/change"
    good(await world.client.post(path, json=body, headers=headers))
    refresh = {"grant_type": "refresh_token", "refresh_token": granted["refresh_token"]}
    answer = await world.client.post("/api/oauth/token", json=refresh)
    assert answer.json()["error"] == "invalid_grant"


async def test_12_a_flow_to_link_ends_with_a_new_password(world, ana, database):
    begun = await world.start("discord", ana)
    back = await Browser(world).through("discord", begun["Url"])
    headers = await key_with(database, "users.query")
    body = {"new": sha("a brand new password"), "authorization": sha(PASSWORD)}
    good(await world.client.post("/api/v1/users/ana/password/change", json=body, headers=headers))
    # A token of the new sign-in, which the attacker does not have.
    issued = await tokens.issue.one(database, await proved(database, ana.user))
    ana.headers = {"Authorization": f"Bearer {issued.access}"}
    assert refused(await world.finish(begun, back, ana)) == (404, "unknown_flow")
    assert await ana.identities() == []


async def test_an_identity_of_an_erased_and_banned_account_is_not_linked(world, ana, database):
    await world.link("discord", ana)
    await make_sanction(database, user_id=ana.user)
    order = Erasure(by=BY, user=str(ana.user))
    await erasure.erase(Vault(database.settings)).one(database, order)
    bo = await Player.make(world.client, database, "bo")
    begun = await world.start("discord", bo)
    back = await Browser(world).through("discord", begun["Url"])
    assert refused(await world.finish(begun, back, bo)) == (409, "identity_of_banned_account")


async def test_a_sign_in_leaves_the_traces_of_one_by_password(world, ana, database):
    """For linked accounts: the address and the device."""
    await world.link("discord", ana)
    begun = await world.start("discord")
    back = await Browser(world).through("discord", begun["Url"])
    good(await world.finish(begun, back, deviceid="a device"))
    for table in ("user_addresses", "user_devices"):
        sql = f"SELECT user_id FROM {table}"
        assert [row["user_id"] for row in await database.reader.rows(sql)] == [ana.user]


async def test_one_identity_has_a_limited_number_of_sign_ins(world, ana, monkeypatch):
    monkeypatch.setattr(sign_ins, "MAX_SIGN_INS", 2)
    await world.link("discord", ana)
    granted = [good(await world.sign_in("discord")) for _ in range(3)]
    statuses = []
    for each in granted:
        headers = {"Authorization": f"Bearer {each['access_token']}"}
        statuses.append((await world.client.get("/api/v1/me", headers=headers)).status_code)
    assert statuses == [401, 200, 200]


# ── A source that is slow ──


async def test_a_slow_source_delays_nobody_else(world, ana, database):
    """Its requests have limits of their own, with a credential and without."""
    await world.link("discord", ana)
    application = world.client._transport.app._application
    begun = [await world.start("google") for _ in range(8)]
    for slow in (world.google, world.steam):
        slow.answers.clear()
    waiting = [asyncio.create_task(Browser(world).get(each["Url"])) for each in begun]
    waiting += [asyncio.create_task(ticket(world, database, TICKET)) for _ in range(8)]
    try:
        while not world.google.asked or len(world.steam.asked) < 8:
            await asyncio.sleep(0.01)
        assert application.limiter.in_flight == 0
        good(await world.client.get("/api/v1/sign-in"))
        good(await world.sign_in("discord"))
    finally:
        for slow in (world.google, world.steam):
            slow.answers.set()
        await asyncio.gather(*waiting)


async def test_a_source_that_failed_is_not_asked_again_at_once(world, monkeypatch):
    world.google.refusal = 500
    for _ in range(3):
        back = await Browser(world).open((await world.start("google"))["Url"])
        assert error_of(back) == "source_unavailable"
    assert len(world.google.asked) == 1
    world.google.refusal = None
    monkeypatch.setattr(oidc, "FAILURE_SECONDS", 0)
    await Browser(world).open((await world.start("google"))["Url"])
    assert len(world.google.asked) == 2


def test_every_route_that_asks_a_source_is_marked():
    marked = {f"{route.method} {route.path}" for route in ROUTES if route.calls_out}
    assert marked == {
        "GET /sign-in/{source}",
        "GET /sign-in/{source}/callback",
        "POST /sign-in/{source}/callback",
        "POST /api/v1/sign-in/steam-ticket",
    }


# ── Steam ──


STEAM_ATTACKS: dict[str, dict[str, str]] = {
    "mode": {"openid.mode": "cancel"},
    "namespace": {"openid.ns": "http://openid.net/signon/1.1"},
    "endpoint": {"openid.op_endpoint": "https://evil.example/openid/login"},
    "identity": {"openid.identity": "https://steamcommunity.com/openid/id/76561197960287931"},
    "unsigned identity": {
        "openid.signed": "signed,op_endpoint,return_to,response_nonce,assoc_handle"
    },
    "another site": {"openid.return_to": "https://play.example.evil/callback"},
    "another flow": {"openid.return_to": f"{HERE}/sign-in/steam/callback?state=another"},
    "old nonce": {"openid.response_nonce": "2020-01-01T00:00:00Zabc"},
    "bad nonce": {"openid.response_nonce": "2020-13-41T00:00:00Zabc"},
    "no nonce": {"openid.response_nonce": ""},
}


@pytest.mark.parametrize("name", STEAM_ATTACKS)
async def test_steam_every_field_is_checked_though_it_is_signed(world, ana, name):
    await world.link("steam", ana)
    world.steam.change = lambda answer: answer.update(STEAM_ATTACKS[name])
    begun = await world.start("steam")
    assert error_of(await Browser(world).through("steam", begun["Url"])) == "proof_refused"


@pytest.mark.parametrize(
    "identity",
    [
        "https://steamcommunity.com/openid/id/76561197960287930/evil",
        "https://steamcommunity.com/openid/id/76561197960287930\n",
        "https://evil.example/?https://steamcommunity.com/openid/id/76561197960287930",
        "https://steamcommunity.com/openid/id/12345678901234567",
        "https://steamcommunityXcom/openid/id/76561197960287930",
        "http://steamcommunity.com/openid/id/76561197960287930",
    ],
)
async def test_steam_the_identity_is_matched_as_a_whole(world, ana, identity):
    await world.link("steam", ana)
    both = {"openid.identity": identity, "openid.claimed_id": identity}
    world.steam.change = lambda answer: answer.update(both)
    begun = await world.start("steam")
    assert error_of(await Browser(world).through("steam", begun["Url"])) == "proof_refused"


@pytest.mark.parametrize(
    "confirmation",
    [
        f"ns:{NAMESPACE}\nis_valid:false\n",
        "is_valid:true\n",
        f"ns:{NAMESPACE}\nis_valid:false\nerror:is_valid:true\n",
        f"ns:{NAMESPACE}\nis_valid:true\nis_valid:false\n",
        f"ns:{NAMESPACE}\nxis_valid:true\n",
        "",
    ],
)
async def test_steam_must_confirm_in_key_values(world, ana, confirmation):
    await world.link("steam", ana)
    world.steam.confirmation = confirmation
    begun = await world.start("steam")
    assert error_of(await Browser(world).through("steam", begun["Url"])) == "proof_refused"


async def test_steam_what_it_did_not_say_is_refused(world, ana):
    await world.link("steam", ana)
    begun, browser = await world.start("steam"), Browser(world)
    said = await world.steam.answer_browser(await browser.open(begun["Url"]))
    said["openid.sig"] = "forged"
    assert error_of(location(await browser.answered("steam", said))) == "proof_refused"


async def test_steam_a_nonce_is_accepted_once(world, ana):
    """Also in another flow, whose return_to the attacker made Steam sign with an old nonce."""
    await world.link("steam", ana)
    nonce = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()) + "same"
    world.steam.change = lambda answer: answer.update({"openid.response_nonce": nonce})
    begun = await world.start("steam")
    back = await Browser(world).through("steam", begun["Url"])
    assert error_of(back) is None
    # Also after the flow was finished.
    good(await world.finish(begun, back))
    begun = await world.start("steam")
    assert error_of(await Browser(world).through("steam", begun["Url"])) == "proof_refused"


async def test_steam_of_two_answers_with_one_nonce_at_once_one_is_accepted(world, ana):
    nonce = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()) + "same"
    world.steam.change = lambda answer: answer.update({"openid.response_nonce": nonce})
    begun = [await world.start("steam") for _ in range(5)]
    backs = await asyncio.gather(*(Browser(world).through("steam", each["Url"]) for each in begun))
    errors = [error_of(back) for back in backs]
    assert sorted(errors, key=str) == [None] + ["proof_refused"] * 4


TICKET = "14000000ab"


@pytest.mark.parametrize(
    ("found", "code"),
    [
        ({"steamid": "76561197960287930", "ownersteamid": "76561197960287930"}, None),
        ({"steamid": "76561197960287930", "ownersteamid": "76561197960287999"}, "proof_refused"),
        ({"steamid": "76561197960287930", "publisherbanned": True}, "proof_refused"),
        ({"steamid": "1"}, "proof_refused"),
        ({"steamid": "76561197960287931"}, "identity_not_linked"),
    ],
)
async def test_steam_tickets(world, ana, database, found, code):
    await world.link("steam", ana)
    world.steam.tickets[TICKET, "gamekeeper"] = found
    answer = await ticket(world, database, TICKET)
    if code is None:
        assert good(answer) == {"UserId": str(ana.user), "Username": "ana"}
    else:
        assert answer.json()["Code"] == code


async def test_steam_a_ticket_for_another_service_is_refused(world, ana, database):
    await world.link("steam", ana)
    world.steam.tickets[TICKET, "another service"] = {"steamid": world.steam.steam_id}
    assert refused(await ticket(world, database, TICKET)) == (403, "proof_refused")
    assert refused(await ticket(world, database, "no hex")) == (400, "invalid_ticket")


async def ticket(world: World, database: Any, text: str) -> httpx2.Response:
    headers = await key_with(database, "users.query")
    path = "/api/v1/sign-in/steam-ticket"
    return await world.client.post(path, json={"ticket": text}, headers=headers)


# ── Apple, races, and nothing configured ──


def test_apple_the_client_secret_is_signed_for_five_minutes():
    from gamekeeper.core.sign_in_sources import AppleKey
    from gamekeeper.users.identities.sources.oidc import apple_secret

    pem = APPLE_KEY.as_pem(private=True).decode()
    secret = apple_secret(AppleKey(team_id="TEAM", key_id="KEY", private_key=pem), "our.service")
    token = jwt.decode(secret, APPLE_KEY, algorithms=["ES256"])
    assert token.header["kid"] == "KEY"
    claims = token.claims
    assert (claims["iss"], claims["sub"]) == ("TEAM", "our.service")
    assert claims["aud"] == "https://appleid.apple.com"
    assert claims["exp"] - claims["iat"] == 300


async def test_an_answer_by_post_counts_only_for_form_post(world, ana):
    await world.link("discord", ana)
    begun, browser = await world.start("discord"), Browser(world)
    said = await world.discord.answer_browser(await browser.open(begun["Url"]))
    answer = await browser._sent("POST", f"{HERE}/sign-in/discord/callback", data=said)
    assert refused(answer) == (403, "proof_refused")


async def test_a_parameter_that_comes_twice_is_refused(world):
    begun, browser = await world.start("discord"), Browser(world)
    said = await world.discord.answer_browser(await browser.open(begun["Url"]))
    url = visit(f"{HERE}/sign-in/discord/callback", said) + "&code=another"
    assert refused(await browser.get(url)) == (403, "proof_refused")


async def test_a_sign_in_that_races_with_an_unlink_leaves_no_tokens(world, ana, database):
    for _ in range(5):
        linked = await world.link("discord", ana)
        begun = await world.start("discord")
        back = await Browser(world).through("discord", begun["Url"])
        await asyncio.gather(
            world.finish(begun, back),
            links.unlink.one(database, Unlink(by=BY, user_id=ana.user, identity_id=linked["Id"])),
        )
        live = "SELECT count(*) FROM token_families WHERE identity_id = $1 AND revoked_at IS NULL"
        assert await database.reader.value(live, linked["Id"]) == 0


async def test_of_twenty_finishes_at_once_one_links(world, ana):
    begun = await world.start("discord", ana)
    back = await Browser(world).through("discord", begun["Url"])
    answers = await asyncio.gather(*(world.finish(begun, back, ana) for _ in range(20)))
    assert sorted(answer.status_code for answer in answers) == [200] + [404] * 19


async def test_an_identity_of_another_account_is_not_moved(world, ana, database):
    bo = await Player.make(world.client, database, "bo")
    order = IdentityLink(by=BY, user_id=bo.user, issuer="discord", subject="80351110224678912")
    await links.link.one(database, order)
    begun = await world.start("discord", ana)
    back = await Browser(world).through("discord", begun["Url"])
    assert refused(await world.finish(begun, back, ana)) == (409, "identity_taken")


async def test_with_nothing_configured_there_is_no_source(client, settings):
    assert good(await client.get("/api/v1/sign-in")) == {"Values": []}
    body = {"source": "discord", "returnto": BACK}
    answer = await client.post("/api/v1/sign-in/start", json=body)
    assert refused(answer) == (404, "source_not_found")
    for path in ("/sign-in/discord", "/sign-in/discord/callback?state=x"):
        assert refused(await client.get(path)) == (404, "source_not_found")


@pytest.mark.parametrize(
    "text",
    [
        "{}",
        "[{}]",
        '[{"kind": "discord", "client_id": "x"}]',
        '[{"kind": "oidc", "name": "Google", "label": "", "issuer": "https://a", "client_id": ""}]',
        '[{"kind": "steam"}, {"kind": "steam"}]',
        '[{"kind": "steam", "secret": "hidden-value"}]',
        "not json, hidden-value",
    ],
)
def test_a_wrong_configuration_stops_the_start_and_shows_no_secret(text):
    env = {
        "GAMEKEEPER_DATABASE_URL": "postgresql://x/y",
        "GAMEKEEPER_SIGN_IN_SOURCES": text,
    }
    with pytest.raises(BadSettings, match="GAMEKEEPER_SIGN_IN_SOURCES") as fault:
        Settings.read(env)
    assert "hidden-value" not in str(fault.value)
