"""
Lists of accounts in the orders of Intersect's `sortBy`; an unknown one is by name.

Who does not see emails cannot sort by them: the order alone would tell where a hidden email
lies between two known ones. `playtime` is by name: the sum over characters is stored nowhere.
"""

from typing import LiteralString
from uuid import UUID

from gamekeeper.core.schemas import Page, SortDirection, Window
from gamekeeper.core.search import Search
from gamekeeper.db.database import Reader
from gamekeeper.db.paging import pages
from gamekeeper.db.paging.nearer_end import IndexWalk, nearer_end
from gamekeeper.db.paging.orderings import USERS
from gamekeeper.db.queries import single_flight
from gamekeeper.users import directory
from gamekeeper.users.play_time import with_play_time
from gamekeeper.users.records import COLUMNS, User

WAYS: dict[bool, LiteralString] = {False: "", True: " DESC"}

# The columns of users, for those that a search finds.
FOUND: dict[str, LiteralString] = {
    "name": "name_key",
    "registrationdate": "created_at",
    "email": "email",
}


@single_flight
async def list_sorted(
    reader: Reader,
    window: Window,
    search: Search | None,
    by: str,
    direction: SortDirection,
    *,
    sees_emails: bool,
) -> Page[User]:
    """All accounts in one of the orders, or those that a search finds."""
    by = by if by in FOUND and (sees_emails or by != "email") else "name"
    descending = direction is SortDirection.DESCENDING
    if search is not None:
        way = WAYS[descending]
        order: LiteralString = f"{FOUND[by]}{way}, id{way}"
        return await directory.search_page(
            reader, window, search, sees_emails=sees_emails, order=order
        )
    if by == "name":
        rows, total = await pages.page(
            reader, USERS, window, columns=COLUMNS, descending=descending
        )
        return Page.of(await with_play_time(reader, rows, sees_emails=sees_emails), total, window)
    total = await pages.total(reader, USERS)
    walk = nearer_end(window, total, descending=descending)
    ids = await (_by_email if by == "email" else _by_registration)(reader, walk)
    if walk.descending is not descending:
        ids.reverse()
    found = await directory.users_by_id(reader, ids, sees_emails=sees_emails)
    return Page.of([found[id_] for id_ in ids if id_ in found], total, window)


async def _by_registration(reader: Reader, walk: IndexWalk) -> list[UUID]:
    way = WAYS[walk.descending]
    sql: LiteralString = f"""
        SELECT id FROM users ORDER BY created_at{way}, id{way} LIMIT $1 OFFSET $2
    """
    return [row["id"] for row in await reader.rows(sql, walk.taken, walk.skipped)]


async def _by_email(reader: Reader, walk: IndexWalk) -> list[UUID]:
    rows = await reader.rows(_emails(WAYS[walk.descending]), walk.taken, walk.skipped)
    return [row["user_id"] for row in rows]


def _emails(way: LiteralString) -> LiteralString:
    # Only the keys are walked over: the index has them, but not whose they are. An array, because
    # the planner expects a tenth of the table and would join it by reading all rows up to the page.
    return f"""
        SELECT user_id
          FROM user_emails
         WHERE email_key = ANY(ARRAY(SELECT email_key FROM user_emails
                                      ORDER BY email_key{way} LIMIT $1 OFFSET $2))
         ORDER BY email_key{way}
    """
