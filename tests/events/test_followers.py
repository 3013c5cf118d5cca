"""
Writers, followers and servers that are killed: every follower has everything, once.

`EVENTS`, `EVENTS_RATE` (a second), `EVENTS_LISTENERS` and `EVENTS_KILLS` say how much;
`EVENTS_LAG` (seconds, of the slowest hundredth) and `EVENTS_LEAST` (a second, really
written) what must be reached, where the machine has nothing else to do. `just gate`
sets them.
"""

import asyncio
import os
import random
from pathlib import Path

import pytest

from gamekeeper.auth import keys
from gamekeeper.core.settings import Settings
from gamekeeper.db.database import Database
from gamekeeper.ledger import verify_chain
from tests.events import crowd
from tests.events.crowd import Follower, Writers
from tests.make import BY, make_player, make_user
from tests.torture.service import Service

pytestmark = pytest.mark.torture

EVENTS = int(os.environ.get("EVENTS", "8000"))
RATE = int(os.environ.get("EVENTS_RATE", "2000"))
LISTENERS = int(os.environ.get("EVENTS_LISTENERS", "10"))
KILLS = int(os.environ.get("EVENTS_KILLS", "6"))
LAG = float(os.environ.get("EVENTS_LAG", "inf"))
LEAST = float(os.environ.get("EVENTS_LEAST", "0"))
CHARACTERS = 40
SERVERS = 2
REST_SECONDS = 120
"""For the followers to come to the end, after the writers have."""


async def test_every_follower_has_everything_once_and_in_order(settings: Settings, tmp_path: Path):
    async with Database.open(settings) as database:
        key = str(await keys.create.one(database, keys.NewKey(by=BY, name="listener")))
        owner = await make_user(database)
        players = [await make_player(database, user=owner) for _ in range(CHARACTERS)]
        # The log once all that went before is numbered.
        begin = await database.reader.value("SELECT count(*) FROM actions")
    writers = Writers(settings, tmp_path, players, EVENTS, RATE)
    services = [Service(settings, tmp_path / "log") for _ in range(SERVERS)]
    ports = [service.port for service in services]
    followers = [
        Follower(tmp_path / f"follower-{number}", key, begin, begin + writers.total, ports)
        for number in range(LISTENERS)
    ]
    try:
        await asyncio.gather(*(service.start() for service in services))
        for follower in followers:
            follower.start()
        await _run(writers, services, followers)
        committed = writers.committed()
        rate = len(committed) / (max(committed.values()) - min(committed.values()))
        told = await asyncio.to_thread(
            crowd.read_again, ports[0], key, begin, begin + writers.total, committed
        )
    finally:
        for one in [writers, *followers, *services]:
            one.kill()
    middle, slow, slowest = crowd.lags(begin, told, followers)
    print(
        f"\n{writers.total:,} events, {rate:,.0f}/s; {LISTENERS} followers, {KILLS} kills, "
        f"{sum(follower.lives for follower in followers)} lives; "
        f"lag {middle:.3f} s, p99 {slow:.3f} s, most {slowest:.3f} s"
    )
    assert told.wrong == []
    assert {follower.code for follower in followers} == {0}
    assert {follower.taken()[-1][1] for follower in followers} == {begin + writers.total}
    assert {follower.taken()[-1][3] for follower in followers} == {told.sum}
    report = await verify_chain.find(settings)
    assert (report.total, report.waiting) == (0, 0)
    assert slow <= LAG
    assert rate >= LEAST


async def _run(writers: Writers, services: list[Service], followers: list[Follower]) -> None:
    """Write, kill, and wait for all to come to the end."""
    writers.start()
    await _kill(writers, services, followers)
    while writers.at_work:
        await asyncio.sleep(0.05)
    async with asyncio.timeout(REST_SECONDS):
        while None in [follower.code for follower in followers]:
            await asyncio.sleep(0.1)


async def _kill(writers: Writers, services: list[Service], followers: list[Follower]) -> None:
    """Evenly over the run, now a server, now a follower."""
    dice = random.Random(7)
    for number in range(KILLS):
        while writers.at_work and writers.written < writers.total * (number + 1) // (KILLS + 1):
            await asyncio.sleep(0.05)
        if number % 2:
            service = dice.choice(services)
            await asyncio.to_thread(service.kill)
            await service.start()
        else:
            follower = dice.choice(followers)
            follower.kill()
            follower.start()
