"""Waiting for what must come, where how soon it comes is not the point."""

import asyncio
import time
from collections.abc import Awaitable, Callable

from tests.processes import PATIENCE

__all__ = ["PATIENCE", "until"]


async def until(condition: Callable[[], Awaitable[object]], what: str, pause: float = 0.05) -> None:
    """Ask again and again until the condition holds. A test about time names its own time."""
    deadline = time.monotonic() + PATIENCE
    while not await condition():
        assert time.monotonic() < deadline, f"after {PATIENCE:g} s still not: {what}"
        await asyncio.sleep(pause)
