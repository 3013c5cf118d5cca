"""Players with tokens, a bot, and what they ask for."""

from typing import Any
from uuid import UUID

import httpx2

from gamekeeper.auth import tokens
from gamekeeper.db.database import Database
from tests.make import make_user, proved, sha
from tests.security.callers import key_with

PASSWORD = "a long password"
ANA_AT_DISCORD = {"issuer": "discord", "subject": "80351110224678912", "displayname": "Ana"}
BO_AT_DISCORD = {"issuer": "discord", "subject": "80351110224678913", "displayname": "Bo"}
MINE = "/api/v1/me/identities"
BOTS = "/api/v1/identities"


class Player:
    """An account with a password and a token."""

    def __init__(self, client: httpx2.AsyncClient, name: str, user: UUID, token: str) -> None:
        self.client, self.name, self.user = client, name, user
        self.headers = {"Authorization": f"Bearer {token}"}

    @classmethod
    async def make(cls, client: httpx2.AsyncClient, database: Database, name: str) -> "Player":
        user = await make_user(database, name, password=PASSWORD, api=True)
        issued = await tokens.issue.one(database, await proved(database, user))
        return cls(client, name, user, str(issued.access))

    async def call(self, method: str, path: str = "", **body: Any) -> httpx2.Response:
        sent = body or None
        return await self.client.request(method, MINE + path, json=sent, headers=self.headers)

    async def code(self) -> str:
        """A code that stands for the account."""
        return good(await self.call("POST", "/codes", password=sha(PASSWORD)))["Code"]

    async def type_code(self, code: str, **about: Any) -> httpx2.Response:
        """Use a code that a bot handed out."""
        return await self.call(
            "POST", "/link", **({"code": code, "password": sha(PASSWORD)} | about)
        )

    async def identities(self) -> list[dict[str, Any]]:
        return good(await self.call("GET"))["Values"]


class Bot:
    """A Discord bot, whose key may only link by codes."""

    def __init__(self, client: httpx2.AsyncClient, headers: dict[str, str]) -> None:
        self.client, self.headers = client, headers

    @classmethod
    async def make(cls, client: httpx2.AsyncClient, database: Database) -> "Bot":
        return cls(client, await key_with(database, "identities.link"))

    async def code(self, identity: dict[str, str]) -> str:
        """A code that stands for an identity."""
        return good(await self.post("/codes", **identity))["Code"]

    async def type_code(self, code: str, identity: dict[str, str]) -> httpx2.Response:
        return await self.post("/link", code=code, **identity)

    async def post(self, path: str, **body: Any) -> httpx2.Response:
        return await self.client.post(BOTS + path, json=body, headers=self.headers)


def good(answer: httpx2.Response) -> dict[str, Any]:
    assert answer.status_code == 200, answer.text
    return answer.json()


def refused(answer: httpx2.Response) -> tuple[int, str]:
    return answer.status_code, answer.json().get("Code", "")
