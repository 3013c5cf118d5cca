"""One process at a time does the work, another takes over, and nothing ends the offering."""

import asyncio
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from itertools import pairwise

import asyncpg
import pytest
from msgspec import structs
from structlog.testing import capture_logs

from gamekeeper.core.settings import Hidden, Settings
from gamekeeper.db import leader
from gamekeeper.db.leader import Duty
from tests.deadlines import PATIENCE

DUTY = Duty(name="test", lock=0x74657374, pause=0.05)
TIMEOUT_SECONDS = 5
"""Seconds within which somebody else leads, and within which who is told to stop has ended."""


class Process:
    """One that offers to lead: its work is to use the leader's connection until told to stop."""

    def __init__(self, settings: Settings, duty: Duty = DUTY) -> None:
        self.settings, self.duty = settings, duty
        self.stop = asyncio.Event()
        self.server_process: int | None = None
        """Of the connection over which it leads, while it does."""
        self.terms = 0

    async def run(self) -> None:
        await leader.lead(self.settings, self.duty, self.work, self.stop)

    async def work(self, connection: asyncpg.Connection) -> None:
        self.terms += 1
        try:
            while not self.stop.is_set():
                self.server_process = await connection.fetchval("SELECT pg_backend_pid()")
                await asyncio.sleep(0.01)
        finally:
            self.server_process = None


@asynccontextmanager
async def offering(*processes: Process) -> AsyncIterator[list["asyncio.Task[None]"]]:
    tasks = [asyncio.create_task(process.run()) for process in processes]
    try:
        yield tasks
    finally:
        for process in processes:
            process.stop.set()
        async with asyncio.timeout(PATIENCE):
            await asyncio.gather(*tasks)


async def leads(*processes: Process, seconds: float = PATIENCE) -> Process:
    """Wait until one of them leads."""
    async with asyncio.timeout(seconds):
        while True:
            for process in processes:
                if process.server_process:
                    return process
            await asyncio.sleep(0.01)


async def cut(settings: Settings, server_process: int | None) -> None:
    connection = await asyncpg.connect(settings.database_url)
    try:
        assert await connection.fetchval("SELECT pg_terminate_backend($1)", server_process)
    finally:
        await connection.close()


async def test_of_many_one_leads_until_it_stops_and_then_another(settings):
    processes = [Process(settings, structs.replace(DUTY, pause=0.01)) for _ in range(4)]
    async with offering(*processes) as tasks:
        for count in range(1, 5):
            first = await leads(*processes)
            for _ in range(30):
                await asyncio.sleep(0.002)
                assert [process for process in processes if process.server_process] == [first]
            assert sum(process.terms for process in processes) == count
            first.stop.set()
            async with asyncio.timeout(TIMEOUT_SECONDS):
                await tasks[processes.index(first)]


async def test_duties_do_not_get_into_each_others_way(settings):
    processes = [Process(settings), Process(settings, structs.replace(DUTY, lock=1))]
    async with offering(*processes):
        for process in processes:
            await leads(process)


async def test_who_loses_the_connection_is_followed_within_seconds(settings):
    first, other = Process(settings, structs.replace(DUTY, pause=0.4)), Process(settings)
    async with offering(first):
        await leads(first)
        async with offering(other):
            await cut(settings, first.server_process)
            await leads(other, seconds=TIMEOUT_SECONDS)
            for _ in range(60):
                # It is back by now, and waits its turn.
                await asyncio.sleep(0.01)
                assert (first.server_process, first.terms) == (None, 1)
        await leads(first, seconds=TIMEOUT_SECONDS)


class Frozen(Process):
    """Its first term hangs, and nothing is heard of it over its connection."""

    async def work(self, connection: asyncpg.Connection) -> None:
        self.terms += 1
        self.server_process = connection.get_server_pid()
        await self.stop.wait()


async def test_who_is_frozen_is_followed(settings):
    duty = structs.replace(DUTY, session={"idle_session_timeout": "200"})
    frozen, other = Frozen(settings, duty), Process(settings, duty)
    async with offering(frozen):
        await leads(frozen)
        async with offering(other):
            await asyncio.sleep(0.05)
            assert other.terms == 0
            await leads(other, seconds=TIMEOUT_SECONDS)


@pytest.mark.parametrize("fault", [ValueError, asyncpg.UndefinedTableError, OSError, TimeoutError])
async def test_a_fault_in_the_work_does_not_end_it(settings, fault):
    class Clumsy(Process):
        async def work(self, connection: asyncpg.Connection) -> None:
            if self.terms < 3:
                self.terms += 1
                raise fault("a fault")
            await super().work(connection)

    clumsy = Clumsy(settings)
    async with offering(clumsy) as [task]:
        await leads(clumsy)
        assert (clumsy.terms, task.done()) == (4, False)


async def test_after_each_failure_the_pause_is_longer(settings):
    began: list[float] = []

    async def work(_: asyncpg.Connection) -> None:
        began.append(time.monotonic())
        raise ValueError("a fault")

    process = Process(settings, structs.replace(DUTY, pause=0.02))
    process.work = work
    async with offering(process):
        async with asyncio.timeout(PATIENCE):
            while len(began) < 5:
                await asyncio.sleep(0.01)

    pauses = [after - before for before, after in pairwise(began)]
    shortest = (0.02, 0.04, 0.08, 0.16)
    assert all(pause >= least for pause, least in zip(pauses, shortest, strict=True))


@pytest.mark.parametrize("is_first", [True, False])
async def test_told_to_stop_it_ends_soon_whether_it_leads_or_not(settings, is_first):
    slow = structs.replace(DUTY, pause=60)
    first, second = Process(settings, slow), Process(settings, slow)
    async with offering(first) as [leading]:
        await leads(first)
        async with offering(second) as [waiting]:
            await asyncio.sleep(0.2)
            stopped, task = (first, leading) if is_first else (second, waiting)
            stopped.stop.set()
            async with asyncio.timeout(TIMEOUT_SECONDS):
                await task


async def test_without_a_database_it_waits_and_can_be_stopped(settings):
    nowhere = structs.replace(settings, database_url=Hidden("postgresql://x@127.0.0.1:1/x"))
    process = Process(nowhere)
    with capture_logs() as logged:
        async with offering(process) as [task]:
            await asyncio.sleep(0.3)
            assert not task.done()
            process.stop.set()
            async with asyncio.timeout(TIMEOUT_SECONDS):
                await task

    # It tried several times, and said it once: it repeats every 30 seconds.
    [waiting] = logged
    assert (waiting["event"], waiting["log_level"]) == ("leader_waiting", "warning")
    assert waiting["duty"] == "test"


async def test_that_leadership_was_won_and_lost_is_said_once_each(settings):
    first, second = Process(settings), Process(settings)
    with capture_logs() as logged:
        async with offering(first):
            await leads(first)
            async with offering(second):
                await asyncio.sleep(0.2)

    said = [(one["event"], one["duty"]) for one in logged]
    assert said == [("leadership_won", "test"), ("leadership_lost", "test")]
