"""
One message sent to one target: a POST of its own, with a deadline for all of it.

Written on sockets and not with a client library: those look names up themselves, and
this must connect to the address that was looked at, follow no redirect, and read no
more of the answer than is kept.
"""

import asyncio
import ssl
from collections.abc import Sequence

from msgspec import Struct

from gamekeeper.errors import Problem
from gamekeeper.webhooks import targets
from gamekeeper.webhooks.targets import Resolve, Target

SECONDS = 15
MOST_HEAD = 16 * 1024
MOST_KEPT = 1000
GONE = 410


class Outcome(Struct, frozen=True, kw_only=True):
    """What came of it: the answer's status and beginning, or why there was none."""

    status: int | None = None
    answer: str | None = None
    fault: str | None = None

    @property
    def is_success(self) -> bool:
        return self.status is not None and 200 <= self.status < 300


class Unanswered(Exception):
    """What came back is no answer."""


async def send(
    target: Target,
    headers: Sequence[tuple[str, str]],
    body: bytes,
    resolve: Resolve = targets.look_up,
) -> Outcome:
    try:
        async with asyncio.timeout(SECONDS):
            address, *_ = await targets.addresses(target, resolve)
            return await _exchange(target, address, headers, body)
    except Problem as problem:
        return Outcome(fault=problem.code)
    except TimeoutError:
        return Outcome(fault="timeout")
    except ssl.SSLError as fault:
        return Outcome(fault=f"tls: {fault.reason or 'failed'}"[:200])
    except (OSError, EOFError, ValueError, Unanswered) as fault:
        return Outcome(fault=f"{type(fault).__name__}: {fault}"[:200])


async def _exchange(
    target: Target, address: str, headers: Sequence[tuple[str, str]], body: bytes
) -> Outcome:
    context = ssl.create_default_context() if target.tls else None
    reader, writer = await asyncio.open_connection(
        address,
        target.port,
        ssl=context,
        server_hostname=target.host if context else None,
        limit=MOST_HEAD,
    )
    try:
        writer.write(_request(target, headers, body))
        await writer.drain()
        head = await reader.readuntil(b"\r\n\r\n")
        status = _status(head)
        return Outcome(status=status, answer=await _beginning(reader, head))
    except asyncio.LimitOverrunError:
        raise Unanswered("The head of the answer is too long.") from None
    finally:
        writer.transport.abort()


def _request(target: Target, headers: Sequence[tuple[str, str]], body: bytes) -> bytes:
    lines = [
        f"POST {target.path} HTTP/1.1",
        f"host: {target.authority}",
        "user-agent: gamekeeper",
        "content-type: application/json",
        f"content-length: {len(body)}",
        "accept: */*",
        "accept-encoding: identity",
        "connection: close",
        *(f"{name}: {value}" for name, value in headers),
    ]
    return "\r\n".join([*lines, "", ""]).encode("latin-1") + body


def _status(head: bytes) -> int:
    version, _, rest = head.partition(b" ")
    if not version.startswith(b"HTTP/1.") or not rest[:3].isdigit():
        raise Unanswered("That is not HTTP.")
    return int(rest[:3])


async def _beginning(reader: asyncio.StreamReader, head: bytes) -> str:
    """As much of the answer's body as is kept, without waiting long for it."""
    body = b""
    try:
        async with asyncio.timeout(1):
            while len(body) < MOST_KEPT and (more := await reader.read(MOST_KEPT)):
                body += more
    except (TimeoutError, OSError):
        pass
    if b"transfer-encoding: chunked" in head.lower():
        body = body.partition(b"\r\n")[2].partition(b"\r\n")[0]
    return body[:MOST_KEPT].decode("utf-8", "replace").replace("\0", "")
