"""
Rebalancing of count trees: nodes are split or merged to the wanted size.

The caller holds the list's lock and a snapshot without pending deltas. So the count of
a node must equal the rows in it; if not, MiscountedList is raised and nothing changes.
"""

from collections.abc import Sequence
from typing import LiteralString

from msgspec import Struct

from gamekeeper.core.errors import Unavailable
from gamekeeper.db.database import Writer
from gamekeeper.db.paging.orderings import MAX_KEY, TOP, Ordering


class MiscountedList(Unavailable):
    """The length of a list differs from its stored counts. Run: gamekeeper lists rebuild"""


class Sizes(Struct, frozen=True):
    """Wanted sizes: rows in a bucket, and children of a node above the buckets."""

    bucket: int = 256
    branch: int = 64

    def wanted(self, height: int) -> int:
        return self.branch if height else self.bucket

    def fits(self, height: int, width: int) -> bool:
        return width <= 2 * self.wanted(height) and self.wanted(height) <= 4 * width

    def pieces(self, height: int, width: int) -> int:
        return max(1, round(width / self.wanted(height)))


USUAL = Sizes()

BELOW: dict[int, LiteralString] = {1: "0", 2: "1"}


class KeyRange(Struct, frozen=True):
    """A part of a list, from `key` (inclusive) to `next` (exclusive)."""

    key: bytes
    next: bytes


class CountNode(KeyRange, frozen=True):
    count: int
    width: int
    """The number of its rows or child nodes."""


async def rebuild(writer: Writer, listing: Ordering, sizes: Sizes = USUAL) -> int:
    """
    Rebuild the tree from the rows, and return how many they are.

    The caller holds the lock and one snapshot. The rows already contain the deltas.
    """
    await writer.run("DELETE FROM list_deltas WHERE list = $1", listing.name)
    await writer.run("DELETE FROM list_nodes WHERE list = $1", listing.name)
    total = width = await writer.value(f"SELECT count(*) FROM {listing.table}")
    for height in range(TOP + 1):
        whole = CountNode(listing.lowest, MAX_KEY, total, width)
        width = await _cut(writer, listing, sizes, height, whole)
    return total


async def tidy(
    writer: Writer, listing: Ordering, sizes: Sizes, keys: Sequence[bytes], height: int = 0
) -> None:
    """Split and merge the nodes that begin at `keys`, and then their parents."""
    todo, touched = list(keys), dict[bytes, None]()
    while todo:
        key = todo.pop()
        above = await _above(writer, listing, height, key)
        span = _span(sizes, height, await _within(writer, listing, height, above), key)
        if not span:
            continue
        await _recut(writer, listing, sizes, height, span)
        touched[above.key] = None
        if len(span) > 1:
            todo.append(span[0].key)
            await _tidy_below(writer, listing, sizes, height, span)
    if touched and height < TOP:
        await tidy(writer, listing, sizes, list(touched), height + 1)


async def _tidy_below(
    writer: Writer, listing: Ordering, sizes: Sizes, height: int, span: Sequence[CountNode]
) -> None:
    """Nodes are merged only within one parent; in a new parent some may have a neighbour."""
    if height:
        below = await _within(writer, listing, height - 1, KeyRange(span[0].key, span[-1].next))
        unfit = [node.key for node in below if not sizes.fits(height - 1, node.width)]
        await tidy(writer, listing, sizes, unfit, height - 1)


def _span(sizes: Sizes, height: int, nodes: Sequence[CountNode], key: bytes) -> Sequence[CountNode]:
    """The nodes to rebuild so that the one at `key` fits: none, itself, or it and a neighbour."""
    place = next((at for at, node in enumerate(nodes) if node.key == key), None)
    if place is None or sizes.fits(height, nodes[place].width):
        return []
    if nodes[place].width > sizes.wanted(height):
        return [nodes[place]]
    sides = [side for side in (place - 1, place + 1) if 0 <= side < len(nodes)]
    if not sides:
        return []
    side = min(sides, key=lambda at: nodes[at].width)
    return nodes[min(place, side) : max(place, side) + 1]


