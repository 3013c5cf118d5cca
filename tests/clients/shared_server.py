"""
Fixtures for a file of tests that needs a server, but none of its own.

All such files share the server and the database of this process; the database is emptied after
each file. The server keeps the events that it has read, so a file about events needs its own.
"""

from collections.abc import AsyncIterator

import pytest

from gamekeeper.auth import keys
from gamekeeper.core.settings import Settings
from gamekeeper.db.database import Database
from tests.databases import ServedDatabase
from tests.make import BY


@pytest.fixture(scope="session")
def shared_url(served_database: ServedDatabase) -> str:
    """Where the server is; its start counts for the session and not for a test."""
    return served_database.url


@pytest.fixture(scope="module")
async def settings(served_database: ServedDatabase) -> AsyncIterator[Settings]:
    yield served_database.settings
    await served_database.clean()


@pytest.fixture(scope="module")
async def database(settings: Settings, served_database: ServedDatabase) -> Database:
    return served_database.database(settings)


@pytest.fixture(scope="module")
def url(settings: Settings, served_database: ServedDatabase, shared_url: str) -> str:
    # Not `shared_url`: a server that was started again is elsewhere.
    return served_database.url


@pytest.fixture(scope="module")
async def key(database: Database) -> str:
    """A key that may do everything."""
    return str(await keys.create.one(database, keys.NewKey(by=BY, name="contract")))
