"""
Unique names: small tables that say whose a name, email or id is.

What must be unique across characters or accounts is keyed by exactly that, apart
from the rows it leads to. The statements stand in the rooms; how lists of keys go
through them is the same for all.
"""

from collections.abc import Sequence
from typing import Any, LiteralString
from uuid import UUID

from gamekeeper.core import names as core_names
from gamekeeper.db.database import Reader, Writer


async def find(reader: Reader, sql: LiteralString, keys: Sequence[str]) -> list[UUID | None]:
    """
    The id for each lookup key; None where nobody has it.

    `sql` takes ids as $1 and folded names as $2 and returns `id` and, for those
    found by name, `name_key`. A well-formed id is only believed if somebody has it.
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
    reader: Reader, names: LiteralString, sql: LiteralString, keys: Sequence[str], *args: object
) -> dict[str, list[Any]]:
    """
    The rows for each lookup key, under the key as it was spelled; none if nobody has it.

    `names` takes folded names as $1 and returns `name_key` and `id`. `sql` takes ids as
    $1, `args` after them, and returns the id in its first column. In two steps: a name
    may be known on one machine, and who has it on another.
    """
    asked = {key: core_names.parse(key) for key in keys}
    folded = {one for one in asked.values() if isinstance(one, str)}
    rows = await reader.rows(names, list(folded)) if folded else []
    known = {row["name_key"]: row["id"] for row in rows}
    meant = {key: known.get(one) if isinstance(one, str) else one for key, one in asked.items()}
    ids = {one for one in meant.values() if one}
    found: dict[UUID | None, list[Any]] = {}
    for row in await reader.rows(sql, list(ids), *args) if ids else []:
        found.setdefault(row[0], []).append(row)
    return {key: found[one] for key, one in meant.items() if one in found}


async def claim(
    writer: Writer, sql: LiteralString, keys: Sequence[str], owners: Sequence[UUID]
) -> set[UUID]:
    """
    Enter keys into a directory; return the owners whose key was free.

    `sql` must enter them in the order of the keys: two lists that share some must
    not wait for each other in a ring.
    """
    rows = await writer.rows(sql, list(keys), list(owners))
    return {row["owner"] for row in rows}
