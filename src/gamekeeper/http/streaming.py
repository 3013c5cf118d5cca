"""Streaming: responses sent in chunks, with backpressure and deadlines for slow clients."""

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping
from contextlib import aclosing
from typing import Any

LARGEST_PIECE = 256 * 1024
"""The most bytes sent at a time: a slow client can still take a large piece in parts."""

LARGE = 64 * 1024
"""A response over this size is sent in chunks, each after the one before was taken."""

PIECE = 32 * 1024

SLOWEST = 16 * 1024
"""The lowest average rate, in bytes a second, at which a client must read a large response."""

Receive = Callable[[], Awaitable[Mapping[str, Any]]]
Send = Callable[[Mapping[str, Any]], Awaitable[None]]


async def pour(
    pieces: AsyncGenerator[bytes], receive: Receive, send: Send, patience: float
) -> None:
    """
    Send all pieces, until there are no more or the client disconnects.

    TimeoutError if the client reads nothing for `patience` seconds.
    """
    pouring = asyncio.create_task(_pour(pieces, send, patience))
    leaving = asyncio.create_task(_left(receive))
    try:
        await asyncio.wait([pouring, leaving], return_when=asyncio.FIRST_COMPLETED)
        if pouring.done():
            pouring.result()
    finally:
        for task in (pouring, leaving):
            task.cancel()
        await asyncio.gather(pouring, leaving, return_exceptions=True)


async def hand_over(body: bytes, send: Send, patience: float) -> None:
    """
    Send a large body in chunks; TimeoutError if the client reads too slowly.

    Sent whole, it would be buffered once for each client that does not read.
    """
    async with asyncio.timeout(patience + len(body) / SLOWEST):
        for start in range(0, len(body), PIECE):
            piece = body[start : start + PIECE]
            async with asyncio.timeout(patience):
                await send({"type": "http.response.body", "body": piece, "more_body": True})
    await send({"type": "http.response.body", "body": b""})


async def _pour(pieces: AsyncGenerator[bytes], send: Send, patience: float) -> None:
    async with aclosing(pieces):
        async for piece in pieces:
            for start in range(0, len(piece), LARGEST_PIECE):
                part = piece[start : start + LARGEST_PIECE]
                async with asyncio.timeout(patience):
                    await send({"type": "http.response.body", "body": part, "more_body": True})
    await send({"type": "http.response.body", "body": b""})


async def _left(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass
