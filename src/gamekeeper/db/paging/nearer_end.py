"""
Pages of lists that have an index but no count tree, read from the nearer end.

A page deep inside costs a walk along the index, of at most half of the list. For the orders
that few ask for: a count tree would cost something with every change of a row.
"""

from msgspec import Struct

from gamekeeper.core.schemas import Window


class IndexWalk(Struct, frozen=True):
    """How to walk along an index: how many rows to skip, how many to take, and which way."""

    skipped: int
    taken: int
    descending: bool


def nearer_end(window: Window, total: int, *, descending: bool) -> IndexWalk:
    """The walk to a page of a list of `total` rows; it may find the rows in reverse."""
    taken = max(0, min(window.shown, total - window.offset))
    if taken and window.offset * 2 > total:
        return IndexWalk(total - window.offset - taken, taken, not descending)
    return IndexWalk(window.offset if taken else 0, taken, descending)
