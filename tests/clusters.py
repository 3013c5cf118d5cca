"""
A PostgreSQL of a test's own, to be stopped, frozen and started again.

As a command it starts one for all tests of a session, which waits for no disk:
`python -m tests.clusters .venv/bin/pytest …`.
"""

import os
import pwd
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from gamekeeper.cli.cluster import LOCALE, found
from gamekeeper.core.settings import Hidden, Settings
from tests import processes
from tests.deadlines import PATIENCE
from tests.server import free_port


class Cluster:
    def __init__(self, directory: Path, port: int) -> None:
        self._programs = found()
        self._data = directory / "data"
        self.directory = directory
        self.port = port
        self.settings = Settings(
            database_url=Hidden(f"postgresql://postgres@127.0.0.1:{port}/postgres")
        )

    def make(self, password: str | None = None) -> None:
        """Without a password everybody is let in; with one, by SCRAM, as on stock Debian."""
        login: list[object] = ["-A", "trust"]
        if password is not None:
            file = self.directory / "password"
            file.write_text(password)
            file.chmod(0o644)
            login = ["-A", "scram-sha-256", "--pwfile", file]
            self.settings = Settings(
                database_url=Hidden(
                    f"postgresql://postgres:{password}@127.0.0.1:{self.port}/postgres"
                )
            )
        text = ("-E", "UTF8", f"--locale={LOCALE}")
        self._run("initdb", "-D", self._data, "-U", "postgres", *login, *text, "--no-sync")

    def follow(self, primary: "Cluster") -> None:
        """Become a streaming replica, one that never lets a query hold up the replay."""
        at = ("-h", "127.0.0.1", "-p", primary.port, "-U", "postgres")
        self._run("pg_basebackup", *at, "-D", self._data, "-R", "-c", "fast", "--no-sync")
        with (self._data / "postgresql.conf").open("a") as configuration:
            configuration.write("max_standby_streaming_delay = 0\nhot_standby_feedback = on\n")

    def promote(self) -> None:
        self._run("pg_ctl", "-D", self._data, "-w", "promote")

    def start(self, more: str = "") -> None:
        options = f"-p {self.port} -k {self.directory} -c listen_addresses=127.0.0.1 -c fsync=off"
        options += f" {more}"
        log = self.directory / "log"
        self._run("pg_ctl", "-D", self._data, "-l", log, "-o", options, "-w", "start")

    def stop(self, mode: str) -> None:
        self._run("pg_ctl", "-D", self._data, "-m", mode, "-w", "stop")

    @property
    def is_running(self) -> bool:
        return (self._data / "postmaster.pid").exists()

    def signal(self, number: signal.Signals) -> None:
        """Send a signal to the postmaster and all its children."""
        postmaster = int((self._data / "postmaster.pid").read_text().split()[0])
        children = Path(f"/proc/{postmaster}/task/{postmaster}/children").read_text().split()
        for pid in [postmaster, *map(int, children)]:
            os.kill(pid, number)

    def _run(self, program: str, *arguments: object) -> None:
        command = [str(self._programs / program), *map(str, arguments)]
        subprocess.run(
            command,
            check=True,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            cwd=self.directory,
            env=os.environ | {"PGCTLTIMEOUT": f"{PATIENCE:.0f}"},
            **identity(),
        )


def identity() -> dict[str, object]:
    if os.geteuid() != 0:
        return {}
    account = pwd.getpwnam("postgres")
    return {"user": account.pw_uid, "group": account.pw_gid, "extra_groups": []}


@contextmanager
def cluster(
    *,
    of: Cluster | None = None,
    password: str | None = None,
    options: str = "",
    parent: str = "/tmp",
) -> Iterator[Cluster]:
    """A running cluster, or a replica of one; nothing of it is left after the block."""
    directory = Path(tempfile.mkdtemp(prefix="gamekeeper-fault-", dir=parent))
    if who := identity():
        os.chown(directory, who["user"], who["group"])
    made = Cluster(directory, free_port())
    try:
        if of is None:
            made.make(password)
        else:
            made.follow(of)
        made.start(options)
        yield made
    finally:
        # One whose start took too long for us may have come up since.
        if made.is_running:
            made.stop("immediate")
        shutil.rmtree(directory)


# A test that kills PostgreSQL has a cluster of its own: nothing here must outlive a crash.
HASTE = "-c full_page_writes=off -c synchronous_commit=off -c autovacuum=off"
ROOM = "-c max_connections=300 -c shared_buffers=256MB"
MEMORY = "/dev/shm"
"""A disk that others use too can stall for longer than our statements may take."""


def main() -> int:
    """
    Run a command whose GAMEKEEPER_TEST_SERVER is a new cluster, and end as it does.

    If that names a server already, the command uses that one.
    """
    if "GAMEKEEPER_TEST_SERVER" in os.environ:
        return subprocess.run(sys.argv[1:], check=False).returncode
    parent = MEMORY if os.path.ismount(MEMORY) else "/tmp"
    # Python would end at once, without the `finally` that stops PostgreSQL. If this process is
    # killed, the watchdog stops it.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(128 + signal.SIGTERM))
    processes.watch()
    with cluster(options=f"{HASTE} {ROOM}", parent=parent) as made:
        server = str(made.settings.database_url).rpartition("/")[0] + "/{}"
        environment = os.environ | {"GAMEKEEPER_TEST_SERVER": server}
        return subprocess.run(sys.argv[1:], env=environment, check=False).returncode


if __name__ == "__main__":
    sys.exit(main())
