"""What a statement reads by its generic plan: the one that lookups and changes use."""

import json
from typing import Any

import asyncpg

from gamekeeper.core.settings import Settings
from gamekeeper.db.pools import LOOKUPS


class Cost:
    """The rows that the scans of a table and its partitions read, and all blocks."""

    def __init__(self, plan: dict[str, Any], table: str) -> None:
        self.rows = _rows(plan, table)
        self.blocks: int = plan["Shared Hit Blocks"] + plan["Shared Read Blocks"]


async def cost(settings: Settings, table: str, sql: str, *args: object) -> Cost:
    """
    Execute a statement on a connection like that of a lookup, and count what it reads.

    By EXECUTE: an EXPLAIN with parameters is planned for their values, so it shows another plan.
    """
    connection = await asyncpg.connect(settings.database_url, server_settings=LOOKUPS)
    try:
        parameters = (await connection.prepare(sql)).get_parameters()
        types = [parameter.name for parameter in parameters]
        pairs = zip(args, types, strict=True)
        values = ", ".join(f"{_literal(value)}::{name}" for value, name in pairs)
        await connection.execute(f"PREPARE measured ({', '.join(types)}) AS {sql}")
        explain = f"EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) EXECUTE measured ({values})"
        return Cost(json.loads(await connection.fetchval(explain))[0]["Plan"], table)
    finally:
        await connection.close()


def _literal(value: object) -> str:
    if value is None:
        return "NULL"
    if isinstance(value, list):
        return f"ARRAY[{', '.join(map(_literal, value))}]"
    quoted = str(value).replace("'", "''")
    return f"'{quoted}'"


def _rows(plan: dict[str, Any], table: str) -> int:
    removed = plan.get("Rows Removed by Filter", 0)
    own = (plan["Actual Rows"] + removed) * plan["Actual Loops"]
    below = sum(_rows(part, table) for part in plan.get("Plans", ()))
    return below + (own if plan.get("Relation Name", "").startswith(table) else 0)
