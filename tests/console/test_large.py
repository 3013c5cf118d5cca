"""
The console on a million players and five million actions: how soon each screen is there.

Takes minutes, so it is not part of CI: `just slow tests/console/test_large.py`.
"""

import os
import statistics
import time
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

import asyncpg
import httpx2
import pytest
from playwright.async_api import Browser

from tests.console.conftest import SignIns, World, trying
from tests.console.game import Game
from tests.console.test_screens import SCREENS
from tests.console.visit import DESK, QUIET, ConsoleVisit
from tests.large_world import SETTINGS, add_old_actions, last_months

PLAYERS = int(os.environ.get("CONSOLE_PLAYERS", "1000000"))
ACTIONS = int(os.environ.get("CONSOLE_ACTIONS", "5000000"))
FREE_DAYS = 15
"""Before now: the days of the story."""
SAMPLES = 5
LIMIT = 1.0
"""Seconds, the middle one of the samples."""
START_SECONDS = 1800

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def large(tmp_path_factory: pytest.TempPathFactory) -> Iterator[World]:
    begun = time.monotonic()
    with trying(PLAYERS, tmp_path_factory.mktemp("large"), START_SECONDS) as world:
        print(f"\n{PLAYERS:,} players in {time.monotonic() - begun:.0f} s")
        yield world


async def test_every_screen_is_there_within_a_second(large: World, browser: Browser):
    await _fill(large.database_url)
    sign_ins = SignIns(browser, large)
    medians = {}
    async with httpx2.AsyncClient() as client:
        game = Game(client, f"{large.url}/api/v1", large.key)
        screens = [await game.address(path) for path in SCREENS]
    for path in screens:
        context = await sign_ins.context(large.owner, viewport=DESK, reduced_motion="reduce")
        visit = ConsoleVisit(context, await context.new_page(), large.url)
        await visit.open(path)
        times = [await _timed(visit, path) for _ in range(SAMPLES)]
        await context.close()
        medians[path] = statistics.median(times)
        print(f"{medians[path] * 1000:7.0f} ms  {path}  {len(visit.api_calls)} calls")
    assert {path: took for path, took in medians.items() if took > LIMIT} == {}


async def _fill(url: str) -> None:
    """A year of gifts by seven keys, on real characters and items."""
    connection = await asyncpg.connect(url)
    begun, now = time.monotonic(), datetime.now(UTC)
    await connection.execute(SETTINGS)
    # The story of this world begins with its first postings, so these have none.
    until = now - timedelta(days=FREE_DAYS)
    await add_old_actions(connection, ACTIONS, last_months(now), until, posted=False)
    await connection.execute("VACUUM ANALYZE actions")
    await connection.close()
    print(f"{ACTIONS:,} actions, {time.monotonic() - begun:.0f} s")


async def _timed(visit: ConsoleVisit, path: str) -> float:
    """Seconds until nothing on the screen loads any more, with the files in the cache."""
    begun = time.perf_counter()
    await visit.open(path)
    return time.perf_counter() - begun - QUIET
