"""Counts: exact or estimated, few at once, and members in pages."""

import asyncio
from datetime import UTC, datetime, timedelta
from random import Random

from gamekeeper.db.database import StatementTooSlow, Writer
from gamekeeper.segments import counts, estimates, members
from gamekeeper.segments.estimates import BlockSample
from gamekeeper.segments.members import member_batch
from gamekeeper.segments.records import Condition, ConditionGroup, Definition
from tests.make import make_player
from tests.segments.worlds import expected, make_world, random_definition

LEVEL_20 = {"conditions": [{"field": "level", "atleast": 20}]}
LONG_AGO = "2001-01-01T00:00:00Z"


def definition(*conditions: Condition) -> Definition:
    return Definition(groups=[ConditionGroup(conditions=list(conditions))])


MANY = {
    "match": "any",
    "conditions": [LEVEL_20["conditions"][0]] + [{"field": "last_online", "before": LONG_AGO}] * 19,
}
"""The same as LEVEL_20: no character was last online then. It takes longer to plan than 1 ms."""


async def preview(client, **about: object):
    return await client.post("/api/v1/segments/preview", json={"groups": [MANY]} | about)


async def test_a_slow_count_is_estimated_and_can_be_awaited(client, database, monkeypatch):
    world = await make_world(database, Random(3))
    monkeypatch.setattr(counts, "COUNT_SECONDS", 0.001)
    wanted = expected(world, definition(Condition(field="level", at_least=20)))
    quick = (await preview(client)).json()
    assert quick["IsEstimate"] is True
    assert quick["AtLeast"] <= len(wanted) <= quick["AtMost"]
    # So small a table is sampled as a whole.
    assert quick["Count"] == len(wanted)
    assert {member["Id"] for member in quick["Samples"]} <= {str(id_) for id_ in wanted}
    exact = (await preview(client, exact=True)).json()
    assert (exact["IsEstimate"], exact["Count"]) == (False, len(wanted))


async def test_a_count_beyond_all_limits_is_refused(client, database, monkeypatch):
    await make_world(database, Random(3))
    for name in ("COUNT_SECONDS", "ESTIMATE_SECONDS", "EXACT_SECONDS"):
        monkeypatch.setattr(counts, name, 0.001)
    for exact in (True, False):
        answer = await preview(client, exact=exact)
        assert (answer.status_code, answer.json()["Code"]) == (503, "count_too_slow")


async def test_few_counts_run_at_once(database, monkeypatch):
    """Counts wait for a lock here, so that those that run can be counted."""
    monkeypatch.setattr(counts, "COUNT_SECONDS", 30.0)
    wanted = definition(Condition(field="online"))
    locked, released = asyncio.Event(), asyncio.Event()

    async def lock(writer: Writer) -> None:
        await writer.run("LOCK TABLE players IN ACCESS EXCLUSIVE MODE")
        locked.set()
        await released.wait()

    locking = asyncio.create_task(database.write(lock))
    await locked.wait()
    calls = [
        asyncio.create_task(counts.preview(database.reader, wanted, exact=False)) for _ in range(12)
    ]
    while await database.reader.value(WAITING) < counts.COUNTS_AT_ONCE:
        await asyncio.sleep(0.01)
    await asyncio.sleep(0.1)
    running = await database.reader.value(WAITING)
    released.set()
    await locking
    await asyncio.gather(*calls)
    assert running == counts.COUNTS_AT_ONCE


WAITING = """
    SELECT count(*) FROM pg_stat_activity
     WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE '%WITH members%'
"""


async def test_a_statement_that_takes_too_long_leaves_its_connection_usable(database):
    reader = database.reader
    for _ in range(30):
        try:
            await reader.rows_within(0.01, "SELECT pg_sleep(5)")
        except StatementTooSlow:
            pass
        else:
            raise AssertionError
    assert await reader.value("SELECT current_setting('work_mem')") != "64MB"
    assert await reader.rows_within(1, "SELECT current_setting('work_mem')") == [("64MB",)]


async def test_pages_of_members_have_each_member_once(client, database, monkeypatch):
    monkeypatch.setattr(members, "SLICE", 7)
    random = Random(5)
    world = await make_world(database, random)
    for number in range(10):
        wanted = random_definition(random, world)
        found, after = [], None
        while True:
            batch = await member_batch(
                database.reader, wanted, started=datetime.now(UTC), after=after, limit=3
            )
            assert len(batch.ids) <= 3
            found += batch.ids
            if (after := batch.next) is None:
                break
        assert found == sorted(expected(world, wanted)), number


async def test_a_page_of_members_ends_early_rather_than_late(client, database, monkeypatch):
    monkeypatch.setattr(members, "SLICE", 2)
    monkeypatch.setattr(members, "PAGE_SECONDS", -1.0)
    made = sorted([await make_player(database, level=level) for level in (1, 1, 1, 30, 1)])
    await client.put("/api/v1/segments/strong", json={"groups": [LEVEL_20]})
    found, cursor, pages = [], "", 0
    while cursor is not None:
        suffix = f"?cursor={cursor}" if cursor else ""
        page = (await client.get(f"/api/v1/segments/strong/members{suffix}")).json()
        found += [member["Level"] for member in page["Values"]]
        cursor, pages = page["Next"], pages + 1
    assert (found, pages, len(made)) == ([30], 3, 5)


async def test_a_batch_is_as_of_its_start(database):
    """Relative times count from the start, and later characters are not members."""
    now = datetime.now(UTC)
    started = now - timedelta(days=10)
    old = await make_player(database, created_at=now - timedelta(days=12))
    await make_player(database, created_at=now - timedelta(days=5))
    await make_player(database, created_at=now - timedelta(days=40))
    wanted = definition(Condition(field="created", within_days=7))
    batch = await member_batch(database.reader, wanted, started=started)
    assert batch.ids == [old]


# ── Estimates ──


def test_the_interval_contains_the_truth_as_often_as_it_says():
    """Also if the hits are clustered: characters of one block resemble each other."""
    random = Random(11)
    for share, clustered in ((0.3, False), (0.3, True), (0.02, True), (0.9, True), (0.001, False)):
        population = [_block(random, share, clustered=clustered) for _ in range(5000)]
        total = sum(block.rows for block in population)
        truth = sum(block.hits for block in population)
        inside = 0
        for _ in range(200):
            guess = estimates.estimate(total, random.sample(population, 400))
            inside += guess.at_least <= truth <= guess.at_most
        assert inside >= 180, (share, clustered, inside)


def _block(random: Random, share: float, *, clustered: bool) -> BlockSample:
    rows = random.randrange(15, 25)
    if clustered:
        return BlockSample(rows, rows if random.random() < share else 0)
    return BlockSample(rows, sum(random.random() < share for _ in range(rows)))


def test_an_estimate_of_little_is_wide_and_within_bounds():
    nothing = estimates.estimate(1000, [])
    assert (nothing.at_least, nothing.at_most) == (0, 1000)
    none = estimates.estimate(1_000_000, [BlockSample(20, 0)] * 500)
    assert (none.count, none.at_least) == (0, 0)
    assert 0 < none.at_most < 10_000
    every = estimates.estimate(1_000_000, [BlockSample(20, 20)] * 500)
    assert (every.count, every.at_most) == (1_000_000, 1_000_000)
    assert every.at_least > 990_000
