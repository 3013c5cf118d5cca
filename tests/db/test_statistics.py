"""Statistics for the planner: tables that lack them are found, and analyzed after a migration."""

import asyncpg
import pytest

from gamekeeper.db import statistics
from gamekeeper.db.database import Database, Writer
from gamekeeper.db.migrate import migrate
from gamekeeper.transfer import importer
from tests.transfer.worlds import bring, make_catalog, player, user

pytestmark = pytest.mark.usefixtures("database_statistics")

GROW = """
    INSERT INTO replies (caller, key, fingerprint, status, body)
    SELECT 'key:shop', md5($2 || ' ' || number), '', 200, '{}'
      FROM generate_series(1, $1::int) AS number
"""
ANALYZED = "SELECT reltuples::int FROM pg_class WHERE oid = $1::text::regclass"


async def grow(database: Database, rows: int, prefix: str) -> None:
    """Insert rows, and count them at once: an idle connection waits up to ten seconds with it."""

    async def insert(writer: Writer) -> None:
        await writer.run(GROW, rows, prefix)
        await writer.run("SELECT pg_stat_force_next_flush()")

    await database.write(insert)


async def test_a_large_table_without_statistics_is_analyzed_by_a_migration(settings, database):
    assert await statistics.missing(database.reader) == []
    await grow(database, 15_000, "first")
    assert await statistics.missing(database.reader) == ["replies"]

    await migrate(settings)

    assert await statistics.missing(database.reader) == []
    assert await database.reader.value(ANALYZED, "replies") == 15_000
    # Statistics of an empty table would make plans that are slow when it has grown.
    assert await database.reader.value(ANALYZED, "webhooks") == -1


async def test_a_table_that_has_changed_completely_is_analyzed_again(database, monkeypatch):
    monkeypatch.setattr(statistics, "SMALL_BYTES", 100_000)
    monkeypatch.setattr(statistics, "FEW_CHANGES", 100)
    await grow(database, 1_500, "first")
    connection = await asyncpg.connect(database.settings.database_url)
    try:
        assert await statistics.analyze_missing(connection) == ["replies"]
        await grow(database, 3_500, "second")

        assert await statistics.missing(database.reader) == ["replies"]
        assert await statistics.analyze_missing(connection) == ["replies"]
        assert await statistics.analyze_missing(connection) == []
    finally:
        await connection.close()


async def test_a_large_import_ends_with_statistics(settings, database, tmp_path, monkeypatch):
    await make_catalog(database)
    await bring(settings, tmp_path, user("ana"), player("Ana", "ana"))
    assert await database.reader.value(ANALYZED, "players") == -1

    monkeypatch.setattr(importer, "MANY", 1)
    await bring(settings, tmp_path, user("bo"), player("Bo", "bo"))

    assert await database.reader.value(ANALYZED, "players") == 2
