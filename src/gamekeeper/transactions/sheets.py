"""Values held in memory while transactions are decided, each of which may be taken back."""

from collections.abc import Mapping
from typing import Generic, TypeVar

K = TypeVar("K")
V = TypeVar("V")


class Sheet(Generic[K, V]):
    """Stored values and what becomes of them; None stands for nothing there."""

    def __init__(self, stored: Mapping[K, V]) -> None:
        self._stored = dict(stored)
        self._now: dict[K, V | None] = dict(stored)
        self._before: list[tuple[K, V | None]] = []

    def get(self, key: K) -> V | None:
        return self._now.get(key)

    def put(self, key: K, value: V | None) -> None:
        self._before.append((key, self._now.get(key)))
        self._now[key] = value

    def items(self) -> dict[K, V]:
        return {key: value for key, value in self._now.items() if value is not None}

    def mark(self) -> int:
        return len(self._before)

    def back(self, mark: int) -> None:
        while len(self._before) > mark:
            key, value = self._before.pop()
            self._now[key] = value

    def changed(self) -> dict[K, V | None]:
        """What differs from what is stored."""
        return {key: value for key, value in self._now.items() if value != self._stored.get(key)}
