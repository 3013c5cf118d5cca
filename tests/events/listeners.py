"""Listeners to the stream of events, over a socket, that note all they hear."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import msgspec
from msgspec import Struct


class Heard(Struct):
    """One block of a stream: an event, or a comment and where it is."""

    id: str | None = None
    event: str | None = None
    data: Any = None
    comment: str | None = None


class Stream:
    """A connection to the stream; `status` is what it was answered with."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader, self._writer = reader, writer
        self.status = 0
        self.headers: dict[str, str] = {}
        self.refusal: Any = None

    async def open(self, path: str, key: str, after: int | None) -> None:
        resume = "" if after is None else f"Last-Event-ID: {after}\r\n"
        self._writer.write(
            f"GET {path} HTTP/1.1\r\nHost: x\r\nAccept: text/event-stream\r\n{resume}"
            f"Authorization: Bearer {key}\r\n\r\n".encode()
        )
        head = (await self._reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
        self.status = int(head[0].split()[1])
        self.headers = {
            name.lower(): value for name, _, value in (line.partition(": ") for line in head[1:])
        }
        if self.status != 200:
            length = int(self.headers["content-length"])
            self.refusal = msgspec.json.decode(await self._reader.readexactly(length))

    async def __aiter__(self) -> AsyncIterator[Heard]:
        """What is heard, until the server ends it; EOFError if it is cut off in the middle."""
        buffer = b""
        while size := int(await self._reader.readline(), 16):
            buffer += await self._reader.readexactly(size)
            await self._reader.readexactly(2)
            *blocks, buffer = buffer.split(b"\n\n")
            for block in blocks:
                yield _parsed(block.decode())
        assert buffer == b""

    def close(self) -> None:
        self._writer.close()


@asynccontextmanager
async def listening(
    port: int, key: str, *, query: str = "", after: int | None = None, limit: int = 2**16
) -> AsyncIterator[Stream]:
    reader, writer = await asyncio.open_connection("127.0.0.1", port, limit=limit)
    stream = Stream(reader, writer)
    try:
        await stream.open(f"/api/v1/events{query}", key, after)
        yield stream
    finally:
        stream.close()


def _parsed(block: str) -> Heard:
    heard = Heard()
    for line in block.split("\n"):
        name, _, value = line.partition(": ")
        if name == "":
            heard.comment = value
        elif name == "data":
            heard.data = msgspec.json.decode(value)
        elif name in ("id", "event"):
            setattr(heard, name, value)
    return heard
