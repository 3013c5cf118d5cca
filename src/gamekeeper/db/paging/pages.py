"""
Pagination by page number: one statement finds any page, at any offset, at the same cost.

The statement descends a tree of counts: among the top nodes it finds the one in which
the page begins, among its children the next, and so on to a bucket of rows; from there
it scans the index. It adds the deltas recorded since the last fold on the way, so a page
and its total are exact in the snapshot of the statement.
"""

from collections.abc import Iterator
from functools import cache
from typing import Any, LiteralString

from msgspec import Struct

from gamekeeper.core.schemas import Window
from gamekeeper.db.database import Queryable, Reader
from gamekeeper.db.paging.orderings import HiddenRows, Ordering

MAX_SCANNED_ROWS: LiteralString = "1000"
"""
The most rows of the index that a page scans: about twice a bucket.

The planner needs the bound: it cannot know how few rows are skipped, and might sort all.
"""
BUNDLE: LiteralString = "8"
"""Buckets that are grouped if some rows are hidden."""
MAX_SCANNED_ROWS_IF_HIDDEN: LiteralString = "5000"
"""The most rows that a page scans if some rows are hidden."""
NO_MAXIMUM: LiteralString = "1000000000000"


async def page(
    reader: Reader,
    listing: Ordering,
    window: Window,
    *,
    columns: LiteralString,
    joins: LiteralString = "",
    descending: bool = False,
) -> tuple[list[Any], int]:
    """The rows of a page, and the length of the whole list."""
    for way in _ways(listing):
        rows = await reader.rows(
            _statement(listing, way, columns, joins, descending=descending),
            window.offset,
            window.shown,
        )
        if not rows[0]["is_missing"]:
            return [row for row in rows if row["id"]], rows[0]["total"]
    raise AssertionError("the last way finds all there is")


class _Way(Struct, frozen=True):
    """A strategy to find a page; the result says if it missed rows or found wrong ones."""

    reach: LiteralString
    hiding: HiddenRows | None = None


def _ways(listing: Ordering) -> Iterator[_Way]:
    """
    The usual strategy first, the slower ones only if it was not enough.

    A bucket may be too long for it after thousands of inserts at once, until the next fold.
    And the rows that are hidden now must be subtracted during the descent.
    """
    yield _Way(MAX_SCANNED_ROWS)
    if listing.hidden_rows:
        yield _Way(MAX_SCANNED_ROWS_IF_HIDDEN, listing.hidden_rows)
    yield _Way(NO_MAXIMUM, listing.hidden_rows)


async def total(reader: Queryable, listing: Ordering) -> int:
    """How long the list is, hidden rows included."""
    return await reader.value(f"WITH deltas AS ({_deltas(listing)}) SELECT {_total(listing)}")


@cache
def _statement(
    listing: Ordering,
    way: _Way,
    columns: LiteralString,
    joins: LiteralString,
    *,
    descending: bool,
) -> LiteralString:
    # A descending page is a range of the ascending list, at another offset.
    row = listing.row.replace("{key}", "key")
    start = "greatest(total - $1 - $2, 0)" if descending else "least($1, total)"
    return f"""
        WITH {_hidden(listing)}
        deltas AS MATERIALIZED ({_deltas(listing)} AND NOT {_is_in_vain(listing, way)}),
        counted AS MATERIALIZED (SELECT {_total(listing)} {_less(way)} AS total),
        wanted AS MATERIALIZED (
            SELECT total, {start} AS start, greatest(least($2, total - $1), 0) AS shown
              FROM counted
        ),
        top AS MATERIALIZED ({_node(listing, way, "2")}),
        branch AS MATERIALIZED ({_node(listing, way, "1", "top")}),
        leaf AS MATERIALIZED ({_node(listing, way, "0", "branch")}),
        skipped AS MATERIALIZED (SELECT start - before AS rows FROM wanted, leaf),
        found AS MATERIALIZED (
            SELECT ARRAY(
                SELECT {listing.id}
                  FROM (SELECT {_passed(listing)} FROM {listing.table}
                         WHERE ({listing.columns}) >= (SELECT {row} FROM leaf)
                         ORDER BY {listing.columns} LIMIT {way.reach}) AS reached
                 WHERE {_is_shown(way)}
                 ORDER BY {listing.columns}
                 LIMIT (SELECT shown FROM wanted) OFFSET (SELECT rows FROM skipped)) AS ids
        )
        SELECT wanted.total, {_is_missing(listing, way)} AS is_missing, page.*
          FROM wanted CROSS JOIN found LEFT JOIN (
              SELECT {columns}
                FROM {listing.table} {joins}
               WHERE {listing.table}.{listing.id} = ANY ((SELECT ids FROM found)::uuid[])
               ORDER BY {_order(listing, descending=descending)}
          ) AS page ON true
    """


