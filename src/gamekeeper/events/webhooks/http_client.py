"""
HTTP client for webhooks: one POST to one target, with a deadline for all of it.

httpcore2 implements HTTP. It follows no redirects and decompresses nothing; connection_pool.py
decides where it connects and how much it may read.
"""

import asyncio
import ssl
from collections.abc import Sequence
from contextlib import aclosing, suppress

from httpcore2 import ProtocolError, Request, Response
from msgspec import Struct

from gamekeeper.core.errors import Problem
from gamekeeper.events.webhooks import targets
from gamekeeper.events.webhooks.connection_pool import (
    ConnectionPool,
    PooledConnection,
    connect,
    url,
)
from gamekeeper.events.webhooks.targets import Resolve, Target

SECONDS = 15
"""The deadline, from the name lookup to the end of the response."""
BODY_SECONDS = 1
MOST_READ = 1000
"""Bytes of a response body. A shorter one is read to its end, and its connection reused."""
MOST_KEPT = 200
"""Enough to diagnose a failure, too little to read internal pages through a target (SSRF)."""
GONE = 410
BODILESS = (204, 304)


class Outcome(Struct, frozen=True, kw_only=True):
    """The response's status and first characters, or why there was no response."""

    status: int | None = None
    answer: str | None = None
    fault: str | None = None

    @property
    def is_success(self) -> bool:
        return self.status is not None and 200 <= self.status < 300

    @property
    def reason(self) -> str:
        return self.fault or f"answered {self.status}"


async def send(
    target: Target,
    headers: Sequence[tuple[str, str]],
    body: bytes,
    resolve: Resolve = targets.look_up,
    lines: ConnectionPool | None = None,
) -> Outcome:
    """Send a message, over an idle connection of the pool `lines` if there is one."""
    try:
        async with asyncio.timeout(SECONDS):
            return await _exchange(target, _request(target, headers, body), resolve, lines)
    except Problem as problem:
        return Outcome(fault=problem.code)
    except TimeoutError:
        return Outcome(fault="timeout")
    except ssl.SSLCertVerificationError as fault:
        return Outcome(fault=f"tls: {fault.verify_message}"[:200])
    except ssl.SSLError as fault:
        return Outcome(fault=f"tls: {fault.reason or 'failed'}"[:200])
    except (OSError, ValueError, ProtocolError) as fault:
        return Outcome(fault=f"{type(fault).__name__}: {fault}"[:200])


def _request(target: Target, headers: Sequence[tuple[str, str]], body: bytes) -> Request:
    ours = [
        ("host", target.authority),
        ("user-agent", "gamekeeper"),
        ("content-type", "application/json"),
        ("content-length", str(len(body))),
        ("accept", "*/*"),
        ("accept-encoding", "identity"),
    ]
    return Request("POST", url(target), headers=[*ours, *headers], content=body)


async def _exchange(
    target: Target, request: Request, resolve: Resolve, lines: ConnectionPool | None
) -> Outcome:
    if lines and (open_line := lines.take(target)):
        # The target may just have closed the idle connection: that is no failure, reconnect.
        with suppress(OSError, ProtocolError):
            return await _over(open_line, target, request, lines)
    line = await connect(target, await targets.addresses(target, resolve))
    return await _over(line, target, request, lines)


async def _over(
    line: PooledConnection, target: Target, request: Request, lines: ConnectionPool | None
) -> Outcome:
    keep = False
    try:
        async with aclosing(await line.http.handle_async_request(request)) as response:
            length = _length(response)
            line.stream.limit(MOST_READ if length is None else min(length, MOST_READ))
            body = await _beginning(response)
        # Without a length the end of the response is unknown: do not reuse the connection.
        keep = length is not None and line.is_good
    finally:
        if lines and keep:
            lines.leave(target, line)
        else:
            line.close()
    return Outcome(status=response.status, answer=_text(body)[:MOST_KEPT])


def _length(response: Response) -> int | None:
    if response.status in BODILESS:
        return 0
    headers = {name.lower(): value for name, value in response.headers}
    length = None if b"transfer-encoding" in headers else headers.get(b"content-length")
    return None if length is None else int(length)


async def _beginning(response: Response) -> bytes:
    """The start of the response body, within the limits of size and time."""
    body = b""
    # A truncated body, by either side, is no failure: the status has been received.
    with suppress(OSError, ProtocolError):
        async with asyncio.timeout(BODY_SECONDS):
            async for piece in response.aiter_stream():
                body += piece
    return body


def _text(body: bytes) -> str:
    return body.decode("utf-8", "replace").replace("\0", "")
