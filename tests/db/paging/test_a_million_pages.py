"""
A million players: the last page against the first, while a thousand gain experience each second.

Takes minutes, so it is not part of CI: `just slow tests/db/paging/test_a_million_pages.py`.
"""

import asyncio
import random
import statistics
import subprocess
import sys
import time
from collections import defaultdict
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from uuid import UUID, uuid4

import asyncpg
import pytest
from msgspec import structs

from gamekeeper.core.schemas import SortDirection, Window
from gamekeeper.core.settings import Hidden, Settings
from gamekeeper.db.database import Database, Writer
from gamekeeper.db.migrate import migrate
from gamekeeper.db.paging import maintenance, pages
from gamekeeper.db.paging.orderings import (
    ORDERINGS,
    RANK,
    USERS,
    CountDelta,
    added,
    by_rank,
    record_deltas,
    removed,
)
from gamekeeper.db.paging.verify import check
from gamekeeper.players import roster
from gamekeeper.users import accounts
from tests.databases import SERVER, admin
from tests.db.paging.world import compare, instant
from tests.server import environment

PLAYERS = 1_000_000
CHANGES_A_SECOND = 1000
BATCH = 20
ROUNDS = 60
SIZE = 5

pytestmark = pytest.mark.slow

Look = Callable[[], Awaitable[object]]


@pytest.fixture(scope="module")
async def settings() -> AsyncIterator[Settings]:
    name = f"gamekeeper_million_{uuid4().hex[:12]}"
    await admin(f"CREATE DATABASE {name}")
    settings = Settings(database_url=Hidden(SERVER.format(name)))
    await migrate(settings)
    command = [sys.executable, "-m", "gamekeeper", "demo", "--players", str(PLAYERS)]
    subprocess.run(command, env=environment(settings), check=True)
    yield settings
    await admin(f"DROP DATABASE {name} WITH (FORCE)")


async def test_the_last_page_costs_what_the_first_does(settings):
    await measure(settings)


async def measure(settings: Settings) -> None:
    async with Database.open(settings) as database, rising(settings, database) as changes:
        begun, before = time.monotonic(), changes[0]
        async with maintenance.connected(settings) as patient:
            times = await looked(database, patient)
        rate = (changes[0] - before) / (time.monotonic() - begun)
        async with Database.open(structs.replace(settings, statement_seconds=60)) as unhurried:
            for number in range(5):
                async with instant(unhurried) as reader:
                    await compare(reader, random.Random(number), RANK, windows=4)
    print(f"\n{rate:,.0f} changes of experience a second")
    for name, seconds in times.items():
        print(f"{statistics.median(seconds) * 1000:9.2f} ms  {name}")
    for listing in ORDERINGS:
        assert (await check(settings, listing)).wrong == []
    for name in ("rank", "players", "users"):
        first, last = (statistics.median(times[f"{name}: {at}"]) for at in ("first", "last"))
        assert last < 2 * first


async def looked(database: Database, patient: asyncpg.Connection) -> dict[str, list[float]]:
    """How long each page took, one after the other and all of them again."""
    looks = await _looks(database, patient)
    times: dict[str, list[float]] = defaultdict(list)
    for turn in range(ROUNDS):
        for name, look in looks.items():
            if "OFFSET" in name and turn % 10:
                continue
            begun = time.perf_counter()
            await look()
            times[name].append(time.perf_counter() - begun)
    return times


async def _looks(database: Database, patient: asyncpg.Connection) -> dict[str, Look]:
    reader = database.reader
    looks: dict[str, Look] = {}
    players, users = await pages.total(reader, RANK), await pages.total(reader, USERS)

    def offset(place: int) -> Look:
        sql = "SELECT id FROM players ORDER BY level DESC, exp DESC, id DESC LIMIT $1 OFFSET $2"
        return lambda: patient.fetch(sql, SIZE, place)

    for name, part in (("first", 0.0), ("middle", 0.5), ("last", 1.0)):
        deep = Window.of(int((players // SIZE - 1) * part), SIZE)
        far = Window.of(int((users // SIZE - 1) * part), SIZE)
        looks[f"rank: {name}"] = lambda window=deep: roster.ranked(
            reader, window, None, SortDirection.DESCENDING
        )
        looks[f"players: {name}"] = lambda window=deep: roster.list_players(reader, window, None)
        looks[f"users: {name}"] = lambda window=far: accounts.list_users(
            reader, window, None, sees_emails=True
        )
        looks[f"rank by OFFSET: {name}"] = offset(deep.offset)
    return looks


@asynccontextmanager
async def rising(settings: Settings, database: Database) -> AsyncIterator[list[int]]:
    """Players gain experience, a worker folds; how many changes there were."""
    stop, changes = asyncio.Event(), [0]
    ids = [row["id"] for row in await database.reader.rows("SELECT id FROM players LIMIT 100000")]
    follower = asyncio.create_task(maintenance.follow(settings, stop))
    riser = asyncio.create_task(_rise(database, ids, stop, changes))
    try:
        await asyncio.sleep(3)
        yield changes
    finally:
        stop.set()
        await asyncio.gather(follower, riser)


async def _rise(
    database: Database, ids: list[UUID], stop: asyncio.Event, changes: list[int]
) -> None:
    dice = random.Random(1)
    begun = time.monotonic()
    while not stop.is_set():
        some = sorted(dice.sample(ids, BATCH))
        await database.write(lambda writer, some=some: _gain(writer, some, dice.randint(1, 5000)))
        changes[0] += BATCH
        await asyncio.sleep(max(0, begun + changes[0] / CHANGES_A_SECOND - time.monotonic()))


async def _gain(writer: Writer, players: list[UUID], exp: int) -> None:
    rows = await writer.rows(
        "SELECT id, level, exp FROM players WHERE id = ANY($1) ORDER BY id FOR UPDATE", players
    )
    await writer.run("UPDATE players SET exp = exp + $2 WHERE id = ANY($1)", players, exp)
    notes: list[CountDelta] = []
    for row in rows:
        notes.append(removed(RANK, by_rank(row["level"], row["exp"], row["id"])))
        notes.append(added(RANK, by_rank(row["level"], row["exp"] + exp, row["id"])))
    await record_deltas(writer, notes)
