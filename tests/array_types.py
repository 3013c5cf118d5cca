"""
What the driver knows of PostgreSQL's own array types, shared by all connections of this process.

asyncpg asks the server about `uuid[]`, `int[]` and the rest on every connection anew, one by one:
10 ms each, and a test that imports a game opens a dozen connections. The answer is always the same,
as PostgreSQL's own types have the same ids in every database.
"""

from collections.abc import Collection, Iterator
from types import SimpleNamespace
from typing import Any

import asyncpg

HIGHEST = 9999
"""The highest id that PostgreSQL's authors give away; those above differ between servers."""

ask = asyncpg.Connection._introspect_types
known: dict[int, Any] = {}


def share() -> None:
    """From now on each array type is asked for once."""
    asyncpg.Connection._introspect_types = recall


async def recall(self: Any, typeoids: Collection[int], timeout: Any) -> tuple[Any, Any]:
    if known.keys() >= set(typeoids):
        # It has a name, so the caller's own unnamed statement counts as still there, as it is.
        return list(_with_elements(typeoids)), SimpleNamespace(name="none")
    found, statement = await ask(self, typeoids, timeout)
    known.update({row["oid"]: row for row in found if row["oid"] <= HIGHEST})
    return found, statement


def _with_elements(oids: Collection[int]) -> Iterator[Any]:
    for oid in oids:
        if element := known.get(known[oid]["elemtype"]):
            yield element
        yield known[oid]
