"""The ASGI application: wires settings, database, routes and providers; graceful shutdown."""

import asyncio
import ctypes
import gc
import multiprocessing
import os
import signal
import sys
from collections.abc import Mapping
from contextlib import AsyncExitStack
from importlib.metadata import version
from typing import Any

from gamekeeper.api import (
    audit_context,
    console,
    health,
    intersect,
    oauth,
    pages,
    sign_in_pages,
    v1,
)
from gamekeeper.api.callers import Callers
from gamekeeper.auth.authenticator import Authenticator
from gamekeeper.auth.principal import Principal
from gamekeeper.auth.secrets import Vault
from gamekeeper.core import failpoints, tasks
from gamekeeper.core.observability import logging, metrics, traces
from gamekeeper.core.settings import Settings
from gamekeeper.db import replicas
from gamekeeper.db.database import Database, Reader
from gamekeeper.db.operations import AuditContext
from gamekeeper.db.replicas import Replica
from gamekeeper.events.feed import Feed
from gamekeeper.http.admission import source_of
from gamekeeper.http.application import Application, Receive, Send
from gamekeeper.http.connections import ConnectionWatch
from gamekeeper.http.cookies import PlayerCookie, SessionCookie
from gamekeeper.http.cors import CrossOrigin, Serve
from gamekeeper.http.cross_site import SameOrigin
from gamekeeper.http.endpoints import Providers
from gamekeeper.http.rate_limits import RateLimits
from gamekeeper.http.requests import is_within
from gamekeeper.http.routing import Route
from gamekeeper.servers.commands.doorbell import Doorbell
from gamekeeper.users.identities.sources.registry import Sources

ROUTES: list[Route] = [
    *v1.routes(),
    *oauth.public.routes,
    *oauth.routes.routes,
    *health.routes.routes,
]
ROUTES += [*pages.routes(ROUTES).routes, *console.routes.routes, *sign_in_pages.routes.routes]

SEND_GRACE = 5
"""Seconds in which we close a stalled stream before the kernel drops the connection."""

GC_THRESHOLD = 20_000
"""GC threshold: allocations before a collection of the young generation."""


class App:
    """The service as an ASGI application."""

    def __init__(self, settings: Settings, database: Database | None = None) -> None:
        """With `database` the application uses that one, and leaves it open when it stops."""
        self._settings = settings
        self._database = database
        self._open = AsyncExitStack()
        self._application: Application | None = None
        self._serve: Serve | None = None
        self._feed: Feed | None = None
        self._doorbell: Doorbell | None = None

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
        Graceful shutdown: end what would go on for long by itself, then SIGINT.

        The server waits for requests in flight before it sends the lifespan shutdown. It
        handles SIGINT itself and in the same way.
        """
        self.end_waits()
        os.kill(os.getpid(), signal.SIGINT)

    def end_waits(self) -> None:
        """End the event streams, which never end by themselves, and long polls."""
        if self._feed is not None:
            self._feed.end()
        if self._doorbell is not None:
            self._doorbell.end()

    async def start(self) -> None:
        if self._settings.traces_url:
            traces.start(self._settings)
            self._open.push_async_callback(asyncio.to_thread, traces.stop)
        database = self._database
        if database is None:
            database = await self._open.enter_async_context(Database.open(self._settings))
        reader = await self._open.enter_async_context(replicas.reading(database))
        guard = Authenticator(database)
        self._open.push_async_callback(guard.close)
        self._feed = Feed(database)
        self._open.push_async_callback(self._feed.close)
        self._doorbell = Doorbell(self._settings)
        self._open.push_async_callback(self._doorbell.close)
        rates = RateLimits(self._settings)
        self._open.push_async_callback(rates.close)
        vault = Vault(self._settings)
        cookie = SessionCookie(self._settings.public_url)
        same_origin = SameOrigin(self._settings.public_url)
        callers = Callers(guard, cookie, same_origin, self._settings)

        parts = {
            Settings: self._settings,
            Database: database,
            Reader: reader,
            Vault: vault,
            Authenticator: guard,
            Callers: callers,
            SessionCookie: cookie,
            PlayerCookie: PlayerCookie(self._settings.openid_issuer),
            SameOrigin: same_origin,
            Feed: self._feed,
            Doorbell: self._doorbell,
            RateLimits: rates,
            Sources: Sources(self._settings),
        }
        self._application = Application(
            self._routes(), parts, self._providers(callers, database, vault)
        )
        self._serve = self._application.serve
        if self._settings.origins:
            self._serve = CrossOrigin(self._serve, self._settings.origins)
        self._observe(database, reader, self._application, self._feed)

    def _routes(self) -> list[Route]:
        """All routes; those of the OpenID provider only if it has an issuer."""
        if not self._settings.openid_issuer:
            return ROUTES
        from gamekeeper.api.openid import all_routes

        return [*ROUTES, *all_routes.routes]

    def _providers(self, callers: Callers, database: Database, vault: Vault) -> Providers:
        return Providers(
            authenticate=callers.authenticate,
            authorise=callers.authorise,
            resolvers={Principal: lambda request: request.caller},
            contexts={AuditContext: audit_context.contexts(database.reader, vault.hmac)},
            newer_shapes=intersect.SHAPES,
            is_newer=intersect.chooser(self._settings),
        )

    def _observe(
        self, database: Database, reader: Reader, application: Application, feed: Feed
    ) -> None:
        """Show in metrics how busy this process is, and trace its requests if traces are on."""
        if traces.recorder is not None and self._serve is not None:
            from gamekeeper.http.traced_requests import TracedRequests

            self._serve = TracedRequests(self._serve, application.route_of, traces.recorder)
        sampler, limiter = metrics.Sampler(), application.limiter
        sampler.watch(metrics.BUILD.labels(version("gamekeeper")), lambda: 1)
        sampler.watch(metrics.IN_FLIGHT, lambda: limiter.in_flight)
        sampler.watch(metrics.CONCURRENCY_LIMIT, lambda: int(limiter.limit))
        sampler.watch(metrics.STREAMS, lambda: feed.streams)
        sampler.watch(metrics.STREAMS_BEHIND, lambda: feed.behind)
        sampler.watch_pools(database.pools)
        if isinstance(reader, Replica):
            sampler.watch_pools((reader.pool, reader.lookups.pool))
        sampling = asyncio.create_task(sampler.run())
        self._open.push_async_callback(tasks.end, [sampling])

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
    gc.set_threshold(GC_THRESHOLD)
    return App(settings)
