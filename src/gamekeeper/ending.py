"""Tasks that go on for ever: how they pause, and how they end."""

import asyncio
from collections.abc import Iterable
from contextlib import suppress


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
