"""Answers that are sent piece by piece, for as long as somebody takes them."""

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping
from contextlib import aclosing
from typing import Any

SLOWEST_SECONDS = 20
"""Who takes nothing for so long is let go."""

Receive = Callable[[], Awaitable[Mapping[str, Any]]]
Send = Callable[[Mapping[str, Any]], Awaitable[None]]


async def pour(pieces: AsyncGenerator[bytes], receive: Receive, send: Send) -> None:
    """Send all pieces, until there are no more or the client is gone."""
    pouring = asyncio.create_task(_pour(pieces, send))
    leaving = asyncio.create_task(_left(receive))
    try:
        await asyncio.wait([pouring, leaving], return_when=asyncio.FIRST_COMPLETED)
        if pouring.done():
            pouring.result()
    finally:
        for task in (pouring, leaving):
            task.cancel()
        await asyncio.gather(pouring, leaving, return_exceptions=True)


async def _pour(pieces: AsyncGenerator[bytes], send: Send) -> None:
    async with aclosing(pieces):
        async for piece in pieces:
            async with asyncio.timeout(SLOWEST_SECONDS):
                await send({"type": "http.response.body", "body": piece, "more_body": True})
    await send({"type": "http.response.body", "body": b""})


async def _left(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass
