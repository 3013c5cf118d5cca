"""
Bulk load: drop the indexes and constraints of tables, and restore them after the load.

To build an index over all rows at once, or to check a foreign key with one join,
costs a fraction of doing it row by row. The definitions are read from PostgreSQL's
catalog and restored verbatim, so they cannot differ from the migrations. All must
happen in one transaction: if that fails, nothing was dropped.
"""

from collections.abc import AsyncIterator, Sequence

import asyncpg
from msgspec import Struct

# The foreign keys of every table, and those that reference it: a foreign key is dropped
# before the primary key that it references, and restored after it.
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
    """An index or a constraint to drop, with the definition that restores it."""

    table_name: str
    name: str
    definition: str


class Bare(Struct, frozen=True):
    """The dropped indexes and constraints."""

    foreign_keys: list[TablePart]
    keys: list[TablePart]
    indexes: list[TablePart]

    @property
    def size(self) -> int:
        return len(self.foreign_keys) + len(self.keys) + len(self.indexes)


async def strip(connection: asyncpg.Connection, tables: Sequence[str]) -> Bare:
    """Drop the foreign keys, keys and indexes of `tables`."""
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
    """Restore keys and indexes; yields the name of each."""
    for part in bare.keys:
        await _add(connection, part)
        yield part.name
    for part in bare.indexes:
        await connection.execute(part.definition)
        yield part.name


async def restore_foreign_keys(connection: asyncpg.Connection, bare: Bare) -> AsyncIterator[str]:
    """Restore the foreign keys, which checks them; yields the name of each."""
    for part in bare.foreign_keys:
        await _add(connection, part)
        yield part.name


async def _add(connection: asyncpg.Connection, part: TablePart) -> None:
    await connection.execute(
        f"ALTER TABLE {part.table_name} ADD CONSTRAINT {part.name} {part.definition}"
    )
