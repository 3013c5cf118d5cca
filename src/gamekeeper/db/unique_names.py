"""
Unique names (lookup tables): small tables that map a name, email or id to its owner.

A value that must be unique across characters or accounts is the primary key of such a
table, apart from the rows it leads to. The packages have the statements; the handling of
lists of keys is the same for all.
"""

from collections.abc import Sequence
from typing import Any, LiteralString
from uuid import UUID

from msgspec import Struct

from gamekeeper.core import names as core_names
from gamekeeper.db.database import Queryable, Reader, Writer


async def find(reader: Queryable, sql: LiteralString, keys: Sequence[str]) -> list[UUID | None]:
    """
    The id for each lookup key; None where it was not found.

    `sql` takes ids as $1 and folded names as $2 and returns `id` and, for those
    found by name, `name_key`. A well-formed id counts only if a row has it.
    """
    asked = [core_names.parse(key) for key in keys]
    rows = await reader.rows(
        sql,
        [key for key in asked if isinstance(key, UUID)],
        [key for key in asked if isinstance(key, str)],
    )
    found = {row["name_key"] or row["id"]: row["id"] for row in rows}
    return [found.get(key) for key in asked]


class ByKey(Struct, frozen=True):
    """A statement that reads rows of owners by their ids, and the same by their names."""

    by_id: LiteralString
    by_name: LiteralString

    @classmethod
    def of(cls, table: LiteralString, sql: LiteralString) -> "ByKey":
        """
        `sql` reads from `{owners}`, and returns `asked.key` in its first column.

        LATERAL with LIMIT looks up each key in its index. A plan for `= ANY($1)` that was made
        while the table was tiny may walk through a whole index, and still does after the table
        has grown. For the same reason `sql` reads what an owner has by LATERAL with OFFSET 0.
        """
        owners: LiteralString = """
            unnest($1::{kind}[]) AS asked (key)
              CROSS JOIN LATERAL (
                    SELECT * FROM {table} AS owner WHERE owner.{column} = asked.key LIMIT 1
                    ) AS {table}
        """
        by_id: LiteralString = owners.format(kind="uuid", table=table, column="id")
        by_name: LiteralString = owners.format(kind="text", table=table, column="name_key")
        return cls(sql.format(owners=by_id), sql.format(owners=by_name))


async def read(
    reader: Reader, sql: ByKey, keys: Sequence[str], *args: object
) -> dict[str, list[Any]]:
    """
    The rows for each lookup key, under the key as it was spelled; none if not found.

    `args` are $2 and on of the statement.
    """
    asked: dict[str, UUID | str | None] = {}
    ids: set[UUID] = set()
    names: set[str] = set()
    for key in keys:
        asked[key] = parsed = core_names.parse(key)
        if isinstance(parsed, UUID):
            ids.add(parsed)
        elif parsed is not None:
            names.add(parsed)
    rows = await reader.rows(sql.by_id, list(ids), *args) if ids else []
    if names:
        rows = [*rows, *await reader.rows(sql.by_name, list(names), *args)]
    found: dict[UUID | str | None, list[Any]] = {}
    for row in rows:
        found.setdefault(row[0], []).append(row)
    return {key: found[owner] for key, owner in asked.items() if owner in found}


async def claim(
    writer: Writer, sql: LiteralString, keys: Sequence[str], owners: Sequence[UUID]
) -> set[UUID]:
    """
    Insert keys into a lookup table; return the owners whose key was free.

    `sql` must insert them in the order of the keys: two batches that share some must
    not deadlock.
    """
    rows = await writer.rows(sql, list(keys), list(owners))
    return {row["owner"] for row in rows}
