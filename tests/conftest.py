"""
Tests talk to a real PostgreSQL.

Each test process has one migrated database, emptied after every test: nothing is mocked, commits
are real, tests cannot see each other.
"""

import gc
import os
import signal
import time
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from functools import cache

import asyncpg
import httpcore2
import httpx2
import hypothesis
import pytest
import structlog

from gamekeeper.auth import keys, secrets
from gamekeeper.core.settings import Settings
from gamekeeper.db import batching
from gamekeeper.db.database import Database
from tests import array_types, databases, forks, processes
from tests.databases import (
    STATEMENT_SECONDS,
    ServedDatabase,
    SharedDatabase,
    cloned,
    name_of,
)
from tests.in_process import in_process
from tests.make import BY

# Longer than in production, as the deadline of statements is; the tests about them set their own.
batching.MAX_WAIT = STATEMENT_SECONDS
secrets.LONGEST_WAIT = STATEMENT_SECONDS

for name in [name for name in os.environ if name.startswith("GAMEKEEPER_")]:
    # The processes of xdist start after this, and read it again.
    if name != "GAMEKEEPER_TEST_SERVER":
        del os.environ[name]

# A shell ignores SIGINT in what it starts in the background, and so would all that tests start.
signal.signal(signal.SIGINT, signal.default_int_handler)

processes.watch()
array_types.share()

pytest_plugins = ["tests.durations", "tests.guards"]

# Each client would read the certificates of all authorities anew: 60 ms, for plain HTTP too.
httpcore2.default_ssl_context = cache(httpcore2.default_ssl_context)

# It would try to import sniffio for each request of the application in this process: 0.5 ms.
httpx2._transports.asgi.is_running_trio = lambda: False

# How fast the machine draws examples is no fault of a test.
hypothesis.settings.register_profile(
    "busy",
    hypothesis.settings.default,
    deadline=None,
    suppress_health_check=[hypothesis.HealthCheck.too_slow],
)
hypothesis.settings.load_profile("busy")

# With Rich, which structlog uses if it is there, a logged exception takes two seconds.
plain = structlog.dev.ConsoleRenderer(exception_formatter=structlog.dev.plain_traceback)
structlog.configure(processors=[*structlog.get_config()["processors"][:-1], plain])


def pytest_collection_finish() -> None:
    """The garbage collector would look through all collected tests again and again."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(20_000)


@pytest.fixture(scope="session", autouse=True)
def nothing_left_running() -> Iterator[None]:
    """The last to end: by then every process that a test started has ended."""
    yield
    forks.end()
    deadline = time.monotonic() + processes.GRACE
    while (left := processes.left()) and time.monotonic() < deadline:
        time.sleep(0.1)
    processes.sweep()
    assert left == {}, "tests left these running"


@pytest.fixture(scope="session")
async def migrated() -> AsyncIterator[str]:
    """The schema with all its months, for tests that are about those."""
    async with databases.migrated() as name:
        yield name


@pytest.fixture(scope="session")
async def template(migrated: str) -> AsyncIterator[str]:
    """The schema with this month and the next."""
    async with cloned(migrated) as settings:
        await databases.drop_far_months(settings)
        yield name_of(settings)


@pytest.fixture(scope="session")
async def shared_database(template: str) -> AsyncIterator[SharedDatabase]:
    async with SharedDatabase.open(template) as shared:
        yield shared


@pytest.fixture(scope="session")
async def served_database(template: str) -> AsyncIterator[ServedDatabase]:
    async with ServedDatabase.open(template) as served:
        yield served


@pytest.fixture
def schema_changes() -> None:
    """The test alters tables, functions, rights or partitions."""


@pytest.fixture
def copied_database() -> None:
    """The test copies its database: PostgreSQL copies only one without connections."""


@pytest.fixture
def database_statistics() -> None:
    """The test reads what PostgreSQL counts for a database, such as deadlocks."""


OWN_DATABASE = {"schema_changes", "copied_database", "database_statistics"}
"""The reasons for a test to have a database of its own."""


@pytest.fixture
async def settings(
    request: pytest.FixtureRequest, template: str, shared_database: SharedDatabase
) -> AsyncIterator[Settings]:
    """A migrated database without rows."""
    if OWN_DATABASE.intersection(request.fixturenames):
        async with cloned(template) as own:
            yield own
    else:
        yield shared_database.settings
        await shared_database.clean()


@pytest.fixture
async def database(settings: Settings, shared_database: SharedDatabase) -> AsyncIterator[Database]:
    if settings is shared_database.settings:
        yield shared_database.database()
    else:
        async with Database.open(settings) as database:
            yield database


@pytest.fixture
async def client(
    settings: Settings, database: Database, shared_database: SharedDatabase
) -> AsyncIterator[httpx2.AsyncClient]:
    """The whole application in this process, called with a key that may do everything."""
    pools = shared_database.database() if settings is shared_database.settings else None
    key = await keys.create.one(database, keys.NewKey(by=BY, name="tests"))
    async with in_process(settings, pools, {"Authorization": f"Bearer {key}"}) as client:
        yield client


@pytest.fixture
def statements(monkeypatch) -> Callable[[], AbstractContextManager[list[str]]]:
    """Records the statements sent to PostgreSQL inside a ``with`` block."""
    recorded: list[list[str]] = []

    def listening(method: str) -> None:
        original = getattr(asyncpg.Connection, method)

        async def listen(connection: asyncpg.Connection, sql: str, *args: object, **about: object):
            for block in recorded:
                block.append(sql)
            return await original(connection, sql, *args, **about)

        monkeypatch.setattr(asyncpg.Connection, method, listen)

    listening("fetch")
    listening("execute")

    @contextmanager
    def record() -> Iterator[list[str]]:
        block: list[str] = []
        recorded.append(block)
        yield block
        recorded.remove(block)

    return record
