"""
Fixtures for a file of tests that needs a server and a database of its own.

The server is `gamekeeper serve`, as a process of its own, over a socket. It starts in two
seconds; the tests of `tests/contract` share one.
"""

from collections.abc import AsyncIterator
from pathlib import Path

import httpx2
import pytest

from gamekeeper.auth import keys
from gamekeeper.core.settings import Settings
from gamekeeper.db.database import Database
from tests.databases import cloned
from tests.deadlines import PATIENCE
from tests.make import BY
from tests.server import serving


@pytest.fixture(scope="module")
async def settings(template: str) -> AsyncIterator[Settings]:
    async with cloned(template) as settings:
        yield settings


@pytest.fixture(scope="module")
async def database(settings: Settings) -> AsyncIterator[Database]:
    async with Database.open(settings) as database:
        yield database


@pytest.fixture(scope="module")
def log(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Everything the server wrote."""
    return tmp_path_factory.mktemp("server") / "log"


@pytest.fixture(scope="module")
def url(settings: Settings, log: Path):
    """Where the server is."""
    with serving(settings, log) as (url, _):
        yield url


@pytest.fixture(scope="module")
async def key(database: Database) -> str:
    """A key that may do everything."""
    return str(await keys.create.one(database, keys.NewKey(by=BY, name="contract")))


@pytest.fixture(scope="module")
async def client(url: str, key: str) -> AsyncIterator[httpx2.AsyncClient]:
    async with httpx2.AsyncClient(
        base_url=url, headers={"Authorization": f"Bearer {key}"}, timeout=PATIENCE
    ) as client:
        yield client
