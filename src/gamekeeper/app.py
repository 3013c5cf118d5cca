"""The ASGI application: wires settings, database, routes and providers; graceful shutdown."""

import asyncio
import ctypes
import gc
import multiprocessing
import os
import signal
import sys
from collections.abc import Awaitable, Mapping
from contextlib import AsyncExitStack
from typing import Any

from gamekeeper.api import audit_context, health, oauth, pages
from gamekeeper.api.v1 import (
    actions,
    catalog,
    characters,
    economy,
    events,
    history,
    info,
    players,
    servers,
    sheets,
    transactions,
    undo,
    users,
    webhooks,
)
from gamekeeper.auth.authenticator import Authenticator, authorise
from gamekeeper.auth.principal import Principal
from gamekeeper.auth.secrets import Vault
from gamekeeper.core import failpoints, logging, tasks
from gamekeeper.core.settings import Settings
from gamekeeper.db import replicas
from gamekeeper.db.database import Database, Reader
from gamekeeper.db.operations import AuditContext
from gamekeeper.events.feed import Feed
from gamekeeper.http.admission import source_of
from gamekeeper.http.application import Application, Receive, Send
from gamekeeper.http.connections import ConnectionWatch
from gamekeeper.http.cors import CrossOrigin, Serve
from gamekeeper.http.endpoints import Providers
from gamekeeper.http.requests import Request, is_within
from gamekeeper.http.routing import Route

ROUTES: list[Route] = [
    *players.routes.routes,
    *users.routes.routes,
    *users.public.routes,
    *characters.routes.routes,
    *characters.owners.routes,
    *sheets.routes.routes,
    *history.routes.routes,
    *info.routes.routes,
    *actions.routes.routes,
    *undo.routes.routes,
    *economy.routes.routes,
    *catalog.routes.routes,
    *servers.routes.routes,
    *servers.online.routes,
    *transactions.routes.routes,
    *actions.transactions.routes,
    *undo.transactions.routes,
    *events.routes.routes,
    *webhooks.routes.routes,
    *oauth.public.routes,
    *oauth.routes.routes,
    *health.routes.routes,
]
ROUTES += pages.routes(ROUTES).routes

SEND_GRACE = 5
"""Seconds in which we close a stalled stream before the kernel drops the connection."""

YOUNG = 20_000
"""GC threshold: allocations before a collection of the young generation."""


class App:
    """The service as an ASGI application."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._open = AsyncExitStack()
        self._application: Application | None = None
        self._serve: Serve | None = None
        self._feed: Feed | None = None

    async def __call__(self, scope: Mapping[str, Any], receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self._live(receive, send)
        elif scope["type"] == "http":
            assert self._serve is not None, "the server must run the lifespan first"
            await self._serve(scope, receive, send)

    async def _live(self, receive: Receive, send: Send) -> None:
        while True:
            message = await receive()
            if message["type"] == "lifespan.startup":
                await self.start()
                self._watch_connections()
                asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, self._drain)
                await send({"type": "lifespan.startup.complete"})
            else:
                await self.stop()
                await send({"type": "lifespan.shutdown.complete"})
                return

    def _drain(self) -> None:
        """
        Graceful shutdown: end the event streams, which never end by themselves, then SIGINT.

        The server waits for requests in flight before it sends the lifespan shutdown. It
        handles SIGINT itself and in the same way.
        """
        if self._feed is not None:
            self._feed.end()
        os.kill(os.getpid(), signal.SIGINT)

    async def start(self) -> None:
        database = await self._open.enter_async_context(Database.open(self._settings))
        reader = await self._open.enter_async_context(replicas.reading(database))
        guard = Authenticator(database)
        self._open.push_async_callback(guard.close)
        self._feed = Feed(database)
        self._open.push_async_callback(self._feed.close)
        vault = Vault(self._settings)
        await vault.warm()

        def authenticate(request: Request) -> Awaitable[Principal]:
            return guard.authenticate(request.bearer)

        parts = {
            Settings: self._settings,
            Database: database,
            Reader: reader,
            Vault: vault,
            Authenticator: guard,
            Feed: self._feed,
        }
        providers = Providers(
            authenticate=authenticate,
            authorise=authorise,
            resolvers={Principal: lambda request: request.caller},
            contexts={AuditContext: audit_context.contexts(database.reader, vault.hmac)},
        )
        self._application = Application(ROUTES, parts, providers)
        self._serve = self._application.serve
        if self._settings.origins:
            self._serve = CrossOrigin(self._serve, self._settings.origins)

    def _watch_connections(self) -> None:
        """Only where we are the whole process: the watch inspects all sockets of the process."""
        proxies = self._settings.proxies
        watch = ConnectionWatch(
            of_one=self._settings.connections_per_address,
            send_timeout=self._settings.stream_patience_seconds + SEND_GRACE,
            source=lambda address: None if is_within(address, proxies) else source_of(address),
        )
        watching = asyncio.create_task(watch.run())
        self._open.push_async_callback(tasks.end, [watching])

    async def stop(self) -> None:
        await self._open.aclose()


PR_SET_PDEATHSIG = 1


def _end_with_parent() -> None:
    """Have the kernel kill this process when `serve` dies, also by SIGKILL; Linux only."""
    parent = multiprocessing.parent_process()
    if parent is None or sys.platform != "linux":
        return
    ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
    # The parent may have died before prctl; then no signal would come.
    if os.getppid() != parent.pid:
        os.kill(os.getpid(), signal.SIGKILL)


def from_environment() -> App:
    """Create the application in each worker process of `gamekeeper serve`."""
    _end_with_parent()
    settings = Settings.read()
    logging.configure(settings)
    failpoints.arm(settings.fail_point)
    # Freeze startup objects and raise the GC threshold: a request leaves hardly any cyclic
    # garbage. The p99 of lookups was 11 to 46 ms with the default, and is 7 to 18 ms so.
    gc.freeze()
    gc.set_threshold(YOUNG)
    return App(settings)
