"""The indexes of names are built after a large first import, also if it was interrupted."""

import asyncpg
import pytest

from gamekeeper.db import search_indexes
from gamekeeper.db.database import Database
from gamekeeper.db.migrate import migrate
from gamekeeper.operations.doctor import checks
from gamekeeper.transfer import importer
from tests.doctor.test_doctor import found
from tests.make import BY
from tests.transfer.worlds import make_catalog, player, user, write

pytestmark = pytest.mark.usefixtures("schema_changes")

STEP = "Search indexes"


@pytest.fixture
async def world(database: Database, monkeypatch: pytest.MonkeyPatch) -> Database:
    monkeypatch.setattr(importer, "MANY", 2)
    await make_catalog(database)
    return database


async def steps(settings, tmp_path, *lines: object) -> set[str]:
    seen: set[str] = set()
    path = write(tmp_path / "game.jsonl", lines)
    report = await importer.bring(
        settings, path, BY, on_progress=lambda step, done, total: seen.add(step)
    )
    assert report.faults == []
    return seen


async def drop(settings) -> None:
    connection = await asyncpg.connect(settings.database_url)
    try:
        await search_indexes.drop_before_import(connection)
    finally:
        await connection.close()


def test_the_indexes_are_those_of_the_migration():
    assert len(search_indexes.definitions()) == 6


async def test_a_first_import_builds_them_at_its_end(settings, world, tmp_path):
    assert STEP in await steps(settings, tmp_path, user(), player())
    assert await search_indexes.missing(world.reader) == []


async def test_an_import_into_a_game_in_use_keeps_them(settings, world, tmp_path, monkeypatch):
    await steps(settings, tmp_path, user(), player())
    monkeypatch.setattr(search_indexes, "FEW_NAMES", 1)

    assert STEP not in await steps(settings, tmp_path, user("bo"), player("Bo", "bo"))


async def test_after_a_killed_import_the_next_one_builds_them(settings, world, tmp_path):
    await drop(settings)
    assert len(await search_indexes.missing(world.reader)) == 6
    assert STEP in await steps(settings, tmp_path, user())
    assert await search_indexes.missing(world.reader) == []


async def test_after_a_killed_import_doctor_warns_and_migrate_builds_them(settings, world):
    await drop(settings)
    assert (await found(settings))["search_indexes"].state == "warning"

    await migrate(settings)

    assert (await found(settings))["search_indexes"].state == "ok"
    assert any(check.name == "search_indexes" for check in checks.CHECKS)
