"""The versions that the matrix has, and which of its pairs can run on this machine."""

import os
import re
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

from msgspec import Struct

from gamekeeper.db import programs

PYTHONS = ("3.11", "3.12", "3.13")
POSTGRESQLS = (15, 16, 17, 18)
CORE = (
    "tests/contract",
    "tests/ledger",
    "tests/undo",
    "tests/backup",
    "tests/intersect",
    "tests/events",
    "tests/commands",
    "tests/servers",
    "tests/db/test_migrate.py",
    "tests/db/test_plans.py",
    "tests/security/test_upgrade.py",
)
"""Contract, ledger, backup, import, live link, migrations and upgrade: what a version can break."""


class Pair(Struct, frozen=True):
    """A version of Python and one of PostgreSQL."""

    python: str
    postgresql: int

    def __str__(self) -> str:
        return f"{self.python}/{self.postgresql}"

    @property
    def file_name(self) -> str:
        return f"python-{self.python}-postgresql-{self.postgresql}"


PAIRS = [Pair(python, postgresql) for python in PYTHONS for postgresql in POSTGRESQLS]


def chosen(names: str | None) -> Iterator[Pair]:
    """The pairs with these names, with commas between; without names all."""
    known = {str(pair): pair for pair in PAIRS}
    for name in names.split(",") if names else known:
        if name not in known:
            raise SystemExit(f"There is no pair {name!r}. There are {', '.join(known)}.")
        yield known[name]


def find_python(version: str) -> str | None:
    """An interpreter of a version; a shim of pyenv counts only if it leads to one."""
    path = shutil.which(f"python{version}")
    return path if path and run_version(path) is not None else None


def find_debian(major: int) -> Path | None:
    """PostgreSQL's programs of this major version that are installed on the machine."""
    for place in programs.directories("initdb"):
        server = place / "postgres"
        if os.access(server, os.X_OK) and programs.major(server) == major:
            return place
    return None


def run_version(program: str | Path) -> str | None:
    """The version that a program says it has; None if it does not run."""
    done = subprocess.run([program, "--version"], capture_output=True, text=True, check=False)
    found = re.search(r"\d+(\.\d+)+", done.stdout)
    return found[0] if found and done.returncode == 0 else None
