"""Figures of a database: rows per table, sums of the ledger, head of the hash chain."""

from typing import LiteralString

import asyncpg
from msgspec import Struct, field

from gamekeeper.core.progress import ProgressCallback, silent


class LedgerSums(Struct, frozen=True, kw_only=True):
    postings: int = 0
    quantity: int = 0
    """The sum over all postings."""
    heads: int = 0
    """The sum of the numbers of each character's last posting."""


class ChainHead(Struct, frozen=True, kw_only=True):
    links: int = 0
    seq: int = 0
    hash: str = ""


class Figures(Struct, frozen=True, kw_only=True):
    """What a restored database must have too."""

    tables: dict[str, int] = field(default_factory=dict)
    ledger: LedgerSums = field(default_factory=LedgerSums)
    chain: ChainHead = field(default_factory=ChainHead)

    def differences(self, other: "Figures") -> list[str]:
        """Where another database is not the same, in words."""
        found = [
            f"the table {name} has {other.tables.get(name, 0):,} rows instead of {count:,}"
            for name, count in self.tables.items()
            if other.tables.get(name) != count
        ]
        found += [f"the table {name} is new" for name in other.tables if name not in self.tables]
        if self.ledger != other.ledger:
            found.append("the sums of the ledger differ")
        if self.chain != other.chain:
            found.append(
                f"the audit log ends with link {other.chain.seq} instead of {self.chain.seq}, "
                "or that is another one"
            )
        return found


async def read(connection: asyncpg.Connection, on_progress: ProgressCallback = silent) -> Figures:
    """Read all figures in the transaction of the connection, of any version of the schema."""
    tables: dict[str, int] = {}
    names = [row["name"] for row in await connection.fetch(TABLES)]
    for name in names:
        on_progress("Counting rows", len(tables), len(names))
        quoted = await connection.fetchval("SELECT quote_ident($1)", name)
        tables[name] = int(await connection.fetchval(f"SELECT count(*) FROM public.{quoted}") or 0)
    on_progress("Counting rows", len(tables), len(names))
    sums = await connection.fetchrow(SUMS)
    head = await connection.fetchrow(HEAD)
    assert sums is not None
    assert head is not None
    return Figures(tables=tables, ledger=LedgerSums(**sums), chain=ChainHead(**head))


# Partitions, not what they are partitions of: so nothing is counted twice.
TABLES: LiteralString = """
    SELECT relname::text AS name
      FROM pg_class
     WHERE relnamespace = 'public'::regnamespace AND relkind = 'r'
       AND NOT EXISTS (SELECT FROM pg_depend WHERE objid = pg_class.oid AND deptype = 'e')
     ORDER BY relname COLLATE "C"
"""

SUMS: LiteralString = """
    SELECT (SELECT count(*) FROM public.postings) AS postings,
           (SELECT coalesce(sum(quantity), 0)::bigint FROM public.postings) AS quantity,
           (SELECT coalesce(sum(seq), 0)::bigint FROM public.ledger_heads) AS heads
"""

HEAD: LiteralString = """
    SELECT (SELECT count(*) FROM public.chain) AS links,
           coalesce((SELECT seq FROM public.chain ORDER BY seq DESC LIMIT 1), 0) AS seq,
           coalesce((SELECT encode(hash, 'hex') FROM public.chain ORDER BY seq DESC LIMIT 1), '')
               AS hash
"""
