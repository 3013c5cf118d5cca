"""
Deterministic (seeded) random numbers, the same on every machine.

All of them derive from the operator's seed. Of Python's generator only ``random()``
is used, because only that is guaranteed not to change between versions; and no
function of the C library whose last digit may differ between machines.
"""

from collections.abc import Sequence
from hashlib import shake_128
from random import Random
from typing import TypeVar

T = TypeVar("T")

# Translation tables that set the version (4) and variant bits of a random GUID.
_VERSION = bytes(0x40 | byte & 0x0F for byte in range(256))
_VARIANT = bytes(0x80 | byte & 0x3F for byte in range(256))


class Dice:
    """The random stream of one object, for example of the 12th build of seed 1."""

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
    """`size` pseudorandom bytes: one hash call is far cheaper than a million draws."""
    return shake_128(f"{seed}/{kind}/{number}".encode()).digest(size)


def marked(noise: bytes, stride: int, *starts: int) -> bytes:
    """The same noise, with valid GUIDs at `starts` of each `stride` bytes."""
    marked = bytearray(noise)
    for start in starts:
        version, variant = slice(start + 6, None, stride), slice(start + 8, None, stride)
        marked[version] = marked[version].translate(_VERSION)
        marked[variant] = marked[variant].translate(_VARIANT)
    return bytes(marked)


def guid(seed: int, kind: str, number: int) -> bytes:
    return marked(noise(seed, kind, number, 16), 16, 0)
