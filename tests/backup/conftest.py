"""One backup for all tests that only read it."""

from collections.abc import AsyncIterator

import pytest

from gamekeeper.core.settings import Settings
from gamekeeper.operations.backup.restoration import RestoredBackup
from tests.backup.world import Backup, empty, make_world, restored
from tests.databases import cloned, name_of


@pytest.fixture(scope="package")
async def backup(template: str, tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Backup]:
    async with cloned(template) as settings:
        yield await make_world(settings, tmp_path_factory.mktemp("backups"))


@pytest.fixture(scope="package")
async def loaded(backup: Backup) -> AsyncIterator[tuple[Settings, RestoredBackup]]:
    """The backup, restored with one of its keys, for tests that change nothing."""
    async with empty() as settings:
        yield settings, await restored(settings, backup.directory, keep_keys=("website",))


@pytest.fixture
async def again(loaded: tuple[Settings, RestoredBackup]) -> AsyncIterator[Settings]:
    """A copy of that, to be changed."""
    async with cloned(name_of(loaded[0])) as settings:
        yield settings


@pytest.fixture
async def target() -> AsyncIterator[Settings]:
    """An empty database to restore into."""
    async with empty() as settings:
        yield settings
