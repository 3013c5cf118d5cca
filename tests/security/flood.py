"""
A flood: connections that send one request over and over, as a process of its own.

Each sends the next request as soon as it has an answer, and connects again when it is
cut off. Nobody heeds Retry-After.
"""

import asyncio
import signal
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

import msgspec
import uvloop
from msgspec import Struct


class Flood(Struct, frozen=True, kw_only=True):
    port: int
    connections: int
    request: str
    """One request as it goes over the wire."""


class Connection(asyncio.Protocol):
    def __init__(self, flood: "Flooding") -> None:
        self._flood = flood
        self._got = bytearray()

    def connection_made(self, transport) -> None:
        self._transport = transport
        transport.write(self._flood.request)

    def data_received(self, data: bytes) -> None:
        self._got += data
        end = self._got.find(b"\r\n\r\n")
        if end < 0:
            return
        head = bytes(self._got[:end]).lower()
        length = int(head.partition(b"content-length:")[2].partition(b"\r")[0])
        if len(self._got) >= end + 4 + length:
            self._flood.answered[head[9:12].decode()] += 1
            self._got.clear()
            self._transport.write(self._flood.request)

    def connection_lost(self, exc: Exception | None) -> None:
        self._flood.answered["cut"] += 1
        self._flood.reconnect()


class Flooding:
    def __init__(self, flood: Flood) -> None:
        self._port, self._connections = flood.port, flood.connections
        self.request = flood.request.encode()
        self.answered: Counter[str] = Counter()
        self._tasks: set[asyncio.Task[None]] = set()

    async def run(self, stop: Path) -> None:
        for _ in range(self._connections):
            self.reconnect()
        while not stop.exists():
            await asyncio.sleep(0.05)

    def reconnect(self) -> None:
        task = asyncio.create_task(self._connect())
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _connect(self) -> None:
        try:
            await asyncio.get_running_loop().create_connection(
                lambda: Connection(self), "127.0.0.1", self._port
            )
        except OSError:
            await asyncio.sleep(0.1)
            self.reconnect()


class RunningFlood:
    def __init__(self, process: subprocess.Popen[bytes]) -> None:
        self._process = process
        self.answered: Counter[str] = Counter()
        """What it was answered; known when it is over."""

    @contextmanager
    def paused(self) -> Iterator[None]:
        """Its connections stay open and say nothing."""
        self._process.send_signal(signal.SIGSTOP)
        try:
            yield
        finally:
            self._process.send_signal(signal.SIGCONT)


@contextmanager
def flooding(flood: Flood) -> Iterator[RunningFlood]:
    """A flood for as long as the block lasts."""
    with TemporaryDirectory() as place:
        stop, told = Path(place) / "stop", Path(place) / "told"
        with subprocess.Popen(
            [sys.executable, "-m", "tests.security.flood", stop, told], stdin=subprocess.PIPE
        ) as process:
            assert process.stdin is not None
            process.stdin.write(msgspec.json.encode(flood))
            process.stdin.close()
            running = RunningFlood(process)
            try:
                yield running
            finally:
                stop.touch()
                process.wait(30)
        running.answered.update(msgspec.json.decode(told.read_bytes()))


async def main() -> None:
    flood = Flooding(msgspec.json.decode(sys.stdin.buffer.read(), type=Flood))
    await flood.run(Path(sys.argv[1]))
    Path(sys.argv[2]).write_bytes(msgspec.json.encode(flood.answered))


if __name__ == "__main__":
    uvloop.run(main())
