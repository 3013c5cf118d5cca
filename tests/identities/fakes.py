"""
Discord, Steam and an OpenID issuer, over sockets and TLS, as strict as the services are.

Each has faults that a test switches on, one at a time.
"""

import asyncio
import json
import secrets
import ssl
import time
from base64 import b64decode, urlsafe_b64encode
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from hashlib import sha256
from html import escape
from typing import Any
from urllib.parse import parse_qs, parse_qsl, unquote, urlencode, urlsplit

from joserfc import jwk, jwt

from gamekeeper.core import tasks

CLIENT, SECRET = "our client", "our secret: %"
NAMESPACE = "http://specs.openid.net/auth/2.0"

Answer = tuple[int, Any]
Head = list[tuple[str, str]]


class Asked:
    """A request as the service reads it."""

    def __init__(self, method: str, target: str, headers: dict[str, str], body: bytes) -> None:
        parts = urlsplit(target)
        self.method, self.path, self.headers, self.body = method, parts.path, headers, body
        self.target = target
        self.query = dict(parse_qsl(parts.query))
        self.form = dict(parse_qsl(body.decode()))

    @property
    def client(self) -> tuple[str, str] | None:
        """Who the client is, by Basic or in the form."""
        kind, _, value = self.headers.get("authorization", "").partition(" ")
        if kind == "Basic":
            name, _, secret = b64decode(value).decode().partition(":")
            return unquote(name), unquote(secret)
        return (
            (self.form["client_id"], self.form["client_secret"])
            if "client_id" in self.form
            else None
        )


class Service:
    """An HTTPS server on a port of its own."""

    def __init__(self) -> None:
        self.port = 0
        self.asked: list[Asked] = []
        self.serving: set[asyncio.Task[None]] = set()
        self.refusal: int | None = None
        """A status that it answers everything with."""
        self.answers = asyncio.Event()
        """Cleared while it leaves everybody waiting."""
        self.answers.set()

    @property
    def url(self) -> str:
        return f"https://127.0.0.1:{self.port}"

    def answer(self, asked: Asked) -> Answer:
        raise NotImplementedError

    def accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.create_task(self._serve(reader, writer))
        self.serving.add(task)
        task.add_done_callback(self.serving.discard)
        task.add_done_callback(lambda _: writer.close())

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
        method, target, _ = head[0].split(" ")
        parts = (line.partition(": ") for line in head[1:] if line)
        headers = {name.lower(): value for name, _, value in parts}
        body = await reader.readexactly(int(headers.get("content-length", "0")))
        asked = Asked(method, target, headers, body)
        self.asked.append(asked)
        await self.answers.wait()
        status, raw, more = await self.respond(asked)
        head: Head = [("Content-Length", str(len(raw))), ("Connection", "close"), *more]
        lines = [f"HTTP/1.1 {status} X", *(f"{name}: {value}" for name, value in head), "", ""]
        writer.write("\r\n".join(lines).encode() + raw)
        await writer.drain()

    async def respond(self, asked: Asked) -> tuple[int, bytes, Head]:
        """The status, the body and the headers; a redirect answers with the address."""
        status, said = (self.refusal, {}) if self.refusal else self.answer(asked)
        if status == 303:
            return status, b"", [("Location", said)]
        return status, said.encode() if isinstance(said, str) else json.dumps(said).encode(), []


@asynccontextmanager
async def running(service: Service, tls: ssl.SSLContext) -> AsyncIterator[None]:
    server = await asyncio.start_server(service.accept, "127.0.0.1", 0, ssl=tls)
    service.port = server.sockets[0].getsockname()[1]
    try:
        yield
    finally:
        server.close()
        await tasks.end(service.serving)


