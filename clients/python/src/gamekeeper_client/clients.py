"""The sync and the async client. They differ only in how they send and wait."""

import asyncio
import time
from collections.abc import AsyncGenerator, Generator
from hashlib import sha256
from typing import Any, Self

import httpx2

from gamekeeper_client.actions import Actions
from gamekeeper_client.calls import Async, Call, Sync
from gamekeeper_client.catalog import Catalog
from gamekeeper_client.economy import Economy
from gamekeeper_client.errors import APIError, api_error
from gamekeeper_client.event_stream import AsyncEvents, Events
from gamekeeper_client.health import Health
from gamekeeper_client.info import Info
from gamekeeper_client.players import Players
from gamekeeper_client.retries import Retries, RetryPolicy
from gamekeeper_client.servers import Servers
from gamekeeper_client.transactions import Transactions
from gamekeeper_client.users import Tokens, Users
from gamekeeper_client.webhooks import Webhooks


def password_hash(password: str) -> str:
    """Hash a password as the service expects it: the password itself is never sent."""
    return sha256(password.encode()).hexdigest()


def _headers(key: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {key}"} if key else {}


def _request(call: Call, timeout: float) -> dict[str, Any]:
    return {
        "method": call.method,
        "url": call.path,
        "params": call.query,
        "json": call.body or None,
        "headers": call.headers,
        "timeout": timeout,
    }


def _answer(response: httpx2.Response) -> Any:
    if response.status_code != 200:
        raise api_error(response)
    try:
        return response.json()
    except ValueError as wrong:
        raise APIError(200, "", "The answer is not JSON; is this the service?") from wrong


class Gamekeeper(Sync):
    """The synchronous client. Thread-safe."""

    def __init__(
        self, url: str, key: str = "", *, patience: RetryPolicy | None = None, timeout: float = 10.0
    ) -> None:
        self._http = httpx2.Client(base_url=url, headers=_headers(key))
        self._patience = patience or RetryPolicy()
        self._timeout = timeout
        self.players = Players[Sync](self)
        self.users = Users[Sync](self)
        self.tokens = Tokens[Sync](self)
        self.actions = Actions[Sync](self)
        self.catalog = Catalog[Sync](self)
        self.economy = Economy[Sync](self)
        self.servers = Servers[Sync](self)
        self.transactions = Transactions[Sync](self)
        self.webhooks = Webhooks[Sync](self)
        self.health = Health[Sync](self)
        self.info = Info[Sync](self)
        self.events = Events(self, self._http)

    def send(self, call: Call) -> Any:
        tries = Retries(self._patience, once=call.once)
        while True:
            try:
                timeout = min(self._timeout, tries.left)
                response = self._http.request(**_request(call, timeout))
                pause = tries.after_answer(response)
            except httpx2.TransportError as fault:
                pause = tries.after_fault(fault)
            else:
                if pause is None:
                    return _answer(response)
            time.sleep(pause)

    def every(self, call: Call) -> Generator[Any]:
        following: Call | None = call
        while following is not None:
            page = self.send(following)
            yield from page["Values"]
            following = following.after(page)

    def close(self) -> None:
        self._http.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class AsyncGamekeeper(Async):
    """The asyncio client."""

    def __init__(
        self, url: str, key: str = "", *, patience: RetryPolicy | None = None, timeout: float = 10.0
    ) -> None:
        self._http = httpx2.AsyncClient(base_url=url, headers=_headers(key))
        self._patience = patience or RetryPolicy()
        self._timeout = timeout
        self.players = Players[Async](self)
        self.users = Users[Async](self)
        self.tokens = Tokens[Async](self)
        self.actions = Actions[Async](self)
        self.catalog = Catalog[Async](self)
        self.economy = Economy[Async](self)
        self.servers = Servers[Async](self)
        self.transactions = Transactions[Async](self)
        self.webhooks = Webhooks[Async](self)
        self.health = Health[Async](self)
        self.info = Info[Async](self)
        self.events = AsyncEvents(self, self._http)

    async def send(self, call: Call) -> Any:
        tries = Retries(self._patience, once=call.once)
        while True:
            try:
                timeout = min(self._timeout, tries.left)
                response = await self._http.request(**_request(call, timeout))
                pause = tries.after_answer(response)
            except httpx2.TransportError as fault:
                pause = tries.after_fault(fault)
            else:
                if pause is None:
                    return _answer(response)
            await asyncio.sleep(pause)

    async def every(self, call: Call) -> AsyncGenerator[Any]:
        following: Call | None = call
        while following is not None:
            page = await self.send(following)
            for value in page["Values"]:
                yield value
            following = following.after(page)

    async def close(self) -> None:
        await self._http.aclose()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()
