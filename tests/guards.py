"""
What fails a test although its assertions hold: it is slow, or leaves something behind.

A test over `LONGEST_SECONDS` needs the mark of a lane; it is run again first, because a busy
machine can make any test slow once. Tasks and processes that a test started must have ended with
it. (Rows, tables and connections: `tests/databases.py`. Warnings and
exceptions that nobody saw are errors by `filterwarnings`.)
"""

import asyncio
import os
import time
from collections.abc import Generator, Iterator
from pathlib import Path
from typing import Any
from weakref import WeakSet

import pytest
from _pytest.runner import runtestprotocol
from hypothesis import given, settings
from hypothesis import strategies as st

from tests import processes

LANES = ("browser", "engines", "deploy", "torture", "slow")
LONGEST_SECONDS = 5.0
"""Of a test without the mark of a lane, from the end of the set-up that it shares with others."""

# A hanging test is stopped; the limits are far above what a test takes on a busy machine.
LIMIT_SECONDS = 120
LIMIT_SECONDS_IN_LANES = 1200


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if item.get_closest_marker("slow"):
            item.add_marker(pytest.mark.timeout(0), append=False)
        elif not item.get_closest_marker("timeout"):
            limit = LIMIT_SECONDS_IN_LANES if is_in_lane(item) else LIMIT_SECONDS
            item.add_marker(pytest.mark.timeout(limit))


def is_in_lane(item: pytest.Item) -> bool:
    return any(item.get_closest_marker(lane) for lane in LANES)


def _processor_time() -> tuple[int, int]:
    """How long the processors worked so far, and how long they were not there to work."""
    user, nice, system, _idle, _waits, irq, softirq, stolen = map(
        int, Path("/proc/stat").read_text().split(maxsplit=9)[1:9]
    )
    return user + nice + system + irq + softirq, stolen


class Watch:
    """The time of the test that runs, and the tasks and processes that may outlive it."""

    def __init__(self) -> None:
        self.loop: asyncio.AbstractEventLoop | None = None
        self.begun, self.used = 0.0, (0, 0)
        self.tasks: WeakSet[asyncio.Task[Any]] = WeakSet()
        self.pids: set[int] = set()

    def begin(self) -> None:
        """The test begins now; what came before was for others too."""
        self.begun, self.used = time.monotonic(), _processor_time()

    def seconds(self) -> float:
        """
        As long as the test would have taken on an idle machine.

        Estimated by the load, and by the share of time that the host of a virtual machine gave
        to others.
        """
        slowdown = max(1.0, os.getloadavg()[0] / (os.cpu_count() or 1))
        own, stolen = (now - then for now, then in zip(_processor_time(), self.used, strict=True))
        kept = own / (own + stolen) if stolen else 1.0
        return (time.monotonic() - self.begun) * kept / slowdown

    def running_tasks(self) -> set[asyncio.Task[Any]]:
        if self.loop is None or self.loop.is_closed():
            return set()
        return {task for task in asyncio.all_tasks(self.loop) if not task.done()}


watch = Watch()


@settings(database=None, max_examples=1)
@given(st.integers(), st.from_regex("[ä]"))
def _draw(_number: int, _text: str) -> None:
    pass


def pytest_runtest_setup(item: pytest.Item) -> None:
    """
    Draw an example before a test of Hypothesis is timed.

    The first example in a process is drawn after all of Unicode and the constants of all modules
    have been read, which takes seconds and is no fault of the test.
    """
    if item.get_closest_marker("hypothesis"):
        _draw()
        watch.begin()


@pytest.fixture(scope="session", autouse=True)
async def watched_loop() -> None:
    watch.loop = asyncio.get_running_loop()
    watch.loop.set_task_factory(_task)


def _task(loop: Any, coroutine: Any, **options: Any) -> asyncio.Task[Any]:
    """A task that may outlive the test if the one that starts it may."""
    task = asyncio.Task(coroutine, loop=loop, **options)
    if asyncio.current_task(loop) in watch.tasks:
        watch.tasks.add(task)
    return task


@pytest.hookimpl(wrapper=True)
def pytest_fixture_setup(fixturedef: pytest.FixtureDef[Any]) -> Generator[None, Any, Any]:
    """What a fixture of a file or a session starts may outlive the test."""
    if fixturedef.scope == "function":
        return (yield)
    tasks = watch.running_tasks()
    try:
        return (yield)
    finally:
        watch.tasks.update(watch.running_tasks() - tasks)
        watch.begin()
        if fixturedef.scope == "session":
            watch.pids.update(processes.left())


TOO_SLOW = "too_slow"
"""The section of a report whose test passed and took too long."""


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_protocol(item: pytest.Item, nextitem: pytest.Item | None) -> bool:
    """Run a test, and once more if it passed and took too long: only twice slow is slow."""
    log = item.ihook
    log.pytest_runtest_logstart(nodeid=item.nodeid, location=item.location)
    reports = _run(item, nextitem)
    if any(report.longrepr and TOO_SLOW in dict(report.sections) for report in reports):
        item._initrequest()  # pyright: ignore[reportAttributeAccessIssue]
        reports = _run(item, nextitem)
    for report in reports:
        log.pytest_runtest_logreport(report=report)
    log.pytest_runtest_logfinish(nodeid=item.nodeid, location=item.location)
    return True


def _run(item: pytest.Item, nextitem: pytest.Item | None) -> list[pytest.TestReport]:
    watch.begin()
    return runtestprotocol(item, nextitem=nextitem, log=False)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, Any, pytest.TestReport]:
    report: pytest.TestReport = yield
    if report.when == "call" and report.passed and not is_in_lane(item):
        seconds = watch.seconds()
        if seconds > LONGEST_SECONDS:
            report.outcome = "failed"
            report.longrepr = (
                f"The test took {seconds:.1f} s twice. Over {LONGEST_SECONDS:g} s it needs the "
                "mark of a lane (CONTRIBUTING.md), or to be quicker."
            )
            report.sections.append((TOO_SLOW, f"{seconds:.1f} s"))
    return report


@pytest.fixture(autouse=True)
def no_task_left(request: pytest.FixtureRequest) -> Iterator[None]:
    """Set up before and torn down after the other fixtures of a test."""
    before = watch.running_tasks()
    yield
    left = watch.running_tasks() - before - set(watch.tasks)
    # What a fixture of the whole file does because of a test may go on until it ends.
    if left and not _has_wider_fixture(request):
        for task in left:
            task.cancel()
        raise AssertionError(f"the test left these tasks running: {left}")


def _has_wider_fixture(request: pytest.FixtureRequest) -> bool:
    """Whether the test uses a fixture of its file."""
    found = (
        request._fixturemanager.getfixturedefs(name, request.node)
        for name in request.fixturenames
        if name != no_process_left.__name__
    )
    return any(definitions[-1].scope == "module" for definitions in found if definitions)


@pytest.fixture(scope="module", autouse=True)
def no_process_left() -> Iterator[None]:
    """When a file ends, so has what its tests started."""
    before = set(processes.left())
    yield
    deadline = time.monotonic() + processes.GRACE
    while left := _left(before):
        if time.monotonic() > deadline:
            raise AssertionError(f"the tests of this file left these running: {left}")
        time.sleep(0.02)


def _left(before: set[int]) -> dict[int, str]:
    left = processes.left()
    return {
        pid: line
        for pid, line in left.items()
        if pid not in before | watch.pids and not processes.is_kept(pid)
    }