async def _recut(
    writer: Writer, listing: Ordering, sizes: Sizes, height: int, span: Sequence[CountNode]
) -> None:
    whole = CountNode(
        key=span[0].key,
        next=span[-1].next,
        count=sum(node.count for node in span),
        width=sum(node.width for node in span),
    )
    found = await writer.value(
        f"SELECT coalesce(sum(weight), 0)::bigint FROM ({_parts(listing, height, whole)}) AS parts",
        *(whole.key, whole.next, whole.width),
    )
    if found != whole.count:
        raise MiscountedList(
            f"The list '{listing.name}' has {found:,} rows where its counts say {whole.count:,}. "
            "Run: gamekeeper lists rebuild"
        )
    await writer.run(
        "DELETE FROM list_nodes WHERE list = $1 AND height = $2 AND key >= $3 AND key < $4",
        *(listing.name, height, whole.key, whole.next),
    )
    await _cut(writer, listing, sizes, height, whole)


async def _cut(
    writer: Writer, listing: Ordering, sizes: Sizes, height: int, whole: CountNode
) -> int:
    """Insert nodes of about equal width in place of `whole`, and return how many."""
    order = "key" if height else listing.columns
    return await writer.run(
        f"""
        INSERT INTO list_nodes (list, height, key, count)
        SELECT '{listing.name}', $4, key, lead(before, 1, $5::bigint) OVER (ORDER BY key) - before
          FROM (SELECT $1::bytea AS key, 0::bigint AS before
                UNION ALL
                SELECT {"key" if height else listing.key}, before
                  FROM (SELECT {order}, row_number() OVER so_far - 1 AS place,
                               sum(weight) OVER so_far - weight AS before
                          FROM ({_parts(listing, height, whole)}) AS parts
                        WINDOW so_far AS (ORDER BY {order} ROWS UNBOUNDED PRECEDING)) AS numbered
                 WHERE place > 0
                   AND place * $6::bigint / $3::bigint > (place - 1) * $6::bigint / $3::bigint
               ) AS begun
        """,
        *(whole.key, whole.next, whole.width, height, whole.count),
        sizes.pieces(height, whole.width),
    )


def _parts(listing: Ordering, height: int, whole: KeyRange) -> LiteralString:
    """
    The children of nodes of that height, from $1 to $2: rows, or the nodes below.

    There should be $3 of them. If there are more rows, only one more is returned: the
    upper bound of an index scan uses the first column, not the last, so without a limit
    the scan may go far beyond.
    """
    if height:
        return f"""
            SELECT key, count AS weight FROM list_nodes
             WHERE list = '{listing.name}' AND height = {BELOW[height]}
               AND key >= $1 AND key < $2 AND $3::bigint >= 0
        """
    until = listing.until("$2::bytea") if whole.next != MAX_KEY else "$2::bytea IS NOT NULL"
    return f"""
        SELECT {listing.columns}, 1 AS weight
          FROM (SELECT {listing.columns} FROM {listing.table}
                 WHERE {listing.since("$1::bytea")}
                 ORDER BY {listing.columns} LIMIT $3::bigint + 1) AS reached
         WHERE {until}
    """


async def _above(writer: Writer, listing: Ordering, height: int, key: bytes) -> KeyRange:
    """The key range of the parent of the node at `key`; the whole list for the highest."""
    if height == TOP:
        return KeyRange(listing.lowest, MAX_KEY)
    [row] = await writer.rows(
        """
        SELECT key, (SELECT key FROM list_nodes WHERE list = $1 AND height = $2 AND key > $3
                      ORDER BY key LIMIT 1) AS next
          FROM list_nodes
         WHERE list = $1 AND height = $2 AND key <= $3
         ORDER BY key DESC LIMIT 1
        """,
        *(listing.name, height + 1, key),
    )
    return KeyRange(row["key"], row["next"] or MAX_KEY)


async def _within(
    writer: Writer, listing: Ordering, height: int, above: KeyRange
) -> list[CountNode]:
    rows = await writer.rows(
        """
        SELECT key, next, count,
               CASE $2 WHEN 0 THEN count
                       ELSE (SELECT count(*) FROM list_nodes AS below
                              WHERE below.list = $1 AND below.height = $2 - 1
                                AND below.key >= node.key AND below.key < node.next)
               END AS width
          FROM (SELECT key, count, lead(key, 1, $4) OVER (ORDER BY key) AS next
                  FROM list_nodes
                 WHERE list = $1 AND height = $2 AND key >= $3 AND key < $4) AS node
         ORDER BY key
        """,
        *(listing.name, height, above.key, above.next),
    )
    return [CountNode(**row) for row in rows]
