"""The bodies of requests: taken in, within bounds of size and time, and read."""

import asyncio
from collections.abc import Mapping
from urllib.parse import parse_qsl

import msgspec

from gamekeeper import scalars
from gamekeeper.errors import (
    BodyTooLarge,
    BodyTooSlow,
    Invalid,
    InvalidBody,
    UnsupportedMediaType,
)
from gamekeeper.requests import Request
from gamekeeper.streaming import Receive

LONGEST_SECONDS = 10
LARGEST_DISCARDED = 16 * 1024 * 1024
DISCARD_SECONDS = 5


async def received(request: Request, receive: Receive, largest: int) -> bytes:
    length = request.headers.get("content-length", "")
    if length.isdigit() and int(length) > largest:
        raise BodyTooLarge(largest)
    body = bytearray()
    more = True
    try:
        async with asyncio.timeout(LONGEST_SECONDS):
            while more:
                message = await receive()
                body += message.get("body", b"")
                more = message.get("more_body", False)
                if len(body) > largest:
                    raise BodyTooLarge(largest)
    except TimeoutError:
        request.body_read = True  # as much of it as anybody is going to
        raise BodyTooSlow from None
    request.body_read = True
    return bytes(body)


async def discarded(request: Request, receive: Receive) -> bool:
    """
    Take in what is left of a body that was refused unread, within reason.

    Otherwise the connection is torn down under a client that is still sending, and
    it sees that instead of the answer.
    """
    left, more = LARGEST_DISCARDED, True
    try:
        async with asyncio.timeout(DISCARD_SECONDS):
            while more and left > 0:
                message = await receive()
                left -= len(message.get("body", b""))
                more = message.get("more_body", False)
    except TimeoutError:
        return False
    return not more


def document(raw: bytes, request: Request) -> Mapping[str, object]:
    if not raw:
        return {}
    kind, _, parameters = request.headers.get("content-type", "").partition(";")
    charset = parameters.partition("charset=")[2].strip('" ').lower()
    if charset not in ("", "utf-8", "utf8") or "content-encoding" in request.headers:
        raise UnsupportedMediaType
    match kind.strip().lower():
        case "application/json":
            return _json(raw)
        case "application/x-www-form-urlencoded":
            return pairs(raw, InvalidBody)
        case _:
            raise UnsupportedMediaType


def _json(raw: bytes) -> Mapping[str, object]:
    try:
        return scalars.fields_of(msgspec.json.decode(raw))
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        raise InvalidBody("The body is not valid JSON.") from error


def pairs(raw: bytes, problem: type[Invalid]) -> dict[str, str]:
    """The fields of a form or a query string; of several of one name the last counts."""
    try:
        pairs = parse_qsl(
            raw.decode("ascii"), keep_blank_values=True, errors="strict", max_num_fields=200
        )
    except ValueError as error:
        raise problem("The fields are not form-encoded UTF-8.") from error
    return dict(pairs)
