"""
A page of a list, wherever it is, by one statement.

The statement walks down the tree: among the highest nodes it finds the one in which
the page begins, among those within it the next, and so on to a bucket of rows; from
there it goes along the index. What was noted since the last fold is added on the way,
so a page and its total are exact, at the instant that the statement sees.
"""

from typing import Any, LiteralString

from gamekeeper.database import Reader
from gamekeeper.lists.listings import Listing
from gamekeeper.shapes import Window

REACHES: tuple[LiteralString, ...] = ("1000", "1000000000000")
"""
So many rows of the index are offered to a page: about twice what a bucket has, or all.

PostgreSQL must be told: not knowing how few rows will be skipped, it might sort them all.
"""


async def page(
    reader: Reader,
    listing: Listing,
    window: Window,
    *,
    columns: LiteralString,
    joins: LiteralString = "",
    descending: bool = False,
) -> tuple[list[Any], int]:
    """The rows of a page, and the length of the whole list."""
    for reach in REACHES:
        rows = await reader.rows(
            _statement(listing, columns, joins, reach, descending=descending),
            window.offset,
            window.shown,
        )
        # A bucket may be too long after thousands came at once, until the next fold.
        if not rows[0]["is_beyond"]:
            return [row for row in rows if row["id"]], rows[0]["total"]
    raise AssertionError("no list is that long")


async def total(reader: Reader, listing: Listing) -> int:
    """How long the list is."""
    return await reader.value(f"WITH deltas AS ({_deltas(listing)}) SELECT {_total(listing)}")


def _statement(
    listing: Listing,
    columns: LiteralString,
    joins: LiteralString,
    reach: LiteralString,
    *,
    descending: bool,
) -> LiteralString:
    # What is in a page is the same whichever way it is counted, only not its number.
    row = listing.row.replace("{key}", "key")
    start = "greatest(total - $1 - $2, 0)" if descending else "least($1, total)"
    return f"""
        WITH deltas AS MATERIALIZED ({_deltas(listing)}),
        counted AS MATERIALIZED (SELECT {_total(listing)} AS total),
        wanted AS MATERIALIZED (
            SELECT total, {start} AS start, greatest(least($2, total - $1), 0) AS shown
              FROM counted
        ),
        top AS MATERIALIZED ({_node(listing, "2")}),
        branch AS MATERIALIZED ({_node(listing, "1", "top")}),
        leaf AS MATERIALIZED ({_node(listing, "0", "branch")}),
        skipped AS MATERIALIZED (SELECT start - before AS rows FROM wanted, leaf)
        SELECT wanted.total, skipped.rows + wanted.shown > {reach} AS is_beyond, page.*
          FROM wanted CROSS JOIN skipped LEFT JOIN (
              SELECT {columns}
                FROM {listing.table} {joins}
               WHERE {listing.table}.id = ANY (ARRAY(
                         SELECT id
                           FROM (SELECT {listing.columns} FROM {listing.table}
                                  WHERE ({listing.columns}) >= (SELECT {row} FROM leaf)
                                  ORDER BY {listing.columns} LIMIT {reach}) AS reached
                          ORDER BY {listing.columns}
                          LIMIT (SELECT shown FROM wanted) OFFSET (SELECT rows FROM skipped)))
               ORDER BY {_order(listing, descending=descending)}
          ) AS page ON true
    """


def _deltas(listing: Listing) -> LiteralString:
    return f"SELECT key, change::int FROM list_deltas WHERE list = '{listing.name}'"


def _total(listing: Listing) -> LiteralString:
    return f"""
        (SELECT sum(count) FROM list_nodes WHERE list = '{listing.name}' AND height = 2)
        + (SELECT coalesce(sum(change), 0) FROM deltas)
    """


def _node(listing: Listing, height: LiteralString, above: LiteralString = "") -> LiteralString:
    """
    The node in which the page begins, how many rows are before it, and where it ends.

    Each note is put to the node it belongs to by looking among the keys of all nodes
    within `above`: there are few of those, and sorting the notes would take longer.
    """
    within: LiteralString = "true"
    before: LiteralString = "0"
    end: LiteralString = "'\\xff'::bytea"
    if above:
        within = f"key >= (SELECT key FROM {above}) AND key < (SELECT next FROM {above})"
        before = f"(SELECT before FROM {above})"
        end = f"(SELECT next FROM {above})"
    return f"""
        WITH nodes AS MATERIALIZED (
            SELECT key, lead(key, 1, {end}) OVER in_order AS next, count,
                   row_number() OVER in_order AS place
              FROM list_nodes
             WHERE list = '{listing.name}' AND height = {height} AND {within}
            WINDOW in_order AS (ORDER BY key)
        ),
        noted AS (
            SELECT width_bucket(key, ARRAY(SELECT key FROM nodes ORDER BY place)) AS place,
                   sum(change)::int AS change
              FROM deltas WHERE {within}
             GROUP BY 1
        )
        SELECT key, next, before
          FROM (SELECT key, next, place, {before} + sum(now) OVER (ORDER BY place) - now AS before
                  FROM (SELECT key, next, place, count + coalesce(change, 0) AS now
                          FROM nodes LEFT JOIN noted USING (place)) AS counts) AS node
         WHERE before <= (SELECT start FROM wanted)
         ORDER BY place DESC LIMIT 1
    """


def _order(listing: Listing, *, descending: bool) -> LiteralString:
    way: LiteralString = " DESC" if descending else ""
    columns = listing.columns.replace(", ", f"{way}, {listing.table}.")
    return f"{listing.table}.{columns}{way}"
