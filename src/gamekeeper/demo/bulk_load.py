"""
Bulk load: tables without their indexes and keys while they are being filled.

To build an index over all rows at once, or to check a foreign key with one join,
costs a fraction of doing it row by row. What to take away is asked of PostgreSQL,
and is put back in PostgreSQL's own words, so this cannot disagree with the
migrations. It must happen inside one transaction: if that fails, nothing was ever
taken away.
"""

from collections.abc import AsyncIterator, Sequence

import asyncpg
from msgspec import Struct

# Of every table, and of those that refer to it: the keys that refer to a primary key
# go before it, and come back after it.
FOREIGN_KEYS = """
    SELECT conrelid::regclass::text AS table_name,
           quote_ident(conname) AS name,
           pg_get_constraintdef(oid) AS definition
      FROM pg_constraint
     WHERE contype = 'f'
       AND conparentid = 0
       AND (conrelid = ANY($1::text[]::regclass[]) OR confrelid = ANY($1::text[]::regclass[]))
     ORDER BY conrelid::regclass::text, conname
"""

KEYS = """
    SELECT conrelid::regclass::text AS table_name,
           quote_ident(conname) AS name,
           pg_get_constraintdef(oid) AS definition
      FROM pg_constraint
     WHERE contype IN ('p', 'u', 'x')
       AND conrelid = ANY($1::text[]::regclass[])
     ORDER BY conrelid::regclass::text, contype, conname
"""

INDEXES = """
    SELECT indrelid::regclass::text AS table_name,
           indexrelid::regclass::text AS name,
           pg_get_indexdef(indexrelid) AS definition
      FROM pg_index
     WHERE indrelid = ANY($1::text[]::regclass[])
       AND NOT EXISTS (SELECT FROM pg_constraint
                        WHERE conindid = indexrelid AND contype IN ('p', 'u', 'x'))
     ORDER BY indrelid::regclass::text, indexrelid::regclass::text
"""


class TablePart(Struct, frozen=True):
    """Something to take from a table, and how to give it back."""

    table_name: str
    name: str
    definition: str


class Bare(Struct, frozen=True):
    """What was taken."""

    foreign_keys: list[TablePart]
    keys: list[TablePart]
    indexes: list[TablePart]

    @property
    def size(self) -> int:
        return len(self.foreign_keys) + len(self.keys) + len(self.indexes)


async def strip(connection: asyncpg.Connection, tables: Sequence[str]) -> Bare:
    """Take foreign keys, keys and indexes away from `tables`."""
    foreign_keys, keys, indexes = [
        [TablePart(**row) for row in await connection.fetch(sql, list(tables))]
        for sql in (FOREIGN_KEYS, KEYS, INDEXES)
    ]
    for part in [*foreign_keys, *keys]:
        await connection.execute(f"ALTER TABLE {part.table_name} DROP CONSTRAINT {part.name}")
    for part in indexes:
        await connection.execute(f"DROP INDEX {part.name}")
    return Bare(foreign_keys, keys, indexes)


async def restore_indexes(connection: asyncpg.Connection, bare: Bare) -> AsyncIterator[str]:
    """Give keys and indexes back, and tell the name of each."""
    for part in bare.keys:
        await _add(connection, part)
        yield part.name
    for part in bare.indexes:
        await connection.execute(part.definition)
        yield part.name


async def restore_foreign_keys(connection: asyncpg.Connection, bare: Bare) -> AsyncIterator[str]:
    """Give the foreign keys back, which checks them, and tell the name of each."""
    for part in bare.foreign_keys:
        await _add(connection, part)
        yield part.name


async def _add(connection: asyncpg.Connection, part: TablePart) -> None:
    await connection.execute(
        f"ALTER TABLE {part.table_name} ADD CONSTRAINT {part.name} {part.definition}"
    )
