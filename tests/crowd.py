"""
A crowd of clients, as a process of its own so that it does not slow down what it measures.

Either so many clients, each of whom asks again as soon as it is answered, or so many
requests a second, whatever becomes of them: those come from people who know nothing
of each other and do not slow down when we do. Nobody heeds Retry-After.
"""

import asyncio
import random
import subprocess
import sys
import tempfile
from collections import deque
from pathlib import Path
from time import perf_counter

import msgspec
import uvloop
from msgspec import Struct


class Crowd(Struct, frozen=True, kw_only=True):
    port: int
    requests: dict[str, list[str]]
    """What is sent, as it goes over the wire, by what it is called in the outcome."""
    clients: int
    seconds: float
    rate: float = 0
    """Requests a second; 0: as many as the clients get answered."""


class Outcome(Struct, kw_only=True):
    good: int = 0
    busy: int = 0
    other: int = 0
    late: int = 0
    """Not even sent: all clients were still waiting."""
    took: list[float] = []
    busy_took: list[float] = []

    def add(self, other: "Outcome") -> None:
        for name in self.__struct_fields__:
            setattr(self, name, getattr(self, name) + getattr(other, name))

    @property
    def p99(self) -> float:
        return quantile(self.took, 0.99)

    @property
    def median(self) -> float:
        return quantile(self.took, 0.5)


def quantile(values: list[float], share: float) -> float:
    return sorted(values)[int(len(values) * share)] if values else float("nan")


class Client(asyncio.Protocol):
    def __init__(self, load: "Load") -> None:
        self._load = load
        self._got = bytearray()

    def connection_made(self, transport) -> None:
        self._transport = transport

    def connection_lost(self, exc: Exception | None) -> None:
        self._load.lost(self)

    def ask(self, name: str, request: bytes) -> None:
        self.name, self.begun = name, perf_counter()
        self._transport.write(request)

    def data_received(self, data: bytes) -> None:
        self._got += data
        end = self._got.find(b"\r\n\r\n")
        if end < 0:
            return
        head = bytes(self._got[:end]).lower()
        length = int(head.partition(b"content-length:")[2].partition(b"\r")[0])
        if len(self._got) >= end + 4 + length:
            self._got.clear()
            self._load.answered(self, int(head[9:12]))


class Load:
    def __init__(self, crowd: Crowd) -> None:
        self._crowd = crowd
        self._free: deque[Client] = deque()
        self._outcomes = {name: Outcome() for name in crowd.requests}
        self._wanted = [
            (name, text.encode()) for name, texts in crowd.requests.items() for text in texts
        ]
        self._over = False

    async def run(self) -> dict[str, Outcome]:
        loop = asyncio.get_running_loop()
        for _ in range(self._crowd.clients):
            _, client = await loop.create_connection(
                lambda: Client(self), "127.0.0.1", self._crowd.port
            )
            self._free.append(client)
        if self._crowd.rate:
            await self._at_a_rate()
        else:
            for client in list(self._free):
                self._next(client)
            await asyncio.sleep(self._crowd.seconds)
        self._over = True
        return self._outcomes

    async def _at_a_rate(self) -> None:
        begun, sent = perf_counter(), 0
        while (elapsed := perf_counter() - begun) < self._crowd.seconds:
            due = int(elapsed * self._crowd.rate)
            for _ in range(due - sent):
                if self._free:
                    self._next(self._free.popleft())
                else:
                    self._outcomes[random.choice(self._wanted)[0]].late += 1
            sent = due
            await asyncio.sleep(0.001)

    def _next(self, client: Client) -> None:
        client.ask(*random.choice(self._wanted))

    def answered(self, client: Client, status: int) -> None:
        if self._over:
            return
        outcome, seconds = self._outcomes[client.name], perf_counter() - client.begun
        if status == 200:
            outcome.good += 1
            outcome.took.append(seconds)
        elif status == 503:
            outcome.busy += 1
            outcome.busy_took.append(seconds)
        else:
            outcome.other += 1
        if self._crowd.rate:
            self._free.append(client)
        else:
            self._next(client)

    def lost(self, client: Client) -> None:
        if not self._over and client in self._free:
            self._free.remove(client)


def request(method: str, path: str, key: str, body: str = "") -> str:
    """A request as it goes over the wire."""
    lines = [f"{method} {path} HTTP/1.1", "Host: gamekeeper", f"Authorization: Bearer {key}"]
    if body:
        lines += ["Content-Type: application/json", f"Content-Length: {len(body)}"]
    return "\r\n".join([*lines, "", body])


async def crowd(wanted: Crowd) -> dict[str, Outcome]:
    """Let a crowd loose on a server; what became of each kind of request."""
    with tempfile.NamedTemporaryFile() as told:
        await asyncio.to_thread(
            subprocess.run,
            [sys.executable, "-m", "tests.crowd", told.name],
            input=msgspec.json.encode(wanted),
            check=True,
        )
        return msgspec.json.decode(told.read(), type=dict[str, Outcome])


if __name__ == "__main__":
    loaded = uvloop.run(Load(msgspec.json.decode(sys.stdin.buffer.read(), type=Crowd)).run())
    Path(sys.argv[1]).write_bytes(msgspec.json.encode(loaded))
