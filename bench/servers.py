"""`gamekeeper serve`, as an operator runs it, in processes of its own."""

import asyncio
import http.client
import os
import signal
import socket
import sys
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path

from msgspec import Struct, structs

from gamekeeper.cli.subprocesses import Child
from gamekeeper.core.settings import PREFIX, Settings

HOST = "127.0.0.1"


class Server(Struct, frozen=True):
    """A running service with a number of worker processes."""

    workers: int
    port: int
    log: Path
    pid: int = 0

    @property
    def url(self) -> str:
        return f"http://{HOST}:{self.port}"

    def forget_log(self) -> None:
        """Truncate the log: it has a line for each request, as in production, and is not read."""
        os.truncate(self.log, 0)


@asynccontextmanager
async def running(
    settings: Settings, workers: Sequence[int], directory: Path
) -> AsyncIterator[list[Server]]:
    """One server for each number of workers, all on the same database."""
    async with AsyncExitStack() as stack:
        servers = [
            Server(number, _free_port(), directory / f"server-{number}.log") for number in workers
        ]
        children = [
            await stack.enter_async_context(_started(settings, server)) for server in servers
        ]
        for server, child in zip(servers, children, strict=True):
            await child.ready(lambda port=server.port: asyncio.to_thread(_answers, port))
        yield [
            structs.replace(server, pid=child.pid)
            for server, child in zip(servers, children, strict=True)
        ]


@asynccontextmanager
async def worker(settings: Settings, directory: Path) -> AsyncIterator[Child]:
    """`gamekeeper worker` on the same database."""
    async with _command("The worker", ["worker"], settings, directory / "worker.log") as child:
        yield child


@asynccontextmanager
async def _started(settings: Settings, server: Server) -> AsyncIterator[Child]:
    arguments = ["--host", HOST, "--port", str(server.port), "--workers", str(server.workers)]
    name = f"The server with {server.workers} workers"
    async with _command(name, ["serve", *arguments], settings, server.log) as child:
        yield child


@asynccontextmanager
async def _command(
    name: str, arguments: Sequence[str], settings: Settings, log: Path
) -> AsyncIterator[Child]:
    others = {name: value for name, value in os.environ.items() if not name.startswith(PREFIX)}
    async with Child.start(
        name,
        # -P: import the installed package, not modules of the current folder.
        [sys.executable, "-P", "-m", "gamekeeper", *arguments],
        log=log,
        ends=[(signal.SIGTERM, 25.0)],
        env=others | {f"{PREFIX}DATABASE_URL": settings.database_url, "TMPDIR": str(log.parent)},
    ) as child:
        yield child


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind((HOST, 0))
        return probe.getsockname()[1]


def _answers(port: int) -> bool:
    connection = http.client.HTTPConnection(HOST, port, timeout=2)
    try:
        connection.request("GET", "/readyz")
        return connection.getresponse().status == http.HTTPStatus.OK
    except (OSError, http.client.HTTPException):
        return False
    finally:
        connection.close()
