"""
Addresses an account signed in from, and which other accounts did too.

They are those of the login throttle: of good sign-ins of the last month, IPv6 by the /64.
"""

from typing import LiteralString
from uuid import UUID

from gamekeeper.core.schemas import Instant, Page, Record, Window
from gamekeeper.db.database import Reader
from gamekeeper.users.lookup import names_of_users

MOST_OTHERS = 100
"""The most other accounts of one address: a school has thousands."""


class UsedAddress(Record, frozen=True):
    """An address that an account signed in from in the last month."""

    ip: str
    """An address; of IPv6, the /64 that it is in."""
    last_used: Instant
    """The last sign-in from there."""
    other_users: dict[UUID, str]
    """Other accounts that signed in from there, their names by id."""


async def list_addresses(reader: Reader, user: UUID, window: Window) -> Page[UsedAddress]:
    """A page of the addresses of an account, the last used first."""
    rows = await reader.rows(ADDRESSES, user, window.shown, window.offset)
    total = await reader.value("SELECT count(*) FROM known_sources WHERE user_id = $1", user)
    sources = [row["source"] for row in rows]
    others = await reader.rows(OTHERS, sources, user, MOST_OTHERS)
    names = await names_of_users(reader, (row["user_id"] for row in others))
    found = [
        UsedAddress(
            ip=row["source"],
            last_used=row["seen_at"],
            other_users={
                other["user_id"]: names.get(other["user_id"], "")
                for other in others
                if other["source"] == row["source"]
            },
        )
        for row in rows
    ]
    return Page.of(found, total, window)


ADDRESSES: LiteralString = """
    SELECT source, seen_at FROM known_sources
     WHERE user_id = $1
     ORDER BY seen_at DESC, source LIMIT $2 OFFSET $3
"""
OTHERS: LiteralString = """
    SELECT wanted.source, other.user_id
      FROM unnest($1::text[]) AS wanted (source)
     CROSS JOIN LATERAL (SELECT user_id FROM known_sources
                          WHERE source = wanted.source AND user_id <> $2
                          ORDER BY user_id LIMIT $3) AS other
"""
