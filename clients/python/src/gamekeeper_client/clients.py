"""The sync and the async client. They differ only in how they send and wait."""

import asyncio
import time
from collections.abc import AsyncGenerator, Generator
from hashlib import sha256
from typing import Any, Self

import httpx2

from gamekeeper_client import connections
from gamekeeper_client.access_bans import AccessBans
from gamekeeper_client.actions import Actions
from gamekeeper_client.appeals import Appeals
from gamekeeper_client.approvals import Approvals
from gamekeeper_client.calls import Async, Call, Sync
from gamekeeper_client.campaigns import Campaigns
from gamekeeper_client.catalog import Catalog
from gamekeeper_client.codes import Codes
from gamekeeper_client.commands import Chat, Commands
from gamekeeper_client.economy import Economy
from gamekeeper_client.errors import APIError, api_error
from gamekeeper_client.event_stream import AsyncEvents, Events
from gamekeeper_client.gameobjects import GameObjects
from gamekeeper_client.guilds import Guilds
from gamekeeper_client.health import Health
from gamekeeper_client.identities import Identities
from gamekeeper_client.info import Info
from gamekeeper_client.keys import ApiKeys
from gamekeeper_client.logs import Logs
from gamekeeper_client.openid_clients import OpenIdClients
from gamekeeper_client.orders import Orders, Shops
from gamekeeper_client.overview import Overview
from gamekeeper_client.players import Players
from gamekeeper_client.reports import ReportedCases, Reports
from gamekeeper_client.retries import RetryPolicy
from gamekeeper_client.sanctions import Sanctions
from gamekeeper_client.schedules import Schedules
from gamekeeper_client.segments import NameLists, SavedSegments
from gamekeeper_client.servers import Servers
from gamekeeper_client.staff import Me, Roles, Staff
from gamekeeper_client.staff_sessions import StaffSessions
from gamekeeper_client.transactions import Transactions
from gamekeeper_client.users import Tokens, Users
from gamekeeper_client.variables import GameVariables
from gamekeeper_client.webhooks import Webhooks


def password_hash(password: str) -> str:
    """Hash a password as the service expects it: the password itself is never sent."""
    return sha256(password.encode()).hexdigest()


def _answer(call: Call, response: httpx2.Response) -> Any:
    if response.status_code != 200:
        raise api_error(response)
    try:
        return call.read(response.json())
    except ValueError as wrong:
        raise APIError(200, "", "The answer is not JSON; is this the service?") from wrong
    except TypeError as wrong:
        raise APIError(200, "", f"{wrong}; is this the service?") from wrong


