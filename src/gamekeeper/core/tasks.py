"""Background tasks: how they pause, work in pieces, and end."""

import asyncio
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from typing import TypeVar

T = TypeVar("T")

PIECE = 1000
"""Rows whose encoding for PostgreSQL holds the event loop for some milliseconds."""


async def end(tasks: Iterable["asyncio.Task[None]"]) -> None:
    """
    Cancel tasks until they are done.

    Once is not always enough: `asyncio.wait_for` of Python 3.11 forgets that it was
    cancelled if what it waited for happened at the same moment.
    """
    left = set(tasks)
    while left:
        for task in left:
            task.cancel()
        _, left = await asyncio.wait(left, timeout=1)


async def pause(stop: asyncio.Event, seconds: float) -> None:
    """Wait, unless told to stop meanwhile."""
    with suppress(TimeoutError):
        await asyncio.wait_for(stop.wait(), seconds)


def pieces(rows: Sequence[T]) -> Iterator[Sequence[T]]:
    """A long list in parts, so that others have their turn between two of them."""
    for start in range(0, len(rows), PIECE):
        yield rows[start : start + PIECE]
