"""
Every pair of operations on one character, in all orders of their statements.

Whatever the order, what is answered and what is there afterwards is what one after
the other would have given. `TORTURE_INTERRUPTIONS` says how often a transaction may
be interrupted that could have gone on; `just gate` sets no bound and so walks
through all schedules there are.
"""

import os
from itertools import combinations_with_replacement

import pytest

from tests.torture.interleaver import schedules, stopping
from tests.torture.stage import OPERATIONS, Stage, raise_stage

pytestmark = pytest.mark.torture

INTERRUPTIONS = int(os.environ.get("TORTURE_INTERRUPTIONS", "2"))
GIVEN = 3
"""The gifts in the past of every character."""
FIVE = [name for name in OPERATIONS if name != "give once"]
PAIRS = [*combinations_with_replacement(FIVE, 2), ("give once", "give once")]


@pytest.fixture(scope="module")
async def stage(template: str):
    async with raise_stage(template) as made:
        yield made


async def test_a_lock_that_is_waited_for_is_seen_and_both_go_on(stage: Stage, monkeypatch):
    """The scheduler itself: one holds the lock; the other looks, splits off, and waits for it."""
    stopping(monkeypatch)
    trace = await stage.play("give", "take", [0] * 5 + [1] * 20)

    assert trace.waits == 1
    [wait] = [number for number, step in enumerate(trace.steps) if "waits" in step]
    assert "SELECT id FROM players" in trace.steps[wait]
    waiting, other = trace.steps[wait][0], "AB".replace(trace.steps[wait][0], "")
    after = [step for step in trace.steps[wait + 1 :] if step.startswith(waiting)]
    assert trace.steps.index(f"{other} COMMIT") < trace.steps.index(after[0])


@pytest.mark.parametrize(("one", "other"), PAIRS, ids=[" and ".join(pair) for pair in PAIRS])
async def test_any_order_of_statements_is_one_after_the_other(
    stage: Stage, monkeypatch, one: str, other: str
):
    expected = await stage.in_turn(one, other)
    if one == other == "give once":
        assert [there.count(("items.give",)) for _, there in expected] == [GIVEN + 1] * 2
    stopping(monkeypatch)
    await stage.unexplained([])
    runs = waits = deadlocks = 0
    async for trace in schedules(lambda plan: stage.play(one, other, plan), INTERRUPTIONS):
        runs, waits = runs + 1, waits + bool(trace.waits)
        deadlocks += trace.deadlocks
    print(f"{one} and {other}: {runs} schedules, {waits} with a wait, {deadlocks} deadlocks")
    assert await stage.unexplained(expected) == []
    assert waits > 0
