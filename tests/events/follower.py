"""
One who follows the stream of events, as a process of its own that may be killed at any time.

What it takes it notes in a file before it takes more, so whoever comes after it goes on from
there. Many of them run beside what they measure, so each does little: it looks at every id,
sums up every byte, and leaves what the events say to be read after the run.
"""

import random
import socket
import sys
import time
import zlib
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from struct import Struct

NOTE = Struct("<qqdI")
"""The first event of a piece, the last, when it came, and the sum of all events up to it."""

QUIET_SECONDS = 20
NOT_NOW = (OSError, EOFError, ValueError)


def pieces(port: int, key: str, after: int) -> Iterator[tuple[float, list[bytes]]]:
    """Whole events as they come, many at once, and when they came; until the stream ends."""
    with closing(socket.create_connection(("127.0.0.1", port), QUIET_SECONDS)) as connection:
        connection.sendall(
            b"GET /api/v1/events HTTP/1.1\r\nHost: x\r\nAccept: text/event-stream\r\n"
            b"Authorization: Bearer %s\r\nLast-Event-ID: %d\r\n\r\n" % (key.encode(), after)
        )
        rest = b""
        for came, chunk in _chunks(connection):
            *blocks, rest = (rest + chunk).split(b"\n\n")
            # Signs of life and the first words begin otherwise; last words come last.
            events = [block for block in blocks if block.startswith(b"id: ")]
            if events and b"\nevent: end\n" in events[-1]:
                events.pop()
            if events:
                yield came, events


def _chunks(connection: socket.socket) -> Iterator[tuple[float, bytes]]:
    with connection.makefile("rb", 1 << 18) as wire:
        if b" 200 " not in wire.readline():
            raise ConnectionError("refused")
        while wire.readline() != b"\r\n":
            pass
        while size := int(wire.readline(), 16):
            chunk = wire.read(size + 2)
            if len(chunk) != size + 2:
                raise EOFError
            yield time.time(), chunk[:-2]


def numbers(events: list[bytes]) -> list[int]:
    return [int(event[4 : event.index(b"\n")]) for event in events]


def summed(events: list[bytes], so_far: int) -> int:
    return zlib.crc32(b"".join(events), so_far)


def follow(notes: Path, key: str, begin: int, end: int, ports: list[int]) -> None:
    last, total = begin, 0
    if notes.exists() and (kept := notes.read_bytes()):
        _, last, _, total = NOTE.unpack(kept[-NOTE.size :])
    with notes.open("ab", buffering=0) as book:
        while last < end:
            try:
                for came, events in pieces(random.choice(ports), key, last):
                    ids = numbers(events)
                    if ids != list(range(last + 1, last + 1 + len(events))):
                        sys.exit(f"after {last} came {ids[0]} to {ids[-1]}")
                    last, total = ids[-1], summed(events, total)
                    book.write(NOTE.pack(ids[0], last, came, total))
                    if last >= end:
                        break
            except NOT_NOW:
                time.sleep(random.uniform(0.02, 0.1))


if __name__ == "__main__":
    _, file, secret, first, final, *doors = sys.argv
    follow(Path(file), secret, int(first), int(final), [int(door) for door in doors])
