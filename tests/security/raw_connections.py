"""Connections that send requests as bytes, whatever these are, and read what comes back."""

import asyncio
import re
from contextlib import suppress

from msgspec import Struct

LENGTH = re.compile(rb"\r\ncontent-length: *(\d+)", re.IGNORECASE)


class Answer(Struct, frozen=True):
    status: int
    head: bytes
    body: bytes


class Lane:
    """One connection at a time; a new one where the server has ended the last."""

    def __init__(self, port: int) -> None:
        self._port = port
        self._streams: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None

    async def ask(self, raw: bytes, *, has_body: bool = True) -> Answer | None:
        """The answer; none if the server hung up, which is what some requests deserve."""
        for _ in range(2):
            is_new = self._streams is None
            try:
                return await self._asked(raw, has_body=has_body)
            except (ConnectionError, asyncio.IncompleteReadError):
                await self.close()
                if is_new:
                    return None
        return None

    async def _asked(self, raw: bytes, *, has_body: bool) -> Answer:
        if self._streams is None:
            self._streams = await asyncio.open_connection("127.0.0.1", self._port)
        reader, writer = self._streams
        writer.write(raw)
        await writer.drain()
        head = await reader.readuntil(b"\r\n\r\n")
        while head[9:10] == b"1":
            head = await reader.readuntil(b"\r\n\r\n")
        length, body = LENGTH.search(head), b""
        if length and has_body:
            body = await reader.readexactly(int(length[1]))
        if (not length and has_body) or b"connection: close" in head.lower():
            # A stream has no end of its own.
            await self.close()
        return Answer(int(head[9:12]), head, body)

    async def close(self) -> None:
        if self._streams is not None:
            _, writer = self._streams
            self._streams = None
            writer.close()
            with suppress(OSError):
                await writer.wait_closed()
