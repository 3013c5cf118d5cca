"""
One message sent to one target: a POST, with a deadline for all of it.

Written on sockets and not with a client library: those look names up themselves, and
this must connect to the address that was looked at, follow no redirect, and read no
more of the answer than is kept.
"""

import asyncio
import re
import ssl
from collections.abc import Sequence
from contextlib import suppress

from msgspec import Struct

from gamekeeper.errors import Problem
from gamekeeper.webhooks import targets
from gamekeeper.webhooks.lines import Line, Lines, connect
from gamekeeper.webhooks.targets import Resolve, Target

SECONDS = 15
"""For all of it, from the name to the answer."""
BODY_SECONDS = 1
MOST_INTERIM = 5
MOST_READ = 1000
"""Of an answer's body. One that is not longer can be read to its end, and the line used again."""
MOST_KEPT = 200
"""Enough to tell what went wrong, and too little to read what lies behind a target."""
GONE = 410
BODILESS = (204, 205, 304)

CHUNKED = re.compile(rb"\r\ntransfer-encoding:[ \t]*chunked[ \t]*\r\n", re.IGNORECASE)
LENGTH = re.compile(rb"\r\ncontent-length:[ \t]*(\d{1,18})[ \t]*\r\n", re.IGNORECASE)
CLOSING = re.compile(rb"^HTTP/1\.0|\r\nconnection:[ \t]*close[ \t]*\r\n", re.IGNORECASE)
LAST_CHUNK = b"0\r\n\r\n"


class Outcome(Struct, frozen=True, kw_only=True):
    """What came of it: the answer's status and beginning, or why there was none."""

    status: int | None = None
    answer: str | None = None
    fault: str | None = None

    @property
    def is_success(self) -> bool:
        return self.status is not None and 200 <= self.status < 300

    @property
    def reason(self) -> str:
        return self.fault or f"answered {self.status}"


class Unanswered(Exception):
    """What came back is no answer."""


async def send(
    target: Target,
    headers: Sequence[tuple[str, str]],
    body: bytes,
    resolve: Resolve = targets.look_up,
    lines: Lines | None = None,
) -> Outcome:
    """Send it, over one of `lines` if one is open; what can be used again is left there."""
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
    except (OSError, EOFError, ValueError, Unanswered) as fault:
        return Outcome(fault=f"{type(fault).__name__}: {fault}"[:200])


async def _exchange(
    target: Target, request: bytes, resolve: Resolve, lines: Lines | None
) -> Outcome:
    if lines and (open_line := lines.take(target)):
        # It may have been closed a moment ago. If so, that says nothing about the target.
        with suppress(OSError, EOFError, Unanswered):
            return await _over(open_line, target, request, lines)
    line = await connect(target, await targets.addresses(target, resolve))
    return await _over(line, target, request, lines)


async def _over(line: Line, target: Target, request: bytes, lines: Lines | None) -> Outcome:
    keep = False
    try:
        line.writer.write(request)
        await line.writer.drain()
        outcome, keep = await _answer(line)
    except asyncio.LimitOverrunError:
        raise Unanswered("The head of the answer is too long.") from None
    finally:
        if lines and keep:
            lines.leave(target, line)
        else:
            line.close()
    return outcome


def _request(target: Target, headers: Sequence[tuple[str, str]], body: bytes) -> bytes:
    lines = [
        f"POST {target.path} HTTP/1.1",
        f"host: {target.authority}",
        "user-agent: gamekeeper",
        "content-type: application/json",
        f"content-length: {len(body)}",
        "accept: */*",
        "accept-encoding: identity",
        *(f"{name}: {value}" for name, value in headers),
    ]
    return "\r\n".join([*lines, "", ""]).encode("latin-1") + body


async def _answer(line: Line) -> tuple[Outcome, bool]:
    """What was answered, and whether the next letter may go over the same line."""
    for _ in range(MOST_INTERIM):
        head = await line.reader.readuntil(b"\r\n\r\n")
        line.taken(head)
        status = _status(head)
        if status >= 200:
            length = 0 if status in BODILESS else _length(head)
            body = await _beginning(line.reader, length)
            line.taken(body)
            whole = length == len(body) and not CLOSING.search(head) and line.is_good
            return Outcome(status=status, answer=_text(head, body)[:MOST_KEPT]), whole
    raise Unanswered("It goes on saying that an answer will come.")


def _status(head: bytes) -> int:
    line = re.match(rb"HTTP/1\.\d (\d{3})[ \r]", head)
    if line is None:
        raise Unanswered("That is not HTTP.")
    return int(line[1])


def _length(head: bytes) -> int | None:
    """Who leaves the connection open says how long the body is; then nobody need wait."""
    found = LENGTH.search(head)
    return int(found[1]) if found and not CHUNKED.search(head) else None


async def _beginning(reader: asyncio.StreamReader, length: int | None) -> bytes:
    """As much of the answer's body as is read, without waiting long for it."""
    body = b""
    most = MOST_READ if length is None else min(length, MOST_READ)
    try:
        async with asyncio.timeout(BODY_SECONDS):
            while len(body) < most and (more := await reader.read(most - len(body))):
                body += more
                if length is None and body.endswith(LAST_CHUNK):
                    break
    except (TimeoutError, OSError):
        pass
    return body


def _text(head: bytes, body: bytes) -> str:
    if CHUNKED.search(head):
        body = body.partition(b"\r\n")[2].partition(b"\r\n")[0]
    return body.decode("utf-8", "replace").replace("\0", "")
