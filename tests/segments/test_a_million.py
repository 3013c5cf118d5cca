"""
A million players: how long a preview of each condition takes, and whether estimates are right.

Takes minutes, so it is not part of CI: `just slow tests/segments/test_a_million.py`.
"""

import subprocess
import sys
import time
from collections.abc import AsyncIterator
from uuid import UUID, uuid4

import pytest

from gamekeeper.core.settings import Hidden, Settings
from gamekeeper.db.database import Database, Reader
from gamekeeper.db.migrate import migrate
from gamekeeper.segments import counts, members
from gamekeeper.segments.records import Condition, ConditionGroup, Definition
from tests.databases import SERVER, admin
from tests.server import environment

PLAYERS = 1_000_000
LONGEST_SECONDS = 2.0

pytestmark = pytest.mark.slow


@pytest.fixture
async def large(tmp_path) -> AsyncIterator[Database]:
    """A database with a million demo players and two weeks of history."""
    name = f"gamekeeper_segments_{uuid4().hex[:12]}"
    await admin(f"CREATE DATABASE {name}")
    settings = Settings(database_url=Hidden(SERVER.format(name)))
    await migrate(settings)
    command = ["-m", "gamekeeper", "demo", "--players", str(PLAYERS), "--days", "14"]
    subprocess.run([sys.executable, *command], env=environment(settings), check=True)
    async with Database.open(settings) as database:
        yield database
    await admin(f"DROP DATABASE {name} WITH (FORCE)")


async def items_by_owners(reader: Reader) -> list[UUID]:
    """The items that the economy counts, from those with most owners on."""
    rows = await reader.rows_within(
        60, "SELECT item_id FROM slots GROUP BY item_id ORDER BY count(*) DESC"
    )
    return [row["item_id"] for row in rows]


async def conditions(reader: Reader) -> list[Condition]:
    items = await items_by_owners(reader)
    sql = "SELECT id FROM variables WHERE type = 'integer' AND owner = 'player' ORDER BY id LIMIT 1"
    variable = await reader.value(sql)
    return [
        Condition(field="level", at_least=20),
        Condition(field="class", id=await reader.value("SELECT id FROM classes LIMIT 1")),
        Condition(field="created", within_days=7),
        Condition(field="account_created", within_days=7),
        Condition(field="last_online", within_days=7),
        Condition(field="hours_played", at_least=10),
        Condition(field="online"),
        Condition(field="item", id=items[-1]),
        Condition(field="item", id=items[2]),
        Condition(field="item", id=items[0]),
        Condition(field="item", id=items[0], at_least=500),
        Condition(field="item", id=items[0], at_least=500, negate=True),
        Condition(field="player_variable", id=variable, at_least=5),
        Condition(field="player_variable", id=variable, at_most=5),
        Condition(field="guild"),
        Condition(field="guild", negate=True),
        Condition(field="sanction", kind="ban"),
    ]


async def test_every_condition_answers_within_two_seconds(large: Database):
    reader, slow, wrong = large.reader, [], []
    for condition in await conditions(reader):
        definition = Definition(groups=[ConditionGroup(conditions=[condition])])
        begun = time.perf_counter()
        quick = await counts.preview(reader, definition, exact=False)
        seconds = time.perf_counter() - begun
        begun = time.perf_counter()
        exact = await counts.preview(reader, definition, exact=True)
        waited = time.perf_counter() - begun
        begun = time.perf_counter()
        page = await members.list_members(reader, definition, None, 100)
        paged = time.perf_counter() - begun
        about = f"{quick.at_least:,} to {quick.at_most:,}" if quick.is_estimate else "exact"
        print(f"{condition.field:16} {seconds:5.2f} s {about}; {exact.count:,} in {waited:.2f} s")
        print(f"{'':16} a page of {len(page.values)} in {paged:.2f} s")
        slow += [condition] if max(seconds, paged) > LONGEST_SECONDS else []
        wrong += [] if quick.at_least <= exact.count <= quick.at_most else [condition]
    assert slow == []
    # At 95 %, one of twenty intervals may miss.
    assert len(wrong) <= 2
