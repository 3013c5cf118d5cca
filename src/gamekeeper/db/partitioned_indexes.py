"""
Indexes on partitioned tables, created while others write to them.

PostgreSQL has no CREATE INDEX CONCURRENTLY for a partitioned table. So the table gets the index
without its partitions, which reads no rows; then each partition gets its own concurrently, and it
is attached. With the last one the index of the table becomes valid. A partition that is created in
between has the index from the beginning.
"""

import re

import asyncpg

from gamekeeper.db.partitions import LOCK_TIMEOUT

STATEMENT = re.compile(
    r"CREATE INDEX (?P<name>\w+)\s+ON (?P<table>\w+)\s+(?P<definition>.+)", re.DOTALL
)


async def create(connection: asyncpg.Connection, sql: str) -> None:
    """Execute a CREATE INDEX statement partition by partition; after a failure, run it again."""
    found = STATEMENT.search(sql)
    assert found, f"This is no CREATE INDEX on a table: {sql}"
    name, table, definition = found["name"], found["table"], found["definition"]
    # IF NOT EXISTS would lock the table against writers even if the index exists.
    if await connection.fetchval("SELECT to_regclass($1) IS NULL", name):
        await _run_briefly(connection, f"CREATE INDEX {name} ON ONLY {table} {definition}")
    for row in await connection.fetch(UNINDEXED, table, name):
        partition = row["partition"]
        own = f"{partition}{name.removeprefix(table)}"
        # An interrupted run leaves an invalid index behind.
        await connection.execute(f"DROP INDEX CONCURRENTLY IF EXISTS {own}")
        await connection.execute(f"CREATE INDEX CONCURRENTLY {own} ON {partition} {definition}")
        await _run_briefly(connection, f"ALTER INDEX {name} ATTACH PARTITION {own}")


async def _run_briefly(connection: asyncpg.Connection, sql: str) -> None:
    """Fail rather than queue behind a long transaction and block all statements after us."""
    async with connection.transaction():
        await connection.execute(f"SET LOCAL lock_timeout = '{LOCK_TIMEOUT}'")
        await connection.execute(sql)


UNINDEXED = """
    SELECT relname AS partition
      FROM pg_partition_tree(to_regclass($1)) AS tree
      JOIN pg_class ON pg_class.oid = tree.relid
     WHERE isleaf
       AND NOT EXISTS (SELECT
                         FROM pg_index JOIN pg_inherits ON inhrelid = indexrelid
                        WHERE indrelid = tree.relid AND inhparent = to_regclass($2))
     ORDER BY relname
"""
