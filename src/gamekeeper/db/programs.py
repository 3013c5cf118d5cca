"""PostgreSQL's own programs on this machine: where they are, and of which version."""

import os
import re
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

# Where PostgreSQL is when it is not on the PATH; the newest version of each is tried first.
PLACES = (
    "/usr/lib/postgresql/*/bin",  # Debian, Ubuntu
    "/usr/pgsql-*/bin",  # the project's own packages for Red Hat
    "/usr/libexec/postgresql*",  # Alpine
    "/opt/homebrew/opt/postgresql*/bin",  # Homebrew
    "/usr/local/opt/postgresql*/bin",  # Homebrew on Intel
    "/home/linuxbrew/.linuxbrew/opt/postgresql*/bin",
    "/Applications/Postgres.app/Contents/Versions/*/bin",
    "/Library/PostgreSQL/*/bin",  # EDB
    "/opt/PostgreSQL/*/bin",
)


def directories(program: str) -> Iterator[Path]:
    """The directories that may hold PostgreSQL's programs, those of the PATH first."""
    if found := shutil.which(program):
        # A symlink may stand alone; the other programs are next to its target. Debian's leads
        # to a wrapper, with none beside it: that would choose a version by itself.
        yield Path(found).resolve().parent
    if pg_config := shutil.which("pg_config"):
        command = [pg_config, "--bindir"]
        answer = subprocess.run(command, capture_output=True, text=True, check=False)  # noqa: S603
        yield Path(answer.stdout.strip())
    for pattern in PLACES:
        yield from sorted(Path("/").glob(pattern[1:]), key=_version, reverse=True)


def _version(place: Path) -> list[int]:
    return [int(number) for number in re.findall(r"\d+", str(place))]


def find(program: str, *, oldest: int, best: int) -> Path | None:
    """
    A program of at least the version `oldest`: that of `best` if there is one.

    Otherwise the oldest that will do: a newer one may speak of what an older server lacks.
    """
    found = {
        version: place / program
        for place in reversed(list(directories(program)))
        if os.access(place / program, os.X_OK)
        and (version := major(place / program)) is not None
        and version >= oldest
    }
    return found[min(found, key=lambda version: (version != best, version))] if found else None


def major(program: Path) -> int | None:
    """The major version that a program says it has; None if it does not run."""
    command = [program, "--version"]
    answer = subprocess.run(command, capture_output=True, text=True, check=False)  # noqa: S603
    said = re.search(r"\d+", answer.stdout)
    return int(said[0]) if said and answer.returncode == 0 else None
