"""ID tokens as hints: only those that were signed here, by a key of ours and for this."""

import asyncio
import hmac
import time
from base64 import urlsafe_b64encode
from collections.abc import Callable
from typing import Any

import msgspec
import pytest
from joserfc import jwt
from joserfc.jwk import KeySet, RSAKey

from gamekeeper.auth.secrets import Vault
from gamekeeper.core.settings import Settings
from gamekeeper.db.database import Database
from gamekeeper.provider import keys
from tests.make import make_user
from tests.provider.relying_party import ISSUER, PASSWORD, Browser, RelyingParty, answer_in
from tests.provider.sign_outs import while_open


@pytest.fixture
async def tokens(browser: Browser, party: RelyingParty) -> dict[str, Any]:
    return (await party.exchange((await browser.sign_in(party.query()))["code"])).json()


async def private_key(database: Database, settings: Settings) -> RSAKey:
    """The key that signs, as only the service has it."""
    [row] = await database.reader.rows("SELECT id, sealed FROM openid_keys")
    jwk = Vault(settings).decrypt(keys._about(row["id"]), row["sealed"])
    return RSAKey.import_key(msgspec.json.decode(jwk))


async def is_accepted(browser: Browser, party: RelyingParty, token: str) -> bool:
    """Whether the token counts as a hint, at the authorization and the logout alike."""
    page = await browser.authorize(party.query(prompt="none", id_token_hint=token))
    asked = await browser.get(f"/openid/logout?id_token_hint={token}")
    authorized = "code" in answer_in(page.headers["location"])
    assert authorized is (asked.status_code == 200)
    return authorized


def _none(claims: dict[str, Any], kid: str, public: dict[str, Any], private: RSAKey) -> str:
    return f"{_unsigned(claims, alg='none', kid=kid)}."


def _hs256(claims: dict[str, Any], kid: str, public: dict[str, Any], private: RSAKey) -> str:
    """Signed with the public key as if it were a shared secret."""
    text = _unsigned(claims, alg="HS256", kid=kid)
    secret = RSAKey.import_key(public).as_pem(private=False)
    return f"{text}.{_base64(hmac.digest(secret, text.encode(), 'sha256'))}"


def _unsigned(claims: dict[str, Any], **header: str) -> str:
    """By hand: the library signs nothing like this."""
    parts = (header | {"typ": "JWT"}, claims)
    return ".".join(_base64(msgspec.json.encode(part)) for part in parts)


def _base64(raw: bytes) -> str:
    return urlsafe_b64encode(raw).decode().rstrip("=")


def _own_key(claims: dict[str, Any], kid: str, public: dict[str, Any], private: RSAKey) -> str:
    """Signed by a key that the token itself brings."""
    foreign = RSAKey.generate_key(2048, private=True)
    header = {"alg": "RS256", "typ": "JWT", "jwk": foreign.as_dict(private=False)}
    return jwt.encode(header, claims, foreign, algorithms=["RS256"])


def _foreign_key(claims: dict[str, Any], kid: str, public: dict[str, Any], private: RSAKey) -> str:
    foreign = RSAKey.generate_key(2048, private=True)
    return jwt.encode({"alg": "RS256", "kid": kid, "typ": "JWT"}, claims, foreign)


def _no_kid(claims: dict[str, Any], kid: str, public: dict[str, Any], private: RSAKey) -> str:
    return jwt.encode({"alg": "RS256", "typ": "JWT"}, claims, private)


def _other_type(claims: dict[str, Any], kid: str, public: dict[str, Any], private: RSAKey) -> str:
    return jwt.encode({"alg": "RS256", "kid": kid, "typ": "logout+jwt"}, claims, private)


def _other_issuer(claims: dict[str, Any], kid: str, public: dict[str, Any], private: RSAKey) -> str:
    """From the time when the operator had another issuer."""
    claims = claims | {"iss": "https://before.example.org"}
    return jwt.encode({"alg": "RS256", "kid": kid, "typ": "JWT"}, claims, private)


