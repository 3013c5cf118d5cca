"""A website that signs players in with the provider, and a browser of a player, by hand."""

import hashlib
import secrets
from base64 import urlsafe_b64encode
from typing import Any
from urllib.parse import parse_qsl, urlencode, urlsplit
from uuid import UUID

import httpx2
from joserfc import jwt
from joserfc.jwk import KeySet
from msgspec import Struct

from gamekeeper.core.settings import Hidden
from gamekeeper.db.database import Database
from gamekeeper.provider import clients
from gamekeeper.provider.client_commands import NewClient
from tests.make import BY, sha

ISSUER = "http://127.0.0.1:8000"
PASSWORD = "open sesame"
CALLBACK = "https://forum.example.org/callback?from=game"
OURS = {"X-Gamekeeper": "1", "Sec-Fetch-Site": "same-origin"}


class Registration(Struct, frozen=True, kw_only=True):
    id: str
    secret: Hidden | None


async def register(database: Database, **about: Any) -> Registration:
    """A confidential client with PKCE, unless told otherwise."""
    wanted: dict[str, Any] = {
        "name": "Forum",
        "redirect_uris": (CALLBACK,),
        "scopes": ("profile", "email", "characters", "roles", "offline_access"),
    } | about
    order = NewClient(by=BY, **wanted)
    made = await clients.create.one(database, order)
    return Registration(id=made.id, secret=order.secret)


class RelyingParty:
    """A client, and the sign-in that it has begun."""

    def __init__(
        self, http: httpx2.AsyncClient, registration: Registration, redirect_uri: str = CALLBACK
    ) -> None:
        self.http, self.id, self.secret = http, registration.id, registration.secret
        self.redirect_uri = redirect_uri
        self.verifier = secrets.token_urlsafe(32)
        self.state, self.nonce = secrets.token_urlsafe(8), secrets.token_urlsafe(8)

    def query(self, **about: str | None) -> str:
        """The query of an authorization request; a parameter that is None is left out."""
        challenge = urlsafe_b64encode(hashlib.sha256(self.verifier.encode()).digest()).decode()
        wanted: dict[str, str | None] = {
            "response_type": "code",
            "client_id": self.id,
            "redirect_uri": self.redirect_uri,
            "scope": "openid profile email",
            "state": self.state,
            "nonce": self.nonce,
            "code_challenge": challenge.rstrip("="),
            "code_challenge_method": "S256",
        } | about
        return urlencode({name: value for name, value in wanted.items() if value is not None})

    async def token(self, **fields: str | None) -> httpx2.Response:
        """A call of the token endpoint; the client authenticates in the body."""
        own = {"client_id": self.id, "client_secret": str(self.secret) if self.secret else None}
        sent = {name: value for name, value in (own | fields).items() if value is not None}
        return await self.http.post("/openid/token", data=sent)

    async def exchange(self, code: str, **about: str | None) -> httpx2.Response:
        fields: dict[str, str | None] = {
            "grant_type": "authorization_code",
            "code": code,
            "redirect_uri": self.redirect_uri,
            "code_verifier": self.verifier,
        }
        return await self.token(**(fields | about))

    async def refresh(self, token: str, **about: str | None) -> httpx2.Response:
        fields: dict[str, str | None] = {"grant_type": "refresh_token", "refresh_token": token}
        return await self.token(**(fields | about))

    async def user_info(self, token: str) -> httpx2.Response:
        return await self.http.get("/openid/userinfo", headers={"Authorization": f"Bearer {token}"})

    async def claims(self, token: str) -> dict[str, Any]:
        """The claims of a token, with its signature checked by the published keys."""
        known = (await self.http.get("/openid/keys")).json()
        found = jwt.decode(token, KeySet.import_key_set(known), algorithms=["RS256"])
        return found.claims


class Browser:
    """The browser of a player, who has one account."""

    def __init__(self, http: httpx2.AsyncClient, name: str, user: UUID) -> None:
        self.http, self.name, self.user = http, name, user
        self.cookie = ""

    async def get(self, address: str) -> httpx2.Response:
        parts = urlsplit(address)
        path = f"{parts.path}?{parts.query}" if parts.query else parts.path
        return self._kept(await self.http.get(path, headers=self._headers()))

    async def authorize(self, query: str) -> httpx2.Response:
        return await self.get(f"/openid/authorize?{query}")

    async def send(
        self, path: str, headers: dict[str, str] = OURS, **fields: Any
    ) -> httpx2.Response:
        """What the script of a page of ours sends."""
        headers = self._headers() | headers
        return self._kept(await self.http.post(path, json=fields, headers=headers))

    async def enter_password(
        self, query: str, password: str = PASSWORD, **about: Any
    ) -> httpx2.Response:
        fields: dict[str, Any] = {"username": self.name, "password": sha(password)}
        fields |= {"request": query} | about
        return await self.send("/openid/sign-in", **fields)

    async def decide(self, query: str, *, allow: bool = True, **about: Any) -> httpx2.Response:
        fields = {"request": query, "account": str(self.user), "allow": allow} | about
        return await self.send("/openid/decision", **fields)

    async def sign_in(self, query: str) -> dict[str, str]:
        """All the way, with consent; what the client gets."""
        entered = await self.enter_password(query)
        assert entered.status_code == 200, entered.text
        shown = await self.get(entered.json()["next"])
        if shown.status_code == 303:
            return answer_in(shown.headers["location"])
        decided = await self.decide(query)
        assert decided.status_code == 200, decided.text
        return answer_in(decided.json()["next"])

    def _headers(self) -> dict[str, str]:
        return {"Cookie": f"gamekeeper-player-dev={self.cookie}"} if self.cookie else {}

    def _kept(self, answer: httpx2.Response) -> httpx2.Response:
        for header in answer.headers.get_list("set-cookie"):
            self.cookie = header.partition(";")[0].partition("=")[2]
        self.http.cookies.clear()
        return answer


def answer_in(address: str) -> dict[str, str]:
    """The parameters with which a browser is sent back to a client."""
    return dict(parse_qsl(urlsplit(address).query))
