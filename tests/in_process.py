"""The application in the process of the tests, with settings of a test's own."""

from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager

import httpx2

from gamekeeper.app import App
from gamekeeper.core.settings import Settings
from gamekeeper.db.database import Database


@asynccontextmanager
async def in_process(
    settings: Settings, database: Database | None = None, headers: Mapping[str, str] | None = None
) -> AsyncIterator[httpx2.AsyncClient]:
    """A client of a new application; without `database` that has connections of its own."""
    app = App(settings, database)
    await app.start()
    try:
        async with httpx2.AsyncClient(
            transport=httpx2.ASGITransport(app), base_url="http://gamekeeper", headers=headers
        ) as client:
            yield client
    finally:
        await app.stop()
