"""
Batching: concurrent calls are carried out as one list.

A call that finds nothing in flight starts at once. A call that finds a batch in flight
waits until it ends, and then all waiting calls are the next batch: the busier the
server, the larger the batches and the less each call costs. There is no timer, so an
idle server adds no delay.
"""

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable, Hashable, Sequence
from contextlib import AbstractContextManager
from typing import Any, Generic, TypeVar

from msgspec import Struct

from gamekeeper.core.errors import Unavailable
from gamekeeper.core.observability import meters, traces

O = TypeVar("O")  # noqa: E741  an order
R = TypeVar("R")

Work = Callable[[list[O]], Awaitable[Sequence[R | Exception]]]

MAX_BATCH = 256
"""Orders in one batch: enough to amortise the cost of a statement, too few to be slow."""

MAX_WAIT = 2.0
WAIT_WHILE_AWAY = 0.5
"""Seconds that a call may have waited behind a batch that found the database unavailable."""


class Pending(Struct, eq=False):
    order: Any
    answer: asyncio.Future[Any]
    since: float
    trace: Any = None
    """Where the caller is in its trace."""


class Batcher(Generic[O, R]):
    """
    Batches the calls of one kind of work.

    At most `concurrency` batches are in flight, none larger than `largest`, in FIFO
    order: with no more than that many waiting, a call waits for at most the batch in
    flight and its own. A cancelled caller does not affect the others.
    """

    def __init__(
        self,
        work: Work[O, R],
        *,
        concurrency: int,
        name: str = "",
        largest: int = MAX_BATCH,
        at_rest: Callable[[], None] | None = None,
    ) -> None:
        """
        `at_rest` is called whenever nothing is in flight or waiting any more.

        Under `name` the batches are measured; without one they are not.
        """
        self._work = work
        self._name = name
        self._on_rest = at_rest
        self._largest = largest
        self._idle = concurrency
        self._busy = 0
        self._waiting: deque[Pending] = deque()
        self._tasks: set[asyncio.Task[None]] = set()

    def submit(self, order: O) -> "asyncio.Future[R]":
        """A future of the outcome of `order`; an outcome that is an exception is raised."""
        loop = asyncio.get_running_loop()
        answer = loop.create_future()
        trace = None if traces.recorder is None else traces.recorder.here()
        self._waiting.append(Pending(order, answer, loop.time(), trace))
        if self._idle:
            self._idle, self._busy = self._idle - 1, self._busy + 1
            task = loop.create_task(self._run())
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)
        return answer

    @property
    def at_rest(self) -> bool:
        return not self._waiting and not self._busy

    async def _run(self) -> None:
        patience = MAX_WAIT
        try:
            while self._waiting and (callers := self._next(patience)):
                begun = asyncio.get_running_loop().time()
                outcomes: Sequence[R | Exception]
                try:
                    with traces.NO_SPAN if traces.recorder is None else self._span(callers):
                        outcomes = await self._work([caller.order for caller in callers])
                except Exception as fault:
                    outcomes = [fault] * len(callers)
                except BaseException as fault:
                    # At shutdown: a caller whose future is never resolved would wait for ever.
                    for caller in callers:
                        resolve(caller.answer, fault)
                    raise
                away = self._deliver(callers, outcomes, begun)
                patience = WAIT_WHILE_AWAY if away else MAX_WAIT
        finally:
            self._idle, self._busy = self._idle + 1, self._busy - 1
            if self._on_rest is not None and self.at_rest:
                self._on_rest()

    def _next(self, patience: float) -> list[Pending]:
        """The next batch, without cancelled calls; a call that waited too long fails."""
        latest = asyncio.get_running_loop().time() - patience
        callers: list[Pending] = []
        while self._waiting and len(callers) < self._largest:
            caller = self._waiting.popleft()
            # Cancelled while it waited: its request timed out, or its client is gone.
            if caller.answer.done():
                continue
            if caller.since < latest:
                caller.answer.set_exception(Unavailable())
            else:
                callers.append(caller)
        return callers

    def _span(self, callers: Sequence[Pending]) -> AbstractContextManager[Any]:
        assert traces.recorder is not None
        return traces.recorder.batch(self._name, [caller.trace for caller in callers])

    def _deliver(
        self, callers: Sequence[Pending], outcomes: Sequence[R | Exception], begun: float
    ) -> bool:
        """Resolve the futures of a batch; return whether the database was found unavailable."""
        away = False
        for caller, outcome in zip(callers, outcomes, strict=True):
            resolve(caller.answer, outcome)
            away = away or isinstance(outcome, Unavailable)
        if self._name:
            seconds = asyncio.get_running_loop().time() - begun
            meters.meter.batch_ended(self._name, begun - callers[0].since, seconds, outcomes)
        return away


def resolve(answer: "asyncio.Future[Any]", outcome: object) -> None:
    """Resolve a caller's future with the outcome, which may itself be a future."""
    if answer.done():
        return
    if isinstance(outcome, asyncio.Future):
        outcome.add_done_callback(lambda done: resolve(answer, _ended(done)))
    elif isinstance(outcome, asyncio.CancelledError):
        answer.cancel()
    elif isinstance(outcome, BaseException):
        answer.set_exception(outcome)
    else:
        answer.set_result(outcome)


def _ended(done: "asyncio.Future[Any]") -> object:
    if done.cancelled():
        return asyncio.CancelledError()
    return done.exception() or done.result()


def split_future(whole: "asyncio.Future[list[Any]]", number: int) -> "list[asyncio.Future[Any]]":
    """Split the future of a list into one future for each element."""
    answers = [asyncio.get_running_loop().create_future() for _ in range(number)]

    def divide(done: "asyncio.Future[list[Any]]") -> None:
        outcome = _ended(done)
        outcomes = outcome if isinstance(outcome, list) else [outcome] * number
        for answer, each in zip(answers, outcomes, strict=True):
            resolve(answer, each)

    whole.add_done_callback(divide)
    return answers


class BatcherRegistry:
    """One batcher for each kind of work, so that a slow kind never delays a fast one."""

    def __init__(self) -> None:
        self._batchers: dict[Hashable, Batcher[Any, Any]] = {}

    def batcher(self, kind: Hashable, make: Callable[[], Batcher[Any, Any]]) -> Batcher[Any, Any]:
        found = self._batchers.get(kind)
        if found is None:
            found = self._batchers[kind] = make()
        return found

    def forget(self, kind: Hashable) -> None:
        """Drop a batcher that is idle."""
        if kind in self._batchers and self._batchers[kind].at_rest:
            del self._batchers[kind]


async def bisect_on_failure(work: Work[O, R], orders: list[O]) -> list[R | Exception]:
    """Carry out a list; if it fails as a whole, bisect it, so that only the faulty orders fail."""
    try:
        return list(await work(orders))
    except Exception as fault:
        return await bisect(fault, lambda half: bisect_on_failure(work, half), orders)


async def bisect(fault: Exception, work: Work[O, R], orders: list[O]) -> list[R | Exception]:
    """
    The outcomes of a list that failed as a whole with `fault`: those of its halves.

    The sequence is kept. If the database is unavailable, that is the outcome for all: the
    work may have been committed or not, and must not be sent a second time.
    """
    if isinstance(fault, Unavailable) or len(orders) == 1:
        return [fault for _ in orders]
    half = len(orders) // 2
    return [*await work(orders[:half]), *await work(orders[half:])]
