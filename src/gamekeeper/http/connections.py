"""
Connection limits per address and send timeouts (slow clients), by the kernel's data.

The HTTP server exposes requests, not connections: neither how many one address holds
open nor whether a client reads what was sent to it. The kernel does. Its timer
(TCP_USER_TIMEOUT) disconnects a client that reads nothing, and every few seconds the
connections over the limit of their address are closed. On systems other than Linux both
are left to a proxy.
"""

import asyncio
import os
import socket
from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

import structlog
from msgspec import Struct

COUNTED_EVERY = 2.0

SEND_BUFFER = 128 * 1024
"""Bytes the kernel buffers for a client that does not read; by default it buffers megabytes."""

OPEN_FILES = Path("/proc/self/fd")
CAN_WATCH = OPEN_FILES.exists()

log = structlog.get_logger()

Source = Callable[[str], str | None]
"""The key by which an address is limited; None if it is not, such as a trusted proxy."""


class Connection(Struct, frozen=True):
    number: int
    peer: tuple[str, int]


class ConnectionWatch:
    """Disconnects clients that do not read, and closes connections over the limit per address."""

    def __init__(self, *, of_one: int, send_timeout: float, source: Source) -> None:
        self._of_one = of_one
        self._send_timeout = int(send_timeout * 1000)
        self._source = source
        self._ports: set[int] = set()
        self._seen: set[tuple[str, int]] = set()

    async def run(self) -> None:
        while CAN_WATCH:
            await asyncio.to_thread(self.look)
            await asyncio.sleep(COUNTED_EVERY if self._ports else 0.1)

    def look(self) -> None:
        # Fewer open files than one address may have connections: no address can exceed its limit.
        if self._ports and sum(1 for _ in OPEN_FILES.iterdir()) <= self._of_one:
            return
        by_source: dict[str, list[Connection]] = defaultdict(list)
        for connection in self._connections():
            source = self._source(connection.peer[0])
            if source is not None:
                by_source[source].append(connection)
        for source, held in by_source.items():
            if len(held) > self._of_one:
                self._close_some(source, held)
        self._seen = {connection.peer for held in by_source.values() for connection in held}

    def _close_some(self, source: str, held: list[Connection]) -> None:
        """Close the newest connections; the oldest stay."""
        # Descriptors are reused, so age is known only from whether the last look saw them.
        held.sort(key=lambda one: one.peer not in self._seen)
        over = held[self._of_one :]
        del held[self._of_one :]
        for connection in over:
            with suppress(OSError), _socket(connection.number) as one:
                # The descriptor may belong to another connection by now.
                if one.getpeername()[:2] == connection.peer:
                    one.shutdown(socket.SHUT_RDWR)
        log.warning("connections_closed", address=source, count=len(over), limit=self._of_one)

    def _connections(self) -> Iterator[Connection]:
        """The connections made to the ports we listen on."""
        found: list[tuple[int, Connection]] = []
        for number in [int(file.name) for file in OPEN_FILES.iterdir()]:
            # Ignore a file that is not a socket, not connected, or closed meanwhile.
            with suppress(OSError), _socket(number) as one:
                if one.family not in (socket.AF_INET, socket.AF_INET6):
                    continue
                port = one.getsockname()[1]
                if one.getsockopt(socket.SOL_SOCKET, socket.SO_ACCEPTCONN):
                    self._listens(one, port)
                else:
                    found.append((port, Connection(number, one.getpeername()[:2])))
        return (connection for port, connection in found if port in self._ports)

    def _listens(self, one: socket.socket, port: int) -> None:
        """Set options on a listening socket; every connection it accepts later inherits them."""
        if port not in self._ports:
            one.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, SEND_BUFFER)
            one.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, self._send_timeout)
            self._ports.add(port)


def _socket(number: int) -> socket.socket:
    """The same socket under a duplicate descriptor, which may be closed."""
    own = os.dup(number)
    try:
        return socket.socket(fileno=own)
    except OSError:
        os.close(own)
        raise
