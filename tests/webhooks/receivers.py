"""Targets of webhooks, on sockets of their own, and a verifier written from the standard."""

import asyncio
import base64
import hashlib
import hmac
import json
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any

from msgspec import Struct


class Received(Struct):
    headers: dict[str, str]
    body: bytes
    at: float

    @property
    def data(self) -> Any:
        return json.loads(self.body)["data"]


class Receiver:
    """An HTTP server that answers as it is told to."""

    def __init__(self) -> None:
        self.received: list[Received] = []
        self.connections = 0
        self.port = 0
        self.answer: Callable[[Received], bytes | None] = lambda _: answer(200)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}/hook?a=1"

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.connections += 1
        try:
            head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
            headers = dict(line.lower().split(": ", 1) for line in head[1:] if line)
            raw = {k: v for k, _, v in (line.partition(": ") for line in head[1:])}
            body = await reader.readexactly(int(headers["content-length"]))
            got = Received({k.lower(): v for k, v in raw.items()}, body, time.time())
            self.received.append(got)
            said = self.answer(got)
            if said is None:
                await asyncio.sleep(60)
            writer.write(said or b"")
            await writer.drain()
        finally:
            writer.close()

    async def got(self, count: int, seconds: float = 20) -> list[Received]:
        async with asyncio.timeout(seconds):
            while len(self.received) < count:
                await asyncio.sleep(0.02)
        return self.received


def answer(status: int, body: bytes = b"thanks", *headers: str) -> bytes:
    lines = [f"HTTP/1.1 {status} Whatever", f"Content-Length: {len(body)}", *headers, "", ""]
    return "\r\n".join(lines).encode() + body


@asynccontextmanager
async def receiver() -> AsyncIterator[Receiver]:
    made = Receiver()
    server = await asyncio.start_server(made.serve, "127.0.0.1", 0)
    made.port = server.sockets[0].getsockname()[1]
    try:
        yield made
    finally:
        server.close()


def is_signed(got: Received, secret: str) -> bool:
    """As the standard says it, step by step, and with nothing of ours."""
    assert secret.startswith("whsec_")
    key = base64.b64decode(secret[len("whsec_") :])
    if abs(time.time() - int(got.headers["webhook-timestamp"])) > 300:
        return False
    content = b".".join(
        [got.headers["webhook-id"].encode(), got.headers["webhook-timestamp"].encode(), got.body]
    )
    expected = base64.b64encode(hmac.new(key, content, hashlib.sha256).digest()).decode()
    signatures = [part.split(",", 1) for part in got.headers["webhook-signature"].split(" ")]
    return any(v == "v1" and hmac.compare_digest(given, expected) for v, given in signatures)
