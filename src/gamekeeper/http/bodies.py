"""Request bodies: received within limits of size and time, and decoded (JSON or form)."""

import asyncio
from codecs import BOM_UTF8
from collections.abc import Mapping
from urllib.parse import parse_qsl

import msgspec

from gamekeeper.core import parsing
from gamekeeper.core.errors import (
    BodyTooFragmented,
    BodyTooLarge,
    BodyTooSlow,
    Invalid,
    InvalidBody,
    UnsupportedMediaType,
)
from gamekeeper.http.requests import Request
from gamekeeper.http.streaming import Receive

LONGEST_SECONDS = 10

MOST_PIECES = 1000
SMALLEST_PIECE = 64
"""Each piece costs the same, however small: beyond MOST_PIECES they must average this size."""

LARGEST_DISCARDED = 16 * 1024 * 1024
DISCARD_SECONDS = 5
UTF_8 = {"", "utf-8", "utf8"}


async def received(request: Request, receive: Receive, largest: int) -> bytes:
    # Refuse a body that announces its size before any of it is buffered.
    length = request.headers.get("content-length", "")
    if length.isdigit() and int(length) > largest:
        raise BodyTooLarge(largest)
    body = bytearray()
    more, pieces = True, 0
    try:
        async with asyncio.timeout(LONGEST_SECONDS):
            while more:
                message = await receive()
                body += message.get("body", b"")
                more = message.get("more_body", False)
                pieces += 1
                if len(body) > largest:
                    raise BodyTooLarge(largest)
                if _too_many(pieces, len(body)):
                    request.body_read = True  # as much of it as anybody is going to
                    raise BodyTooFragmented
    except TimeoutError:
        request.body_read = True  # as much of it as anybody is going to
        raise BodyTooSlow from None
    request.body_read = True
    return bytes(body)


async def discarded(request: Request, receive: Receive) -> bool:
    """
    Read and discard the rest of a body that was refused unread, within limits.

    Otherwise the connection is reset while the client is still sending, and the client
    sees the reset instead of the response.
    """
    size, pieces, more = 0, 0, True
    try:
        async with asyncio.timeout(DISCARD_SECONDS):
            while more and size < LARGEST_DISCARDED and not _too_many(pieces, size):
                message = await receive()
                size += len(message.get("body", b""))
                pieces += 1
                more = message.get("more_body", False)
    except TimeoutError:
        return False
    return not more


def _too_many(pieces: int, size: int) -> bool:
    return pieces > MOST_PIECES and size < pieces * SMALLEST_PIECE


def document(raw: bytes, request: Request) -> Mapping[str, object]:
    if not raw:
        return {}
    kind, charsets = _media_type(request.headers.get("content-type", ""))
    if charsets - UTF_8 or "content-encoding" in request.headers:
        raise UnsupportedMediaType
    match kind:
        case "application/json":
            return _json(raw)
        case "application/x-www-form-urlencoded":
            return pairs(raw, InvalidBody)
        case _:
            raise UnsupportedMediaType


def _media_type(header: str) -> tuple[str, set[str]]:
    """The type and its charsets in lower case; unknown parameters are ignored."""
    kind, *parameters = header.lower().split(";")
    pairs = [parameter.partition("=") for parameter in parameters]
    charsets = {value.strip().strip('"') for name, _, value in pairs if name.strip() == "charset"}
    return kind.strip(), charsets


def _json(raw: bytes) -> Mapping[str, object]:
    try:
        # Some clients send a UTF-8 byte order mark; RFC 8259 lets a parser ignore it.
        return parsing.fields_of(msgspec.json.decode(raw.removeprefix(BOM_UTF8)))
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        raise InvalidBody("The body is not valid JSON.") from error


def pairs(raw: bytes, problem: type[Invalid]) -> dict[str, str]:
    """The fields of a form or a query string; of several of one name the last counts."""
    try:
        # A limit on fields: each costs memory, and no operation has nearly as many.
        pairs = parse_qsl(
            raw.decode("ascii"), keep_blank_values=True, errors="strict", max_num_fields=200
        )
    except ValueError as error:
        raise problem("The fields are not form-encoded UTF-8.") from error
    return dict(pairs)
