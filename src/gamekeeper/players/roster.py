"""Who plays: the list, the ranking, who is online, whose characters they are."""

from typing import Any, LiteralString
from uuid import UUID

from gamekeeper import lookup, totals
from gamekeeper.database import Reader
from gamekeeper.players.lookup import unknown
from gamekeeper.players.records import COLUMNS, JOINS, Player
from gamekeeper.search import BEGINS, RESEMBLES, Search
from gamekeeper.shapes import Page, SortDirection, Window

BY_NAME: LiteralString = "name_key, id"
BY_RANK: dict[SortDirection, LiteralString] = {
    SortDirection.ASCENDING: "level, exp, id",
    SortDirection.DESCENDING: "level DESC, exp DESC, id DESC",
}


async def listed(reader: Reader, window: Window, search: Search | None) -> Page[Player]:
    """Every player, by name."""
    return await _ordered(reader, BY_NAME, window, search)


async def ranked(
    reader: Reader, window: Window, search: Search | None, direction: SortDirection
) -> Page[Player]:
    """Every player, by level, then experience; ties by id."""
    return await _ordered(reader, BY_RANK[direction], window, search)


async def _ordered(
    reader: Reader, order: LiteralString, window: Window, search: Search | None
) -> Page[Player]:
    if search is not None:
        return await _searched(reader, order, window, search)
    # The page is cut from the index alone, and only its rows are fetched and joined.
    players = await reader.all(
        Player,
        f"""
        SELECT {COLUMNS}
          FROM (SELECT id FROM players ORDER BY {order} LIMIT $1 OFFSET $2) AS page
          JOIN players USING (id) {JOINS}
         ORDER BY {_of_players(order)}
        """,
        window.shown,
        window.offset,
    )
    return Page.of(players, await totals.total(reader, "players"), window)


async def _searched(
    reader: Reader, order: LiteralString, window: Window, search: Search
) -> Page[Player]:
    page = await _found(reader, BEGINS, order, window, search)
    return page if page.total else await _found(reader, RESEMBLES, order, window, search)


async def _found(
    reader: Reader, way: LiteralString, order: LiteralString, window: Window, search: Search
) -> Page[Player]:
    rows = await reader.rows(
        f"""
        WITH hits AS MATERIALIZED (
            SELECT id, name_key, level, exp FROM players WHERE {way}
        )
        SELECT found.total, shown.*
          FROM (SELECT count(*) AS total FROM hits) AS found
          LEFT JOIN (
              SELECT {COLUMNS}
                FROM (SELECT id FROM hits ORDER BY {order} LIMIT $3 OFFSET $4) AS page
                JOIN players USING (id) {JOINS}
               ORDER BY {_of_players(order)}
          ) AS shown ON true
        """,
        *search.bounds,
        window.shown,
        window.offset,
    )
    return _page(rows, window)


def _of_players(order: LiteralString) -> LiteralString:
    return "players." + order.replace(", ", ", players.")


async def online(reader: Reader, window: Window) -> Page[Player]:
    """Who is in the game now, by name."""
    players = await reader.all(
        Player,
        f"""
        SELECT {COLUMNS}
          FROM (SELECT player_id
                  FROM presences JOIN servers ON servers.id = server_id
                 WHERE lease_until > now()
                 ORDER BY name_key, player_id LIMIT $1 OFFSET $2) AS page
          JOIN players ON players.id = page.player_id {JOINS}
         ORDER BY players.name_key, players.id
        """,
        window.shown,
        window.offset,
    )
    return Page.of(players, await online_count(reader), window)


async def online_count(reader: Reader) -> int:
    return await reader.value(
        """
        SELECT count(*)
          FROM presences JOIN servers ON servers.id = server_id
         WHERE lease_until > now()
        """
    )


async def of_user(reader: Reader, user: UUID) -> list[Player]:
    """A user's characters, in the order in which they were created."""
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
    """One of a user's characters, by name, by id, or by its place among them."""
    players = await of_user(reader, user)
    if key.isascii() and key.isdigit():
        players = [
            one for place, one in enumerate(players) if str(place) == (key.lstrip("0") or "0")
        ]
    else:
        asked = lookup.parse(key)
        players = [one for one in players if asked in (one.id, lookup.fold(one.name))]
    if not players:
        raise unknown(key)
    return players[0]


def _page(rows: list[Any], window: Window) -> Page[Player]:
    """A page with its total on every row; past the last page one row has nothing but that."""
    fields = Player.__struct_fields__
    players = [Player(**{name: row[name] for name in fields}) for row in rows if row["id"]]
    return Page.of(players, rows[0]["total"], window)
