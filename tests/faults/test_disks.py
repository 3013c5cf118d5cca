"""A disk that is full where a backup is written; root can make one."""

import asyncio
import os
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from gamekeeper.core.settings import Settings
from tests.cli.command import gamekeeper

pytestmark = [
    pytest.mark.deploy,
    pytest.mark.skipif(os.geteuid() != 0, reason="it mounts a disk, which needs root"),
]


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    disk = tmp_path / "disk"
    disk.mkdir()
    subprocess.run(["mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", str(disk)], check=True)
    try:
        yield disk
    finally:
        subprocess.run(["umount", "--lazy", str(disk)], check=True)


async def test_a_backup_without_space_fails_and_leaves_nothing(
    settings: Settings, small_disk: Path
):
    done = await asyncio.to_thread(gamekeeper, settings, "backup", str(small_disk))

    assert done.returncode == 1
    assert "No space left on device" in done.stderr
    assert "Traceback" not in done.stderr
    assert list(small_disk.iterdir()) == []
