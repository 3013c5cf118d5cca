"""Requests at a fixed rate, as players make them: a slow answer does not delay the next request."""

import asyncio
import time
from collections.abc import Awaitable, Callable, Iterator
from contextlib import suppress
from http import HTTPStatus

import msgspec
from msgspec import Struct

TIMEOUT = 10.0


class Sample(Struct, frozen=True, kw_only=True):
    """The results of requests at a rate."""

    requests: int
    failures: dict[str, int]
    """By status and error code, or by the name of the exception."""
    seconds: float
    p50: float
    """Milliseconds from the instant the request was due, as of the next."""
    p99: float

    @property
    def rate(self) -> float:
        return self.requests / self.seconds


class Connection:
    """One HTTP connection that is opened again after a fault."""

    def __init__(self, port: int, key: str) -> None:
        self._port = port
        self._key = key
        self._streams: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None

    async def send(
        self, method: str, target: str, *, body: str = "", idempotency: str = "", key: str = ""
    ) -> "Answer":
        lines = [f"{method} {target} HTTP/1.1", f"Host: 127.0.0.1:{self._port}"]
        lines.append(f"Authorization: Bearer {key or self._key}")
        if body:
            lines += ["Content-Type: application/json", f"Content-Length: {len(body)}"]
        if idempotency:
            lines.append(f"Idempotency-Key: {idempotency}")
        try:
            async with asyncio.timeout(TIMEOUT):
                return await self._exchange("\r\n".join([*lines, "", body]).encode())
        except (OSError, TimeoutError, asyncio.IncompleteReadError):
            await self.close()
            raise

    async def _exchange(self, request: bytes) -> "Answer":
        if self._streams is None:
            self._streams = await asyncio.open_connection("127.0.0.1", self._port)
        reader, writer = self._streams
        writer.write(request)
        head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").lower()
        length = head.partition("\r\ncontent-length:")[2].partition("\r\n")[0]
        return int(head.split(" ", 2)[1]), await reader.readexactly(int(length or 0))

    async def close(self) -> None:
        if self._streams is not None:
            self._streams[1].close()
            with suppress(OSError):
                await self._streams[1].wait_closed()
        self._streams = None


Answer = tuple[int, bytes]
"""Status and body."""

Step = Callable[[Connection], Awaitable[Answer]]
"""Sends a request, or several that belong together, and returns the last answer."""


async def paced(
    connections: list[Connection], steps: Iterator[Step], rate: float | None, seconds: float
) -> Sample:
    """Send at a rate, or without one as fast as the connections can."""
    began = time.monotonic()
    latencies: list[float] = []
    failures: dict[str, int] = {}
    numbers = iter(range(10**12))

    async def send_all(connection: Connection) -> None:
        while True:
            due = began + next(numbers) / rate if rate else time.monotonic()
            if due >= began + seconds:
                return
            await asyncio.sleep(max(0.0, due - time.monotonic()))
            fault = await _fault(next(steps), connection)
            latencies.append(1000 * (time.monotonic() - due))
            if fault:
                failures[fault] = failures.get(fault, 0) + 1

    await asyncio.gather(*map(send_all, connections))
    latencies.sort()
    return Sample(
        requests=len(latencies),
        failures=failures,
        seconds=time.monotonic() - began,
        p50=latencies[len(latencies) // 2],
        p99=latencies[len(latencies) * 99 // 100],
    )


async def _fault(step: Step, connection: Connection) -> str:
    try:
        status, body = await step(connection)
    except (OSError, TimeoutError, asyncio.IncompleteReadError) as fault:
        return type(fault).__name__
    if status < HTTPStatus.BAD_REQUEST:
        return ""
    return f"{status} {msgspec.json.decode(body or b'{}').get('Code', '')}"
