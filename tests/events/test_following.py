"""
Writers, listeners and servers that are killed: every listener is told everything once.

`EVENTS`, `EVENTS_RATE` (a second), `EVENTS_LISTENERS`, `EVENTS_KILLS` and `EVENTS_LAG`
(seconds, the slowest hundredth) say how much; `just torture` raises them.
"""

import asyncio
import os
import random
from pathlib import Path

from gamekeeper.access import keys
from gamekeeper.database import Database
from gamekeeper.ledger import breaches
from tests.events.crowd import Listener, Writers, told
from tests.make import BY, make_player, make_user
from tests.torture.service import Service

EVENTS = int(os.environ.get("EVENTS", "8000"))
RATE = int(os.environ.get("EVENTS_RATE", "2000"))
LISTENERS = int(os.environ.get("EVENTS_LISTENERS", "10"))
KILLS = int(os.environ.get("EVENTS_KILLS", "6"))
LAG = float(os.environ.get("EVENTS_LAG", "5"))
WRITERS = 16
CHARACTERS = 40
SERVERS = 2


async def test_every_listener_is_told_everything_once_and_in_order(settings, tmp_path: Path):
    async with Database.open(settings) as database:
        key = str(await keys.create.one(database, keys.NewKey(by=BY, name="listener")))
        owner = await make_user(database)
        players = [await make_player(database, user=owner) for _ in range(CHARACTERS)]
        writers = Writers(settings, players, EVENTS, RATE)
        services = [Service(settings, tmp_path / "log") for _ in range(SERVERS)]
        try:
            await asyncio.gather(*(service.start() for service in services))
            listeners = await _listeners(services, key, database, writers)
            running = [asyncio.create_task(listener.run()) for listener in listeners]
            killing = asyncio.create_task(_kill(services, listeners, writers))
            await writers.run(WRITERS)
            rate = writers.total / writers.seconds
            await asyncio.wait_for(asyncio.gather(*running), 120)
            await killing
        finally:
            for service in services:
                service.kill()
    lags = [lag for listener in listeners for lag in listener.lags]
    resumed = sum(listener.resumed for listener in listeners)
    print(f"\n{writers.total:,} events, {rate:,.0f}/s, {writers.long} long transactions,")
    print(f"{LISTENERS} listeners, {KILLS} kills, resumed {resumed} times: {told(lags)}")
    assert [listener.wrong for listener in listeners] == [[]] * LISTENERS
    assert {listener.last - listener.begin for listener in listeners} == {writers.total}
    assert len({listener.sum for listener in listeners}) == 1
    assert len(lags) == writers.total * len([one for one in listeners if one.lags])
    assert sorted(lags)[len(lags) * 99 // 100] <= LAG
    report = await breaches.find(settings)
    assert (report.total, report.waiting) == (0, 0)


async def _listeners(
    services: list[Service], key: str, database: Database, writers: Writers
) -> list[Listener]:
    """They begin where the log is once all that went before is numbered."""
    before = await database.reader.value("SELECT count(*) FROM actions")
    return [
        Listener(
            lambda: [service.port for service in services],
            key,
            before,
            writers,
            thorough=number % 10 == 0,
        )
        for number in range(LISTENERS)
    ]


async def _kill(services: list[Service], listeners: list[Listener], writers: Writers) -> None:
    """Evenly over the run, now a server, now a few of the listeners."""
    dice = random.Random(7)
    for number in range(KILLS):
        while writers.written < writers.total * (number + 1) // (KILLS + 1):
            await asyncio.sleep(0.05)
        if number % 2:
            service = dice.choice(services)
            await asyncio.to_thread(service.kill)
            await service.start()
        else:
            for listener in dice.sample(listeners, max(1, LISTENERS // 5)):
                listener.kill()