class Grants:
    """Authorization codes: of one use, bound to client, redirect URI and PKCE challenge."""

    def __init__(self) -> None:
        self.codes: dict[str, dict[str, str]] = {}
        self.is_secret: Callable[[str], bool] = lambda secret: secret == SECRET

    def authorize(self, url: str) -> dict[str, str]:
        """What comes back after the person agreed, as parameters."""
        asked = dict(parse_qsl(urlsplit(url).query))
        assert asked["response_type"] == "code"
        assert asked["code_challenge_method"] == "S256"
        code = secrets.token_urlsafe()
        self.codes[code] = asked
        return {"code": code, "state": asked["state"]}

    def redeem(self, asked: Asked) -> dict[str, str] | None:
        granted = self.codes.pop(asked.form.get("code", ""), None)
        verifier = sha256(asked.form.get("code_verifier", "").encode()).digest()
        right = (
            granted is not None
            and asked.client is not None
            and asked.client[0] == granted["client_id"]
            and self.is_secret(asked.client[1])
            and asked.headers.get("content-type") == "application/x-www-form-urlencoded"
            and asked.form["redirect_uri"] == granted["redirect_uri"]
            and urlsafe_b64encode(verifier).rstrip(b"=").decode() == granted["code_challenge"]
        )
        return granted if right else None


class FakeDiscord(Service):
    def __init__(self) -> None:
        super().__init__()
        self.grants = Grants()
        self.user: dict[str, Any] = {
            "id": "80351110224678912",
            "username": "ana",
            "global_name": "Ana",
        }
        self.tokens: set[str] = set()

    async def answer_browser(self, url: str) -> dict[str, str]:
        return self.grants.authorize(url)

    def answer(self, asked: Asked) -> Answer:
        if asked.path == "/oauth2/authorize":
            back = asked.query["redirect_uri"]
            agreed = visit(back, self.grants.authorize(asked.target))
            declined = visit(back, {"error": "access_denied", "state": asked.query["state"]})
            return 200, (
                f'<!doctype html><title>Discord</title><a href="{escape(agreed)}">Authorize</a> '
                f'<a href="{escape(declined)}">Cancel</a>'
            )
        if asked.path == "/api/v10/oauth2/token" and asked.method == "POST":
            if self.grants.redeem(asked) is None:
                return 400, {"error": "invalid_grant"}
            token = secrets.token_urlsafe()
            self.tokens.add(token)
            return 200, {"access_token": token, "token_type": "Bearer", "expires_in": 604800}
        if asked.path == "/api/v10/users/@me":
            known = asked.headers.get("authorization", "").removeprefix("Bearer ") in self.tokens
            return (200, self.user) if known else (401, {"message": "401: Unauthorized"})
        return 404, {}


class FakeIssuer(Service):
    """An OpenID issuer; `change` alters the claims, and the rest what it signs with."""

    def __init__(self) -> None:
        super().__init__()
        self.grants = Grants()
        self.key = jwk.RSAKey.generate_key(2048, {"kid": "one", "use": "sig"}, private=True)
        self.published: list[Any] = [self.key]
        self.algorithm = "RS256"
        self.header: dict[str, Any] = {}
        self.change: Callable[[dict[str, Any]], object] = lambda claims: None
        self.issuer: str | None = None
        """In the discovery document, instead of its own."""
        self.sends_issuer = True
        self.auth_methods = ["client_secret_basic"]
        self.signed_with: Any = None
        self.redirect: str | None = None

    async def answer_browser(self, url: str) -> dict[str, str]:
        answer = self.grants.authorize(url)
        return answer | ({"iss": self.url} if self.sends_issuer else {})

    def answer(self, asked: Asked) -> Answer:
        if asked.path == "/.well-known/openid-configuration":
            return 200, self.discovery()
        if asked.path == "/keys":
            return 200, {"keys": [key.as_dict(private=False) for key in self.published]}
        if asked.path == "/token" and (granted := self.grants.redeem(asked)):
            return 200, {
                "access_token": "x",
                "token_type": "Bearer",
                "id_token": self.token(granted),
            }
        return 400, {"error": "invalid_grant"}

    def discovery(self) -> dict[str, Any]:
        return {
            "issuer": self.issuer or self.url,
            "authorization_endpoint": f"{self.url}/authorize",
            "token_endpoint": f"{self.url}/token",
            "jwks_uri": f"{self.url}/keys",
            "token_endpoint_auth_methods_supported": self.auth_methods,
            "authorization_response_iss_parameter_supported": self.sends_issuer,
        }

    def token(self, granted: dict[str, str]) -> str:
        now = int(time.time())
        claims: dict[str, Any] = {
            "iss": self.url,
            "sub": "person-1",
            "aud": granted["client_id"],
            "iat": now,
            "exp": now + 300,
            "nonce": granted["nonce"],
            "name": "Ana",
            "email": "ana@example.com",
            "email_verified": True,
        }
        self.change(claims)
        header = {"alg": self.algorithm, "kid": self.key.kid} | self.header
        key = self.signed_with or self.key
        return jwt.encode(header, claims, key, algorithms=[self.algorithm])


