"""Array parameters: many rows as one list for each column, for statements with `unnest`."""

from collections.abc import Iterable, Sequence
from typing import Any


def columns(rows: Iterable[tuple[Any, ...]]) -> list[Sequence[Any]]:
    """
    The columns of rows, in the order of `$1`, `$2`, …

    Without rows the number of columns is unknown, so there must be at least one.
    """
    found: list[Sequence[Any]] = list(zip(*rows, strict=True))
    assert found, "a statement for no rows"
    return found
