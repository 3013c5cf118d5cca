"""
The indexes of names and email addresses: built after a large first import, not during it.

Row by row they take a third of the time of an import. Whatever ends an import early, nothing is
remembered about them: an index that is missing is built by the next import or `gamekeeper migrate`,
and `gamekeeper doctor` reports it.
"""

import re
from typing import LiteralString

import asyncpg

from gamekeeper.db.database import Queryable
from gamekeeper.db.schema_files import numbered

MIGRATION = "0025_search_indexes"
FEW_NAMES = 1000
"""A game with more players is in use: a search without the indexes would read all names."""


def definitions() -> dict[str, str]:
    """The statement that creates each index, by its name."""
    sql = dict(numbered())[MIGRATION]
    return {found[1]: found[0] for found in re.finditer(CREATE, sql)}


CREATE = re.compile(r"CREATE INDEX CONCURRENTLY (\w+)[^;]+")


async def missing(reader: Queryable) -> list[str]:
    """Their names; one whose creation was interrupted is missing too."""
    rows = await reader.rows(MISSING, list(definitions()))
    return [row["name"] for row in rows]


async def drop_before_import(connection: asyncpg.Connection) -> None:
    """Drop them, if there are few names yet and this role owns them."""
    if await connection.fetchval(OWNS) and await connection.fetchval(HAS_FEW, FEW_NAMES):
        await connection.execute(f"DROP INDEX IF EXISTS {', '.join(definitions())}")


async def build_missing(connection: asyncpg.Connection) -> None:
    """Build those that are missing, while others may write; only the owner can."""
    if not await connection.fetchval(OWNS) or not await connection.fetchval(IS_APPLIED, MIGRATION):
        return
    known = definitions()
    for row in await connection.fetch(MISSING, list(known)):
        name = row["name"]
        await connection.execute(f"DROP INDEX CONCURRENTLY IF EXISTS {name}")
        await connection.execute(known[name])


MISSING: LiteralString = """
    SELECT name
      FROM unnest($1::text[]) AS name
      LEFT JOIN pg_index ON indexrelid = to_regclass('public.' || name)
     WHERE indisvalid IS NOT TRUE
     ORDER BY name
"""

OWNS: LiteralString = """
    SELECT pg_has_role(relowner, 'USAGE') FROM pg_class WHERE oid = 'public.user_names'::regclass
"""

IS_APPLIED: LiteralString = "SELECT EXISTS (SELECT FROM migrations WHERE name = $1)"

HAS_FEW: LiteralString = """
    SELECT count(*) < $1::int FROM (SELECT FROM user_names LIMIT $1) AS names
"""