class Gamekeeper(Sync):
    """
    The synchronous client. Thread-safe.

    Without `url` and `key`, those of GAMEKEEPER_CLIENT_URL and GAMEKEEPER_CLIENT_KEY; a key of ""
    is none. `timeout` is of one attempt, in seconds; `retries` a number or a policy. An
    `http_client` of your own, with a proxy or a CA for example, is used and never closed.
    """

    def __init__(
        self,
        url: str | None = None,
        key: str | None = None,
        *,
        timeout: float | None = None,
        retries: RetryPolicy | int | None = None,
        http_client: httpx2.Client | None = None,
    ) -> None:
        self._connection = connections.connection(url, key, timeout, retries)
        self._owned = http_client is None
        self._http = connections.http_client(http_client, httpx2.Client)
        self.players = Players[Sync](self)
        self.users = Users[Sync](self)
        self.tokens = Tokens[Sync](self)
        self.actions = Actions[Sync](self)
        self.approvals = Approvals[Sync](self)
        self.catalog = Catalog[Sync](self)
        self.gameobjects = GameObjects[Sync](self)
        self.economy = Economy[Sync](self)
        self.campaigns = Campaigns[Sync](self)
        self.schedules = Schedules[Sync](self)
        self.codes = Codes[Sync](self)
        self.identities = Identities[Sync](self)
        self.segments = SavedSegments[Sync](self)
        self.segment_lists = NameLists[Sync](self)
        self.guilds = Guilds[Sync](self)
        self.servers = Servers[Sync](self)
        self.commands = Commands[Sync](self)
        self.chat = Chat[Sync](self)
        self.logs = Logs[Sync](self)
        self.transactions = Transactions[Sync](self)
        self.webhooks = Webhooks[Sync](self)
        self.keys = ApiKeys[Sync](self)
        self.openid_clients = OpenIdClients[Sync](self)
        self.roles = Roles[Sync](self)
        self.staff = Staff[Sync](self)
        self.me = Me[Sync](self)
        self.staff_sessions = StaffSessions[Sync](self)
        self.appeals = Appeals[Sync](self)
        self.reports = Reports[Sync](self)
        self.orders = Orders[Sync](self)
        self.shops = Shops[Sync](self)
        self.cases = ReportedCases[Sync](self)
        self.access_bans = AccessBans[Sync](self)
        self.overview = Overview[Sync](self)
        self.sanctions = Sanctions[Sync](self)
        self.health = Health[Sync](self)
        self.info = Info[Sync](self)
        self.variables = GameVariables[Sync](self)
        self.events = Events(self, self._http, self._connection)

    def send(self, call: Call) -> Any:
        tries = self._connection.attempts(call)
        while True:
            try:
                request = self._connection.request(call, tries.left)
                response = self._http.request(**request)
                pause = tries.after_answer(response)
            except httpx2.TransportError as fault:
                pause = tries.after_fault(fault)
            else:
                if pause is None:
                    return _answer(call, response)
            time.sleep(pause)

    def every(self, call: Call, most: int | None = None) -> Generator[Any]:
        following: Call | None = call
        while following is not None:
            page = self.send(following)
            yield from page.entries[:most]
            most = None if most is None else most - len(page.entries)
            following = None if most is not None and most <= 0 else following.after(page)

    def with_options(
        self, *, timeout: float | None = None, retries: RetryPolicy | int | None = None
    ) -> "Gamekeeper":
        """This client with another timeout or other retries; it shares the connections."""
        had = self._connection
        return Gamekeeper(
            had.url,
            had.key,
            timeout=had.timeout if timeout is None else timeout,
            retries=had.retries if retries is None else retries,
            http_client=self._http,
        )

    def close(self) -> None:
        """Close the connections, unless they are of an `http_client` that was given."""
        if self._owned:
            self._http.close()

    def __repr__(self) -> str:
        return f"Gamekeeper({self._connection})"

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class AsyncGamekeeper(Async):
    """The asyncio client; its options are those of `Gamekeeper`."""

    def __init__(
        self,
        url: str | None = None,
        key: str | None = None,
        *,
        timeout: float | None = None,
        retries: RetryPolicy | int | None = None,
        http_client: httpx2.AsyncClient | None = None,
    ) -> None:
        self._connection = connections.connection(url, key, timeout, retries)
        self._owned = http_client is None
        self._http = connections.http_client(http_client, httpx2.AsyncClient)
        self.players = Players[Async](self)
        self.users = Users[Async](self)
        self.tokens = Tokens[Async](self)
        self.actions = Actions[Async](self)
        self.approvals = Approvals[Async](self)
        self.catalog = Catalog[Async](self)
        self.gameobjects = GameObjects[Async](self)
        self.economy = Economy[Async](self)
        self.campaigns = Campaigns[Async](self)
        self.schedules = Schedules[Async](self)
        self.codes = Codes[Async](self)
        self.identities = Identities[Async](self)
        self.segments = SavedSegments[Async](self)
        self.segment_lists = NameLists[Async](self)
        self.guilds = Guilds[Async](self)
        self.servers = Servers[Async](self)
        self.commands = Commands[Async](self)
        self.chat = Chat[Async](self)
        self.logs = Logs[Async](self)
        self.transactions = Transactions[Async](self)
        self.webhooks = Webhooks[Async](self)
        self.keys = ApiKeys[Async](self)
        self.openid_clients = OpenIdClients[Async](self)
        self.roles = Roles[Async](self)
        self.staff = Staff[Async](self)
        self.me = Me[Async](self)
        self.staff_sessions = StaffSessions[Async](self)
        self.appeals = Appeals[Async](self)
        self.reports = Reports[Async](self)
        self.orders = Orders[Async](self)
        self.shops = Shops[Async](self)
        self.cases = ReportedCases[Async](self)
        self.access_bans = AccessBans[Async](self)
        self.overview = Overview[Async](self)
        self.sanctions = Sanctions[Async](self)
        self.health = Health[Async](self)
        self.info = Info[Async](self)
        self.variables = GameVariables[Async](self)
        self.events = AsyncEvents(self, self._http, self._connection)

    async def send(self, call: Call) -> Any:
        tries = self._connection.attempts(call)
        while True:
            try:
                request = self._connection.request(call, tries.left)
                response = await self._http.request(**request)
                pause = tries.after_answer(response)
            except httpx2.TransportError as fault:
                pause = tries.after_fault(fault)
            else:
                if pause is None:
                    return _answer(call, response)
            await asyncio.sleep(pause)

    async def every(self, call: Call, most: int | None = None) -> AsyncGenerator[Any]:
        following: Call | None = call
        while following is not None:
            page = await self.send(following)
            for value in page.entries[:most]:
                yield value
            most = None if most is None else most - len(page.entries)
            following = None if most is not None and most <= 0 else following.after(page)

    def with_options(
        self, *, timeout: float | None = None, retries: RetryPolicy | int | None = None
    ) -> "AsyncGamekeeper":
        """This client with another timeout or other retries; it shares the connections."""
        had = self._connection
        return AsyncGamekeeper(
            had.url,
            had.key,
            timeout=had.timeout if timeout is None else timeout,
            retries=had.retries if retries is None else retries,
            http_client=self._http,
        )

    async def close(self) -> None:
        """Close the connections, unless they are of an `http_client` that was given."""
        if self._owned:
            await self._http.aclose()

    def __repr__(self) -> str:
        return f"AsyncGamekeeper({self._connection})"

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()
