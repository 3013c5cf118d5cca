"""Responses, and their ASGI messages."""

from collections.abc import AsyncGenerator, Callable
from hashlib import blake2b
from http import HTTPStatus
from typing import Any

import msgspec
from msgspec import Struct

from gamekeeper.core import failpoints
from gamekeeper.core.errors import Failure, Problem
from gamekeeper.http import load_shedding
from gamekeeper.http.requests import Request
from gamekeeper.http.streaming import Send

JSON = "application/json; charset=utf-8"
LINE_ENDS = frozenset("\r\n\0")
"""In the value of a header: the rest would be another header, or the body."""
NOSNIFF = (b"x-content-type-options", b"nosniff")


class Response(Struct, frozen=True, kw_only=True):
    body: bytes
    status: int = 200
    content_type: str = JSON
    cache_control: bytes = b"no-store"
    headers: list[tuple[str, str]] = []
    stream: AsyncGenerator[bytes] | None = None
    """Chunks that are sent instead of the body, until the generator ends."""
    is_export: bool = False
    """Whether the stream is a long download of rows: paced, and only few at once (`exports`)."""


def tagged(body: bytes, request: Request) -> Response:
    """A response with an ETag; 304, without the body, if the client has it already."""
    tag = f'"{blake2b(body, digest_size=16).hexdigest()}"'
    known = request.headers.get("if-none-match", "")
    is_same = known.strip() == "*" or tag in known
    return Response(
        body=b"" if is_same else body,
        status=HTTPStatus.NOT_MODIFIED if is_same else HTTPStatus.OK,
        cache_control=b"private, no-cache",
        headers=[("ETag", tag)],
    )


def error_response(
    problem: Problem, request_id: str, reword: Callable[[Problem], Struct | None] | None = None
) -> Response:
    failure = (reword(problem) if reword else None) or Failure.of(problem, request_id)
    return Response(
        body=msgspec.json.encode(failure), status=problem.status, headers=problem.headers
    )


async def send_overloaded(send: Send) -> None:
    """Send a cheap 503, before the request is parsed."""
    headers, body = load_shedding.overloaded_response()
    await send({"type": "http.response.start", "status": 503, "headers": headers})
    await send({"type": "http.response.body", "body": body})


async def send(
    send: Send, answer: Response, request: Request, more_headers: list[tuple[str, str]]
) -> None:
    await send(head(answer, request, more_headers))
    if answer.stream is None or request.method == "HEAD":
        body = b"" if request.method == "HEAD" else answer.body
        body = await failpoints.first_byte(send, body)
        await send({"type": "http.response.body", "body": body})


def head(answer: Response, request: Request, more_headers: list[tuple[str, str]]) -> dict[str, Any]:
    headers = [
        (b"content-type", answer.content_type.encode()),
        (b"x-request-id", request.id.encode()),
        (b"cache-control", answer.cache_control),
        NOSNIFF,
    ]
    if answer.stream is None:
        headers.append((b"content-length", b"%d" % len(answer.body)))
    for name, value in [*answer.headers, *more_headers]:
        if not LINE_ENDS.isdisjoint(value):
            raise ValueError(f"The header {name} has a line end.")
        headers.append((name.lower().encode(), value.encode("latin-1")))
    headers += request.rate_headers
    return {"type": "http.response.start", "status": int(answer.status), "headers": headers}
