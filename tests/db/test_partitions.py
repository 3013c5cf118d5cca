"""History has its months before they come."""

import asyncio
from collections.abc import AsyncIterator
from uuid import uuid4

import asyncpg
import pytest
from structlog.testing import capture_logs

from gamekeeper.core.settings import Hidden, Settings
from gamekeeper.db import partitions
from gamekeeper.db.migrate import MigrationFailed, migrate
from tests.databases import SERVER, admin, cloned, name_of
from tests.deadlines import until

NEXT = "(date_trunc('month', now() AT TIME ZONE 'UTC') + interval '{} months') AT TIME ZONE 'UTC'"

WAITS = """
    SELECT EXISTS (SELECT FROM pg_locks WHERE locktype = 'advisory' AND NOT granted AND database =
                   (SELECT oid FROM pg_database WHERE datname = current_database()))
"""


@pytest.fixture
async def settings(migrated: str) -> AsyncIterator[Settings]:
    """With all the months that a migration makes."""
    async with cloned(migrated) as settings:
        yield settings


@pytest.fixture
async def owner(settings: Settings) -> AsyncIterator[asyncpg.Connection]:
    connection = await asyncpg.connect(settings.database_url)
    yield connection
    await connection.close()


async def forget(connection: asyncpg.Connection, since: int) -> list[str]:
    """Drop the months from so many after the present one on, and name the year's."""
    names = await connection.fetch(
        f"""
        SELECT relation || to_char(month, '_YYYY_MM') AS name,
               number <= {partitions.AHEAD} AS is_near
          FROM unnest(ARRAY['actions', 'postings']) AS relation,
               generate_series({since}, 60) AS number,
               LATERAL (SELECT date_trunc('month', now() AT TIME ZONE 'UTC')
                               + make_interval(months => number)) AS ahead (month)
        """
    )
    for row in names:
        await connection.execute(f"DROP TABLE IF EXISTS {row['name']}")
    return [row["name"] for row in names if row["is_near"]]


async def act(connection: asyncpg.Connection, month: int) -> str:
    """An action so many months from now; the answer is the table it went to."""
    return await connection.fetchval(
        f"""
        INSERT INTO actions (id, at, kind, actor, actor_name, request_id, address)
        VALUES (gen_random_uuid(), {NEXT.format(month)}, 'undo', 'system', 'tests', '', '')
        RETURNING tableoid::regclass::text
        """
    )


async def test_the_next_year_is_there_already(settings, owner):
    assert await partitions.extend(owner) == []
    assert await partitions.keep_ahead(settings) == []


async def test_missing_months_are_made_like_those_of_the_migration(owner):
    """With the same indexes, constraints and defaults."""
    missing = await forget(owner, 4)
    assert len(missing) == 18
    former = await owner.fetch(
        """
        SELECT relation, relation || to_char(now() AT TIME ZONE 'UTC', '_YYYY_MM') AS name
          FROM unnest(ARRAY['actions', 'postings']) AS relation
        """
    )

    assert await partitions.extend(owner) == sorted(missing)

    assert await partitions.extend(owner) == []
    for row in former:
        made = next(name for name in missing if name.startswith(row["relation"]))
        assert await described(owner, made) == await described(owner, row["name"])
    assert [await act(owner, month) for month in (4, 12)] == [missing[0], missing[8]]


async def described(connection: asyncpg.Connection, table: str) -> list[str]:
    rows = await connection.fetch(
        """
        SELECT regexp_replace(pg_get_indexdef(indexrelid), '^.* USING', '') AS described
          FROM pg_index WHERE indrelid = $1::text::regclass AND EXISTS (
               SELECT FROM pg_inherits WHERE inhrelid = indexrelid)
        UNION ALL
        -- The same rule, whether or not rows that are older than it were checked.
        SELECT conname || replace(pg_get_constraintdef(oid), ' NOT VALID', '') FROM pg_constraint
         WHERE conrelid = $1::text::regclass AND contype = 'c'
        UNION ALL
        SELECT attname || coalesce(pg_get_expr(adbin, adrelid), '') || attnotnull
          FROM pg_attribute
          LEFT JOIN pg_attrdef ON adrelid = attrelid AND adnum = attnum
         WHERE attrelid = $1::text::regclass AND attnum > 0
         ORDER BY described
        """,
        table,
    )
    return [row["described"] for row in rows]


async def test_a_month_that_comes_too_late_takes_what_is_its_own(owner):
    await forget(owner, 4)
    assert [await act(owner, month) for month in (4, 30)] == ["actions_default"] * 2

    [name, *_] = await partitions.extend(owner)

    assert await owner.fetchval(f"SELECT count(*) FROM {name}") == 1
    assert await owner.fetchval("SELECT count(*) FROM actions_default") == 1
    assert await owner.fetchval("SELECT count(*) FROM actions") == 2


async def test_migrate_makes_them_and_several_at_once_do_not_collide(settings, owner):
    missing = await forget(owner, 4)

    made = await asyncio.gather(
        migrate(settings), *(partitions.keep_ahead(settings) for _ in range(3)), migrate(settings)
    )

    assert sum(len(names) for names in made[1:4]) in (0, len(missing))
    for name in missing:
        assert await owner.fetchval("SELECT to_regclass($1)", name) is not None


async def test_whoever_waited_sees_the_months_that_were_created_meanwhile(settings, owner):
    """It knows which were missing before it waited."""
    missing = await forget(owner, 12)
    async with owner.transaction():
        await owner.execute("SELECT pg_advisory_xact_lock($1)", partitions.LOCK)
        waiting = asyncio.create_task(partitions.keep_ahead(settings))
        await until(lambda: owner.fetchval(WAITS), "it waits for the lock")
        assert await partitions.extend(owner) == missing

    assert await waiting == []


async def test_a_long_query_is_not_queued_behind(settings, owner, monkeypatch):
    await forget(owner, 4)
    monkeypatch.setattr(partitions, "LOCK_TIMEOUT", "100ms")
    reader = await asyncpg.connect(settings.database_url)
    async with reader.transaction():
        await reader.execute("SELECT count(*) FROM actions")
        with pytest.raises(MigrationFailed, match=r"New months failed.* A long query"):
            await migrate(settings)
    await reader.close()
    monkeypatch.undo()
    assert await migrate(settings) == []
    assert await partitions.extend(owner) == []


@pytest.mark.parametrize(("left", "is_told"), [(1, True), (2, False)])
async def test_who_may_make_no_tables_warns_in_time(settings, owner, left, is_told):
    role = f"gamekeeper_test_{uuid4().hex[:12]}"
    await admin(f"CREATE ROLE {role} LOGIN")
    await migrate(settings, role)
    await forget(owner, left + 1)
    url = SERVER.format(name_of(settings)).replace("//postgres@", f"//{role}@")
    try:
        with capture_logs() as logs:
            assert await partitions.keep_ahead(Settings(database_url=Hidden(url))) == []
    finally:
        await owner.execute(f"DROP OWNED BY {role}; DROP ROLE {role}")

    told = [(line["event"], line["left"]) for line in logs]
    assert told == ([("partitions_running_out", left)] if is_told else [])
