"""
Schedules run once each while two workers are killed in turn, and PostgreSQL once.

`TORTURE_SCHEDULES` says how many runs are due, one after the other.
"""

import asyncio
import os
import random
import signal
import time
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from gamekeeper.campaigns.records import CampaignItem, CampaignWork
from gamekeeper.campaigns.schedules import changes
from gamekeeper.campaigns.schedules.changes import NewSchedule
from gamekeeper.campaigns.schedules.plans import Plan
from gamekeeper.core.errors import Unavailable
from gamekeeper.db.database import Database
from gamekeeper.db.migrate import migrate
from gamekeeper.segments import saved
from gamekeeper.segments.saved import SegmentChange
from tests.clusters import Cluster, cluster
from tests.deadlines import PATIENCE
from tests.make import BY, make_item, make_player
from tests.torture.test_campaigns import EVERYONE, Play
from tests.torture.test_kills import _started_again

pytestmark = pytest.mark.torture

RUNS = int(os.environ.get("TORTURE_SCHEDULES", "20"))
APART = timedelta(seconds=0.5)
PLAYERS = 3
WAITS = (Unavailable, OSError, TimeoutError)


@pytest.fixture
def postgres():
    with cluster() as made:
        yield made


async def test_each_planned_instant_is_one_campaign_whatever_dies(
    postgres: Cluster, tmp_path: Path
):
    settings = postgres.settings
    await migrate(settings)
    async with Database.open(settings) as database:
        await _plan(database)
        workers = [Play(postgres, database, tmp_path / f"log{number}") for number in range(2)]
        for worker in workers:
            worker.start()
        try:
            await _kill_while(postgres, database, workers)
            rows = await database.reader.rows(
                """
                SELECT schedule_id, count(*) AS runs, min(schedule_runs.state) AS state,
                       min(campaigns.state) AS campaign, min(done) AS done
                  FROM schedule_runs LEFT JOIN campaigns USING (schedule_id) GROUP BY 1
                """
            )
        finally:
            for worker in workers:
                worker.kill()
        assert {tuple(row.values())[1:] for row in rows} == {(1, "started", "finished", PLAYERS)}
        assert len(rows) == RUNS
        letters = await database.reader.rows("SELECT count(*) FROM letters GROUP BY player_id")
        assert [row["count"] for row in letters] == [RUNS] * PLAYERS


async def _plan(database: Database) -> None:
    """Schedules that are due one after the other, each half a second."""
    for number in range(PLAYERS):
        await make_player(database, f"Player {number}")
    potion = await make_item(database, "Welcome", inventory_stack=1000)
    segment = SegmentChange(by=BY, name="all", description="", definition=EVERYONE)
    await saved.change.one(database, segment)
    items = [CampaignItem(item_id=potion, quantity=1)]
    begin = datetime.now(UTC) + timedelta(seconds=5)
    orders = [
        NewSchedule(
            by=BY,
            name=f"Event {number}",
            segment="all",
            work=CampaignWork(kind="letter", subject="Hello", items=items),
            per_second=10_000,
            plan=Plan(starts_at=begin + number * APART),
            grace_minutes=60,
            max_recipients=100,
        )
        for number in range(RUNS)
    ]
    for made in await changes.create(database, orders):
        assert not isinstance(made, Exception), made


async def _kill_while(postgres: Cluster, database: Database, workers: list[Play]) -> None:
    """Kill one worker after the other, and PostgreSQL once, until all campaigns have ended."""
    dice = random.Random(RUNS)
    kills, deadline = 0, time.monotonic() + PATIENCE + RUNS
    while await _finished(database) < RUNS:
        assert time.monotonic() < deadline, "not all campaigns have ended"
        await asyncio.sleep(dice.uniform(0.1, 3))
        worker = workers[kills % 2]
        worker.kill()
        kills += 1
        if kills == 3:
            postgres.signal(signal.SIGKILL)
            await _started_again(postgres)
        worker.start()
    print(f"\n{RUNS} runs, {kills} kills")
    assert kills >= 3


async def _finished(database: Database) -> int:
    try:
        sql = "SELECT count(*) FROM campaigns WHERE state = 'finished'"
        return await database.reader.value(sql)
    except WAITS:
        return 0
