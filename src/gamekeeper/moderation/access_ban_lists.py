"""Access bans in lists, and the accounts that were used from a device or an address range."""

from typing import LiteralString
from uuid import UUID

from msgspec import Struct

from gamekeeper.core.errors import InvalidQuery
from gamekeeper.core.schemas import LARGEST_PAGE, Instant, Record
from gamekeeper.db.database import Queryable, Reader
from gamekeeper.sanctions import access_bans
from gamekeeper.sanctions.access_bans import COLUMNS, AccessBan
from gamekeeper.sanctions.in_force import BANNED, NOT_OVER

SHOWN_ACCOUNTS = 50
MAX_COUNTED = 10_000


class AccessBans(Record, frozen=True):
    values: list[AccessBan]
    next: UUID | None
    """The cursor of the next page; null: that was the last."""


async def list_access_bans(
    reader: Reader, cursor: UUID | None, limit: int, *, in_force: bool | None = None
) -> AccessBans:
    """A page of access bans, newest first, from the cursor on."""
    limit = max(1, min(LARGEST_PAGE, limit))
    if cursor and not await reader.value("SELECT true FROM access_bans WHERE id = $1", cursor):
        raise InvalidQuery("'cursor' must be the 'Next' of an answer.", field="cursor")
    found = await reader.all(
        AccessBan,
        f"""
        SELECT {COLUMNS} FROM access_bans
         WHERE ($1::uuid IS NULL
                OR (imposed_at, id) < (SELECT imposed_at, id FROM access_bans WHERE id = $1))
           AND ($2::boolean IS NULL OR ({NOT_OVER}) = $2)
         ORDER BY imposed_at DESC, id DESC
         LIMIT $3
        """,
        cursor,
        in_force,
        limit + 1,
    )
    more = found[limit - 1].id if len(found) > limit else None
    return AccessBans(values=found[:limit], next=more)


async def find_access_ban(reader: Reader, key: str) -> AccessBan:
    """The access ban with this id or code."""
    [found] = await access_bans.find_access_bans(reader, [key])
    if found is None:
        raise access_bans.missing(key)
    return found


class AffectedAccount(Record, frozen=True, kw_only=True):
    """An account that was used from a device or an address range."""

    user_id: UUID
    user_name: str
    last_seen: Instant
    is_banned: bool
    is_staff: bool


class AffectedAccounts(Struct, frozen=True):
    count: int
    shown: list[AffectedAccount]


async def affected(reader: Queryable, device: UUID | None, network: str | None) -> AffectedAccounts:
    """How many accounts were used from there, counted to 10,000, and the latest 50."""
    if device:
        count = await reader.value(COUNT_BY_DEVICE, device, MAX_COUNTED)
        rows = await reader.all(AffectedAccount, BY_DEVICE, device, SHOWN_ACCOUNTS)
    else:
        count = await reader.value(COUNT_BY_NETWORK, network, MAX_COUNTED)
        rows = await reader.all(AffectedAccount, BY_NETWORK, network, SHOWN_ACCOUNTS, MAX_COUNTED)
    return AffectedAccounts(count, rows)


# The bounds of a range, not `<<=`: with a parameter PostgreSQL finds them in the index. The upper
# one as a single address, because a network sorts before the addresses in it.
WITHIN: LiteralString = """
    address >= $1::text::inet
    AND address <= set_masklen(broadcast($1::text::inet),
                               CASE family($1::text::inet) WHEN 4 THEN 32 ELSE 128 END)
"""
ACCOUNT: LiteralString = f"""
    users.id AS user_id, users.name AS user_name, seen.last_seen, {BANNED} AS is_banned,
    EXISTS (SELECT FROM staff_roles WHERE staff_roles.user_id = users.id) AS is_staff
"""
COUNT_BY_DEVICE: LiteralString = """
    SELECT count(*) FROM (SELECT FROM user_devices WHERE device = $1 LIMIT $2) AS counted
"""
BY_DEVICE: LiteralString = f"""
    SELECT {ACCOUNT}
      FROM (SELECT user_id, last_seen FROM user_devices WHERE device = $1
             ORDER BY last_seen DESC, user_id DESC LIMIT $2) AS seen
      JOIN users ON users.id = seen.user_id
     ORDER BY seen.last_seen DESC, users.id
"""
COUNT_BY_NETWORK: LiteralString = f"""
    SELECT count(DISTINCT user_id)
      FROM (SELECT user_id FROM user_addresses WHERE {WITHIN} LIMIT $2) AS counted
"""
BY_NETWORK: LiteralString = f"""
    SELECT {ACCOUNT}
      FROM (SELECT user_id, max(last_seen) AS last_seen
              FROM (SELECT user_id, last_seen FROM user_addresses WHERE {WITHIN} LIMIT $3) AS found
             GROUP BY user_id ORDER BY 2 DESC, 1 LIMIT $2) AS seen
      JOIN users ON users.id = seen.user_id
     ORDER BY seen.last_seen DESC, users.id
"""
