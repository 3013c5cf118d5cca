"""
Connections to targets, kept open for a moment: the next letter needs no handshake.

To open one costs more than to send a letter, and most targets are sent several at a
time. A line is given up after a minute, so that a name which leads elsewhere now, or
inside, is looked at again.
"""

import asyncio
import ssl
from collections.abc import Sequence
from functools import cache
from time import monotonic
from typing import Any

from gamekeeper.webhooks.targets import Target

CONNECT_SECONDS = 4
IDLE_SECONDS = 4
"""Less than what servers wait for the next request, so that they rarely hang up first."""
LONGEST_SECONDS = 60
MOST_ADDRESSES = 3
MOST_HEAD = 16 * 1024


class Counter(asyncio.StreamReader):
    """A reader that knows how much has arrived."""

    arrived = 0

    def feed_data(self, data: Any) -> None:
        self.arrived += len(data)
        super().feed_data(data)


class Line:
    """An open connection."""

    def __init__(self, reader: Counter, writer: asyncio.StreamWriter) -> None:
        self.reader, self.writer = reader, writer
        self._opened = monotonic()
        self._taken = 0
        self.timer: asyncio.TimerHandle | None = None

    def taken(self, data: bytes) -> None:
        """Note what was read of what has arrived."""
        self._taken += len(data)

    @property
    def is_good(self) -> bool:
        """Whether a letter may be sent; what arrived unasked would be taken for its answer."""
        young = monotonic() - self._opened < LONGEST_SECONDS
        unread = self.reader.arrived > self._taken
        return young and not (unread or self.reader.at_eof() or self.writer.is_closing())

    def close(self) -> None:
        if self.timer:
            self.timer.cancel()
        self.writer.transport.abort()


class Lines:
    """What was left open, at most one line for each target."""

    def __init__(self) -> None:
        self._idle: dict[Target, Line] = {}

    def take(self, target: Target) -> Line | None:
        line = self._idle.pop(target, None)
        if line is None:
            return None
        if line.timer:
            line.timer.cancel()
        if line.is_good:
            return line
        line.close()
        return None

    def leave(self, target: Target, line: Line) -> None:
        self._drop(target)
        loop = asyncio.get_running_loop()
        line.timer = loop.call_later(IDLE_SECONDS, self._drop, target)
        self._idle[target] = line

    def close(self) -> None:
        for target in list(self._idle):
            self._drop(target)

    def _drop(self, target: Target) -> None:
        if line := self._idle.pop(target, None):
            line.close()


async def connect(target: Target, addresses: Sequence[str]) -> Line:
    """To the first address that accepts; whoever is there must prove to be the name."""
    left = addresses[:MOST_ADDRESSES]
    while True:
        address, *left = left
        try:
            async with asyncio.timeout(CONNECT_SECONDS):
                return await _open(target, address)
        except OSError:
            if not left:
                raise


async def _open(target: Target, address: str) -> Line:
    """As asyncio.open_connection does, with a reader of our own."""
    loop = asyncio.get_running_loop()
    reader = Counter(limit=MOST_HEAD, loop=loop)
    protocol = asyncio.StreamReaderProtocol(reader, loop=loop)
    transport, _ = await loop.create_connection(
        lambda: protocol,
        address,
        target.port,
        ssl=_trust() if target.tls else None,
        server_hostname=target.host if target.tls else None,
    )
    return Line(reader, asyncio.StreamWriter(transport, protocol, reader, loop))


@cache
def _trust() -> ssl.SSLContext:
    """Whom the system trusts, or `SSL_CERT_FILE`; read once, for it takes longer than sending."""
    return ssl.create_default_context()
