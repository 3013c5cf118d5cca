"""
Any OpenID Connect issuer by configuration: Google, Microsoft, Twitch, Apple, Keycloak and others.

The authorization code flow with PKCE. The discovery document must name the configured issuer, so
a document of another one cannot send codes elsewhere (mix-up). Keys are cached, and fetched again
for a token whose key is unknown, at most once a minute.
"""

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from math import inf
from time import monotonic, time
from typing import Any, Generic, TypeVar
from urllib.parse import urlencode

import msgspec
import structlog
from msgspec import Struct

from gamekeeper.core.settings import Settings
from gamekeeper.core.sign_in_sources import AppleKey, OidcSource
from gamekeeper.users.identities.sources import id_tokens, proofs
from gamekeeper.users.identities.sources.discord import basic
from gamekeeper.users.identities.sources.id_tokens import BadToken, ExpectedClaims, UnknownKey
from gamekeeper.users.identities.sources.proofs import (
    FlowSecrets,
    Person,
    ProofRefused,
    SourceUnavailable,
)

T = TypeVar("T")

log = structlog.get_logger()

DISCOVERY = "/.well-known/openid-configuration"
CACHE_SECONDS = 3600
FAILURE_SECONDS = 5
REFRESH_SECONDS = 60
"""Between two fetches of the keys for unknown ones: anyone can send tokens with any `kid`."""
APPLE = "https://appleid.apple.com"
APPLE_SECRET_SECONDS = 300


class Discovery(Struct, frozen=True):
    """What is used of the configuration of an issuer (OpenID Connect Discovery)."""

    issuer: str
    authorization_endpoint: str
    token_endpoint: str
    jwks_uri: str
    token_endpoint_auth_methods_supported: tuple[str, ...] = ("client_secret_basic",)
    authorization_response_iss_parameter_supported: bool = False


class KeyDocument(Struct, frozen=True):
    keys: list[dict[str, Any]]


class Cached(Generic[T]):
    """A document of the issuer: one fetch at a time, and no new one right after a failure."""

    def __init__(self, fetch: Callable[[], Awaitable[T]]) -> None:
        self._fetch = fetch
        self._lock = asyncio.Lock()
        self._found: tuple[float, T] | None = None
        self._failed_at = -inf

    async def get(self, max_age: float) -> T:
        """The document, at most that many seconds old; raises SourceUnavailable."""
        async with self._lock:
            if self._found and monotonic() - self._found[0] < max_age:
                return self._found[1]
            # Those that waited for a slow issuer must not each wait for it again.
            if monotonic() - self._failed_at < FAILURE_SECONDS:
                raise SourceUnavailable
            try:
                found = await self._fetch()
            except SourceUnavailable:
                self._failed_at = monotonic()
                raise
            self._found = monotonic(), found
            return found


