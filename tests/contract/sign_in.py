"""Signing in as a client does, each from an address of its own unless told."""

import random
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from uuid import uuid4

import httpx2

from gamekeeper.core.settings import Settings
from gamekeeper.db.database import Database
from tests.databases import UNLIMITED
from tests.make import make_user, sha
from tests.server import serving

TOKEN = "/api/oauth/token"
PASSWORD = "secret"


@contextmanager
def behind_a_proxy(settings: Settings, log: Path, *arguments: str) -> Iterator[str]:
    """The URL of a server that believes X-Forwarded-For, so that a test can come from anywhere."""
    env = {**UNLIMITED, "GAMEKEEPER_TRUSTED_PROXIES": "127.0.0.1/32"}
    with serving(settings, log, *arguments, **env) as (url, _):
        yield url


def from_anywhere() -> dict[str, str]:
    """The header of a proxy whose client has an address that nobody had before."""
    return {"X-Forwarded-For": ".".join(str(random.randint(1, 254)) for _ in range(4))}


async def make_signer(database: Database, **powers: Any) -> str:
    """The name of a new account with the Api power, whose password is `secret`."""
    name = f"signer-{uuid4().hex[:8]}"
    columns: dict[str, Any] = {"api": True} | powers
    await make_user(database, name, password=PASSWORD, **columns)
    return name


async def ask(client: httpx2.AsyncClient, **fields: object) -> httpx2.Response:
    """What the token endpoint answers to these fields."""
    return await client.post(TOKEN, json=fields, headers=from_anywhere())


async def sign_in(client: httpx2.AsyncClient, name: str) -> dict[str, Any]:
    answer = await ask(client, grant_type="password", username=name, password=sha(PASSWORD))
    assert answer.status_code == 200, answer.text
    return answer.json()


def bearer(credential: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {credential}"}
