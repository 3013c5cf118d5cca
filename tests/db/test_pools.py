"""Pools lend each connection to one caller at a time, and lose none."""

import asyncio
import random
from contextlib import suppress

import asyncpg
import pytest

from gamekeeper.db import connection_pool
from gamekeeper.db.connection_pool import DatabaseUnavailable
from gamekeeper.db.pools import WRITES, pool

CALLERS, ROUNDS = 40, 10
EXPECTED = (
    asyncio.CancelledError,
    DatabaseUnavailable,
    asyncpg.PostgresConnectionError,
    # The driver raises this for a connection whose server was just ended.
    asyncpg.InternalClientError,
)


async def test_the_connection_used_last_is_lent_first(settings):
    async with pool("test", settings, 3, WRITES) as ours:
        async with ours.acquire() as first, ours.acquire() as second:
            assert first is not second
            assert ours.in_use == 2
        # The second block ended first, so the first connection came back last.
        async with ours.acquire() as again:
            assert again is first
    assert ours.in_use == 0


async def test_a_connection_goes_to_the_caller_that_waits_longest(settings):
    order: list[int] = []

    async def use(number: int) -> None:
        async with ours.acquire() as connection:
            order.append(number)
            await connection.fetch("SELECT 1")

    async with pool("test", settings, 1, WRITES) as ours:
        async with ours.acquire():
            waiting = [asyncio.create_task(use(number)) for number in range(5)]
            await asyncio.sleep(0)
        await asyncio.gather(*waiting)
    assert order == [0, 1, 2, 3, 4]


async def test_a_caller_that_gives_up_in_the_last_moment_loses_no_connection(settings):
    async with pool("test", settings, 1, WRITES) as ours:
        loan = ours.acquire()
        await loan.__aenter__()
        waiter = asyncio.create_task(ours.lend_next())
        await asyncio.sleep(0)
        await loan.__aexit__(None, None, None)
        waiter.cancel()
        with pytest.raises(asyncio.CancelledError):
            await waiter
        async with ours.acquire() as connection:
            assert await connection.fetchval("SELECT 1") == 1


async def test_a_connection_that_cannot_be_opened_makes_room_for_the_next(settings):
    tried = 0

    async def connect(url, **options):
        nonlocal tried
        tried += 1
        await asyncio.sleep(0.01)
        if tried == 1:
            raise ConnectionRefusedError
        return await asyncpg.connect(url, **options)

    async with pool("test", settings, 1, WRITES, connect=connect) as ours:
        first = asyncio.create_task(ours.lend_next())
        second = asyncio.create_task(ours.lend_next())
        with pytest.raises(ConnectionRefusedError):
            await first
        ours.take_back(await second)
    assert tried == 2


async def test_a_connection_that_the_server_ended_is_not_lent(settings, database):
    async with pool("test", settings, 2, WRITES) as ours:
        async with ours.acquire() as connection:
            ended = connection.get_server_pid()
        await database.reader.value("SELECT pg_terminate_backend($1)", ended)
        while not connection.is_closed():
            await asyncio.sleep(0.01)
        async with ours.acquire() as another:
            assert another.get_server_pid() != ended
        assert len(ours.connections) == 1


async def test_a_connection_whose_call_was_cancelled_is_not_lent_again(settings):
    """The socket would hold the response of a statement that nobody awaits."""
    async with pool("test", settings, 1, WRITES) as ours:
        async with ours.acquire() as first:
            pass
        with suppress(TimeoutError):
            async with asyncio.timeout(0.05), ours.acquire():
                await first.fetch("SELECT pg_sleep(0.3)")
        assert first.is_closed()
        async with ours.acquire() as second:
            assert await second.fetchval("SELECT 1") == 1


