"""
A scheduler that stops transactions before every statement, and lets one go on at a time.

Two callers run as tasks of their own, each on its own connections. Whenever both
stand before a statement there is a choice; a schedule is the list of the choices.
Running the same choices again leads to the same place, so all schedules can be
walked through, the last choice varied first. A statement that waits for a lock is
not skipped: it is noted, and it goes on when the other transaction lets it.
"""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextvars import ContextVar
from typing import Any

import asyncpg
from msgspec import Struct, field

PATIENCE = 0.003
"""Seconds a statement may take before PostgreSQL is asked whether it waits for a lock."""

Caller = Callable[[], Awaitable[object]]


class Choice(Struct):
    """Who could go on, who did, and how often somebody had been interrupted by then."""

    options: list[int]
    taken: int
    interruptions: int


class Trace(Struct):
    """What happened in one run."""

    choices: list[Choice] = field(default_factory=list)
    steps: list[str] = field(default_factory=list)
    waits: int = 0
    deadlocks: int = 0
    outcomes: list[object] = field(default_factory=list)


class Track:
    """One caller: it stands before a statement, runs, waits for a lock, or is done."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.statement = ""
        self.pid = 0
        self.waits = False
        self.task: asyncio.Task[object] | None = None
        self._go = asyncio.Event()
        self.still = asyncio.Event()
        """It stands before a statement, or it is done."""

    async def stop(self, pid: int, statement: str) -> None:
        self.pid, self.statement, self.waits = pid, statement, False
        self._go.clear()
        self.still.set()
        await self._go.wait()

    def release(self) -> None:
        self.still.clear()
        self._go.set()

    @property
    def done(self) -> bool:
        return self.task is not None and self.task.done()


TRACK: ContextVar[Track | None] = ContextVar("track", default=None)


def stopping(monkeypatch: Any) -> None:
    """Have every statement of a scheduled caller stop until it is let go."""
    for method in ("fetch", "execute"):
        _stop_at(monkeypatch, method, getattr(asyncpg.Connection, method))


def _stop_at(monkeypatch: Any, method: str, original: Any) -> None:
    async def stopped(connection: Any, sql: str, *args: object, **about: object) -> Any:
        track = TRACK.get()
        if track is not None:
            await track.stop(connection.get_server_pid(), sql)
        return await original(connection, sql, *args, **about)

    monkeypatch.setattr(asyncpg.Connection, method, stopped)


class Scheduler:
    def __init__(self, watcher: Any) -> None:
        """`watcher` is a connection of its own, to ask who waits for whom."""
        self._watcher = watcher

    async def run(self, callers: Sequence[Caller], plan: Sequence[int]) -> Trace:
        """Carry out `plan`, and after its end let whoever ran last run on."""
        trace = Trace()
        tracks = [Track("AB"[number]) for number in range(len(callers))]
        for track, caller in zip(tracks, callers, strict=True):
            track.task = asyncio.create_task(_on(track, caller))
        last = 0
        while not all(track.done for track in tracks):
            free = await self._free(tracks, trace)
            last = _choose(trace, free, plan, last)
            trace.steps.append(f"{tracks[last].name} {_short(tracks[last].statement)}")
            tracks[last].release()
            await self.settle(tracks[last], trace)
        trace.outcomes = [track.task.result() for track in tracks if track.task]
        return trace

    async def _free(self, tracks: Sequence[Track], trace: Trace) -> list[int]:
        """Those that stand before a statement; if all wait for each other, PostgreSQL ends it."""
        while True:
            for track in tracks:
                if not track.done and not track.still.is_set():
                    await self.settle(track, trace)
            free = [n for n, track in enumerate(tracks) if track.still.is_set() and not track.done]
            if free or all(track.done for track in tracks):
                return free or [0]
            trace.deadlocks += 1
            await asyncio.sleep(0.05)

    async def settle(self, track: Track, trace: Trace) -> None:
        """Until `track` stands still again, is done, or is known to wait for a lock."""
        while True:
            await asyncio.wait([asyncio.ensure_future(track.still.wait())], timeout=PATIENCE)
            if track.still.is_set():
                return
            if await self._watcher.fetchval(
                "SELECT cardinality(pg_blocking_pids($1)) > 0", track.pid
            ):
                if not track.waits:
                    track.waits = True
                    trace.waits += 1
                    trace.steps.append(f"{track.name} waits: {_short(track.statement)}")
                return


class Overlap(Struct, kw_only=True):
    """Two transactions, the second of which began and committed while the first was open."""

    late: object
    other: object
    waited: bool
    """Whether the first waited for a lock of the second."""


async def overlap(watcher: Any, late: Caller, other: Caller, *, hold: bool) -> Overlap:
    """
    Stop `late` between its BEGIN and its first statement, and run `other` there.

    With `hold`, `other` commits only when `late` waits for a lock of it, or has ended.
    """
    trace, scheduler = Trace(), Scheduler(watcher)
    first, second = Track("A"), Track("B")
    first.task = asyncio.create_task(_on(first, late))
    await _go_to(first, lambda done, _: done.startswith("BEGIN"))
    second.task = asyncio.create_task(_on(second, other))
    if hold:
        await _go_to(second, lambda _, coming: coming == "COMMIT")
        while not (first.done or first.waits):
            first.release()
            await scheduler.settle(first, trace)
    await _go_to_end(second)
    await _go_to_end(first)
    return Overlap(late=await first.task, other=await second.task, waited=trace.waits > 0)


async def _go_to(track: Track, is_there: Callable[[str, str], bool]) -> None:
    """Go on until `is_there`, by the statement that was executed and the one that comes."""
    await track.still.wait()
    done = ""
    while not is_there(done, track.statement):
        assert not track.done, f"it ended before: {track.task}"
        done = track.statement
        track.release()
        await track.still.wait()


async def _go_to_end(track: Track) -> None:
    assert track.task is not None
    while not track.task.done():
        await asyncio.wait(
            [track.task, stands := asyncio.ensure_future(track.still.wait())],
            return_when=asyncio.FIRST_COMPLETED,
        )
        stands.cancel()
        if track.still.is_set():
            track.release()


async def _on(track: Track, caller: Caller) -> object:
    TRACK.set(track)
    try:
        return await caller()
    finally:
        track.still.set()


def _choose(trace: Trace, free: Sequence[int], plan: Sequence[int], last: int) -> int:
    if len(free) == 1:
        return free[0]
    made = trace.choices
    taken = plan[len(made)] if len(made) < len(plan) else last
    before = made[-1].interruptions if made else 0
    # Whoever began first was no interruption.
    made.append(Choice([last, 1 - last], taken, before + (taken != last and bool(made))))
    return taken


def _short(statement: str) -> str:
    return " ".join(statement.split())[:60]


async def schedules(
    run: Callable[[Sequence[int]], Awaitable[Trace]], most_interruptions: int
) -> AsyncIterator[Trace]:
    """All runs in which at most so many times somebody is interrupted who could have gone on."""
    plan: list[int] | None = []
    while plan is not None:
        trace = await run(plan)
        yield trace
        plan = _next(trace.choices, most_interruptions)


def _next(choices: list[Choice], most: int) -> list[int] | None:
    """The same choices up to the last that can still be made the other way."""
    for position in reversed(range(len(choices))):
        choice = choices[position]
        before = choices[position - 1].interruptions if position else 0
        if choice.taken == choice.options[0] and (position == 0 or before < most):
            return [*(made.taken for made in choices[:position]), choice.options[1]]
    return None
