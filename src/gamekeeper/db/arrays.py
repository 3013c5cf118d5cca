"""Array parameters: many rows as one list for each column, for statements with `unnest`."""

from collections.abc import Iterable
from typing import Any


def columns(rows: Iterable[tuple[Any, ...]]) -> list[list[Any]]:
    """
    The columns of rows, in the order of `$1`, `$2`, …

    Without rows the number of columns is unknown, so there must be at least one.
    """
    found = [list(column) for column in zip(*rows, strict=True)]
    assert found, "a statement for no rows"
    return found
