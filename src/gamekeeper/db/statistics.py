"""
Statistics for the planner: which tables lack them, and ANALYZE.

Autovacuum collects them a minute after a table has grown. Until then, or without autovacuum, the
plans are guesses. Small tables are left out: no plan for them is slow, and statistics of a few
rows make plans that are wrong when the table has grown.
"""

from typing import LiteralString

import asyncpg

from gamekeeper.db.database import Queryable

SMALL_BYTES = 1_000_000
FEW_CHANGES = 100_000


async def missing(reader: Queryable) -> list[str]:
    """The tables that were never analyzed, or have changed completely since."""
    rows = await reader.rows(MISSING, SMALL_BYTES, FEW_CHANGES)
    return [row["name"] for row in rows]


async def analyze_missing(connection: asyncpg.Connection) -> list[str]:
    """Analyze those tables, and return their names."""
    rows = await connection.fetch(MISSING, SMALL_BYTES, FEW_CHANGES)
    names = [row["name"] for row in rows]
    for name in names:
        await connection.execute(f"ANALYZE {name}")
    return names


# pg_stats and not reltuples, which VACUUM sets too. The size is of now; relpages is of the last
# ANALYZE.
MISSING: LiteralString = """
    SELECT pg_class.oid::regclass::text AS name
      FROM pg_class
      LEFT JOIN pg_stat_user_tables ON relid = pg_class.oid
     WHERE relkind = 'r'
       AND relnamespace = 'public'::regnamespace
       AND pg_relation_size(pg_class.oid) > $1::bigint
       AND (NOT EXISTS (SELECT FROM pg_stats
                         WHERE schemaname = 'public' AND tablename = pg_class.relname)
            OR n_mod_since_analyze > $2::bigint + 2 * greatest(reltuples, 0)::bigint)
     ORDER BY 1
"""
