"""
The statements of reads on the large world: each reads few blocks, or is on a list with a reason.

Blocks are counted, not seconds, so a busy machine cannot change the result, and it does not matter
by which plan a statement reads too much. Takes minutes, so it is not part of CI:

    LARGE_WORLD=postgresql://… just slow tests/test_large_plans.py

Without LARGE_WORLD it makes a smaller one of its own (tests/large_world.py).
"""

import os
from collections.abc import AsyncIterator
from typing import Any
from uuid import uuid4

import asyncpg
import msgspec
import pytest

from bench import reads
from gamekeeper.auth import keys
from gamekeeper.auth.keys import NewKey
from gamekeeper.core.settings import Hidden, Settings
from gamekeeper.db.database import Database
from tests import large_world
from tests.databases import SERVER, admin
from tests.in_process import in_process
from tests.large_world import Size
from tests.make import BY

pytestmark = pytest.mark.slow

URL = os.environ.get("LARGE_WORLD")
SMALLER = Size(players=100_000, actions=500_000, guilds=1000, messages=100_000, sanctions=10_000)

MAX_BLOCKS = 3500
"""
Of 8 kB. A search reads up to 3,000 names, whatever the size; a walk over all players or actions of
the large world reads ten to a hundred times as many.
"""

# An actor that is not known is refused, after a search for similar names.
PATHS = [*reads.PATHS, "/actions?actor=nobody-at-all"]

REASONS = {
    "WITH live AS MATERIALIZED": "sorts all who are online",
    "FROM chat_messages": "a search probes 5,000 lines in the order of time, whatever is kept",
    "SELECT at, kind, id AS action_id": "all actions of the one character with 100,000 of them",
    "name_key % $1": "compares all names that share enough trigrams with one that has a typo",
}
"""By a part of the statement: why it may read more."""


class Statement(msgspec.Struct, frozen=True):
    path: str
    sql: str
    arguments: tuple[Any, ...]


@pytest.fixture
async def large() -> AsyncIterator[Settings]:
    if URL:
        yield Settings(database_url=Hidden(URL), statement_seconds=60)
        return
    name = f"gamekeeper_large_{uuid4().hex[:12]}"
    await admin(f"CREATE DATABASE {name}")
    try:
        settings = Settings(database_url=Hidden(SERVER.format(name)), statement_seconds=60)
        await large_world.make(settings, SMALLER)
        yield settings
    finally:
        await admin(f"DROP DATABASE {name} WITH (FORCE)")


async def test_no_read_walks_over_a_large_table(large, monkeypatch):
    async with Database.open(large) as database:
        key = await keys.create.one(database, NewKey(by=BY, name=f"plans {uuid4()}"))
        [known] = await database.reader.rows(reads.KNOWN)
    sent = await _sent(large, key, dict(known), monkeypatch)
    connection = await asyncpg.connect(large.database_url)
    try:
        blocks = [(await _blocks(connection, each), each) for each in sent]
    finally:
        await connection.close()

    for count, each in sorted(blocks, key=lambda pair: -pair[0])[:20]:
        print(f"{count:9,} blocks  {each.path}  {' '.join(each.sql.split())[:90]}")
    assert len(blocks) > len(PATHS)
    assert [
        (count, each.path, each.sql)
        for count, each in blocks
        if count > MAX_BLOCKS and not any(part in each.sql for part in REASONS)
    ] == []


async def _sent(
    settings: Settings, key: str, known: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> list[Statement]:
    """The distinct statements of all paths, with the arguments of their first use."""
    found: dict[str, Statement] = {}
    fetch = asyncpg.Connection.fetch
    path = ""

    async def listen(connection: asyncpg.Connection, sql: str, *arguments: Any, **about: Any):
        if sql.lstrip().startswith(("SELECT", "WITH")):
            found.setdefault(f"{path} {sql}", Statement(path, sql, arguments))
        return await fetch(connection, sql, *arguments, **about)

    monkeypatch.setattr(asyncpg.Connection, "fetch", listen)
    async with in_process(settings, headers={"Authorization": f"Bearer {key}"}) as client:
        for path in PATHS:
            answer = await client.get(f"/api/v1{path.format(**known, page=200)}", timeout=120)
            assert answer.status_code in (200, 400), (path, answer.text)
    monkeypatch.undo()
    return list(found.values())


async def _blocks(connection: asyncpg.Connection, statement: Statement) -> int:
    async with connection.transaction(readonly=True):
        [explained] = await connection.fetch(
            f"EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) {statement.sql}", *statement.arguments
        )
    plan = msgspec.json.decode(explained[0])[0]["Plan"]
    return plan["Shared Hit Blocks"] + plan["Shared Read Blocks"]
