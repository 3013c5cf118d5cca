"""
Directories: small tables that say whose a unique name, email or id is.

What must be unique across characters or accounts is keyed by exactly that, apart
from the rows it leads to. The statements stand in the rooms; how lists of keys go
through them is the same for all.
"""

from collections.abc import Sequence
from typing import LiteralString
from uuid import UUID

from gamekeeper import lookup
from gamekeeper.database import Reader, Writer


async def find(reader: Reader, sql: LiteralString, keys: Sequence[str]) -> list[UUID | None]:
    """
    The id for each lookup key; None where nobody has it.

    `sql` takes ids as $1 and folded names as $2 and returns `id` and, for those
    found by name, `name_key`. A well-formed id is only believed if somebody has it.
    """
    asked = [lookup.parse(key) for key in keys]
    rows = await reader.rows(
        sql,
        [key for key in asked if isinstance(key, UUID)],
        [key for key in asked if isinstance(key, str)],
    )
    found = {row["name_key"] or row["id"]: row["id"] for row in rows}
    return [found.get(key) for key in asked]


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
