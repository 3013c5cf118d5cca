"""
Batched queries (many keys, one statement) and single flight.

A query takes distinct keys and returns what it found for them. Concurrent callers are
batched; equal keys share a row. A caller never joins a read that has begun, so it always
sees everything that was committed before its call. Only readers batch: inside a
transaction call the function itself, which then takes a ``Queryable``.
"""

from collections.abc import Awaitable, Callable, Hashable, Mapping, Sequence
from functools import wraps
from typing import Any, Generic, TypeVar

from gamekeeper.core.observability import meters
from gamekeeper.db.batching import Batcher, bisect
from gamekeeper.db.database import Reader

K = TypeVar("K", bound=Hashable)
R = TypeVar("R")

CONCURRENCY = 2
"""While PostgreSQL reads one batch, this process prepares or delivers the other."""


class BatchedQuery(Generic[K, R]):
    def __init__(self, step: Callable[[Reader, Sequence[K]], Awaitable[Mapping[K, R]]]) -> None:
        self._step = step
        self._measured_as = meters.name_of(step)
        self.__name__ = step.__name__
        self.__doc__ = step.__doc__

    async def __call__(self, reader: Reader, keys: Sequence[K]) -> Mapping[K, R]:
        return await self._step(reader, keys)

    async def one(self, reader: Reader, key: K) -> R | None:
        """The result for `key`, read in one batch with concurrent calls."""
        return await reader.batcher(self, lambda: self._batcher(reader)).submit(key)

    def _batcher(self, reader: Reader) -> Batcher[K, R | None]:
        async def read(keys: list[K]) -> list[R | Exception | None]:
            try:
                found = await self._step(reader.lookups, list(dict.fromkeys(keys)))
            except Exception as fault:
                return await bisect(fault, read, keys)
            return [found.get(key) for key in keys]

        return Batcher(read, concurrency=CONCURRENCY, name=self._measured_as)


batched_query = BatchedQuery

C = TypeVar("C", bound=Callable[..., Awaitable[Any]])


def single_flight(read: C) -> C:
    """
    Single flight: equal concurrent calls of `read` share one execution.

    For reads too large to be batched, such as a page of a list. While one is running,
    equal calls wait for the next one, together.
    """

    name = meters.name_of(read)

    @wraps(read)
    async def one(reader: Reader, *args: Any, **named: Any) -> Any:
        async def again(calls: list[None]) -> list[Any]:
            return [await read(reader, *args, **named)] * len(calls)

        wanted = (read, args, tuple(named.items()))

        # Not when a caller returns: a cancelled one returns before the read has ended.
        def forget() -> None:
            reader.forget(wanted)

        return await reader.batcher(
            wanted, lambda: Batcher(again, concurrency=1, name=name, at_rest=forget)
        ).submit(None)

    return one  # pyright: ignore[reportReturnType]
