"""
Batching: many callers in flight, one list.

Whoever asks while nothing is under way is served at once. Whoever asks while a list
is under way waits until it ends, and then all who wait are the next list: the busier
the server, the longer the lists and the less each order costs. No clock is involved,
so an idle server adds no delay.
"""

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable, Sequence
from typing import Any, Generic, TypeVar

from msgspec import Struct

from gamekeeper.core.errors import Unavailable

O = TypeVar("O")  # noqa: E741  an order
R = TypeVar("R")

Work = Callable[[list[O]], Awaitable[Sequence[R | Exception]]]

MAX_BATCH = 256
"""Orders in one list; enough to make the cost of a statement small, too few to be slow."""

MAX_WAIT = 2.0
WAIT_WHILE_AWAY = 0.5
"""Seconds that somebody may have waited for a list that then found no database."""


class Pending(Struct, eq=False):
    order: Any
    answer: asyncio.Future[Any]
    since: float


class Batcher(Generic[O, R]):
    """
    Callers of one kind of work, merged.

    At most `lanes` lists are under way at a time, none longer than `largest`, first
    come, first served: with no more than that many waiting, nobody waits for more
    than the list under way and the next. A caller who goes away harms nobody.
    """

    def __init__(
        self,
        work: Work[O, R],
        *,
        concurrency: int,
        largest: int = MAX_BATCH,
        at_rest: Callable[[], None] | None = None,
    ) -> None:
        """`at_rest` is called whenever nothing is under way any more and nobody waits."""
        self._work = work
        self._on_rest = at_rest
        self._largest = largest
        self._idle = concurrency
        self._busy = 0
        self._waiting: deque[Pending] = deque()
        self._tasks: set[asyncio.Task[None]] = set()

    def submit(self, order: O) -> "asyncio.Future[R]":
        """The outcome of `order`, to be awaited; one that is an exception is raised."""
        loop = asyncio.get_running_loop()
        answer = loop.create_future()
        self._waiting.append(Pending(order, answer, loop.time()))
        if self._idle:
            self._idle, self._busy = self._idle - 1, self._busy + 1
            lane = loop.create_task(self._run())
            self._tasks.add(lane)
            lane.add_done_callback(self._tasks.discard)
        return answer

    @property
    def at_rest(self) -> bool:
        return not self._waiting and not self._busy

    async def _run(self) -> None:
        patience = MAX_WAIT
        try:
            while callers := self._next(patience):
                patience = await self._carry_out(callers)
        finally:
            self._idle, self._busy = self._idle + 1, self._busy - 1
            if self._on_rest is not None and self.at_rest:
                self._on_rest()

    def _next(self, patience: float) -> list[Pending]:
        """Those whose turn it is; who has gone is left out, who waited too long hears so."""
        latest = asyncio.get_running_loop().time() - patience
        callers: list[Pending] = []
        while self._waiting and len(callers) < self._largest:
            caller = self._waiting.popleft()
            if caller.answer.done():
                continue
            if caller.since < latest:
                caller.answer.set_exception(Unavailable())
            else:
                callers.append(caller)
        return callers

    async def _carry_out(self, callers: Sequence[Pending]) -> float:
        """Carry out one list; return how long those behind it may have waited."""
        try:
            outcomes = await self._work([caller.order for caller in callers])
        except BaseException as fault:
            for caller in callers:
                resolve(caller.answer, fault)
            if not isinstance(fault, Exception):
                raise
            outcomes = [fault]
        else:
            for caller, outcome in zip(callers, outcomes, strict=True):
                resolve(caller.answer, outcome)
        away = any(isinstance(outcome, Unavailable) for outcome in outcomes)
        return WAIT_WHILE_AWAY if away else MAX_WAIT


def resolve(answer: "asyncio.Future[Any]", outcome: object) -> None:
    """Give a caller the outcome, now or, if it is itself still to come, then."""
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
    """The outcomes of a list that is still to come, one by one."""
    answers = [asyncio.get_running_loop().create_future() for _ in range(number)]

    def divide(done: "asyncio.Future[list[Any]]") -> None:
        outcome = _ended(done)
        outcomes = outcome if isinstance(outcome, list) else [outcome] * number
        for answer, each in zip(answers, outcomes, strict=True):
            resolve(answer, each)

    whole.add_done_callback(divide)
    return answers


async def bisect_on_failure(work: Work[O, R], orders: list[O]) -> list[R | Exception]:
    """
    Carry out a list; if it fails as a whole, its halves, so that only the guilty fail.

    The order is kept. If the database is away, that is the outcome for all: what was
    sent may have been carried out or not, and must not be sent a second time.
    """
    try:
        return list(await work(orders))
    except Unavailable as away:
        return [away for _ in orders]
    except Exception as fault:
        if len(orders) == 1:
            return [fault]
    half = len(orders) // 2
    return [
        *await bisect_on_failure(work, orders[:half]),
        *await bisect_on_failure(work, orders[half:]),
    ]
