"""Overlays: stored values with uncommitted changes, in memory during an operation."""

from collections.abc import Mapping
from typing import Generic, TypeVar

K = TypeVar("K")
V = TypeVar("V")


class Overlay(Generic[K, V]):
    """Overlay: stored values with uncommitted changes and savepoints; None means no value."""

    def __init__(self, stored: Mapping[K, V]) -> None:
        self._stored = stored
        self._now: dict[K, V | None] = dict(stored)
        self._replaced: list[tuple[K, V | None]] = []

    def get(self, key: K) -> V | None:
        return self._now.get(key)

    def stored(self, key: K) -> V | None:
        return self._stored.get(key)

    def put(self, key: K, value: V | None) -> None:
        self._replaced.append((key, self._now.get(key)))
        self._now[key] = value

    def items(self) -> dict[K, V]:
        return {key: value for key, value in self._now.items() if value is not None}

    def savepoint(self) -> int:
        return len(self._replaced)

    def rollback(self, savepoint: int) -> None:
        while len(self._replaced) > savepoint:
            key, value = self._replaced.pop()
            self._now[key] = value

    def changed(self) -> dict[K, V | None]:
        """The values that differ from the stored ones; `True` differs from 1 here."""
        if not self._replaced:
            return {}
        touched = dict.fromkeys(key for key, _ in self._replaced)
        now, stored = self._now, self._stored
        return {
            key: now[key]
            for key in touched
            if (type(now[key]), now[key]) != (type(stored.get(key)), stored.get(key))
        }
