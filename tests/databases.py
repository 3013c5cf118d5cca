"""
The databases of the tests.

Each test process has one migrated database. It is emptied after every test, which takes a
twentieth of the time of a clone. What emptying cannot put back needs a database of its own: such a
test asks for one of the fixtures in `OWN_DATABASE`, whose name says why.
"""

import asyncio
import os
import time
from collections.abc import AsyncIterator, Iterable
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Self
from uuid import uuid4

import asyncpg

from gamekeeper.core.settings import Hidden, Settings
from gamekeeper.db.database import Database
from gamekeeper.db.migrate import migrate
from tests import processes
from tests.server import serving

SERVER = os.environ.get("GAMEKEEPER_TEST_SERVER", "postgresql://postgres@127.0.0.1:5432/{}")
"""A URL with ``{}`` where the database name goes."""

STATEMENT_SECONDS = 30.0
"""Longer than in production: the machine may stall, and few tests are about that deadline."""

GROWN_BYTES = 128 * 1024
"""A table above this size is truncated: DELETE leaves dead rows, which slow down the next tests."""


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


@asynccontextmanager
async def migrated() -> AsyncIterator[str]:
    """The name of a database with the schema and all its months."""
    async with cloned("template1") as settings:
        await migrate(settings)
        yield name_of(settings)


async def drop_far_months(settings: Settings) -> None:
    """Drop all months but this one and the next: they are most of what a clone copies."""
    connection = await asyncpg.connect(settings.database_url)
    try:
        for month in await connection.fetch(FAR_MONTHS):
            await connection.execute(f"DROP TABLE {month['relation']}")
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


class SharedDatabase:
    """The database that the tests of this process use one after the other."""

    def __init__(self, template: str) -> None:
        self._template = template
        self._open = AsyncExitStack()

    @classmethod
    @asynccontextmanager
    async def open(cls, template: str) -> AsyncIterator[Self]:
        shared = cls(template)
        await shared._start()
        try:
            yield shared
        finally:
            await shared._open.aclose()

    async def _start(self) -> None:
        self.settings = await self._open.enter_async_context(cloned(self._template))
        opened = await self._open.enter_async_context(Database.open(self.settings))
        self._pools = opened.pools
        self._connection = await asyncpg.connect(
            self.settings.database_url, server_settings=EMPTYING
        )
        self._open.push_async_callback(self._connection.close)
        self._tables = [row["name"] for row in await self._connection.fetch(TABLES)]
        sequences = [row["name"] for row in await self._connection.fetch(SEQUENCES)]
        seeded = [name for name in self._tables if await self._has_rows(name)]
        for name in seeded:
            await self._connection.execute(f"CREATE TEMP TABLE seeded_{name} AS TABLE {name}")
        await self._connection.execute(_emptying(self._tables, seeded, sequences))
        self._catalog = set(await self._connection.fetch(CATALOG))

    async def _has_rows(self, table: str) -> bool:
        return await self._connection.fetchval(f"SELECT EXISTS (SELECT FROM {table})")

    def database(self, settings: Settings | None = None) -> Database:
        """Open pools, with batches and refusals of their own."""
        return Database(*self._pools, settings or self.settings)

    async def clean(self) -> None:
        """Empty the database; fail if the test changed more than rows, or is still connected."""
        try:
            await self._expect_no_connections()
            left = set(await self._connection.fetch(CATALOG)) ^ self._catalog
            assert not left, f"the test needs a database of its own: it changed {left}"
            await self._empty()
        except BaseException:
            # The next tests must not suffer from it.
            with suppress(Exception):
                await self._open.aclose()
            await self._start()
            raise

    async def _expect_no_connections(self) -> None:
        """A process that has just ended may be connected for another moment."""
        ours = [self._connection.get_server_pid()]
        ours += [
            connection.get_server_pid()
            for pool in self._pools
            for connection in pool.connections
            if not connection.is_closed()
        ]
        deadline = time.monotonic() + processes.GRACE
        while left := await self._connection.fetch(CONNECTED, ours):
            assert time.monotonic() < deadline, f"the test left these connections open: {left}"
            await asyncio.sleep(0.01)

    async def _empty(self) -> None:
        """Make every table and sequence as it was after the migrations."""
        grown = await self._connection.fetch(GROWN, self._tables, GROWN_BYTES)
        if grown:
            names = ", ".join(row["name"] for row in grown)
            await self._connection.execute(f"TRUNCATE {names} CASCADE")
        await self._connection.execute("SELECT pg_temp.empty_tables()")