class Oidc:
    def __init__(self, settings: Settings, source: OidcSource) -> None:
        self._settings = settings
        self._source = source
        self._discovery = Cached(self._fetch_discovery)
        self._keys = Cached(self._fetch_keys)

    @property
    def label(self) -> str:
        return self._source.label

    @property
    def is_posted(self) -> bool:
        return self._source.response_mode == "form_post"

    async def authorization_url(self, flow: FlowSecrets) -> str:
        endpoint = (await self._configuration()).authorization_endpoint
        asked = {
            "response_type": "code",
            "client_id": self._source.client_id,
            "redirect_uri": flow.redirect_uri,
            "scope": self._source.scopes,
            "state": flow.state,
            "nonce": flow.nonce,
            "code_challenge": flow.challenge,
            "code_challenge_method": "S256",
        }
        if self.is_posted:
            asked["response_mode"] = "form_post"
        if self._source.claims:
            asked["claims"] = self._source.claims
        return f"{endpoint}{'&' if '?' in endpoint else '?'}{urlencode(asked)}"

    async def prove(self, flow: FlowSecrets, answer: Mapping[str, str]) -> Person:
        configuration = await self._configuration()
        self._check_issuer(configuration, answer.get("iss"))
        if not answer.get("code"):
            raise ProofRefused
        token = await self._id_token(configuration, flow, answer["code"])
        expected = ExpectedClaims(
            issuer=self._source.issuer,
            client_id=self._source.client_id,
            nonce=flow.nonce,
            algorithms=self._source.algorithms,
        )
        try:
            claims = await self._verified(token, expected)
        except BadToken as fault:
            log.warning("id_token_refused", source=self._source.name, fault=str(fault))
            raise ProofRefused from None
        name = claims.get("name") or claims.get("preferred_username")
        name = name if isinstance(name, str) else None
        # Never the email address: it may be unverified, or be given to somebody else later.
        return Person(issuer=claims["iss"], subject=claims["sub"], display_name=name)

    def _check_issuer(self, configuration: Discovery, sent: str | None) -> None:
        """Refuse the answer of another issuer (RFC 9207)."""
        if sent is None and not configuration.authorization_response_iss_parameter_supported:
            return
        if sent != self._source.issuer:
            raise ProofRefused

    async def _id_token(self, configuration: Discovery, flow: FlowSecrets, code: str) -> str:
        form = {
            "grant_type": "authorization_code",
            "code": code,
            "redirect_uri": flow.redirect_uri,
            "code_verifier": flow.verifier,
        }
        headers: list[tuple[str, str]] = []
        secret = self._secret()
        if "client_secret_basic" in configuration.token_endpoint_auth_methods_supported:
            headers.append(basic(self._source.client_id, secret))
        else:
            form |= {"client_id": self._source.client_id, "client_secret": secret}
        url, body = configuration.token_endpoint, urlencode(form).encode()
        answer = await proofs.fetch(self._settings, "POST", url, headers, body)
        token = proofs.parsed(answer).get("id_token")
        if not isinstance(token, str):
            raise ProofRefused
        return token

    def _secret(self) -> str:
        if self._source.apple is not None:
            return apple_secret(self._source.apple, self._source.client_id)
        return self._source.client_secret or ""

    async def _verified(self, token: str, expected: ExpectedClaims) -> dict[str, Any]:
        keys = await self._keys.get(CACHE_SECONDS)
        try:
            return await asyncio.to_thread(id_tokens.verify, token, keys, expected)
        except UnknownKey:
            keys = await self._keys.get(REFRESH_SECONDS)
            return await asyncio.to_thread(id_tokens.verify, token, keys, expected)

    async def _configuration(self) -> Discovery:
        return await self._discovery.get(CACHE_SECONDS)

    async def _fetch_discovery(self) -> Discovery:
        url = self._source.discovery or self._source.issuer.rstrip("/") + DISCOVERY
        found = await self._document(url, Discovery)
        if found.issuer != self._source.issuer:
            log.error("issuer_differs", source=self._source.name, issuer=found.issuer)
            raise SourceUnavailable
        if not found.authorization_endpoint.startswith("https://"):
            raise SourceUnavailable
        return found

    async def _fetch_keys(self) -> list[dict[str, Any]]:
        return (await self._document((await self._configuration()).jwks_uri, KeyDocument)).keys

    async def _document(self, url: str, kind: Any) -> Any:
        answer = await proofs.fetch(self._settings, "GET", url)
        try:
            if answer.status == 200:
                return msgspec.json.decode(answer.body, type=kind)
        except msgspec.DecodeError:
            pass
        log.error("issuer_misconfigured", source=self._source.name)
        raise SourceUnavailable


def apple_secret(apple: AppleKey, client_id: str) -> str:
    """The client secret of Apple: a JWT signed with ES256, valid for five minutes."""
    from joserfc import jwk, jwt

    now = int(time())
    claims = {
        "iss": apple.team_id,
        "iat": now,
        "exp": now + APPLE_SECRET_SECONDS,
        "aud": APPLE,
        "sub": client_id,
    }
    key = jwk.import_key(apple.private_key, "EC")
    return jwt.encode({"alg": "ES256", "kid": apple.key_id}, claims, key)
