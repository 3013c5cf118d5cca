"""
Rows in the binary form that PostgreSQL's COPY takes.

It is twice as fast to read as text: guids, times and arrays need no parsing.
Each value is its length and its bytes; a row is the number of its values, then
the values.
"""

import struct
from collections.abc import Iterable, Sequence

import msgspec

HEADER = b"PGCOPY\n\xff\r\n\x00" + bytes(8)
TRAILER = b"\xff\xff"

NULL = b"\xff\xff\xff\xff"
GUID = b"\x00\x00\x00\x10"
"""Stands before the sixteen bytes of a guid."""

_INT4_TYPE = 23

length = struct.Struct(">i").pack
start = struct.Struct(">h").pack
"""The beginning of a row of so many values."""


LENGTHS = [length(number) for number in range(256)]
"""The same, looked up, for where each moment counts."""


def value(raw: bytes) -> bytes:
    return length(len(raw)) + raw


def text(words: str) -> bytes:
    return value(words.encode())


def guid(raw: bytes) -> bytes:
    return GUID + raw


def int2(number: int) -> bytes:
    return struct.pack(">ih", 2, number)


def int4(number: int) -> bytes:
    return struct.pack(">ii", 4, number)


def boolean(truth: bool) -> bytes:  # noqa: FBT001  it is the value itself
    return b"\x00\x00\x00\x01\x01" if truth else b"\x00\x00\x00\x01\x00"


def int4s(numbers: Sequence[int]) -> bytes:
    head = struct.pack(">iiiii", 1, 0, _INT4_TYPE, len(numbers), 1)
    return value(head + b"".join(int4(number) for number in numbers))


def jsonb(scalar: bool | int | float | str) -> bytes:  # noqa: FBT001  it is the value itself
    return value(b"\x01" + msgspec.json.encode(scalar))


def row(*values: bytes) -> bytes:
    return start(len(values)) + b"".join(values)


def sheet(pieces: Iterable[bytes]) -> bytes:
    """What one COPY is sent: rows, in pieces of any size."""
    return b"".join((HEADER, *pieces, TRAILER))
