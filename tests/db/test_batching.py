"""Callers in flight are merged into one list, and nobody is the worse for it."""

import asyncio

import pytest

from gamekeeper.core.errors import Unavailable
from gamekeeper.db.batching import Batcher, bisect_on_failure


class Desk:
    """A place of work that does nothing until it is told to, and notes the lists it was given."""

    def __init__(self, *, lanes: int = 1, largest: int = 256) -> None:
        self.lists: list[list[int]] = []
        self.open = asyncio.Event()
        self.merger: Batcher[int, int] = Batcher(self.work, concurrency=lanes, largest=largest)

    async def work(self, orders: list[int]) -> list[int | Exception]:
        self.lists.append(orders)
        await self.open.wait()
        return await bisect_on_failure(self.double, orders)

    async def double(self, orders: list[int]) -> list[int]:
        if 13 in orders:
            raise RuntimeError("thirteen")
        if 404 in orders:
            raise Unavailable
        return [2 * order for order in orders]

    async def ask(self, order: int) -> int:
        return await self.merger.submit(order)

    def asked(self, *orders: int) -> list[asyncio.Task[int]]:
        return [asyncio.create_task(self.ask(order)) for order in orders]


async def settled(tasks: list[asyncio.Task[int]]) -> list[object]:
    return await asyncio.gather(*tasks, return_exceptions=True)


async def soon() -> None:
    for _ in range(5):
        await asyncio.sleep(0)


async def test_whoever_comes_alone_is_served_at_once():
    """Before any time has passed, the work has begun, with a list of one."""
    desk = Desk()
    [task] = desk.asked(1)
    await soon()

    assert desk.lists == [[1]]
    desk.open.set()
    assert await task == 2
    assert desk.merger.at_rest


async def test_who_comes_meanwhile_is_the_next_list():
    desk = Desk()
    first = desk.asked(1)
    await soon()
    others = desk.asked(2, 3, 4)
    await soon()
    assert desk.lists == [[1]]
    desk.open.set()

    assert await settled(first + others) == [2, 4, 6, 8]
    assert desk.lists == [[1], [2, 3, 4]]


async def test_no_list_is_longer_than_the_largest_and_the_first_come_first():
    desk = Desk(largest=3)
    tasks = desk.asked(*range(8))
    desk.open.set()

    assert await settled(tasks) == [2 * number for number in range(8)]
    assert desk.lists == [[0, 1, 2], [3, 4, 5], [6, 7]]


async def test_nobody_waits_for_more_than_the_list_under_way_and_the_next():
    """However many come, in whatever order, as long as no more wait than a list may hold."""
    lists: list[list[int]] = []

    async def work(orders: list[int]) -> list[int]:
        lists.append(orders)
        await asyncio.sleep(0.001)
        return orders

    merger: Batcher[int, int] = Batcher(work, concurrency=1, largest=50)
    waited: list[int] = []

    async def caller(number: int) -> None:
        for turn in range(20):
            begun = len(lists)
            await merger.submit(number * 100 + turn)
            waited.append(len(lists) - begun)

    await asyncio.gather(*(caller(number) for number in range(50)))
    assert len(waited) == 1000
    assert max(waited) <= 2


async def test_two_lanes_have_two_lists_under_way():
    desk = Desk(lanes=2)
    tasks = desk.asked(1)
    await soon()
    tasks += desk.asked(2)
    await soon()
    tasks += desk.asked(3)
    await soon()

    assert desk.lists == [[1], [2]]
    desk.open.set()
    assert await settled(tasks) == [2, 4, 6]


async def test_a_caller_who_goes_away_harms_nobody():
    """Whether the list is under way or not; what was not begun is not begun for nobody."""
    desk = Desk()
    begun = desk.asked(1, 2)
    await soon()
    waiting = desk.asked(3, 4)
    await soon()
    begun[0].cancel()
    waiting[0].cancel()
    await soon()
    desk.open.set()

    assert await settled([begun[1], waiting[1]]) == [4, 8]
    assert desk.lists == [[1, 2], [4]]


async def test_a_poisoned_order_fails_alone():
    desk = Desk()
    tasks = desk.asked(*range(20))
    desk.open.set()

    outcomes = await settled(tasks)
    assert isinstance(outcomes.pop(13), RuntimeError)
    assert outcomes == [2 * number for number in range(20) if number != 13]


async def test_when_the_database_is_away_all_hear_it_and_nothing_is_sent_twice():
    seen: list[list[int]] = []

    async def away(orders: list[int]) -> list[int]:
        seen.append(orders)
        raise Unavailable

    outcomes = await bisect_on_failure(away, [1, 2, 3])

    assert [type(outcome) for outcome in outcomes] == [Unavailable] * 3
    assert seen == [[1, 2, 3]]


async def test_who_waited_long_for_a_database_that_is_away_need_not_wait_again():
    desk = Desk()
    first = desk.asked(404)
    await soon()
    long_ago = desk.asked(1)
    await asyncio.sleep(0.6)
    just_now = desk.asked(2)
    await soon()
    desk.open.set()

    outcomes = await settled(first + long_ago + just_now)
    assert [type(outcome) for outcome in outcomes] == [Unavailable, Unavailable, int]
    assert desk.lists == [[404], [2]]


async def test_nobody_waits_for_ever(monkeypatch):
    monkeypatch.setattr("gamekeeper.db.batching.MAX_WAIT", 0.1)
    desk = Desk()
    first = desk.asked(1)
    await soon()
    second = desk.asked(2)
    await asyncio.sleep(0.2)
    desk.open.set()

    assert await settled(first) == [2]
    with pytest.raises(Unavailable):
        await second[0]


async def test_a_merger_that_is_ended_ends_its_callers():
    desk = Desk()
    [task] = desk.asked(1)
    await soon()
    [lane] = desk.merger._tasks
    lane.cancel()

    with pytest.raises(asyncio.CancelledError):
        await task
    assert desk.merger.at_rest


async def test_an_outcome_that_is_an_exception_is_raised():
    """Not returned: `settled` cannot tell the difference."""
    desk = Desk()
    desk.open.set()
    with pytest.raises(RuntimeError, match="thirteen"):
        await desk.ask(13)
