"""Background tasks: cancellation, interruptible sleep, and work in chunks."""

import asyncio
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from typing import Any, TypeVar

T = TypeVar("T")

PIECE = 1000
"""Rows in a chunk; encoding them for PostgreSQL blocks the event loop for some milliseconds."""


async def end(tasks: Iterable["asyncio.Task[Any]"]) -> None:
    """
    Cancel tasks until they are done.

    Once is not always enough: `asyncio.wait_for` of Python 3.11 loses a cancellation
    that coincides with the completion of its awaitable.
    """
    left = set(tasks)
    while left:
        for task in left:
            task.cancel()
        _, left = await asyncio.wait(left, timeout=1)


async def pause(stop: asyncio.Event, seconds: float) -> None:
    """Sleep, but return early when `stop` is set."""
    with suppress(TimeoutError):
        await asyncio.wait_for(stop.wait(), seconds)


def pieces(rows: Sequence[T]) -> Iterator[Sequence[T]]:
    """A long list in chunks, so that other tasks run between two of them."""
    for start in range(0, len(rows), PIECE):
        yield rows[start : start + PIECE]