class FakeApple(FakeIssuer):
    """Apple: its client secret is a token that the client signs, and answers are posted."""

    TEAM, KEY = "TEAM567890", "KEY4567890"

    def __init__(self) -> None:
        super().__init__()
        self.auth_methods = ["client_secret_post"]
        self.client_key = jwk.ECKey.generate_key("P-256", private=True)
        self.grants.is_secret = self.is_secret

    def is_secret(self, secret: str) -> bool:
        token = jwt.decode(secret, self.client_key, algorithms=["ES256"])
        claims, now = token.claims, time.time()
        return (
            token.header["kid"] == self.KEY
            and (claims["iss"], claims["sub"]) == (self.TEAM, CLIENT)
            and claims["aud"] == "https://appleid.apple.com"
            and claims["iat"] <= now < claims["exp"] <= now + 15_777_000
        )


class FakeSteam(Service):
    """OpenID 2.0: it confirms only what it said itself, once."""

    def __init__(self) -> None:
        super().__init__()
        self.steam_id = "76561197960287930"
        self.said: list[dict[str, str]] = []
        self.confirmation = f"ns:{NAMESPACE}\nis_valid:true\n"
        self.change: Callable[[dict[str, str]], object] = lambda answer: None
        self.tickets: dict[tuple[str, str], dict[str, Any]] = {}

    @property
    def endpoint(self) -> str:
        return f"{self.url}/openid/login"

    async def answer_browser(self, url: str) -> dict[str, str]:
        asked = dict(parse_qsl(urlsplit(url).query))
        assert asked["openid.mode"] == "checkid_setup"
        assert asked["openid.return_to"].startswith(asked["openid.realm"])
        identity = f"https://steamcommunity.com/openid/id/{self.steam_id}"
        answer = {
            "openid.ns": NAMESPACE,
            "openid.mode": "id_res",
            "openid.op_endpoint": self.endpoint,
            "openid.claimed_id": identity,
            "openid.identity": identity,
            "openid.return_to": asked["openid.return_to"],
            "openid.response_nonce": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())
            + secrets.token_urlsafe(8),
            "openid.assoc_handle": "1234567890",
            "openid.signed": "signed,op_endpoint,claimed_id,identity,return_to,response_nonce,"
            "assoc_handle",
            "openid.sig": secrets.token_urlsafe(),
        }
        self.change(answer)
        # A person at Steam cannot make it sign something else; what is changed was signed so.
        self.said.append(dict(answer))
        state = parse_qs(urlsplit(asked["openid.return_to"]).query)["state"][0]
        return answer | {"state": state}

    def answer(self, asked: Asked) -> Answer:
        if asked.path == "/ticket":
            wanted = (asked.query["ticket"], asked.query["identity"])
            if asked.query["key"] != "publisher key" or asked.query["appid"] != "480":
                return 401, {}
            if wanted not in self.tickets:
                return 200, {
                    "response": {"error": {"errorcode": 101, "errordesc": "Invalid ticket"}}
                }
            return 200, {"response": {"params": {"result": "OK"} | self.tickets[wanted]}}
        if asked.form.get("openid.mode") != "check_authentication":
            return 400, ""
        said = asked.form | {"openid.mode": "id_res"}
        if said not in [dict(each) for each in self.said]:
            return 200, f"ns:{NAMESPACE}\nis_valid:false\n"
        return 200, self.confirmation


def visit(url: str, parameters: dict[str, str]) -> str:
    return f"{url}?{urlencode(parameters)}"
