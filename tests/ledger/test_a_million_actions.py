"""
A million actions: what linking, proving and reading them costs, on an idle machine.

Takes minutes, so it is not part of CI: `just slow tests/ledger/test_a_million_actions.py`.
"""

import statistics
import time
from collections.abc import AsyncIterator
from uuid import uuid4

import asyncpg
import pytest

from gamekeeper.core.settings import Hidden, Settings
from gamekeeper.db.database import Database
from gamekeeper.db.migrate import migrate
from gamekeeper.ledger import audit_log, chain, verify_chain
from gamekeeper.ledger.audit_log import Filters
from tests.databases import SERVER, admin

ACTIONS = 1_000_000
PAGE = 100
SAMPLES = 50
SLOWEST_PROOF = 50_000
"""Links a second."""

pytestmark = pytest.mark.slow

# A year of actions of seven actors, on five thousand characters and forty items.
FILL = """
    INSERT INTO actions (id, at, kind, actor, actor_name, player_id, item_id, before, after,
                         reason, request_id, address)
    SELECT (lpad(to_hex((extract(epoch FROM at) * 1000)::bigint), 12, '0') || '7'
            || substr(md5(n::text), 1, 3) || '8' || substr(md5(n::text), 4, 15))::uuid,
           at, CASE WHEN n % 10 = 0 THEN 'items.take' ELSE 'items.give' END, 'key:' || n % 7,
           'shop', md5((n % 5000)::text)::uuid, md5((n % 40) || 'item')::uuid,
           '{"total": 3, "bank": 0, "inventory": 3}', '{"total": 8, "bank": 0, "inventory": 8}',
           CASE WHEN n % 3 = 0 THEN 'order ' || n END, md5(n::text), '203.0.113.' || n % 250
      FROM generate_series($1::int, $2::int) AS n,
           LATERAL (SELECT timestamptz '2026-11-01Z' + n * interval '31.5 seconds' AS at) AS made
"""


@pytest.fixture(scope="module")
async def settings() -> AsyncIterator[Settings]:
    name = f"gamekeeper_actions_{uuid4().hex[:12]}"
    await admin(f"CREATE DATABASE {name}")
    settings = Settings(database_url=Hidden(SERVER.format(name)))
    await migrate(settings)
    connection = await asyncpg.connect(settings.database_url)
    for first in range(0, ACTIONS, 50_000):
        await connection.execute(FILL, first, min(ACTIONS, first + 50_000) - 1)
    await connection.execute("VACUUM ANALYZE actions")
    await connection.close()
    yield settings
    await admin(f"DROP DATABASE {name} WITH (FORCE)")


async def test_a_million_actions_are_linked_and_proved(settings):
    async with Database.open(settings) as database:
        begun = time.perf_counter()
        assert await chain.catch_up(database) == ACTIONS
        print(f"\nlinked {ACTIONS / (time.perf_counter() - begun):,.0f} actions a second")

    begun = time.perf_counter()
    report = await verify_chain.find(settings)
    speed = ACTIONS / (time.perf_counter() - begun)
    print(f"proved {speed:,.0f} links a second")
    assert (report.links, report.total) == (ACTIONS, 0)
    assert speed >= SLOWEST_PROOF


@pytest.mark.parametrize("filters", [Filters(), Filters(actor="key:3"), Filters(kind="items.take")])
async def test_the_thousandth_page_costs_what_the_first_does(settings, filters):
    """The middle one of fifty pages at either end of a thousand; half as much again is noise."""
    times: list[float] = []
    cursor = None
    seen: list[object] = []
    async with Database.open(settings) as database:
        for _ in range(1000):
            begun = time.perf_counter()
            page = await audit_log.list_actions(database.reader, filters, cursor, PAGE)
            times.append(time.perf_counter() - begun)
            seen += [entry.id for entry in page.values]
            cursor = page.next
            if cursor is None:
                break
    first, last = statistics.median(times[10 : 10 + SAMPLES]), statistics.median(times[-SAMPLES:])
    print(f"\n{filters}: {first * 1000:.2f} ms at first, {last * 1000:.2f} ms at last")
    assert len(set(seen)) == len(seen) > (len(times) - 1) * PAGE
    assert last <= first * 1.5
