"""
Search for accounts, by name and, for callers who see emails, by email.

Nothing here reads the emails for anybody else: neither the answer nor the time it takes
tells such a caller whether an email exists.
"""

from typing import LiteralString
from uuid import UUID

from gamekeeper.core.schemas import Page, Record, Window
from gamekeeper.core.search import Search
from gamekeeper.db import name_search
from gamekeeper.db.database import Reader
from gamekeeper.db.name_search import MOST_PARTS, Hits, NameTable
from gamekeeper.db.queries import single_flight
from gamekeeper.users.play_time import with_play_time
from gamekeeper.users.records import COLUMNS, User

USER_NAMES = NameTable("user_names", "name_key", "user_id")
EMAILS = NameTable("user_emails", "email_key", "user_id")


class UserHits(Record, frozen=True):
    """Accounts whose names match; then, for callers that see emails, those whose emails do."""

    values: list[User]
    more: bool
    """Whether there are more than these."""


@single_flight
async def search_users(reader: Reader, search: Search, most: int, *, sees_emails: bool) -> UserHits:
    """The accounts whose names match best, then those whose emails do; if none, the nearest."""
    hits = await name_search.best(reader, USER_NAMES, search, most + 1)
    if sees_emails and len(hits) <= most:
        hits |= await name_search.beginning(reader, EMAILS, search, most + 1)
    if sees_emails and len(hits) <= most:
        hits |= await name_search.containing(reader, EMAILS, search, most + 1)
    if not hits:
        hits = await name_search.nearest(reader, USER_NAMES, search, most + 1)
    found = await users_by_id(reader.lookups, list(hits)[:most], sees_emails=sees_emails)
    return UserHits(values=[found[user] for user in hits if user in found], more=len(hits) > most)


async def users_by_id(reader: Reader, ids: list[UUID], *, sees_emails: bool) -> dict[UUID, User]:
    """The accounts with these ids."""
    rows = await reader.rows(f"SELECT {COLUMNS} FROM users WHERE id = ANY($1)", ids)
    return {user.id: user for user in await with_play_time(reader, rows, sees_emails=sees_emails)}


BY_NAME: LiteralString = "name_key, id"


async def search_page(
    reader: Reader,
    window: Window,
    search: Search,
    *,
    sees_emails: bool,
    order: LiteralString = BY_NAME,
) -> Page[User]:
    """A page of the accounts that match, by name or in another order of columns of users."""
    page = await _page(reader, BEGINS, order, window, *search.bounds, sees_emails=sees_emails)
    if page.total:
        return page
    hits = await _containing(reader, search, sees_emails=sees_emails)
    hits = hits or await name_search.resembling(reader, USER_NAMES, search)
    if not hits:
        return page
    return await _page(reader, AMONG, order, window, list(hits), sees_emails=sees_emails)


async def _containing(reader: Reader, search: Search, *, sees_emails: bool) -> Hits:
    hits = await name_search.containing(reader, USER_NAMES, search, MOST_PARTS)
    if sees_emails:
        hits |= await name_search.containing(reader, EMAILS, search, MOST_PARTS)
    return dict(list(hits.items())[:MOST_PARTS])


BEGINS: LiteralString = "name_key >= $3 AND name_key < $4"
AMONG: LiteralString = "id = ANY($3)"


async def _page(
    reader: Reader,
    way: LiteralString,
    order: LiteralString,
    window: Window,
    *args: object,
    sees_emails: bool,
) -> Page[User]:
    of_users: LiteralString = "users." + order.replace(", ", ", users.")
    rows = await reader.rows(
        f"""
        WITH hits AS MATERIALIZED (SELECT {order.replace(" DESC", "")} FROM users WHERE {way})
        SELECT found.total, shown.*
          FROM (SELECT count(*) AS total FROM hits) AS found
          LEFT JOIN (
              SELECT {COLUMNS}
                FROM (SELECT id FROM hits ORDER BY {order} LIMIT $1 OFFSET $2) AS page
                JOIN users USING (id)
               ORDER BY {of_users}
          ) AS shown ON true
        """,
        window.shown,
        window.offset,
        *args,
    )
    found = [row for row in rows if row["id"]]
    users = await with_play_time(reader, found, sees_emails=sees_emails)
    return Page.of(users, rows[0]["total"], window)
