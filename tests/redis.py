"""A Redis of one's own, as a process that a test may freeze and kill."""

import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests import processes
from tests.deadlines import PATIENCE


@contextmanager
def serving_redis(folder: Path, port: int) -> Iterator[subprocess.Popen[bytes]]:
    """`redis-server`, which keeps nothing; a test may kill it."""
    command = ["redis-server", "--port", str(port), "--bind", "127.0.0.1", "--save", ""]
    command += ["--appendonly", "no", "--dir", str(folder)]
    process = processes.start(command, stdout=subprocess.DEVNULL)
    try:
        _wait(port, process)
        yield process
    finally:
        processes.kill(process)


def _wait(port: int, process: subprocess.Popen[bytes]) -> None:
    deadline = time.monotonic() + PATIENCE
    while time.monotonic() < deadline:
        assert process.poll() is None, "redis-server did not start"
        try:
            with socket.create_connection(("127.0.0.1", port), 1) as connection:
                connection.sendall(b"PING\r\n")
                if connection.recv(16).startswith(b"+PONG"):
                    return
        except OSError:
            time.sleep(0.02)
    raise AssertionError("redis-server does not answer")
