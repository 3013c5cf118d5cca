"""
Schema migrations: bring the database to the newest version.

Migrations are SQL files, applied in the order of their numbers, each in its own
transaction, once, by one process at a time. There are no down migrations: a mistake is
corrected by the next number. A file that begins with ``-- concurrently`` runs outside
of a transaction, statement by statement, and may be run again if it failed halfway:
so PostgreSQL can create an index on a large table while others write to it. One that begins
with ``-- concurrently by partition`` does that to a partitioned table. PgQueuer migrates its
own tables, and missing partitions are created up to a year ahead.
"""

import asyncio

import asyncpg
from pgqueuer import AsyncpgDriver, Queries

from gamekeeper.core.errors import Unavailable
from gamekeeper.core.settings import Settings
from gamekeeper.db import (
    grants,
    partitioned_indexes,
    partitions,
    primary,
    search_indexes,
    statistics,
)
from gamekeeper.db.database import translate_errors
from gamekeeper.db.schema_files import OLDEST, numbered

LOCK = 0x67616D65  # "game": any number that no other lock uses
LOCK_PAUSE_SECONDS = 0.2
CONCURRENTLY = "-- concurrently\n"
BY_PARTITION = "-- concurrently by partition\n"


class MigrationFailed(Unavailable):
    """A migration could not be applied."""


async def migrate(settings: Settings, app_role: str | None = None) -> list[str]:
    """
    Apply the missing migrations and return their names.

    `app_role` gets the grants to serve, but not to alter history.
    """
    with translate_errors():
        connection = await primary.connect(settings.database_url, timeout=settings.connect_seconds)
    try:
        # First of all: a refusal must not leave half of the migrations behind.
        check_version(int(await connection.fetchval("SHOW server_version_num")))
        await _check_privileges(connection)
        await _lock(connection)
        await connection.execute(
            "CREATE TABLE IF NOT EXISTS migrations ("
            " name text PRIMARY KEY, at timestamptz NOT NULL DEFAULT now())"
        )
        applied = await missing(connection)
        for name, sql in applied:
            await _apply(connection, name, sql)
        await _months(connection)
        await _queue(connection)
        await search_indexes.build_missing(connection)
        async with connection.transaction():
            await grants.grant(connection, app_role)
        await statistics.analyze_missing(connection)
        return [name for name, _ in applied]
    finally:
        await connection.close()


def check_version(number: int) -> None:
    """Raise MigrationFailed if PostgreSQL is too old; `number` is its server_version_num."""
    if number // 10_000 < OLDEST:
        # 140009 is version 14.9, and 90624 was 9.6.24.
        minor = number % 10_000 if number >= 100_000 else number // 100 % 100
        raise MigrationFailed(
            f"PostgreSQL {number // 10_000}.{minor} is too old: version {OLDEST} or newer is "
            "needed. Nothing was changed."
        )


async def _check_privileges(connection: asyncpg.Connection) -> None:
    """Raise MigrationFailed if this role cannot create or alter the tables."""
    found = await connection.fetchrow(PRIVILEGES)
    assert found is not None
    role, owner = found["role"], found["owner"]
    if found["owns"] is False:
        raise MigrationFailed(
            f"The tables belong to the role '{owner}', and '{role}' cannot alter them. "
            f"Put the URL of '{owner}' into GAMEKEEPER_DATABASE_URL. Nothing was changed."
        )
    if owner is None and found["may_create"] is False:
        raise MigrationFailed(
            f"The role '{role}' cannot create tables in this database. Put the URL of its owner "
            f"'{found['database_owner']}' into GAMEKEEPER_DATABASE_URL. Nothing was changed."
        )


PRIVILEGES = """
    SELECT current_user AS role,
           has_schema_privilege(to_regnamespace('public'), 'CREATE') AS may_create,
           pg_get_userbyid(datdba) AS database_owner,
           pg_get_userbyid(relowner) AS owner,
           pg_has_role(relowner, 'USAGE') AS owns
      FROM pg_database LEFT JOIN pg_class ON pg_class.oid = to_regclass('public.migrations')
     WHERE datname = current_database()
"""


async def _lock(connection: asyncpg.Connection) -> None:
    """Poll for the lock: CREATE INDEX CONCURRENTLY would wait for a statement that waits."""
    while not await connection.fetchval(  # noqa: ASYNC110  there is no event to wait for
        "SELECT pg_try_advisory_lock($1)", LOCK
    ):
        await asyncio.sleep(LOCK_PAUSE_SECONDS)


async def missing(connection: asyncpg.Connection) -> list[tuple[str, str]]:
    known = {row["name"] for row in await connection.fetch("SELECT name FROM migrations")}
    return [(name, sql) for name, sql in numbered() if name not in known]


async def _apply(connection: asyncpg.Connection, name: str, sql: str) -> None:
    try:
        if sql.startswith((CONCURRENTLY, BY_PARTITION)):
            await _apply_concurrently(connection, name, sql)
        else:
            await _apply_in_transaction(connection, name, sql)
    except asyncpg.PostgresError as fault:
        raise MigrationFailed(f"{name} failed: {fault}. {_advice(fault)}") from fault


async def _apply_in_transaction(connection: asyncpg.Connection, name: str, sql: str) -> None:
    async with connection.transaction():
        # Fail rather than queue behind a long query and block all statements after us.
        await connection.execute(f"SET LOCAL lock_timeout = '{partitions.LOCK_TIMEOUT}'")
        await connection.execute(sql)
        await connection.execute("INSERT INTO migrations (name) VALUES ($1)", name)


async def _apply_concurrently(connection: asyncpg.Connection, name: str, sql: str) -> None:
    """Run statements one by one, without a transaction whose locks would block others."""
    by_partition = sql.startswith(BY_PARTITION)
    for statement in sql.split(";\n"):
        if statement.strip() and by_partition:
            await partitioned_indexes.create(connection, statement)
        elif statement.strip():
            await connection.execute(statement)
    await connection.execute("INSERT INTO migrations (name) VALUES ($1)", name)


def _advice(fault: asyncpg.PostgresError) -> str:
    if isinstance(fault, asyncpg.FeatureNotSupportedError | asyncpg.UndefinedFileError):
        return "PostgreSQL's additional modules are needed: install postgresql-contrib."
    if isinstance(fault, asyncpg.InsufficientPrivilegeError):
        return "Run it as the owner of the database."
    if isinstance(fault, asyncpg.LockNotAvailableError):
        return "A long query blocks the migration. Run it again when the query has ended."
    return "This migration was rolled back; earlier ones were applied."


async def _months(connection: asyncpg.Connection) -> None:
    """Create the missing partitions of history."""
    try:
        await partitions.extend(connection)
    except asyncpg.PostgresError as fault:
        raise MigrationFailed(f"New months failed: {fault}. {_advice(fault)}") from fault


async def _queue(connection: asyncpg.Connection) -> None:
    """Install or upgrade the tables of PgQueuer."""
    queries = Queries(AsyncpgDriver(connection))
    if not await queries.schema_is_installed():
        await queries.install()
    else:
        await queries.upgrade()
