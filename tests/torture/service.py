"""`gamekeeper serve` as a process that dies at a named point and is started again."""

import asyncio
import subprocess
import sys
import time
from contextlib import closing
from pathlib import Path

from gamekeeper.core.settings import Settings
from tests import processes
from tests.deadlines import PATIENCE
from tests.server import environment, free_port


class Service:
    """One server, from its start to its death."""

    def __init__(self, settings: Settings, log: Path) -> None:
        self._settings = settings
        self._log = log
        self.port = free_port()
        self._process: subprocess.Popen[bytes] | None = None
        self._worker = 0

    async def start(self, fail_point: str = "") -> None:
        """Start it; with a fail point it will die there."""
        # Who is killed tidies nothing up, so what it leaves goes where the test's own things go.
        env = {"GAMEKEEPER_LOG_LEVEL": "error", "TMPDIR": str(self._log.parent)}
        if fail_point:
            env["GAMEKEEPER_FAIL_POINT"] = fail_point
        command = [sys.executable, "-m", "gamekeeper", "serve", "--port", str(self.port)]
        with self._log.open("ab") as log:
            self._process = processes.start(
                command, env=environment(self._settings, **env), stderr=log
            )
        await self._up()

    async def _up(self) -> None:
        deadline = time.monotonic() + PATIENCE
        while time.monotonic() < deadline:
            workers = [pid for pid in _children(self.pid) if "spawn_main" in _command(pid)]
            if workers and await _answers(self.port):
                self._worker = workers[0]
                return
            await asyncio.sleep(0.02)
        raise AssertionError(f"the server did not start:\n{self._log.read_text()}")

    @property
    def pid(self) -> int:
        assert self._process is not None
        return self._process.pid

    @property
    def died(self) -> bool:
        """Whether the process that serves is gone, by its own hand."""
        return _state(self._worker) in ("", "Z")

    def kill(self) -> None:
        """End what is left of it without warning, so that nothing is tidied up."""
        if self._process is None:
            return
        processes.kill(self._process)


def _children(pid: int) -> list[int]:
    threads = Path(f"/proc/{pid}/task")
    try:
        return [
            int(c) for task in threads.iterdir() for c in (task / "children").read_text().split()
        ]
    except OSError:
        return []


def _command(pid: int) -> str:
    try:
        return Path(f"/proc/{pid}/cmdline").read_text()
    except OSError:
        return ""


def _state(pid: int) -> str:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return ""


async def _answers(port: int) -> bool:
    try:
        async with asyncio.timeout(10):
            reader, writer = await asyncio.open_connection("127.0.0.1", port)
            with closing(writer):
                writer.write(b"GET /readyz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
                line = await reader.readline()
    except (OSError, TimeoutError):
        return False
    return b" 200 " in line
