"""
The console on a million players and five million actions: how soon each screen is there.

Takes minutes, so it is not part of CI: `just slow tests/console/test_large.py`.
"""

import os
import statistics
import time
from collections.abc import Iterator

import asyncpg
import httpx2
import pytest
from playwright.async_api import Browser

from tests.console.conftest import SignIns, World, trying
from tests.console.game import Game
from tests.console.test_screens import SCREENS
from tests.console.visit import DESK, QUIET, ConsoleVisit

PLAYERS = int(os.environ.get("CONSOLE_PLAYERS", "1000000"))
ACTIONS = int(os.environ.get("CONSOLE_ACTIONS", "5000000"))
PART = 250_000
SAMPLES = 5
LIMIT = 1.0
"""Seconds, the middle one of the samples."""
START_SECONDS = 1800

pytestmark = pytest.mark.slow

# A year of gifts by seven keys, on real characters and items.
FILL = """
    INSERT INTO actions (id, at, kind, actor, actor_name, player_id, item_id, before, after,
                         reason, request_id)
    SELECT (lpad(to_hex((extract(epoch FROM at) * 1000)::bigint), 12, '0') || '7'
            || substr(md5(n::text), 1, 3) || '8' || substr(md5(n::text), 4, 15))::uuid,
           at, CASE WHEN n % 10 = 0 THEN 'items.take' ELSE 'items.give' END, 'key:' || n % 7,
           'shop', players[1 + n % cardinality(players)], items[1 + n % cardinality(items)],
           '{"total": 3, "bank": 0, "inventory": 3}', '{"total": 8, "bank": 0, "inventory": 8}',
           CASE WHEN n % 3 = 0 THEN 'order ' || n END, md5(n::text)
      FROM generate_series($1::int, $2::int) AS n,
           (SELECT array_agg(id) AS players FROM (SELECT id FROM players LIMIT 50000) AS some),
           (SELECT array_agg(id) AS items FROM items),
           LATERAL (SELECT now() - interval '15 days' - n * interval '6 seconds' AS at) AS made
"""


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
    connection = await asyncpg.connect(url)
    begun = time.monotonic()
    for first in range(0, ACTIONS, PART):
        await connection.execute(FILL, first, min(ACTIONS, first + PART) - 1)
        print(f"{min(ACTIONS, first + PART):,} actions, {time.monotonic() - begun:.0f} s")
    await connection.execute("VACUUM ANALYZE actions")
    await connection.close()


async def _timed(visit: ConsoleVisit, path: str) -> float:
    """Seconds until nothing on the screen loads any more, with the files in the cache."""
    begun = time.perf_counter()
    await visit.open(path)
    return time.perf_counter() - begun - QUIET
