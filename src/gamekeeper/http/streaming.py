"""Streaming: responses sent piece by piece, with deadlines for slow clients."""

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping
from contextlib import aclosing
from typing import Any

LARGEST_PIECE = 256 * 1024
"""So much is handed over at a time: what is large is taken bit by bit, however slowly."""

LARGE = 64 * 1024
"""An answer over this size is sent in pieces, each when the one before was taken."""

PIECE = 32 * 1024

SLOWEST = 16 * 1024
"""Bytes a second at which a large answer must be taken, over all."""

Receive = Callable[[], Awaitable[Mapping[str, Any]]]
Send = Callable[[Mapping[str, Any]], Awaitable[None]]


async def pour(
    pieces: AsyncGenerator[bytes], receive: Receive, send: Send, patience: float
) -> None:
    """
    Send all pieces, until there are no more or the client is gone.

    TimeoutError if it takes nothing for `patience` seconds.
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
    Send a large body piece by piece; TimeoutError if the client takes it too slowly.

    Whole, it would be in memory once for each client that does not read.
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
