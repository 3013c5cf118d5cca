"""
Tests talk to a real PostgreSQL.

The schema is built once into a template. Every test gets its own database,
cloned from it: nothing is mocked, commits are real, tests cannot see each other.
"""

import os
import time
from collections import Counter
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import AbstractContextManager, asynccontextmanager, contextmanager
from functools import cache
from uuid import uuid4

import asyncpg
import httpcore2
import httpx2
import pytest

from gamekeeper.app import App
from gamekeeper.auth import keys, secrets
from gamekeeper.core.settings import Hidden, Settings
from gamekeeper.db import batching
from gamekeeper.db.database import Database
from gamekeeper.db.migrate import migrate
from tests import processes
from tests.make import BY

SERVER = os.environ.get("GAMEKEEPER_TEST_SERVER", "postgresql://postgres@127.0.0.1:5432/{}")
"""A URL with ``{}`` where the database name goes."""

STATEMENT_SECONDS = 10.0
"""Longer than in production: the machine may stall, and few tests are about that deadline."""
# So are these; the tests about them set their own.
batching.MAX_WAIT = STATEMENT_SECONDS
secrets.LONGEST_WAIT = STATEMENT_SECONDS

for name in [name for name in os.environ if name.startswith("GAMEKEEPER_")]:
    # The processes of xdist start after this, and read it again.
    if name != "GAMEKEEPER_TEST_SERVER":
        del os.environ[name]

processes.watch()

# Each client would read the certificates of all authorities anew: 60 ms, for plain HTTP too.
httpcore2.default_ssl_context = cache(httpcore2.default_ssl_context)


@pytest.fixture(scope="session", autouse=True)
def nothing_left_running() -> Iterator[None]:
    """The last to end: by then every process that a test started has ended."""
    yield
    deadline = time.monotonic() + processes.GRACE
    while (left := processes.left()) and time.monotonic() < deadline:
        time.sleep(0.1)
    processes.sweep()
    assert left == {}, "tests left these running"


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """
    Files with long tests first, then those with many, so that no process ends alone.

    Needs `--no-loadscope-reorder`, or xdist puts the few and long ones last.
    """
    count = Counter(item.path for item in items)
    is_long = {item.path for item in items if item.get_closest_marker("long")}
    items.sort(key=lambda item: (item.path not in is_long, -count[item.path], str(item.path)))


@asynccontextmanager
async def administering() -> AsyncIterator[asyncpg.Connection]:
    connection = await asyncpg.connect(SERVER.format("postgres"))
    try:
        yield connection
    finally:
        await connection.close()


async def admin(*statements: str) -> None:
    async with administering() as connection:
        for sql in statements:
            await connection.execute(sql)


@asynccontextmanager
async def cloned(template: str) -> AsyncIterator[Settings]:
    """
    A copy of a database, dropped at the end.

    Its commits do not wait for the disk: no test kills the server that all tests share (those
    that kill one have a cluster of their own), and a flush can take longer than all the rest.
    For the same reason it is copied by its files, which takes a third of the time but makes
    the server flush all that it has, only where the server flushes nothing.
    """
    name = f"gamekeeper_test_{uuid4().hex[:12]}"
    async with administering() as connection:
        waits_for_disk = await connection.fetchval("SHOW fsync") == "on"
        strategy = "wal_log" if waits_for_disk else "file_copy"
        await connection.execute(f"CREATE DATABASE {name} TEMPLATE {template} STRATEGY {strategy}")
        await connection.execute(f"ALTER DATABASE {name} SET synchronous_commit = off")
        try:
            yield Settings(
                database_url=Hidden(SERVER.format(name)), statement_seconds=STATEMENT_SECONDS
            )
        finally:
            await connection.execute(f"DROP DATABASE {name} WITH (FORCE)")


def name_of(settings: Settings) -> str:
    """The database's name, to clone it by."""
    return settings.database_url.rpartition("/")[2]


@pytest.fixture(scope="session")
async def migrated() -> AsyncIterator[str]:
    """The schema with all its months, for tests that are about those."""
    async with cloned("template1") as settings:
        await migrate(settings)
        yield name_of(settings)


@pytest.fixture(scope="session")
async def template(migrated: str) -> AsyncIterator[str]:
    """The schema with this month and the next: the others are most of what a clone copies."""
    async with cloned(migrated) as settings:
        await drop_far_months(settings)
        yield name_of(settings)


async def drop_far_months(settings: Settings) -> None:
    connection = await asyncpg.connect(settings.database_url)
    try:
        for month in await connection.fetch(FAR_MONTHS):
            await connection.execute(f"DROP TABLE {month['relation']}")
        await connection.execute("VACUUM FULL")
    finally:
        await connection.close()


FAR_MONTHS = """
    SELECT inhrelid::regclass::text AS relation
      FROM pg_inherits
     WHERE inhparent IN ('actions'::regclass, 'postings'::regclass)
       AND right(inhrelid::regclass::text, 7) NOT IN (
           'default',
           to_char(now() AT TIME ZONE 'utc', 'YYYY_MM'),
           to_char(now() AT TIME ZONE 'utc' + interval '1 month', 'YYYY_MM')
       )
"""


@pytest.fixture
async def settings(template: str) -> AsyncIterator[Settings]:
    """A fresh, migrated database of one's own."""
    async with cloned(template) as settings:
        yield settings


@pytest.fixture
async def database(settings: Settings) -> AsyncIterator[Database]:
    async with Database.open(settings) as database:
        yield database


@pytest.fixture
async def client(settings: Settings, database: Database) -> AsyncIterator[httpx2.AsyncClient]:
    """The whole application in this process, called with a key that may do everything."""
    app = App(settings)
    await app.start()
    key = await keys.create.one(database, keys.NewKey(by=BY, name="tests"))
    async with httpx2.AsyncClient(
        transport=httpx2.ASGITransport(app),
        base_url="http://gamekeeper",
        headers={"Authorization": f"Bearer {key}"},
    ) as client:
        yield client
    await app.stop()


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
