"""Targets of webhooks, on sockets of their own, and the verifier that the standard offers."""

import asyncio
import json
import ssl
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any

from msgspec import Struct
from standardwebhooks import Webhook, WebhookVerificationError

from gamekeeper.core import tasks
from tests.deadlines import PATIENCE


class Received(Struct):
    headers: dict[str, str]
    body: bytes
    at: float

    @property
    def data(self) -> Any:
        return json.loads(self.body)["data"]


class Receiver:
    """An HTTP server that answers as it is told to."""

    def __init__(self, tls: ssl.SSLContext | None = None) -> None:
        self.received: list[Received] = []
        self.connections = 0
        self.open: set[asyncio.StreamWriter] = set()
        self.serving: set[asyncio.Task[None]] = set()
        self.port = 0
        self.tls = tls
        self.answer: Callable[[Received], bytes | None] = lambda _: answer(200)
        self.byte_seconds = 0.0
        """Between one byte of the answer and the next."""
        self.stay_seconds = 0.0
        """Before the connection is closed."""
        self.keeps_open = False
        """Whether more than one request is served over a connection."""

    @property
    def url(self) -> str:
        return f"{'https' if self.tls else 'http'}://127.0.0.1:{self.port}/hook?a=1"

    def accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.create_task(self.serve(reader, writer))
        self.serving.add(task)
        task.add_done_callback(self.serving.discard)
        # Also if it was cancelled before it began.
        task.add_done_callback(lambda _: writer.close())

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.connections += 1
        self.open.add(writer)
        try:
            await self._serve(reader, writer)
            while self.keeps_open:
                await self._serve(reader, writer)
            await asyncio.sleep(self.stay_seconds)
        except (OSError, EOFError):
            pass  # Who called has gone.
        finally:
            self.open.discard(writer)
            writer.close()

    def hang_up(self) -> None:
        for writer in self.open:
            writer.transport.abort()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.received.append(got := await _read(reader))
        said = self.answer(got)
        if said is None:
            await asyncio.sleep(60)
        for piece in _pieces(said or b"", 1 if self.byte_seconds else 65536):
            writer.write(piece)
            await writer.drain()
            await asyncio.sleep(self.byte_seconds)

    async def got(self, count: int, seconds: float = PATIENCE) -> list[Received]:
        async with asyncio.timeout(seconds):
            while len(self.received) < count:
                await asyncio.sleep(0.02)
        return self.received


async def _read(reader: asyncio.StreamReader) -> Received:
    head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
    parts = (line.partition(": ") for line in head[1:] if line)
    headers = {name.lower(): value for name, _, value in parts}
    body = await reader.readexactly(int(headers["content-length"]))
    return Received(headers, body, time.time())


def _pieces(said: bytes, size: int) -> list[bytes]:
    return [said[start : start + size] for start in range(0, len(said), size)]


def answer(status: int, body: bytes = b"thanks", *headers: str) -> bytes:
    lines = [f"HTTP/1.1 {status} Whatever", f"Content-Length: {len(body)}", *headers, "", ""]
    return "\r\n".join(lines).encode() + body


@asynccontextmanager
async def receiver(tls: ssl.SSLContext | None = None) -> AsyncIterator[Receiver]:
    made = Receiver(tls)
    server = await asyncio.start_server(made.accept, "127.0.0.1", 0, ssl=tls)
    made.port = server.sockets[0].getsockname()[1]
    try:
        yield made
    finally:
        server.close()
        await tasks.end(made.serving)


def is_signed(got: Received, secret: str) -> bool:
    """Whether the library of those who wrote the standard takes it for signed with `secret`."""
    try:
        said = Webhook(secret).verify(got.body, got.headers)
    except WebhookVerificationError:
        return False
    return said == json.loads(got.body)
