"""
HTTP client for webhooks: one POST to one target, with a deadline for all of it.

The request is written here, and connection.py parses the response. targets.py decides where to
connect: to a checked address, never to a name that would be resolved again.
"""

import asyncio
import re
import ssl
from collections.abc import Sequence
from contextlib import suppress

from msgspec import Struct

from gamekeeper.core.errors import Problem
from gamekeeper.events.webhooks import targets
from gamekeeper.events.webhooks.connection import HttpConnection
from gamekeeper.events.webhooks.connection_pool import ConnectionPool, connect
from gamekeeper.events.webhooks.targets import Resolve, Target

SECONDS = 15
"""The deadline, from the name lookup to the end of the response."""
BODY_SECONDS = 1
MAX_KEPT = 200
"""Enough to diagnose a failure, too little to read internal pages through a target (SSRF)."""
GONE = 410

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


async def send(
    target: Target,
    headers: Sequence[tuple[str, str]],
    body: bytes,
    resolve: Resolve = targets.look_up,
    pool: ConnectionPool | None = None,
) -> Outcome:
    """Send a message, over an idle connection of the pool if there is one."""
    try:
        async with asyncio.timeout(SECONDS):
            return await _exchange(target, _request(target, headers, body), resolve, pool)
    except Problem as problem:
        return Outcome(fault=problem.code)
    except TimeoutError:
        return Outcome(fault="timeout")
    except ssl.SSLCertVerificationError as fault:
        return Outcome(fault=f"tls: {fault.verify_message}"[:200])
    except ssl.SSLError as fault:
        return Outcome(fault=f"tls: {fault.reason or 'failed'}"[:200])
    except (OSError, ValueError) as fault:
        return Outcome(fault=f"{type(fault).__name__}: {fault}"[:200])


def _request(target: Target, headers: Sequence[tuple[str, str]], body: bytes) -> bytes:
    if UNSAFE.search(target.path) or UNSAFE.search(target.authority):
        raise ValueError("The URL has characters that a request cannot have.")
    ours = [
        ("Host", target.authority),
        ("User-Agent", "gamekeeper"),
        ("Content-Type", "application/json"),
        ("Content-Length", str(len(body))),
        ("Accept", "*/*"),
        ("Accept-Encoding", "identity"),
    ]
    lines = [f"{name}: {value}" for name, value in (*ours, *headers)]
    if any(UNSAFE_IN_HEADERS.search(line) for line in lines):
        raise ValueError("A header has characters that a request cannot have.")
    head = "\r\n".join((f"POST {target.path} HTTP/1.1", *lines, "", ""))
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
        status, body = await connection.post(request, BODY_SECONDS)
        keep = connection.is_good
    finally:
        if pool and keep:
            pool.release(target, connection)
        else:
            connection.close()
    return Outcome(status=status, answer=_text(body)[:MAX_KEPT])


def _text(body: bytes) -> str:
    return body.decode("utf-8", "replace").replace("\0", "")
