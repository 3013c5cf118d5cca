"""
Unique names (lookup tables): small tables that map a name, email or id to its owner.

A value that must be unique across characters or accounts is the primary key of such a
table, apart from the rows it leads to. The packages have the statements; the handling of
lists of keys is the same for all.
"""

from collections.abc import Sequence
from typing import Any, LiteralString
from uuid import UUID

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


async def read(
    reader: Reader,
    names: LiteralString | None,
    sql: LiteralString,
    keys: Sequence[str],
    *args: object,
) -> dict[str, list[Any]]:
    """
    The rows for each lookup key, under the key as it was spelled; none if not found.

    `names` takes folded names as $1 and returns `name_key` and `id`; None if the owners have
    only ids. `sql` takes ids as $1, `args` after them, and returns the id in its first column.
    In two steps: with sharding, a name and its owner may be on different machines.
    """
    owners: dict[str, UUID | str | None] = {}
    folded: set[str] = set()
    for key in keys:
        owners[key] = parsed = core_names.parse(key)
        if isinstance(parsed, str):
            folded.add(parsed)
    if names and folded:
        known = {row["name_key"]: row["id"] for row in await reader.rows(names, list(folded))}
        owners = {key: known.get(owner, owner) for key, owner in owners.items()}
    ids = {owner for owner in owners.values() if isinstance(owner, UUID)}
    found: dict[UUID | str | None, list[Any]] = {}
    for row in await reader.rows(sql, list(ids), *args) if ids else []:
        found.setdefault(row[0], []).append(row)
    return {key: found[owner] for key, owner in owners.items() if owner in found}


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
