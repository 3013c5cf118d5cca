"""
Encoder for PostgreSQL's binary COPY format.

PostgreSQL reads it twice as fast as text: GUIDs, times and arrays need no parsing.
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
"""The length prefix of a GUID (16 bytes)."""

_INT4_TYPE = 23

length = struct.Struct(">i").pack
start = struct.Struct(">h").pack
"""The header of a row: the number of its values."""


LENGTHS = [length(number) for number in range(256)]
"""Precomputed `length` prefixes, for hot loops."""


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
    """The data of one COPY, from encoded rows in pieces of any size."""
    return b"".join((HEADER, *pieces, TRAILER))
