"""A real `gamekeeper serve`, as a process of its own."""

import asyncio
import os
import socket
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from typing import Any

import httpx2

from gamekeeper.core.settings import Settings
from tests import processes
from tests.deadlines import PATIENCE


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def environment(settings: Settings, **more: str) -> dict[str, str]:
    ours = {"GAMEKEEPER_DATABASE_URL": str(settings.database_url)}
    defaults = Settings(database_url=settings.database_url)
    for name in (
        "smtp_url",
        "password_keys",
        "public_url",
        "mail_from",
        "game_name",
        "statement_seconds",
        "report_outcomes",
    ):
        # The version before may not know a setting, and has the same default.
        if (value := getattr(settings, name)) != getattr(defaults, name):
            ours[f"GAMEKEEPER_{name.upper()}"] = str(value)
    plain = {k: v for k, v in os.environ.items() if not k.startswith(("GAMEKEEPER_", "PROMETHEUS"))}
    return plain | ours | more


@contextmanager
def serving(
    settings: Settings,
    log: Path,
    *arguments: str,
    ready: bool = True,
    port: int | None = None,
    **env: str,
) -> Iterator[tuple[str, subprocess.Popen[bytes]]]:
    """The base URL of a server, and its process; its log goes to `log`."""
    port = port or free_port()
    command = [sys.executable, "-m", "gamekeeper", "serve", "--port", str(port), *arguments]
    url = f"http://127.0.0.1:{port}"
    with (
        log.open("wb") as stream,
        processes.running(command, env=environment(settings, **env), stderr=stream) as process,
    ):
        _wait(url + ("/readyz" if ready else "/livez"), process, log)
        yield url, process


@asynccontextmanager
async def serving_in_thread(
    settings: Settings, log: Path, *arguments: str, **env: Any
) -> AsyncIterator[tuple[str, subprocess.Popen[bytes]]]:
    """The same, started and ended in a thread: something that it needs runs in the event loop."""
    block = serving(settings, log, *arguments, **env)
    server = await asyncio.to_thread(block.__enter__)
    try:
        yield server
    finally:
        await asyncio.to_thread(block.__exit__, None, None, None)


def _wait(url: str, process: subprocess.Popen[bytes], log: Path) -> None:
    deadline = time.monotonic() + PATIENCE
    while time.monotonic() < deadline:
        if process.poll() is not None:
            break
        try:
            if httpx2.get(url, timeout=10).status_code == 200:
                return
        except httpx2.TransportError:
            pass
        time.sleep(0.05)
    raise AssertionError(f"the server did not start:\n{log.read_text()}")
