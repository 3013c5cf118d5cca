"""
Chance that comes out the same on every machine.

All of it derives from the seed the operator chose. Of Python's generator only
``random()`` is used, because only that is promised to stay the same from version
to version; and no function of the C library whose last digit may differ between
machines.
"""

from collections.abc import Sequence
from hashlib import shake_128
from random import Random
from typing import TypeVar

T = TypeVar("T")

# The bits that mark a guid as a random one (version 4), put into a byte that has any.
_VERSION = bytes(0x40 | byte & 0x0F for byte in range(256))
_VARIANT = bytes(0x80 | byte & 0x3F for byte in range(256))


class Dice:
    """Draws that belong to one thing, for example to the 12th build of seed 1."""

    def __init__(self, seed: int, kind: str, number: int = 0) -> None:
        self.fraction = Random(f"{seed}/{kind}/{number}").random  # noqa: S311

    def below(self, limit: int) -> int:
        return int(self.fraction() * limit)

    def between(self, low: int, high: int) -> int:
        return low + self.below(high - low + 1)

    def pick(self, choices: Sequence[T]) -> T:
        return choices[self.below(len(choices))]

    def chance(self, probability: float) -> bool:
        return self.fraction() < probability


def noise(seed: int, kind: str, number: int, size: int) -> bytes:
    """`size` bytes without a pattern: drawing a million times at once costs next to nothing."""
    return shake_128(f"{seed}/{kind}/{number}".encode()).digest(size)


def marked(noise: bytes, stride: int, *starts: int) -> bytes:
    """The same noise, with valid guids at `starts` of each `stride` bytes."""
    marked = bytearray(noise)
    for start in starts:
        version, variant = slice(start + 6, None, stride), slice(start + 8, None, stride)
        marked[version] = marked[version].translate(_VERSION)
        marked[variant] = marked[variant].translate(_VARIANT)
    return bytes(marked)


def guid(seed: int, kind: str, number: int) -> bytes:
    return marked(noise(seed, kind, number, 16), 16, 0)
