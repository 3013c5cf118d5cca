"""
The database that a backup is restored into: whether it is empty, and what becomes of the rest.

What a database holds is not dropped before the backup is restored and verified. It is set
aside in a schema of another name, and comes back if anything fails.
"""

from contextlib import suppress
from datetime import UTC, datetime
from typing import LiteralString

import asyncpg
from msgspec import Struct

from gamekeeper.core.errors import Conflict
from gamekeeper.core.progress import ProgressCallback
from gamekeeper.core.settings import Settings
from gamekeeper.db import migrate, primary
from gamekeeper.db.database import translate_errors
from gamekeeper.db.outages import ServerAddress
from gamekeeper.operations.backup import figures

ASIDE = "replaced_{:%Y%m%d_%H%M%S}"


class DatabaseNotEmpty(Conflict):
    """The database is not empty."""


class DatabaseInUse(Conflict):
    """Other clients are connected to the database."""


class ExtensionNotMovable(Conflict):
    """This role cannot move the existing content of the database aside."""


class RestoreTarget(Struct, frozen=True, kw_only=True):
    """What there is before the restore."""

    name: str
    server: str
    major: int
    relations: int
    players: int | None = None
    accounts: int | None = None
    actions: int | None = None
    sessions: list[str]

    @property
    def described(self) -> str:
        """The database and what would be lost with it."""
        at = f"the database '{self.name}' at {self.server}"
        if self.players is None:
            return f"{at} ({self.relations:,} tables and other objects, not from Gamekeeper)"
        return (
            f"{at} ({self.players:,} characters, {self.accounts:,} accounts, "
            f"{self.actions:,} actions)"
        )


async def connect(settings: Settings) -> asyncpg.Connection:
    with translate_errors():
        return await primary.connect(settings.database_url, timeout=settings.connect_seconds)


async def look(settings: Settings) -> RestoreTarget:
    """Look at the database; raise if somebody else uses it, or PostgreSQL is too old."""
    connection = await connect(settings)
    try:
        about = await connection.fetchrow(ABOUT)
        assert about is not None
        number = int(about["number"])
        migrate.check_version(number)
        sessions = [row["who"] for row in await connection.fetch(SESSIONS)]
        counts: dict[str, int] = {}
        if await connection.fetchval("SELECT to_regclass('public.ledger_heads') IS NOT NULL"):
            counts = dict(await connection.fetchrow(COUNTS) or {})
        return RestoreTarget(
            name=about["name"],
            server=ServerAddress.of(settings.database_url).server,
            major=number // 10_000,
            relations=about["relations"],
            sessions=sessions,
            **counts,
        )
    finally:
        await connection.close()


def check(target: RestoreTarget, *, replace: bool) -> None:
    """Raise unless a backup may be restored there."""
    if target.sessions:
        raise DatabaseInUse(
            f"Other clients are connected to the database '{target.name}': "
            f"{', '.join(sorted(set(target.sessions)))}. Stop serve, worker and all other "
            "users, and try again. Nothing was changed."
        )
    if target.relations and not replace:
        raise DatabaseNotEmpty(
            f"Not empty: {target.described}. Restore into a new database: createdb --template "
            "template0 --encoding UTF8 NAME, and --into its URL. Or replace the content with "
            "--replace. Nothing was changed."
        )


SESSIONS: LiteralString = """
    SELECT coalesce(nullif(application_name, ''), usename::text, 'somebody') AS who
      FROM pg_stat_activity
     WHERE datname = current_database() AND pid <> pg_backend_pid()
       AND backend_type = 'client backend'
"""

# What an extension has made does not count.
ABOUT: LiteralString = """
    SELECT current_database()::text AS name, current_setting('server_version_num') AS number,
           (SELECT count(*)
              FROM pg_class
             WHERE relnamespace = to_regnamespace('public')
               AND relkind IN ('r', 'p', 'v', 'm', 'f', 'S')
               AND NOT EXISTS (SELECT FROM pg_depend
                                WHERE objid = pg_class.oid AND deptype = 'e')) AS relations
"""

COUNTS: LiteralString = """
    SELECT (SELECT count(*) FROM players) AS players, (SELECT count(*) FROM users) AS accounts,
           (SELECT count(*) FROM actions) AS actions
"""


class Replacement:
    """What is set aside while a backup is restored; either of the two is dropped at the end."""

    def __init__(self, settings: Settings, *, is_empty: bool) -> None:
        self._settings = settings
        self._aside = None if is_empty else ASIDE.format(datetime.now(UTC))

    async def begin(self) -> None:
        if self._aside:
            try:
                await self._run(f"ALTER SCHEMA public RENAME TO {self._aside}", *NEW_SCHEMA)
            except asyncpg.InsufficientPrivilegeError as fault:
                raise ExtensionNotMovable(
                    "This role cannot move the content aside: the functions of the extension "
                    "pg_trgm belong to a superuser. Restore into a new database, with --into its "
                    "URL, or use the URL of a superuser. Nothing was changed."
                ) from fault

    async def finish(self) -> None:
        """Drop what was there before."""
        if self._aside:
            await self._run(f"DROP SCHEMA {self._aside} CASCADE")

    async def undo(self) -> None:
        """Drop what was restored, and put back what was there before."""
        # The extension's functions are in use by the indexes of what was set aside.
        moved = f"ALTER EXTENSION pg_trgm SET SCHEMA {self._aside}"
        if self._aside is None:
            return await self._run("DROP SCHEMA public CASCADE", *NEW_SCHEMA[:-1])
        with suppress(asyncpg.UndefinedObjectError):
            await self._run(moved)
        return await self._run(
            "DROP SCHEMA public CASCADE", f"ALTER SCHEMA {self._aside} RENAME TO public"
        )

    async def _run(self, *statements: str) -> None:
        """Run them all, or none."""
        connection = await connect(self._settings)
        try:
            async with connection.transaction():
                for statement in statements:
                    await connection.execute(statement)
        finally:
            await connection.close()


# As initdb makes it. An extension that is already there is not created again by the dump, so
# it moves to where the dump expects it.
NEW_SCHEMA = (
    "CREATE SCHEMA public",
    "ALTER SCHEMA public OWNER TO pg_database_owner",
    "GRANT USAGE ON SCHEMA public TO PUBLIC",
    """
    DO $$ BEGIN
        IF EXISTS (SELECT FROM pg_extension WHERE extname = 'pg_trgm') THEN
            ALTER EXTENSION pg_trgm SET SCHEMA public;
        END IF;
    END $$
    """,
)


async def read_figures(settings: Settings, on_progress: ProgressCallback) -> figures.Figures:
    """The figures of what was restored."""
    connection = await connect(settings)
    try:
        async with connection.transaction(isolation="repeatable_read", readonly=True):
            return await figures.read(connection, on_progress)
    finally:
        await connection.close()


async def analyze(settings: Settings) -> None:
    """Have PostgreSQL look at the new tables: a dump has no statistics for its planner."""
    connection = await connect(settings)
    try:
        await connection.execute("ANALYZE")
    finally:
        await connection.close()
