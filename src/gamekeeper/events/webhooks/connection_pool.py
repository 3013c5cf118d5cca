"""
Connection pool: keep-alive connections to webhook targets.

Opening a connection costs more than sending a message, and most targets get several messages
in a row. A connection is closed after a minute, so that a host name which now resolves to
another or an internal address is checked again (SSRF). httpcore2 implements HTTP; the network
stream below it is our own, so that it connects only to a checked address and limits what it
reads.
"""

import asyncio
import ssl
from collections.abc import Sequence
from functools import cache
from time import monotonic
from typing import Any

from httpcore2 import URL, AsyncHTTP11Connection, AsyncNetworkStream, RemoteProtocolError

from gamekeeper.events.webhooks.targets import Target

CONNECT_SECONDS = 4
IDLE_SECONDS = 4
"""Less than the keep-alive timeout of most servers, so that they rarely close first."""
LONGEST_SECONDS = 60
MOST_ADDRESSES = 3
MOST_HEAD = 16 * 1024
MOST_HEADS = 5
"""Response heads of one answer: interim responses (1xx) may precede it."""


class Counter(asyncio.StreamReader):
    """A reader that counts the bytes received."""

    arrived = 0

    def feed_data(self, data: Any) -> None:
        self.arrived += len(data)
        super().feed_data(data)


class Stream(AsyncNetworkStream):
    """The network stream of httpcore2: reads one head at a time, then a limited body."""

    def __init__(self, reader: Counter, writer: asyncio.StreamWriter) -> None:
        self._reader, self._writer = reader, writer
        self._request = b""
        self._heads = self._taken = 0
        self._body: int | None = None

    async def write(self, buffer: bytes, timeout: float | None = None) -> None:  # noqa: ASYNC109
        """Buffer until the first read: so head and body are sent in one piece."""
        self._request += buffer
        self._heads, self._body = MOST_HEADS, None

    async def read(self, max_bytes: int, timeout: float | None = None) -> bytes:  # noqa: ASYNC109
        if self._request:
            self._writer.write(self._request)
            self._request = b""
            await self._writer.drain()
        if self._body is None:
            data = await self._head()
        else:
            data = await self._reader.read(min(max_bytes, self._body))
            self._body -= len(data)
        self._taken += len(data)
        return data

    def limit(self, body: int) -> None:
        """After the head: report the end of the stream after `body` bytes."""
        self._body = body

    async def aclose(self) -> None:
        self.abort()

    def abort(self) -> None:
        self._writer.transport.abort()

    def get_extra_info(self, info: str) -> Any:
        if info != "is_readable":
            return self._writer.get_extra_info(info)
        unread = self._reader.arrived > self._taken
        return unread or self._reader.at_eof() or self._writer.is_closing()

    async def _head(self) -> bytes:
        self._heads -= 1
        if self._heads < 0:
            raise RemoteProtocolError("The server sent too many interim (1xx) responses.")
        try:
            return await self._reader.readuntil(b"\r\n\r\n")
        except asyncio.IncompleteReadError as ended:
            return ended.partial
        except asyncio.LimitOverrunError:
            raise RemoteProtocolError("The response headers are too long.") from None


class PooledConnection:
    """An open connection."""

    def __init__(self, target: Target, stream: Stream) -> None:
        self.stream = stream
        self.http = AsyncHTTP11Connection(url(target).origin, stream)
        self._opened = monotonic()
        self.timer: asyncio.TimerHandle | None = None

    @property
    def is_good(self) -> bool:
        """Whether it can be reused; unread bytes would be taken for the next response."""
        young = monotonic() - self._opened < LONGEST_SECONDS
        return young and self.http.is_idle() and not self.http.has_expired()

    def close(self) -> None:
        if self.timer:
            self.timer.cancel()
        self.stream.abort()


class ConnectionPool:
    """The idle connections, at most one for each target."""

    def __init__(self) -> None:
        self._idle: dict[Target, PooledConnection] = {}

    def take(self, target: Target) -> PooledConnection | None:
        line = self._idle.pop(target, None)
        if line is None:
            return None
        if line.timer:
            line.timer.cancel()
        if line.is_good:
            return line
        line.close()
        return None

    def leave(self, target: Target, line: PooledConnection) -> None:
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


async def connect(target: Target, addresses: Sequence[str]) -> PooledConnection:
    """Connect to the first address that accepts; TLS verifies the host name."""
    left = addresses[:MOST_ADDRESSES]
    while True:
        address, *left = left
        try:
            async with asyncio.timeout(CONNECT_SECONDS):
                return PooledConnection(target, await _open(target, address))
        except OSError:
            if not left:
                raise


async def _open(target: Target, address: str) -> Stream:
    """Like asyncio.open_connection, with our own reader."""
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
    return Stream(reader, asyncio.StreamWriter(transport, protocol, reader, loop))


def url(target: Target) -> URL:
    """The target as a URL of httpcore2."""
    scheme = "https" if target.tls else "http"
    return URL(scheme=scheme, host=target.host, port=target.port, target=target.path)


@cache
def _trust() -> ssl.SSLContext:
    """The system's CAs, or `SSL_CERT_FILE`; cached, because loading takes longer than sending."""
    return ssl.create_default_context()