class ServedDatabase(SharedDatabase):
    """
    One with a running `gamekeeper serve`, for files of tests one after the other.

    The server numbers events and keeps what it has read, whenever it likes: so tests in this
    process have another database.
    """

    async def _start(self) -> None:
        await super()._start()
        self._url: str | None = None

    @property
    def url(self) -> str:
        """Where the server is; it starts on first use."""
        if self._url is None:
            log = Path(self._open.enter_context(TemporaryDirectory())) / "log"
            server = serving(self.settings, log, **UNLIMITED)
            self._url, process = self._open.enter_context(server)
            processes.keep(process)
        return self._url

    async def _expect_no_connections(self) -> None:
        """Those of the server cannot be told from others."""


def _emptying(tables: Iterable[str], seeded: Iterable[str], sequences: Iterable[str]) -> str:
    """
    The function that empties all tables: its plans are made once.

    Rows that the migrations inserted are compared, and written again only if they differ.
    """
    kept = set(seeded)
    steps = [f"DELETE FROM {name};" for name in tables if name not in kept]
    steps += [SEEDED.format(name) for name in seeded]
    steps += [RESTARTED.format(name) for name in sequences]
    body = "\n".join(steps)
    return f"""
        CREATE FUNCTION pg_temp.empty_tables() RETURNS void LANGUAGE plpgsql
        AS $function$ BEGIN {body} END $function$
    """


# As texts: not every type has an operator for equality.
SEEDED = """
    IF EXISTS (
        SELECT FROM {0} AS stored
          FULL JOIN pg_temp.seeded_{0} AS seeded ON stored::text = seeded::text
         WHERE stored.tableoid IS NULL OR seeded.tableoid IS NULL
    ) THEN
        DELETE FROM {0};
        INSERT INTO {0} TABLE pg_temp.seeded_{0};
    END IF;
"""
RESTARTED = "PERFORM setval('{0}', 1, false) FROM {0} WHERE is_called;"

UNLIMITED = {
    "GAMEKEEPER_ANONYMOUS_RATE": "100000",
    "GAMEKEEPER_RATE_LIMITS": "public off, sign-in off",
}
"""The tests of a whole session come from one address; the tests of limits set their own."""

EMPTYING = {
    # No triggers: foreign keys would dictate an order, and all rows go anyway.
    "session_replication_role": "replica",
    # A transaction that a test left open is an error of that test; this names it.
    "lock_timeout": "10s",
    "jit": "off",
}

TABLES = """
    SELECT oid::regclass::text AS name
      FROM pg_class
     WHERE relnamespace = 'public'::regnamespace AND relkind = 'r'
     ORDER BY oid
"""
SEQUENCES = """
    SELECT seqrelid::regclass::text AS name FROM pg_sequence ORDER BY seqrelid
"""
GROWN = """
    SELECT name
      FROM unnest($1::text[]) AS given (name)
     WHERE pg_relation_size(name::regclass) > $2
"""
CONNECTED = """
    SELECT pid, state, left(query, 200) AS query
      FROM pg_stat_activity
     WHERE datname = current_database() AND pid <> ALL($1) AND backend_type = 'client backend'
"""
CATALOG = """
    SELECT 'relation', oid::regclass::text, relkind::text || relacl::text || reloptions::text
      FROM pg_class
     WHERE relnamespace = 'public'::regnamespace
     UNION ALL
    SELECT 'column', attrelid::regclass::text, attname || atttypid || attnotnull || attisdropped
      FROM pg_attribute
      JOIN pg_class ON pg_class.oid = attrelid
     WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p') AND attnum > 0
     UNION ALL
    SELECT 'constraint', conname, conrelid::regclass::text || convalidated
      FROM pg_constraint
     WHERE connamespace = 'public'::regnamespace
     UNION ALL
    SELECT 'trigger', tgname, tgrelid::regclass::text || tgenabled::text FROM pg_trigger
     UNION ALL
    SELECT 'function', oid::regprocedure::text, md5(prosrc)
      FROM pg_proc
     WHERE pronamespace = 'public'::regnamespace
     UNION ALL
    SELECT 'sequence', seqrelid::regclass::text, pg_sequence::text FROM pg_sequence
     UNION ALL
    SELECT 'extension', extname, extversion FROM pg_extension
     UNION ALL
    SELECT 'schema', nspname, nspacl::text FROM pg_namespace WHERE nspname !~ '^pg_'
     UNION ALL
    SELECT 'setting', setrole::text, setconfig::text
      FROM pg_db_role_setting
      JOIN pg_database ON pg_database.oid = setdatabase
     WHERE datname = current_database()
"""
