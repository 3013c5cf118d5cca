"""
HTTP client: one request to one target, with a deadline for all of it.

`send` posts a webhook and keeps the start of the response; `fetch` needs the whole response.
The request is written here, and connection.py parses the response. targets.py decides where to
connect: to a checked address, never to a name that would be resolved again. Redirects are
responses like others: they are not followed.
"""

import asyncio
import re
import ssl
from collections.abc import Sequence
from contextlib import suppress

from msgspec import Struct

from gamekeeper.core.errors import Problem
from gamekeeper.egress import targets
from gamekeeper.egress.connection import HttpConnection
from gamekeeper.egress.connection_pool import ConnectionPool, connect
from gamekeeper.egress.targets import Resolve, Target

SECONDS = 15
"""The deadline, from the name lookup to the end of the response."""
BODY_SECONDS = 1
TIMEOUT = "timeout"
"""The fault of a target that did not answer in time."""
MAX_KEPT = 200
"""Enough to diagnose a failure, too little to read internal pages through a target (SSRF)."""
GONE = 410
BAD_REQUEST = 400

FETCH_SECONDS = 8
"""The deadline of a fetch; a person waits for it."""
MAX_FETCHED = 256 * 1024

UNSAFE = re.compile(r"[^\x21-\x7e]")
"""In a request line: what could end it early."""
UNSAFE_IN_HEADERS = re.compile(r"[^\x20-\x7e]")


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


class Fetched(Struct, frozen=True, kw_only=True):
    """A whole response."""

    status: int
    body: bytes


class FetchFailed(Exception):
    """No whole response arrived in time."""


async def send(
    target: Target,
    headers: Sequence[tuple[str, str]],
    body: bytes,
    resolve: Resolve = targets.look_up,
    pool: ConnectionPool | None = None,
    content_type: str = "application/json",
    seconds: float = SECONDS,
) -> Outcome:
    """Send a message, over an idle connection of the pool if there is one."""
    try:
        async with asyncio.timeout(seconds):
            request = _request(target, headers, body, content_type=content_type)
            return await _exchange(target, request, resolve, pool)
    except Problem as problem:
        return Outcome(fault=problem.code)
    except TimeoutError:
        return Outcome(fault=TIMEOUT)
    except ssl.SSLCertVerificationError as fault:
        return Outcome(fault=f"tls: {fault.verify_message}"[:200])
    except ssl.SSLError as fault:
        return Outcome(fault=f"tls: {fault.reason or 'failed'}"[:200])
    except (OSError, ValueError) as fault:
        return Outcome(fault=f"{type(fault).__name__}: {fault}"[:200])


async def fetch(
    target: Target,
    method: str,
    headers: Sequence[tuple[str, str]] = (),
    body: bytes = b"",
    content_type: str = "application/x-www-form-urlencoded",
    resolve: Resolve = targets.look_up,
) -> Fetched:
    """Send a request over a connection of its own; raise FetchFailed without a whole response."""
    try:
        request = _request(target, headers, body, method, content_type)
        async with asyncio.timeout(FETCH_SECONDS):
            addresses = await targets.addresses(target, resolve)
            connection = await connect(target, addresses, MAX_FETCHED)
            try:
                status, received = await connection.exchange(request, FETCH_SECONDS)
                if not connection.is_complete or len(received) >= MAX_FETCHED:
                    raise FetchFailed("The response is too long or incomplete.")
            finally:
                connection.close()
    except (Problem, TimeoutError, OSError, ValueError) as fault:
        raise FetchFailed(f"{type(fault).__name__}: {fault}"[:200]) from None
    return Fetched(status=status, body=received)


def _request(
    target: Target,
    headers: Sequence[tuple[str, str]],
    body: bytes,
    method: str = "POST",
    content_type: str = "application/json",
) -> bytes:
    if UNSAFE.search(target.path) or UNSAFE.search(target.authority):
        raise ValueError("The URL has characters that a request cannot have.")
    ours = [
        ("Host", target.authority),
        ("User-Agent", "gamekeeper"),
        ("Content-Type", content_type),
        ("Content-Length", str(len(body))),
        ("Accept", "*/*"),
        ("Accept-Encoding", "identity"),
    ]
    lines = [f"{name}: {value}" for name, value in (*ours, *headers)]
    if any(UNSAFE_IN_HEADERS.search(line) for line in lines):
        raise ValueError("A header has characters that a request cannot have.")
    head = "\r\n".join((f"{method} {target.path} HTTP/1.1", *lines, "", ""))
    return head.encode("ascii") + body


async def _exchange(
    target: Target, request: bytes, resolve: Resolve, pool: ConnectionPool | None
) -> Outcome:
    if pool and (idle := pool.take(target)):
        # The target may just have closed the idle connection: that is no failure, reconnect.
        with suppress(OSError):
            return await _over(idle, target, request, pool)
    connection = await connect(target, await targets.addresses(target, resolve))
    return await _over(connection, target, request, pool)


async def _over(
    connection: HttpConnection, target: Target, request: bytes, pool: ConnectionPool | None
) -> Outcome:
    keep = False
    try:
        status, body = await connection.exchange(request, BODY_SECONDS)
        keep = connection.is_good
    finally:
        if pool and keep:
            pool.release(target, connection)
        else:
            connection.close()
    return Outcome(status=status, answer=_text(body)[:MAX_KEPT])


def _text(body: bytes) -> str:
    return body.decode("utf-8", "replace").replace("\0", "")
