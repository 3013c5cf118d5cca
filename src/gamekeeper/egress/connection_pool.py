"""
Connection pool: keep-alive connections to other services, such as webhook targets.

Opening a connection costs more than sending a message, and most targets get several messages
in a row. A connection is closed after a minute, so that a host name which now resolves to
another or an internal address is checked again (SSRF).
"""

import asyncio
import ssl
from collections.abc import Sequence
from functools import cache, partial

from gamekeeper.egress.connection import MAX_BODY, HttpConnection
from gamekeeper.egress.targets import Target

CONNECT_SECONDS = 4
IDLE_SECONDS = 4
"""Less than the keep-alive timeout of most servers, so that they rarely close first."""
MAX_ADDRESSES = 3


class ConnectionPool:
    """The idle connections, at most one for each target."""

    def __init__(self) -> None:
        self._idle: dict[Target, tuple[HttpConnection, asyncio.TimerHandle]] = {}

    def take(self, target: Target) -> HttpConnection | None:
        if target not in self._idle:
            return None
        connection, timer = self._idle.pop(target)
        timer.cancel()
        if connection.is_good:
            return connection
        connection.close()
        return None

    def release(self, target: Target, connection: HttpConnection) -> None:
        self._drop(target)
        loop = asyncio.get_running_loop()
        timer = loop.call_later(IDLE_SECONDS, self._drop, target)
        self._idle[target] = connection, timer

    def close(self) -> None:
        for target in list(self._idle):
            self._drop(target)

    def _drop(self, target: Target) -> None:
        if target in self._idle:
            connection, timer = self._idle.pop(target)
            timer.cancel()
            connection.close()


async def connect(
    target: Target, addresses: Sequence[str], max_body: int = MAX_BODY
) -> HttpConnection:
    """Connect to the first address that accepts; TLS verifies the host name."""
    left = addresses[:MAX_ADDRESSES]
    while True:
        address, *left = left
        try:
            async with asyncio.timeout(CONNECT_SECONDS):
                return await _open(target, address, max_body)
        except OSError:
            if not left:
                raise


async def _open(target: Target, address: str, max_body: int) -> HttpConnection:
    _, connection = await asyncio.get_running_loop().create_connection(
        partial(HttpConnection, max_body),
        address,
        target.port,
        ssl=_trust() if target.tls else None,
        server_hostname=target.host if target.tls else None,
    )
    return connection


@cache
def _trust() -> ssl.SSLContext:
    """The system's CAs, or `SSL_CERT_FILE`; cached, because loading takes longer than sending."""
    return ssl.create_default_context()