def _deltas(listing: Ordering) -> LiteralString:
    return f"SELECT key, change::int FROM list_deltas WHERE list = '{listing.name}'"


def _total(listing: Ordering) -> LiteralString:
    return f"""
        (SELECT sum(count) FROM list_nodes WHERE list = '{listing.name}' AND height = 2)
        + (SELECT coalesce(sum(change), 0) FROM deltas)
    """


def _hidden(listing: Ordering) -> LiteralString:
    return f"hidden AS MATERIALIZED ({listing.hidden_rows.hidden})," if listing.hidden_rows else ""


def _is_in_vain(listing: Ordering, way: _Way) -> LiteralString:
    """Whether rows are hidden that this strategy does not subtract."""
    return "EXISTS (SELECT FROM hidden)" if listing.hidden_rows and not way.hiding else "false"


def _less(way: _Way) -> LiteralString:
    return "- (SELECT coalesce(sum(count), 0) FROM hidden)" if way.hiding else ""


def _passed(listing: Ordering) -> LiteralString:
    """The columns needed of a skipped row; an index has them all (index-only scan)."""
    if not listing.hidden_rows:
        return listing.columns
    return f"{listing.columns}, {listing.id}, {listing.hidden_rows.owner}"


def _is_shown(way: _Way) -> LiteralString:
    # IS NOT TRUE forces a lookup among the few hidden owners; the planner prefers a join.
    return f"({way.hiding.owner} IN (SELECT id FROM hidden)) IS NOT TRUE" if way.hiding else "true"


def _is_missing(listing: Ordering, way: _Way) -> LiteralString:
    if way.reach is NO_MAXIMUM:
        return "false"
    return f"cardinality(found.ids) < wanted.shown OR {_is_in_vain(listing, way)}"


def _node(
    listing: Ordering, way: _Way, height: LiteralString, above: LiteralString = ""
) -> LiteralString:
    """
    The node in which the page begins, how many rows are before it, and where it ends.

    A binary search among the keys of the nodes within `above` assigns each delta to its
    node: there are few of those, and sorting the deltas would take longer.
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
              FROM ({_nodes(listing, way, height, within)}) AS nodes
            WINDOW in_order AS (ORDER BY key)
        ),
        noted AS (
            SELECT width_bucket(key, ARRAY(SELECT key FROM nodes ORDER BY place)) AS place,
                   sum(change)::int AS change
              FROM deltas WHERE {within}
             GROUP BY 1
        ),
        counts AS MATERIALIZED (
            SELECT key, next, place, count + coalesce(change, 0) {_less_within(listing, way)} AS now
              FROM nodes LEFT JOIN noted USING (place)
        )
        SELECT key, next, before
          FROM (SELECT key, next, place, {before} + sum(now) OVER (ORDER BY place) - now AS before
                  FROM counts) AS node
         WHERE before <= (SELECT start FROM wanted)
         ORDER BY place DESC LIMIT 1
    """


def _nodes(
    listing: Ordering, way: _Way, height: LiteralString, within: LiteralString
) -> LiteralString:
    nodes: LiteralString = f"list = '{listing.name}' AND height = {height} AND {within}"
    if not way.hiding or height != "0":
        return f"SELECT key, count FROM list_nodes WHERE {nodes}"
    # Else every hidden owner is looked up in each bucket, and most have no rows there.
    return f"""
        SELECT (array_agg(key ORDER BY key))[1] AS key, sum(count) AS count
          FROM (SELECT key, count, (row_number() OVER (ORDER BY key) - 1) / {BUNDLE} AS bundle
                  FROM list_nodes WHERE {nodes}) AS buckets
         GROUP BY bundle
    """


def _less_within(listing: Ordering, way: _Way) -> LiteralString:
    """Subtract the hidden rows of a node; not of the last one, because none comes after it."""
    if not way.hiding:
        return ""
    return f"""
        - CASE WHEN place < (SELECT count(*) FROM nodes) THEN (
              SELECT coalesce(sum(within.count), 0)
                FROM hidden CROSS JOIN LATERAL (
                    SELECT count(*) FROM {listing.table}
                     WHERE {way.hiding.owner} = hidden.id
                       AND {listing.since("nodes.key")} AND {listing.until("nodes.next")}
                ) AS within
          ) ELSE 0 END
    """


def _order(listing: Ordering, *, descending: bool) -> LiteralString:
    way: LiteralString = " DESC" if descending else ""
    columns = listing.columns.replace(", ", f"{way}, {listing.table}.")
    return f"{listing.table}.{columns}{way}"