async def test_an_open_transaction_is_not_passed_on(settings):
    async with pool("test", settings, 1, WRITES) as ours:
        with suppress(ZeroDivisionError):
            async with ours.acquire() as first:
                await first.execute("BEGIN")
                raise ZeroDivisionError
        assert first.is_closed()
        async with ours.acquire() as second:
            assert not second.is_in_transaction()


@pytest.mark.parametrize("limit", ["MAX_IDLE_SECONDS", "MAX_AGE_SECONDS"])
async def test_idle_and_old_connections_are_closed(settings, monkeypatch, limit):
    async with pool("test", settings, 2, WRITES) as ours:
        async with ours.acquire() as connection:
            pass
        await ours.retire()
        assert ours.connections == [connection]
        monkeypatch.setattr(connection_pool, limit, -1)
        await ours.retire()
        assert ours.connections == []
        assert connection.is_closed()
        async with ours.acquire() as another:
            assert another is not connection


async def test_closing_waits_for_what_is_lent_and_refuses_who_waits(settings):
    ended = asyncio.Event()

    async def use() -> int:
        async with ours.acquire() as connection:
            ended.set()
            await asyncio.sleep(0.05)
            return await connection.fetchval("SELECT 7")

    async with pool("test", settings, 1, WRITES) as ours:
        working = asyncio.create_task(use())
        await ended.wait()
        waiting = asyncio.create_task(ours.lend_next())
        await asyncio.sleep(0)
    assert working.done()
    assert await working == 7
    with pytest.raises(DatabaseUnavailable):
        await waiting


@pytest.mark.parametrize("seed", range(3))
async def test_no_connection_is_lent_twice_or_lost_whoever_gives_up(settings, database, seed):
    """Callers that are cancelled at any point, and connections that end at any point."""
    chance = random.Random(seed)
    used_by: dict[int, int] = {}

    async def use(number: int) -> None:
        async with ours.acquire() as connection:
            pid = connection.get_server_pid()
            assert pid not in used_by
            used_by[pid] = number
            try:
                await connection.fetch("SELECT pg_sleep($1)", chance.random() / 200)
                if chance.random() < 0.05:
                    await database.reader.value("SELECT pg_terminate_backend($1)", pid)
            finally:
                del used_by[pid]

    async with pool("test", settings, 3, WRITES) as ours:
        for _ in range(ROUNDS):
            tasks = [asyncio.create_task(use(number)) for number in range(CALLERS)]
            for task in chance.sample(tasks, CALLERS // 3):
                await asyncio.sleep(chance.random() / 200)
                task.cancel()
            outcomes = await asyncio.gather(*tasks, return_exceptions=True)
            faults = [fault for fault in outcomes if isinstance(fault, BaseException)]
            assert [fault for fault in faults if not isinstance(fault, EXPECTED)] == []
            assert ours.in_use == 0
            assert ours._open == len(ours._idle) <= 3
            assert not ours._waiting


@pytest.mark.parametrize("state", ["25006", "57P01", "57P02", "57P03", "08006"])
async def test_a_connection_to_a_server_that_is_no_primary_any_more_is_not_lent(settings, state):
    async with pool("test", settings, 1, WRITES) as ours:
        lost = 0

        def on_lost() -> None:
            nonlocal lost
            lost += 1

        ours.on_lost = on_lost
        with pytest.raises(asyncpg.PostgresError) as raised:
            async with ours.acquire() as first:
                await first.execute(
                    f"DO $$ BEGIN RAISE EXCEPTION USING ERRCODE = '{state}'; END $$"
                )
        assert raised.value.sqlstate == state
        assert first.is_closed()
        assert lost == 1
        async with ours.acquire() as second:
            assert await second.fetchval("SELECT 1") == 1


async def test_an_error_of_a_statement_costs_no_connection(settings):
    async with pool("test", settings, 1, WRITES) as ours:
        with suppress(asyncpg.DivisionByZeroError):
            async with ours.acquire() as first:
                await first.fetchval("SELECT 1 / 0")
        async with ours.acquire() as second:
            assert second is first
