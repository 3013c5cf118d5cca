"""A MariaDB of one's own, as a process that a test may freeze and kill."""

import os
import shutil
import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pymysql

from tests import processes
from tests.deadlines import PATIENCE

SERVER = shutil.which("mariadbd", path=f"{os.environ['PATH']}:/usr/sbin")


@contextmanager
def serving_mariadb(folder: Path) -> Iterator[tuple[subprocess.Popen[bytes], int]]:
    """`mariadbd` on a free port, with an account `root` without a password; waits for no disk."""
    assert SERVER, "mariadb-server is not installed; .ci/run installs it"
    data = folder / "mariadb"
    user = ["--user=root"] if os.geteuid() == 0 else []
    install = ["mariadb-install-db", "--no-defaults", f"--datadir={data}", *user]
    install += ["--auth-root-authentication-method=normal", "--skip-test-db"]
    subprocess.run(install, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    port = _free_port()
    command = [SERVER, "--no-defaults", f"--datadir={data}", *user, f"--port={port}"]
    command += ["--bind-address=127.0.0.1", f"--socket={folder}/s", f"--pid-file={folder}/pid"]
    command += ["--innodb-flush-log-at-trx-commit=0", "--skip-name-resolve", "--skip-log-bin"]
    process = processes.start(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        _wait(port, process)
        yield process, port
    finally:
        processes.kill(process)
        process.wait()


def connect(port: int, **about: Any) -> Any:
    return pymysql.connect(
        host="127.0.0.1", port=port, user="root", charset="utf8mb4", autocommit=True, **about
    )


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def _wait(port: int, process: subprocess.Popen[bytes]) -> None:
    deadline = time.monotonic() + PATIENCE
    while time.monotonic() < deadline:
        assert process.poll() is None, "mariadbd did not start"
        try:
            connect(port, connect_timeout=2).close()
        except (pymysql.Error, OSError):
            time.sleep(0.1)
        else:
            return
    raise AssertionError("mariadbd does not answer")
