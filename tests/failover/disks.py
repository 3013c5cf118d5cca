"""A small disk for each server, which can be filled; root can mount them."""

import os
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

SIZE_MEGABYTES = 3072
"""PostgreSQL takes a gigabyte for its write-ahead log before it reuses the files."""
MISSING = None if os.geteuid() == 0 else "the fault disk needs root: it mounts a file as a disk"
BALLAST = "ballast"


@contextmanager
def mounted(directory: Path) -> Iterator[None]:
    """A file system of its own in the directory, as large as a file beside it."""
    file = directory.with_suffix(".disk")
    with file.open("wb") as image:
        image.truncate(SIZE_MEGABYTES << 20)
    _run("mkfs.ext4", "-q", "-m", "0", str(file))
    _run("mount", "-o", "loop", str(file), str(directory))
    try:
        (directory / "lost+found").rmdir()
        yield
    finally:
        # Lazily: a server that was killed a moment ago may still have files open.
        _run("umount", "--lazy", str(directory))


def fill(directory: Path) -> None:
    """Take all the space that is left."""
    descriptor = os.open(directory / BALLAST, os.O_CREAT | os.O_WRONLY)
    try:
        for size in (1 << 24, 1 << 16, 4096):
            _fill(descriptor, size)
    finally:
        os.close(descriptor)


def _fill(descriptor: int, size: int) -> None:
    end = os.fstat(descriptor).st_size
    try:
        while True:
            os.posix_fallocate(descriptor, end, size)
            end += size
    except OSError:
        # An allocation that fails may still have made the file longer.
        os.ftruncate(descriptor, end)


def free(directory: Path) -> None:
    (directory / BALLAST).unlink(missing_ok=True)


def _run(*command: str) -> None:
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
