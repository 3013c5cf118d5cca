"""What is not a whole backup, as it was written, is refused before anything is touched."""

import json
import re
from pathlib import Path

import pytest

from gamekeeper.core.errors import Unavailable
from gamekeeper.core.settings import Hidden, Settings
from gamekeeper.operations.backup import creation
from gamekeeper.operations.backup.creation import PlaceTaken
from gamekeeper.operations.backup.manifest import BackupDamaged, BackupNotFound, BackupTooNew
from tests.backup.world import restored, rewritten
from tests.make import BY

NOWHERE = Settings(database_url=Hidden("postgresql://nobody@127.0.0.1:1/nothing"))
"""If it came to the database, that would be another error."""


def largest(directory: Path) -> Path:
    return max((directory / "dump").glob("*.dat*"), key=lambda file: file.stat().st_size)


def changed(file: Path) -> None:
    content = bytearray(file.read_bytes())
    content[len(content) // 2] ^= 1
    file.write_bytes(content)


HARMS = {
    "was changed": lambda copy: changed(largest(copy)),
    "bytes instead of": lambda copy: largest(copy).write_bytes(largest(copy).read_bytes()[:-9]),
    "is missing": lambda copy: largest(copy).unlink(),
    "does not belong to this backup": lambda copy: (copy / "dump" / "more.dat").write_text("x"),
    "the backup is incomplete": lambda copy: (copy / "manifest.json").unlink(),
    "cannot be read": lambda copy: (copy / "manifest.json").write_text("{"),
}


@pytest.mark.parametrize("said", HARMS)
async def test_a_damaged_backup_is_refused(backup, tmp_path, said):
    copy = backup.copied(tmp_path)
    HARMS[said](copy)

    with pytest.raises(BackupDamaged, match=said):
        await restored(NOWHERE, copy)


async def test_half_a_backup_is_refused(backup, tmp_path):
    half = backup.copied(tmp_path).rename(tmp_path / ".gamekeeper.1234.partial")

    with pytest.raises(BackupDamaged, match="an incomplete backup"):
        await restored(NOWHERE, half)


async def test_what_is_no_backup_is_said_to_be_none(tmp_path):
    with pytest.raises(BackupNotFound):
        await restored(NOWHERE, tmp_path)


async def test_a_backup_of_a_newer_version_is_refused_with_its_version(backup, tmp_path):
    copy = backup.copied(tmp_path)
    migrations = [*backup.made.manifest.migrations, "9999_of_the_future"]
    rewritten(copy, migrations=migrations, gamekeeper="9.9.9")

    with pytest.raises(BackupTooNew, match=r"Gamekeeper 9\.9\.9.*9999_of_the_future"):
        await restored(NOWHERE, copy)


async def test_a_manifest_of_a_later_form_is_refused(backup, tmp_path):
    copy = backup.copied(tmp_path)
    (copy / "manifest.json").write_text(json.dumps({"format": 2, "shape": "another"}))

    with pytest.raises(BackupTooNew):
        await restored(NOWHERE, copy)


async def test_nobody_else_may_read_a_backup(backup):
    assert backup.directory.stat().st_mode & 0o077 == 0


async def test_nothing_is_overwritten(backup, settings, tmp_path):
    (file := tmp_path / "file").touch()
    for taken in (backup.directory, file):
        with pytest.raises(PlaceTaken):
            await creation.create(settings, taken, BY)


async def test_two_nights_make_two_backups_in_a_place_that_did_not_exist(
    settings, tmp_path, monkeypatch
):
    place = tmp_path / "srv" / "backups"
    first = await creation.create(settings, place, BY)
    monkeypatch.setattr(creation, "NAME", "gamekeeper-second-night")
    second = await creation.create(settings, place, BY)

    assert {str(each) for each in place.iterdir()} == {first.directory, second.directory}
    assert re.fullmatch(r"gamekeeper-\d{8}T\d{6}Z", Path(first.directory).name)


async def test_a_place_that_did_not_exist_is_not_left_empty(tmp_path):
    with pytest.raises(Unavailable):
        await creation.create(NOWHERE, tmp_path / "backups", BY)
    assert list(tmp_path.iterdir()) == []


async def test_a_backup_that_fails_leaves_nothing(tmp_path):
    with pytest.raises(Unavailable):
        await creation.create(NOWHERE, tmp_path, BY)
    assert list(tmp_path.iterdir()) == []


async def test_a_backup_is_recorded(settings, database, tmp_path):
    made = await creation.create(settings, tmp_path, BY)

    [action] = await database.reader.rows(
        "SELECT after FROM actions WHERE kind = 'database.backup'"
    )
    assert action["after"]["sha256"] == made.sha256
    assert action["after"]["directory"] == made.directory