@pytest.mark.parametrize(
    "forge",
    [_none, _hs256, _own_key, _foreign_key, _no_kid, _other_type, _other_issuer],
)
async def test_a_hint_that_was_not_signed_here_is_refused(
    browser: Browser,
    party: RelyingParty,
    tokens: dict[str, Any],
    database: Database,
    provider_settings: Settings,
    forge: Callable[[dict[str, Any], str, dict[str, Any], RSAKey], str],
):
    claims = await party.claims(tokens["id_token"])
    [public] = (await party.http.get("/openid/keys")).json()["keys"]
    private = await private_key(database, provider_settings)

    assert not await is_accepted(browser, party, forge(claims, public["kid"], public, private))


async def test_an_expired_hint_is_accepted(
    browser: Browser,
    party: RelyingParty,
    tokens: dict[str, Any],
    database: Database,
    provider_settings: Settings,
):
    claims = await party.claims(tokens["id_token"])
    past = int(time.time()) - 30 * 86_400
    async with Database.open(provider_settings) as own:
        old = await keys.sign(own, Vault(provider_settings), claims | {"iat": past, "exp": past})

    assert await is_accepted(browser, party, old)
    assert browser.cookie == ""


async def test_consent_is_given_only_by_the_hinted_account(
    browser: Browser, party: RelyingParty, tokens: dict[str, Any], database: Database
):
    other = Browser(browser.http, "Bo", await make_user(database, "Bo", password=PASSWORD))
    query = party.query(id_token_hint=tokens["id_token"])
    await other.enter_password(query)

    refused = await other.decide(query)

    assert refused.json()["Code"] == "stale_request"
    assert "code" in answer_in((await browser.decide(query)).json()["next"])


async def test_a_client_asks_for_a_choice_of_account(
    browser: Browser, party: RelyingParty, tokens: dict[str, Any]
):
    page = await browser.authorize(party.query(prompt="select_account"))
    assert (page.status_code, 'id="sign-in"' in page.text) == (200, True)


# ── Keys ──


async def test_clients_fetch_a_new_key_before_it_signs(party: RelyingParty):
    cached = (await party.http.get("/openid/keys")).headers["cache-control"]
    seconds = int(cached.rpartition("=")[2])
    assert 0 < seconds < keys.NOTICE.total_seconds() / 2


async def test_two_processes_make_one_first_key(database: Database, provider_settings: Settings):
    vault = Vault(provider_settings)
    made = keys._generate(vault)

    async def first(writer: Any) -> None:
        await writer.rows("SELECT pg_advisory_xact_lock($1)", keys.LOCK)
        await keys._insert(writer, made, keys.NOTICE * 0)

    outcome = await while_open(database, first, lambda: keys.ensure(database, vault))

    assert outcome is None
    assert [key["kid"] for key in await keys.published(database.reader)] == [made.id]


async def test_requests_at_once_make_one_first_key(
    database: Database, provider_settings: Settings, monkeypatch: pytest.MonkeyPatch
):
    vault = Vault(provider_settings)
    generate, made = keys._generate, []

    def counted(vault: Vault) -> keys.StoredKey:
        made.append(generate(vault))
        return made[-1]

    monkeypatch.setattr(keys, "_generate", counted)
    await asyncio.gather(*(keys.ensure(database, vault) for _ in range(20)))

    assert [key["kid"] for key in await keys.published(database.reader)] == [made[0].id]
    assert len(made) == 1


async def test_keys_are_encrypted_with_the_current_password_key(
    tokens: dict[str, Any], party: RelyingParty, provider_settings: Settings
):
    from msgspec import structs

    from gamekeeper.core.settings import Hidden

    old = str(provider_settings.password_keys)
    both = structs.replace(provider_settings, password_keys=Hidden(f"2026b:{'22' * 32},{old}"))
    new = structs.replace(provider_settings, password_keys=Hidden(f"2026b:{'22' * 32}"))
    async with Database.open(both) as own:
        await keys.rotate(own, Vault(both))
    async with Database.open(new) as own:
        token = await keys.sign(own, Vault(new), {"iss": ISSUER})

    known = (await party.http.get("/openid/keys")).json()
    assert jwt.decode(token, KeySet.import_key_set(known)).claims == {"iss": ISSUER}
