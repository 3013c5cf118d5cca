"""
A temporary private PostgreSQL cluster, removed at the end with all its data.

It lives in a temporary directory that only its owner may enter, and listens only on a
Unix socket in there; that is why it needs no password. Durability is off (fsync and
others): it loses data when the machine loses power.
"""

import asyncio
import os
import shutil
import signal
import stat
import sys
import tempfile
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any
from urllib.parse import quote

import asyncpg

from gamekeeper.cli.subprocesses import Child
from gamekeeper.core.errors import Unavailable
from gamekeeper.db import programs

PROGRAMS = ("initdb", "postgres")

LOCALE = "en_US.UTF-8" if sys.platform == "darwin" else "C.UTF-8"
PORT = "5432"
"""Only part of the socket's name; no TCP port is opened."""
LONGEST_SOCKET = 103
"""Maximum bytes of a Unix socket's path on every system."""

SETTINGS = {
    "listen_addresses": "",
    "port": PORT,
    "unix_socket_permissions": "0700",
    "fsync": "off",
    "synchronous_commit": "off",
    "full_page_writes": "off",
    "wal_level": "minimal",
    "max_wal_senders": "0",
    "shared_buffers": "32MB",
    "max_connections": "50",
    "logging_collector": "off",
    # In files of our directory: segments in /dev/shm would outlive a killed server.
    "dynamic_shared_memory_type": "mmap",
}

TO_INSTALL = """\
PostgreSQL's server programs (initdb, postgres) are not installed on this machine. Install them:
  Debian, Ubuntu   apt install postgresql
  Fedora, Red Hat  dnf install postgresql-server postgresql-contrib
  Alpine           apk add postgresql postgresql-contrib
  macOS            brew install postgresql
If they are installed elsewhere, add their directory to the PATH."""


class PostgresMissing(Unavailable):
    """PostgreSQL's server programs are not installed on this machine."""


class PrivateCluster:
    """A PostgreSQL cluster that no other user can reach."""

    process: Child

    def __init__(self, place: Path, directory: Path, identity: dict[str, Any]) -> None:
        self._programs, self.directory, self._identity = place, directory, identity
        self.url = f"postgresql://postgres@/postgres?host={quote(str(directory))}&port={PORT}"

    @classmethod
    @asynccontextmanager
    async def start(cls) -> AsyncIterator["PrivateCluster"]:
        """Run a cluster during the block, and remove it completely afterwards."""
        place = found()
        identity = _identity()
        directory = Path(tempfile.mkdtemp(prefix="gamekeeper-try-", dir=_place(identity)))
        try:
            cluster = cls(place, directory, identity)
            await cluster._initialize()
            async with cluster._run() as cluster.process:
                yield cluster
        finally:
            await _remove(directory)

    async def _initialize(self) -> None:
        if self._identity:
            os.chown(self.directory, self._identity["user"], self._identity["group"])
        async with Child.start(
            "initdb",
            [
                self._programs / "initdb",
                *("-D", self.directory / "data", "-U", "postgres", "-A", "trust"),
                *("-E", "UTF8", f"--locale={LOCALE}", "--no-sync"),
            ],
            log=self.directory / "initdb.log",
            ends=[(signal.SIGTERM, 5.0)],
            cwd=self.directory,
            **self._identity,
        ) as initdb:
            await initdb.finished()

    @asynccontextmanager
    async def _run(self) -> AsyncIterator[Child]:
        settings = [f"-c{name}={value}" for name, value in SETTINGS.items()]
        async with Child.start(
            "PostgreSQL",
            [
                self._programs / "postgres",
                *("-D", self.directory / "data", "-k", self.directory),
                *settings,
            ],
            log=self.directory / "postgresql.log",
            # PostgreSQL's fast shutdown, then its immediate shutdown.
            ends=[(signal.SIGINT, 20.0), (signal.SIGQUIT, 5.0)],
            cwd=self.directory,
            **self._identity,
        ) as child:
            await child.ready(self._answers)
            yield child

    async def _answers(self) -> bool:
        try:
            connection = await asyncpg.connect(self.url, timeout=2)
        except (OSError, asyncpg.PostgresConnectionError, asyncpg.CannotConnectNowError):
            return False
        await connection.close()
        return True


def found() -> Path:
    """Find the directory with the programs of a PostgreSQL server."""
    for place in programs.directories("initdb"):
        if all(os.access(place / program, os.X_OK) for program in PROGRAMS):
            return place
    raise PostgresMissing(TO_INSTALL)


def _identity() -> dict[str, Any]:
    """The `subprocess` options for PostgreSQL's user: ours, but PostgreSQL refuses root."""
    if os.geteuid() != 0:
        return {}
    import pwd  # Missing on Windows, where the other commands should work.

    for name in ("postgres", "nobody"):
        with suppress(KeyError):
            account = pwd.getpwnam(name)
            return {"user": account.pw_uid, "group": account.pw_gid, "extra_groups": []}
    raise Unavailable("PostgreSQL refuses to run as root, and no other account was found for it.")


def _place(identity: dict[str, Any]) -> Path:
    """The parent directory: short enough for a socket's path, and accessible to PostgreSQL."""
    usual = Path(tempfile.gettempdir())
    socket = usual / "gamekeeper-try-12345678" / f".s.PGSQL.{PORT}"
    short = len(os.fsencode(socket)) <= LONGEST_SOCKET
    open_to_all = all(part.stat().st_mode & stat.S_IXOTH for part in (usual, *usual.parents))
    return usual if short and (open_to_all or not identity) else Path("/tmp")  # noqa: S108


async def _remove(directory: Path) -> None:
    for _ in range(10):
        # A killed server may take a moment to stop writing.
        with suppress(OSError):
            return shutil.rmtree(directory)
        await asyncio.sleep(0.1)
    return shutil.rmtree(directory)
