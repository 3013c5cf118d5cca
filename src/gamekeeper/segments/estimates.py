"""
Estimates from a sample of blocks: a number and its 95 % confidence interval.

The sample is of blocks of the table, not of rows (TABLESAMPLE SYSTEM), and characters that were
created together share a block and often a level, a class or a guild. So the interval comes from
the differences between blocks (cluster sampling, ratio estimator), as the score interval of
Wilson, which is also right near 0 and 1.
"""

from collections.abc import Sequence
from math import sqrt

from msgspec import Struct

Z = 1.96
"""Of a 95 % confidence interval."""

MIN_BLOCKS_WITH_HITS = 10
"""With hits in fewer blocks, their differences say too little: each block counts as one row."""


class BlockSample(Struct, frozen=True):
    rows: int
    hits: int


class Estimate(Struct, frozen=True):
    count: int
    at_least: int
    at_most: int


def estimate(total: int, blocks: Sequence[BlockSample]) -> Estimate:
    """How many of `total` rows are hits, by the hits in a sample of blocks."""
    rows = sum(block.rows for block in blocks)
    hits = sum(block.hits for block in blocks)
    if not rows:
        return Estimate(count=total // 2, at_least=0, at_most=total)
    share = hits / rows
    low, high = _wilson(share, _effective_rows(blocks, rows, share))
    return Estimate(
        count=round(share * total),
        # What was seen exists, on both sides.
        at_least=max(hits, round(low * total)),
        at_most=min(total - (rows - hits), round(high * total)),
    )


def _effective_rows(blocks: Sequence[BlockSample], rows: int, share: float) -> float:
    """The number of independent rows that would be as precise (rows / design effect)."""
    with_hits = sum(block.hits > 0 for block in blocks)
    with_misses = sum(block.hits < block.rows for block in blocks)
    if min(with_hits, with_misses) < MIN_BLOCKS_WITH_HITS:
        return len(blocks)
    number = len(blocks)
    residuals = sum((block.hits - share * block.rows) ** 2 for block in blocks)
    variance = number / (number - 1) * residuals / rows**2
    return min(rows, share * (1 - share) / variance) if variance else rows


def _wilson(share: float, rows: float) -> tuple[float, float]:
    middle = share + Z**2 / (2 * rows)
    spread = Z * sqrt(share * (1 - share) / rows + Z**2 / (4 * rows**2))
    scale = 1 + Z**2 / rows
    return max(0.0, (middle - spread) / scale), min(1.0, (middle + spread) / scale)
