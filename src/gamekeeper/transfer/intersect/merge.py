"""Merge join: rows in the order of their owner, given out owner by owner."""

from collections.abc import Iterator
from typing import Any

from gamekeeper.transfer.intersect.notes import Notes


class OwnedRows:
    """Rows that begin with their owner's id as bytes, in its order; NULL comes first."""

    def __init__(self, table: str, rows: Iterator[tuple[Any, ...]]) -> None:
        self.table, self._rows = table, rows
        self._next = next(rows, None)
        self._orphans = 0

    def of(self, owner: bytes) -> list[tuple[Any, ...]]:
        """The rows of an owner, without its id. Owners must be asked for in their order."""
        while self._next is not None and (self._next[0] is None or self._next[0] < owner):
            self._orphans += 1
            self._next = next(self._rows, None)
        found: list[tuple[Any, ...]] = []
        while self._next is not None and self._next[0] == owner:
            found.append(self._next[1:])
            self._next = next(self._rows, None)
        return found

    def finish(self, notes: Notes) -> None:
        """Note the rows that belong to nobody who was asked for."""
        self._orphans += (self._next is not None) + sum(1 for _ in self._rows)
        if self._orphans:
            notes.add(
                "orphan", self.table, f"{self._orphans} rows without an owner", count=self._orphans
            )
