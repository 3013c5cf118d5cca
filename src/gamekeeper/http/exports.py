"""
Exports: long downloads of rows that leave the event loop to the other requests.

Three rules hold for every export. Rows are encoded in slices of a millisecond, with other tasks in
between. After each piece the export pauses four times as long as the piece took, so that it works
for a fifth of the time, and backs off when PostgreSQL or this process is busy. And few exports run
at once.
"""

import asyncio
from collections.abc import AsyncGenerator, Iterable
from contextlib import aclosing
from time import perf_counter

from gamekeeper.core.errors import TooManyRequests

MOST_EXPORTS = 2
"""Exports that one process sends at a time."""

EXPORTS_OF_A_CALLER = 1

ROWS_AT_ONCE = 100
"""Rows to read at once: decoding what PostgreSQL sends cannot be interrupted."""

SLICE_SECONDS = 0.001
PAUSE_FACTOR = 4
"""Two exports work at most two fifths of the time: most other requests meet neither."""

LONGEST_PAUSE = 0.25
RETRY_SECONDS = 10


class TooManyExports(TooManyRequests):
    """Too many exports are running: one per caller, two in total. Retry when they end."""

    def __init__(self) -> None:
        super().__init__(RETRY_SECONDS)


async def sliced(rows: Iterable[bytes]) -> AsyncGenerator[bytes]:
    """Rows in pieces, each encoded within a slice; `rows` encodes a row when it is asked for it."""
    piece: list[bytes] = []
    end = perf_counter() + SLICE_SECONDS
    for row in rows:
        piece.append(row)
        if perf_counter() >= end:
            yield b"".join(piece)
            piece.clear()
            end = perf_counter() + SLICE_SECONDS
    if piece:
        yield b"".join(piece)


async def paced(pieces: AsyncGenerator[bytes]) -> AsyncGenerator[bytes]:
    """The pieces, each followed by a pause by the time that it took to make."""
    async with aclosing(pieces):
        begun = perf_counter()
        async for piece in pieces:
            pause = min(PAUSE_FACTOR * (perf_counter() - begun), LONGEST_PAUSE)
            yield piece
            await asyncio.sleep(pause)
            begun = perf_counter()
