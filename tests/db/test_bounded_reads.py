"""Reads that find nothing, or little among much: they read what they show, not whole tables."""

import pytest

from gamekeeper.db.database import Database
from gamekeeper.users.actors import UnknownActor, find_actors

pytestmark = pytest.mark.usefixtures("database_statistics")

ROWS = 5000

USERS = """
    INSERT INTO users (name, name_key, email)
    SELECT 'account' || n, 'account' || n, 'account' || n || '@example.com'
      FROM generate_series(1, $1::int) AS n
"""
AT_TERMINAL = """
    INSERT INTO actions (id, kind, actor, actor_name, request_id, address)
    SELECT gen_random_uuid(), 'items.give', 'system', 'command line (root)', '', ''
      FROM generate_series(1, $1::int)
"""
READ = """
    SELECT coalesce(sum(seq_tup_read + coalesce(idx_tup_fetch, 0)), 0)::int
      FROM pg_stat_user_tables WHERE relname LIKE $1
"""


async def rows_read(database: Database, tables: str) -> int:
    """Rows of the tables with such names, read by the connections of `database` so far."""
    for pool in database.pools:
        # One caller at a time uses the same connection of a pool again and again.
        async with pool.acquire() as connection:
            await connection.execute("SELECT pg_stat_force_next_flush()")
            await connection.execute("SELECT 1")
    return await database.reader.value(READ, tables)


async def run(database: Database, *statements: str) -> None:
    for sql in statements:
        await database.write(lambda writer, sql=sql: writer.run(sql))


@pytest.mark.parametrize("tables", ["users", "actions%"])
async def test_a_mistyped_actor_reads_few_names(database, tables):
    """With any plan: after five calls PostgreSQL may choose one that knows no values."""
    await database.write(lambda writer: writer.run(USERS, ROWS))
    await database.write(lambda writer: writer.run(AT_TERMINAL, ROWS))
    await run(database, "ANALYZE users", "ANALYZE actions")
    before = await rows_read(database, tables)
    for _ in range(10):
        with pytest.raises(UnknownActor):
            await find_actors(database.reader, "grvoe", names_users=True)

    assert await rows_read(database, tables) - before < ROWS / 10
