"""Lists of players: all, searched, ranked (leaderboard), online, and by user; paginated."""

from collections.abc import Sequence
from typing import Any, LiteralString
from uuid import UUID

from gamekeeper.core import names
from gamekeeper.core.schemas import Page, Record, SortDirection, Window
from gamekeeper.core.search import Search
from gamekeeper.db import name_search
from gamekeeper.db.database import Queryable, Reader
from gamekeeper.db.name_search import MOST_PARTS, NameTable
from gamekeeper.db.paging import pages
from gamekeeper.db.paging.orderings import ONLINE, PLAYERS, RANK, Ordering
from gamekeeper.db.queries import single_flight
from gamekeeper.players.lookup import unknown
from gamekeeper.players.records import COLUMNS, JOINS, READ_COLUMNS, Player

PLAYER_NAMES = NameTable("player_names", "name_key", "player_id")

BY_NAME: LiteralString = "name_key, id"
BY_RANK: dict[SortDirection, LiteralString] = {
    SortDirection.ASCENDING: "level, exp, id",
    SortDirection.DESCENDING: "level DESC, exp DESC, id DESC",
}


@single_flight
async def list_players(reader: Reader, window: Window, search: Search | None) -> Page[Player]:
    """Every player, by name."""
    if search is not None:
        return await searched(reader, BY_NAME, window, search)
    return await _page_of(reader, PLAYERS, window, SortDirection.ASCENDING)


async def named(reader: Reader, window: Window, direction: SortDirection) -> Page[Player]:
    """Every player, by name, from either end."""
    return await _page_of(reader, PLAYERS, window, direction)


@single_flight
async def ranked(
    reader: Reader, window: Window, search: Search | None, direction: SortDirection
) -> Page[Player]:
    """Every player, by level, then experience; ties by id."""
    if search is not None:
        return await searched(reader, BY_RANK[direction], window, search)
    return await _page_of(reader, RANK, window, direction)


async def _page_of(
    reader: Reader, listing: Ordering, window: Window, direction: SortDirection
) -> Page[Player]:
    rows, total = await pages.page(
        reader,
        listing,
        window,
        columns=COLUMNS,
        joins=JOINS,
        descending=direction is SortDirection.DESCENDING,
    )
    return Page.of(players_of(rows), total, window)


class PlayerHits(Record, frozen=True):
    """Characters whose names match: at the beginning, then at a word, then anywhere."""

    values: list[Player]
    more: bool
    """Whether there are more than these."""


@single_flight
async def search_players(reader: Reader, search: Search, most: int) -> PlayerHits:
    """The characters whose names match best; if none does, those whose names are nearest."""
    hits = await name_search.best(reader, PLAYER_NAMES, search, most + 1)
    if not hits:
        hits = await name_search.nearest(reader, PLAYER_NAMES, search, most + 1)
    found = await players_by_id(reader.lookups, list(hits)[:most])
    return PlayerHits(
        values=[found[player] for player in hits if player in found], more=len(hits) > most
    )


async def players_by_id(reader: Reader, ids: Sequence[UUID]) -> dict[UUID, Player]:
    """The characters with these ids."""
    sql: LiteralString = f"SELECT {COLUMNS} FROM players {JOINS} WHERE players.id = ANY($1)"
    return {player.id: player for player in await reader.all(Player, sql, list(ids))}


async def searched(
    reader: Reader,
    order: LiteralString,
    window: Window,
    search: Search,
    source: LiteralString = "players",
) -> Page[Player]:
    """The players that a search finds; `order` is of columns of `source`, all players."""
    page = await _found(reader, source, BEGINS, order, window, *search.bounds)
    if page.total:
        return page
    hits = await name_search.containing(reader, PLAYER_NAMES, search, MOST_PARTS)
    hits = hits or await name_search.resembling(reader, PLAYER_NAMES, search)
    return await _found(reader, source, AMONG, order, window, list(hits)) if hits else page


BEGINS: LiteralString = "name_key >= $3 AND name_key < $4"
AMONG: LiteralString = "id = ANY($3)"


