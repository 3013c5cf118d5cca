"""
Verification of page counts against the rows themselves.

It reads one snapshot, so it may run while others write and while deltas are folded. It
takes no lock and changes nothing.
"""

from typing import LiteralString

from msgspec import Struct

from gamekeeper.core.settings import Settings
from gamekeeper.db.database import Writer, translate_errors
from gamekeeper.db.paging import pages
from gamekeeper.db.paging.maintenance import connected, placed
from gamekeeper.db.paging.orderings import Ordering

MAX_REPORTED: LiteralString = "100"
"""The most wrong buckets that are reported, and the most wrong sums."""


class Miscount(Struct, frozen=True, kw_only=True):
    """A node whose count is wrong."""

    height: int
    """0 for a bucket of rows; a higher node has the sum of those below."""
    begins: str
    """Its first key: level, experience and id, or name and id."""
    kept: int | None
    """Its count plus the deltas since; None if the node is missing."""
    found: int | None


class Finding(Struct, frozen=True, kw_only=True, rename={"name": "list"}):
    name: str
    total: int
    """By the counts of the list."""
    buckets: int
    wrong: list[Miscount]


async def check(settings: Settings, listing: Ordering) -> Finding:
    """Count the rows in each bucket of a list, and add up the nodes above."""
    with translate_errors():
        async with (
            connected(settings) as connection,
            connection.transaction(isolation="repeatable_read", readonly=True),
        ):
            # Each bucket is a short index scan, whatever the planner estimates.
            await connection.execute("SET LOCAL enable_sort = off; SET LOCAL enable_seqscan = off")
            reader = Writer(connection, settings)
            wrong = await reader.all(Miscount, _beginnings(listing), listing.lowest)
            wrong += await reader.all(Miscount, _buckets(listing))
            wrong += await reader.all(Miscount, _sums(listing))
            return Finding(
                name=listing.name,
                total=await pages.total(reader, listing),
                buckets=await reader.value(
                    "SELECT count(*) FROM list_nodes WHERE list = $1 AND height = 0", listing.name
                ),
                wrong=wrong,
            )


def _begins(listing: Ordering, key: LiteralString) -> LiteralString:
    columns = (listing.display or listing.row).replace("{key}", key)
    return f"trim(both '()' from ROW({columns})::text)"


def _beginnings(listing: Ordering) -> LiteralString:
    """The first node of each height must exist, or the rows before the second are lost."""
    return f"""
        SELECT height, {_begins(listing, "$1::bytea")} AS begins,
               NULL::bigint AS kept, NULL::bigint AS found
          FROM generate_series(0, 2) AS height
         WHERE NOT EXISTS (SELECT FROM list_nodes
                            WHERE list = '{listing.name}' AND list_nodes.height = height.height
                              AND key = $1::bytea)
    """


def _buckets(listing: Ordering) -> LiteralString:
    """The wrong buckets: a scan of at most one row too many finds them; only these are counted."""
    rows: LiteralString = f"{listing.table} WHERE {listing.since('node.key')}"
    return f"""
        WITH noted AS ({placed(listing, "0", "list_deltas", f"list = '{listing.name}'")}),
        node AS (
            SELECT key, count + coalesce(change, 0) AS kept, next
              FROM (SELECT key, count, lead(key) OVER (ORDER BY key) AS next
                      FROM list_nodes
                     WHERE list = '{listing.name}' AND height = 0) AS bucket
              LEFT JOIN noted USING (key)
        )
        SELECT 0 AS height, {_begins(listing, "key")} AS begins, kept,
               CASE WHEN next IS NULL THEN (SELECT count(*) FROM {rows})
                    ELSE (SELECT count(*) FROM {rows} AND {listing.until("next")}) END AS found
          FROM node
         WHERE kept <> (SELECT count(*)
                          FROM (SELECT {listing.columns} FROM {rows}
                                 ORDER BY {listing.columns} LIMIT greatest(kept, 0) + 1) AS reached
                         WHERE next IS NULL OR {listing.until("next")})
         ORDER BY key LIMIT {MAX_REPORTED}
    """


def _sums(listing: Ordering) -> LiteralString:
    """A parent begins where its first child begins, and has the sum of its children."""
    return f"""
        SELECT height, {_begins(listing, "key")} AS begins, kept, found
          FROM (SELECT node.height, node.key, node.count AS kept,
                       (SELECT CASE WHEN bool_or(below.key = node.key) THEN sum(below.count) END
                          FROM list_nodes AS below
                         WHERE below.list = '{listing.name}' AND below.height = node.height - 1
                           AND below.key >= node.key AND below.key < node.next) AS found
                  FROM (SELECT height, key, count,
                               lead(key, 1, '\\xff') OVER (PARTITION BY height ORDER BY key) AS next
                          FROM list_nodes
                         WHERE list = '{listing.name}' AND height > 0) AS node) AS sums
         WHERE kept IS DISTINCT FROM found
         ORDER BY height, key LIMIT {MAX_REPORTED}
    """
