"""Lists of players in the orders of Intersect's `sortBy`; an unknown one is by name."""

from typing import LiteralString
from uuid import UUID

from gamekeeper.core.schemas import Page, SortDirection, Window
from gamekeeper.core.search import Search
from gamekeeper.db.database import Reader
from gamekeeper.db.paging import pages
from gamekeeper.db.paging.nearer_end import IndexWalk, nearer_end
from gamekeeper.db.paging.orderings import PLAYERS
from gamekeeper.db.queries import single_flight
from gamekeeper.players import last_online, roster
from gamekeeper.players.records import COLUMNS, Player

# There is an index on exactly these. `guildrank` is by name: the list has no guilds in it.
INDEXED: dict[str, LiteralString] = {
    "creationdate": "created_at",
    "playtime": "play_time_seconds",
}
LAST_ONLINE = "lastonline"
WAYS: dict[bool, LiteralString] = {False: "", True: " DESC"}


@single_flight
async def list_sorted(
    reader: Reader, window: Window, search: Search | None, by: str, direction: SortDirection
) -> Page[Player]:
    """Every player in one of the orders, or those that a search finds."""
    if by == "level":
        return await roster.ranked(reader, window, search, direction)
    descending = direction is SortDirection.DESCENDING
    column = INDEXED.get(by)
    if search is not None and by == LAST_ONLINE:
        order = last_online.ORDERS[descending]
        return await roster.searched(reader, order, window, search, last_online.SEEN)
    if search is not None:
        order = _order(column or "name_key", descending=descending)
        return await roster.searched(reader, order, window, search)
    if column is None and by != LAST_ONLINE:
        return await roster.named(reader, window, direction)
    total = await pages.total(reader, PLAYERS)
    walk = nearer_end(window, total, descending=descending)
    if column is None:
        ids = await last_online.page_ids(reader, walk, total)
    else:
        ids = await _along_index(reader, column, walk)
    if walk.descending is not descending:
        ids.reverse()
    found = await roster.players_by_id(reader, ids)
    return Page.of([found[id_] for id_ in ids if id_ in found], total, window)


async def _along_index(reader: Reader, column: LiteralString, walk: IndexWalk) -> list[UUID]:
    rows = await reader.rows(
        f"""
        SELECT id FROM players ORDER BY {_order(column, descending=walk.descending)}
         LIMIT $1 OFFSET $2
        """,
        walk.taken,
        walk.skipped,
    )
    return [row["id"] for row in rows]


def _order(column: LiteralString, *, descending: bool) -> LiteralString:
    way = WAYS[descending]
    return f"{column}{way}, id{way}"


# Who came last is online the shortest time. `list_key` is the name, then the id.
ONLINE_ORDERS: dict[str, tuple[LiteralString, LiteralString]] = {
    "name": ("list_key", "list_key DESC"),
    "level": ("level, exp, player_id", "level DESC, exp DESC, player_id DESC"),
    "onlinetime": ("joined_at DESC, player_id", "joined_at, player_id DESC"),
}


@single_flight
async def online_sorted(
    reader: Reader, window: Window, search: Search | None, by: str, direction: SortDirection
) -> Page[Player]:
    """
    The players who are online now, in one of the orders.

    By name and without a search, the page is found by counts. Otherwise all who are online are
    read: those are few beside all who ever played.
    """
    by = by if by in ONLINE_ORDERS else "name"
    descending = direction is SortDirection.DESCENDING
    if by == "name" and search is None:
        return await roster.online(reader, window, direction)
    order = ONLINE_ORDERS[by][descending]
    rows = await reader.rows(
        f"""
        WITH live AS MATERIALIZED (
            SELECT player_id, joined_at, list_key, level, exp
              FROM presences
              JOIN servers ON servers.id = presences.server_id
                          AND lease_until > statement_timestamp()
             CROSS JOIN LATERAL ({RANKS[by == "level"]}) AS rank
             WHERE $3 = '' OR strpos({NAME}, $3) > 0
        ), page AS (
            SELECT player_id, row_number() OVER (ORDER BY {order}) AS place
              FROM (SELECT * FROM live ORDER BY {order} LIMIT $1 OFFSET $2) AS shown
        )
        SELECT (SELECT count(*) FROM live) AS total, shown.*
          FROM (SELECT) AS always LEFT JOIN (
              SELECT page.place, {COLUMNS}
                FROM page JOIN presences USING (player_id) {roster.OF_PRESENCES}
          ) AS shown ON true
         ORDER BY shown.place
        """,
        window.shown,
        window.offset,
        search.name if search else "",
    )
    return Page.of(roster.players_of([row for row in rows if row["id"]]), rows[0]["total"], window)


# LATERAL with LIMIT: each character by its key. A join may read all who ever played, which takes
# four times as long with 20,000 of a million online. Only the order by level needs them.
RANKS: dict[bool, LiteralString] = {
    False: "SELECT 0 AS level, 0 AS exp",
    True: "SELECT level, exp FROM players WHERE players.id = presences.player_id LIMIT 1",
}
NAME: LiteralString = "convert_from(substring(list_key, 1, length(list_key) - 17), 'UTF8')"