async def _found(
    reader: Reader,
    source: LiteralString,
    way: LiteralString,
    order: LiteralString,
    window: Window,
    *args: object,
) -> Page[Player]:
    rows = await reader.rows(
        f"""
        WITH hits AS MATERIALIZED (
            SELECT {_columns(order)} FROM {source} WHERE {way}
        ), page AS (
            SELECT id, row_number() OVER (ORDER BY {order}) AS place
              FROM (SELECT * FROM hits ORDER BY {order} LIMIT $1 OFFSET $2) AS nearest
        )
        SELECT found.total, shown.*
          FROM (SELECT count(*) AS total FROM hits) AS found
          LEFT JOIN (
              SELECT place, {COLUMNS} FROM page JOIN players USING (id) {JOINS}
          ) AS shown ON true
         ORDER BY place
        """,
        window.shown,
        window.offset,
        *args,
    )
    # Every row has the total; past the last page a single row has only the total.
    return Page.of(players_of([row for row in rows if row["id"]]), rows[0]["total"], window)


def _columns(order: LiteralString) -> LiteralString:
    """Only those of the order, so that a prefix is counted in the index of names alone."""
    return order.replace(" DESC", "")


# Joins presences to what COLUMNS needs.
OF_PRESENCES: LiteralString = """
    JOIN servers ON servers.id = presences.server_id
    JOIN players ON players.id = presences.player_id
    JOIN classes ON classes.id = players.class_id
"""


@single_flight
async def online(
    reader: Reader, window: Window, direction: SortDirection = SortDirection.ASCENDING
) -> Page[Player]:
    """The players who are online now, by name, from either end."""
    rows, total = await pages.page(
        reader,
        ONLINE,
        window,
        columns=COLUMNS,
        joins=OF_PRESENCES,
        descending=direction is SortDirection.DESCENDING,
    )
    return Page.of(players_of(rows), total, window)


async def on_server(reader: Reader, server: UUID, window: Window) -> Page[Player]:
    """The players on one server, by name; a server whose lease has ended has none."""
    rows = await reader.rows(
        f"""
        WITH page AS MATERIALIZED (
            SELECT player_id
              FROM presences
             WHERE server_id = $3
             ORDER BY list_key
             LIMIT $1 OFFSET $2
        )
        SELECT {COLUMNS}
          FROM page JOIN presences USING (player_id) {OF_PRESENCES}
         WHERE lease_until > statement_timestamp()
         ORDER BY presences.list_key
        """,
        window.shown,
        window.offset,
        server,
    )
    total = await reader.value(
        """
        SELECT online FROM crowds JOIN servers ON servers.id = server_id
         WHERE server_id = $1 AND lease_until > statement_timestamp()
        """,
        server,
    )
    return Page.of(players_of(rows), total or 0, window)


async def count_online(reader: Queryable) -> int:
    """Players online: a sum over live servers, so its cost does not grow with the players."""
    return await reader.value(ONLINE_COUNT)


ONLINE_COUNT: LiteralString = """
    SELECT coalesce(sum(online), 0)::int
      FROM crowds JOIN servers ON servers.id = server_id
     WHERE lease_until > statement_timestamp()
"""

online_count = single_flight(count_online)


async def of_user(reader: Reader, user: UUID) -> list[Player]:
    """A user's characters, in order of creation."""
    return await reader.all(
        Player,
        f"""
        SELECT {COLUMNS} FROM players {JOINS}
         WHERE players.user_id = $1
         ORDER BY players.created_at, players.id
        """,
        user,
    )


async def one_of_user(reader: Reader, user: UUID, key: str) -> Player:
    """One of a user's characters, by name, by id, or by its index among them."""
    players = await of_user(reader, user)
    if key.isascii() and key.isdigit():
        players = [
            player for place, player in enumerate(players) if str(place) == (key.lstrip("0") or "0")
        ]
    else:
        asked = names.parse(key)
        players = [player for player in players if asked in (player.id, names.fold(player.name))]
    if not players:
        raise unknown(key)
    return players[0]


def players_of(rows: list[Any]) -> list[Player]:
    """The players of rows whose last columns are COLUMNS."""
    return [Player(*row[-READ_COLUMNS:]) for row in rows]
