"""Where the rooms are put together: settings, database, routes, one ASGI application."""

from collections.abc import Mapping
from contextlib import AsyncExitStack
from typing import Any

from gamekeeper import logs
from gamekeeper.access.callers import Caller
from gamekeeper.access.guard import Guard
from gamekeeper.api import documents, health, oauth
from gamekeeper.api.v1 import players, users
from gamekeeper.database import Database, Reader
from gamekeeper.requests import Request
from gamekeeper.routing import Route
from gamekeeper.settings import Settings
from gamekeeper.users.vault import Vault
from gamekeeper.web import Frame, Receive, Send

ROUTES: list[Route] = [
    *players.routes.routes,
    *users.routes.routes,
    *users.public.routes,
    *oauth.public.routes,
    *oauth.routes.routes,
    *health.routes.routes,
]
ROUTES += documents.routes(ROUTES).routes


class App:
    """The service as an ASGI server sees it."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._open = AsyncExitStack()
        self._frame: Frame | None = None

    async def __call__(self, scope: Mapping[str, Any], receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self._live(receive, send)
        elif scope["type"] == "http":
            assert self._frame is not None, "the server must run the lifespan first"
            await self._frame.serve(scope, receive, send)

    async def _live(self, receive: Receive, send: Send) -> None:
        while True:
            message = await receive()
            if message["type"] == "lifespan.startup":
                await self.start()
                await send({"type": "lifespan.startup.complete"})
            else:
                await self.stop()
                await send({"type": "lifespan.shutdown.complete"})
                return

    async def start(self) -> None:
        database = await self._open.enter_async_context(Database.open(self._settings))
        guard = Guard(database)

        async def identify(request: Request) -> Caller:
            return await guard.identify(request.bearer)

        vault = Vault(self._settings)
        await vault.warm()
        parts = {
            Settings: self._settings,
            Database: database,
            Reader: database.reader,
            Vault: vault,
        }
        self._frame = Frame(ROUTES, parts, identify)

    async def stop(self) -> None:
        await self._open.aclose()


def from_environment() -> App:
    """What each worker process of `gamekeeper serve` runs."""
    settings = Settings.read()
    logs.configure(settings)
    return App(settings)
