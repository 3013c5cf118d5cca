"""Actions counted by hour and kind: each once, in whatever batches and by however many."""

import asyncio
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from uuid import uuid4

from gamekeeper.db.database import Database, Writer
from gamekeeper.ledger import action_counts, actions, chain
from gamekeeper.ledger.actions import Action
from tests.deadlines import PATIENCE
from tests.make import BY

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


async def act(database: Database, kind: str, times: int) -> None:
    made = [Action(kind=kind, by=BY, player_id=uuid4()) for _ in range(times)]  # pyright: ignore[reportArgumentType]
    await database.write(lambda writer: actions.record(writer, made))


async def link(database: Database, total: int) -> None:
    """Wait for the chain: whoever writes on the same server, in any database, holds it up."""
    async with asyncio.timeout(PATIENCE):
        while await database.reader.value("SELECT count(*) FROM chain") < total:
            await chain.catch_up(database)
            await asyncio.sleep(0.05)


async def counted(database: Database) -> dict[str, int]:
    found: dict[str, int] = {}
    for one in await action_counts.counts_since(database.reader, EPOCH):
        found[one.kind] = found.get(one.kind, 0) + one.count
    return found


async def test_every_linked_action_is_counted_once_in_its_hour(database):
    await act(database, "items.give", 7)
    await act(database, "items.take", 3)
    await link(database, 10)

    while await database.write(lambda writer: action_counts.count_next(writer, most=4)):
        pass

    assert await counted(database) == {"items.give": 7, "items.take": 3}
    hours = [one.hour for one in await action_counts.counts_since(database.reader, EPOCH)]
    assert all((hour.minute, hour.second, hour.microsecond) == (0, 0, 0) for hour in hours)
    assert datetime.now(UTC) - max(hours) < timedelta(hours=1, minutes=1)
    until = await action_counts.counted_until(database.reader)
    assert until is not None
    assert datetime.now(UTC) - until < timedelta(minutes=5)


async def test_twenty_who_count_at_once_count_nothing_twice(database):
    await act(database, "items.give", 40)
    await link(database, 40)

    async def count(writer: Writer) -> int:
        return await action_counts.count_next(writer, most=3)

    numbers = await asyncio.gather(*(database.write(count) for _ in range(20)))

    assert sum(numbers) == 40
    assert await counted(database) == {"items.give": 40}


async def test_what_is_not_committed_is_not_counted(database):
    await act(database, "items.give", 2)
    await link(database, 2)

    class Crash(Exception):
        pass

    async def work(writer: Writer) -> None:
        await action_counts.count_next(writer)
        raise Crash

    with suppress(Crash):
        await database.write(work)

    assert await counted(database) == {}
    assert await database.write(action_counts.count_next) == 2
    assert await counted(database) == {"items.give": 2}


async def test_the_worker_s_loop_counts_until_it_is_stopped(database):
    await act(database, "items.give", 2)
    await link(database, 2)
    stop = asyncio.Event()
    following = asyncio.create_task(action_counts.follow(database.settings, stop))

    async with asyncio.timeout(PATIENCE):
        while await counted(database) != {"items.give": 2}:
            await asyncio.sleep(0.05)
        stop.set()
        await following
